//! The parts of an order that snapshots compare, and what the tests of several providers share.

use retouch_core::Warning;
use retouch_core::image::AspectRatio;
use retouch_providers::upstream::{Answer, Call, Dialect};
use serde_json::{Value, json};

use crate::order::{Sample, answer};

impl Sample {
    /// This sample with every parameter set.
    pub(crate) fn with_everything(self) -> Self {
        self.with_rarities().with(|edit| edit.aspect_ratio = AspectRatio::Ratio(3, 2))
    }

    pub(crate) fn call(&self, dialect: &dyn Dialect) -> Call {
        self.submission(dialect, &[]).call
    }

    /// The warnings before the call, each as `PARAM: MESSAGE`.
    pub(crate) fn warnings(&self, dialect: &dyn Dialect) -> Vec<String> {
        let warnings =
            dialect.read(&self.edit, &self.model).expect("the model supports the request");
        let shown = |it: Warning| format!("{}: {}", it.param.unwrap_or_default(), it.message);
        warnings.into_iter().map(shown).collect()
    }

    /// The target of the call and its content, without the bytes of images.
    pub(crate) fn shown(&self, dialect: &dyn Dialect) -> Value {
        let call = self.call(dialect);
        json!({
            "call": format!("{} {:?}", call.method, call.url),
            "headers": call.headers,
            "body": self.sent(dialect),
            "warnings": self.warnings(dialect),
        })
    }
}

/// A complete response that asks the caller to wait.
pub(crate) fn answer_with_wait(status: u16, seconds: &'static str, body: &Value) -> Answer {
    let mut answer = answer(status, body.to_string());
    answer.headers.insert("retry-after", seconds.parse().expect("a header"));
    answer
}
