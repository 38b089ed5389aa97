//! Orders to try protocols with, as short as the tests that need them.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use retouch_core::catalogue::{Catalogue, EMBEDDED, Quality};
use retouch_core::edit::{Edit, Origin, PictureSource};
use retouch_core::image::AspectRatio;
use retouch_core::{Credits, EditId, Kind, Warning};
use retouch_engine::codec::Format;
use retouch_providers::upstream::{
    Answer, Artefact, Body, Call, Dialect, Fault, Meaning, Order, Picture, Place, Step, Submission,
    Ticket,
};
use retouch_providers::{Refused, RefusedKind};
use serde_json::Value;

/// The name of every edit here.
pub(crate) const ID: &str = "019aa000-0000-7000-8000-000000000001";

/// A request and its pictures, for one model of a platform.
pub(crate) struct Sample {
    pub(crate) edit: Edit,
    model: String,
    pictures: Vec<Picture>,
}

impl Sample {
    /// The least that can be asked of `model`: an instruction and pictures of these sizes.
    pub(crate) fn new(kind: Kind, model: &str, sizes: &[(u32, u32)]) -> Self {
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
        Self { edit, model: model.into(), pictures }
    }

    /// An edit of one picture, 1200 x 800.
    pub(crate) fn edit(model: &str) -> Self {
        Self::new(Kind::ImageEdit, model, &[(1200, 800)])
    }

    /// The same with a change to the request.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Edit)) -> Self {
        change(&mut self.edit);
        self
    }

    /// The same with an aspect ratio.
    pub(crate) fn ratio(self, width: u32, height: u32) -> Self {
        self.with(|edit| edit.aspect_ratio = AspectRatio::Ratio(width, height))
    }

    /// The same with a size, such as `1024x768`.
    pub(crate) fn size(self, size: &str) -> Self {
        self.with(|edit| edit.size = Some(size.parse().expect("a size")))
    }

    /// The same with every parameter that few platforms know.
    pub(crate) fn with_rarities(self) -> Self {
        self.with(|edit| {
            edit.quality = Some(Quality::High);
            edit.watermark = Some(true);
            edit.negative_prompt = Some("people".into());
            edit.prompt_extend = Some(true);
        })
    }

    /// The same with a picture of so many bytes at `number`.
    pub(crate) fn heavy(mut self, number: usize, bytes: usize) -> Self {
        self.pictures[number].bytes = Bytes::from(vec![7; bytes]);
        self
    }

    pub(crate) fn order(&self) -> Order<'_> {
        let id: EditId = ID.parse().expect("an id");
        Order { id, edit: &self.edit, model: &self.model, pictures: &self.pictures }
    }

    /// What asks for it.
    pub(crate) fn submission(&self, dialect: &dyn Dialect, uploaded: &[Answer]) -> Submission {
        dialect.submit(&self.order(), uploaded).expect("it can be put in the platform's terms")
    }

    /// The JSON that is sent for it.
    pub(crate) fn sent(&self, dialect: &dyn Dialect) -> Value {
        json_of(&self.submission(dialect, &[]).call)
    }

    /// What an answer to it means.
    pub(crate) fn answered(&self, dialect: &dyn Dialect, answer: &Answer) -> Meaning {
        dialect.submitted(&self.order(), answer)
    }

    /// What the caller is told beforehand, each as `CODE PARAM`.
    pub(crate) fn warnings(&self, dialect: &dyn Dialect) -> Vec<String> {
        let warnings = dialect.read(&self.edit, &self.model).expect("the model can do it");
        let shown = |it: Warning| format!("{} {}", it.code, it.param.unwrap_or_default());
        warnings.into_iter().map(shown).collect()
    }

    /// Why the model is certain not to do it.
    pub(crate) fn refused(&self, dialect: &dyn Dialect) -> Refused {
        dialect.read(&self.edit, &self.model).expect_err("the model cannot do it")
    }
}

/// A whole answer.
pub(crate) fn answer(status: u16, body: impl Into<Bytes>) -> Answer {
    let status = StatusCode::from_u16(status).expect("a status");
    Answer { status, headers: HeaderMap::new(), body: body.into() }
}

/// The same answer with one more header.
pub(crate) fn with_header(mut answer: Answer, name: &'static str, value: &'static str) -> Answer {
    answer.headers.insert(name, value.parse().expect("a header"));
    answer
}

/// The JSON that `call` carries.
pub(crate) fn json_of(call: &Call) -> Value {
    let Body::Json(text) = &call.body else { panic!("not JSON: {call:?}") };
    serde_json::from_slice(text).expect("what is sent as JSON is JSON")
}

/// `METHOD PATH`, or the address.
pub(crate) fn line_of(call: &Call) -> String {
    let place = match &call.place {
        Place::Path(path) => path.clone(),
        Place::Address(url) => url.to_string(),
    };
    format!("{} {place}", call.method)
}

/// The ticket that an answer gives.
pub(crate) fn ticket_of(meaning: Meaning) -> Ticket {
    match meaning {
        Ok(Step::Submitted(ticket)) => ticket,
        other => panic!("no ticket: {other:?}"),
    }
}

/// The addresses of the results.
pub(crate) fn addresses_of(meaning: Meaning) -> Vec<String> {
    let Ok(Step::Done(harvest)) = meaning else { panic!("not done: {meaning:?}") };
    let address = |artefact| match artefact {
        Artefact::Address(address) => address,
        Artefact::Call(call) => line_of(&call),
        Artefact::Bytes(_) => panic!("bytes"),
    };
    harvest.artefacts.into_iter().map(address).collect()
}

/// How an attempt ended, in a word, with the milliseconds to wait where they are known.
#[expect(clippy::needless_pass_by_value, reason = "the tests that call it read better")]
pub(crate) fn outcome(meaning: Meaning) -> String {
    match meaning {
        Ok(Step::Done(_)) => "done".into(),
        Ok(Step::Submitted(_)) => "submitted".into(),
        Ok(Step::Working { .. }) => "working".into(),
        Err(Fault::Refused(Refused { kind: RefusedKind::Content, .. })) => "content".into(),
        Err(Fault::Refused(_)) => "parameters".into(),
        Err(Fault::NotAccepted { is_lasting: true, .. }) => "barred".into(),
        Err(Fault::NotAccepted { wait_ms: Some(ms), .. }) => format!("busy {ms}"),
        Err(Fault::NotAccepted { .. }) => "busy".into(),
        Err(Fault::Failed(_)) => "failed".into(),
        Err(Fault::Lost(_)) => "lost".into(),
    }
}
