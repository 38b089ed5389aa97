//! Orders to try protocols with, as short as the tests that need them.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use retouch_core::catalogue::{Catalogue, EMBEDDED, Quality};
use retouch_core::edit::{Edit, Origin, PictureSource};
use retouch_core::image::AspectRatio;
use retouch_core::{Credits, Kind, Warning};
use retouch_engine::codec::Format;
use retouch_providers::Refused;
use retouch_providers::upstream::{Answer, Body, Call, Dialect, Meaning, Order, Picture};
use serde_json::{Value, json};

/// A request and its pictures, for one model of a vendor.
pub(crate) struct Sample {
    pub(crate) edit: Edit,
    model: &'static str,
    pictures: Vec<Picture>,
}

impl Sample {
    /// The least that can be asked of `model`: an instruction and pictures of these sizes.
    pub(crate) fn new(kind: Kind, model: &'static str, sizes: &[(u32, u32)]) -> Self {
        let catalogue = Catalogue::parse(EMBEDDED).expect("it is tested elsewhere");
        let any = catalogue.find_model("gamma-2").expect("the requirement names it");
        let source = |number| PictureSource {
            param: format!("imageUrls[{number}]"),
            origin: Origin::Inline(Bytes::from_static(b"pixels")),
        };
        let edit = Edit {
            kind,
            model: Arc::clone(any),
            instruction: "make it night".into(),
            pictures: (0..sizes.len()).map(source).collect(),
            aspect_ratio: AspectRatio::Auto,
            size: None,
            quality: None,
            watermark: None,
            negative_prompt: None,
            prompt_extend: None,
            duration_seconds: (kind == Kind::Video).then_some(5),
            price: Credits::ZERO,
            warnings: Vec::new(),
        };
        let picture = |(number, &(width, height)): (usize, &(u32, u32))| Picture {
            bytes: Bytes::from(vec![u8::try_from(number).expect("few"); 3]),
            format: if number == 0 { Format::Png } else { Format::Jpeg },
            width,
            height,
        };
        let pictures = sizes.iter().enumerate().map(picture).collect();
        Self { edit, model, pictures }
    }

    /// The same with a change to the request.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Edit)) -> Self {
        change(&mut self.edit);
        self
    }

    /// The same with every parameter of the requirement set to something of its own.
    pub(crate) fn with_everything(self) -> Self {
        self.with(|edit| {
            edit.aspect_ratio = AspectRatio::Ratio(3, 2);
            edit.quality = Some(Quality::High);
            edit.watermark = Some(true);
            edit.negative_prompt = Some("people".into());
            edit.prompt_extend = Some(true);
        })
    }

    fn order(&self) -> Order<'_> {
        Order {
            id: "019aa000-0000-7000-8000-000000000001".parse().expect("an id"),
            edit: &self.edit,
            model: self.model,
            pictures: &self.pictures,
        }
    }

    /// The call that asks for it.
    pub(crate) fn call(&self, dialect: &dyn Dialect) -> Call {
        dialect.submit(&self.order(), &[]).expect("it can be put in the vendor's terms").call
    }

    /// What that call carries, which must be JSON.
    pub(crate) fn sent(&self, dialect: &dyn Dialect) -> Value {
        let Body::Json(text) = self.call(dialect).body else { panic!("not JSON") };
        serde_json::from_slice(&text).expect("what is sent as JSON is JSON")
    }

    /// What an answer to it means.
    pub(crate) fn answered(&self, dialect: &dyn Dialect, answer: &Answer) -> Meaning {
        dialect.submitted(&self.order(), answer)
    }

    /// What the caller is told beforehand, each as `PARAM: MESSAGE`.
    pub(crate) fn warnings(&self, dialect: &dyn Dialect) -> Vec<String> {
        let warnings = dialect.read(&self.edit, self.model).expect("the model can do it");
        let shown = |it: Warning| format!("{}: {}", it.param.unwrap_or_default(), it.message);
        warnings.into_iter().map(shown).collect()
    }

    /// Why the model is certain not to do it.
    pub(crate) fn refused(&self, dialect: &dyn Dialect) -> Refused {
        dialect.read(&self.edit, self.model).expect_err("the model cannot do it")
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

/// A whole answer.
pub(crate) fn answer(status: u16, body: impl Into<Bytes>) -> Answer {
    let status = StatusCode::from_u16(status).expect("a status");
    Answer { status, headers: HeaderMap::new(), body: body.into() }
}

/// A whole answer that asks for patience.
pub(crate) fn answer_with_wait(status: u16, seconds: &'static str, body: &Value) -> Answer {
    let mut answer = answer(status, body.to_string());
    answer.headers.insert("retry-after", seconds.parse().expect("a header"));
    answer
}
