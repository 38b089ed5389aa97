//! What of an order is compared with snapshots, and what the vendors of these tests have in common.

use retouch_core::Warning;
use retouch_core::image::AspectRatio;
use retouch_providers::upstream::{Answer, Call, Dialect};
use serde_json::{Value, json};

use crate::order::{Sample, answer};

impl Sample {
    /// The same request with every parameter set to a value of its own.
    pub(crate) fn with_everything(self) -> Self {
        self.with_rarities().with(|edit| edit.aspect_ratio = AspectRatio::Ratio(3, 2))
    }

    /// The call that asks for it.
    pub(crate) fn call(&self, dialect: &dyn Dialect) -> Call {
        self.submission(dialect, &[]).call
    }

    /// What the caller is told beforehand, each as `PARAM: MESSAGE`.
    pub(crate) fn warnings(&self, dialect: &dyn Dialect) -> Vec<String> {
        let warnings = dialect.read(&self.edit, &self.model).expect("the model can do it");
        let shown = |it: Warning| format!("{}: {}", it.param.unwrap_or_default(), it.message);
        warnings.into_iter().map(shown).collect()
    }

    /// Where the call goes, and what it says there beside its pictures' bytes.
    pub(crate) fn shown(&self, dialect: &dyn Dialect) -> Value {
        let call = self.call(dialect);
        json!({
            "call": format!("{} {:?}", call.method, call.place),
            "headers": call.headers,
            "body": self.sent(dialect),
            "warnings": self.warnings(dialect),
        })
    }
}

/// A whole answer that asks for patience.
pub(crate) fn answer_with_wait(status: u16, seconds: &'static str, body: &Value) -> Answer {
    let mut answer = answer(status, body.to_string());
    answer.headers.insert("retry-after", seconds.parse().expect("a header"));
    answer
}
