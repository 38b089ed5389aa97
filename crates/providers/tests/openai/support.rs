//! Orders and responses, as short as the tests that need them.

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use retouch_core::Kind;
use retouch_core::edit::Edit;
use retouch_engine::codec::Format;
use retouch_providers::openai::{OpenAi, Options, Profile};
use retouch_providers::upstream::{
    Answer, Body, Call, CallUrl, Dialect, Meaning, Order, PartContent, Picture,
};

/// A request and its images, for one model of a server.
#[derive(Clone)]
pub(crate) struct Sample {
    pub(crate) edit: Edit,
    pub(crate) model: &'static str,
    pub(crate) pictures: Vec<Picture>,
}

/// An edit of images with these sizes.
pub(crate) fn edit(model: &'static str, sizes: &[(u32, u32)]) -> Sample {
    Sample::new(Kind::ImageEdit, model, sizes)
}

/// An image from text.
pub(crate) fn words(model: &'static str) -> Sample {
    Sample::new(Kind::TextToImage, model, &[])
}

impl Sample {
    pub(crate) fn new(kind: Kind, model: &'static str, sizes: &[(u32, u32)]) -> Self {
        let edit = super::edit::edit(kind, "make it night", sizes.len());
        let picture = |(number, &(width, height)): (usize, &(u32, u32))| Picture {
            bytes: Bytes::from(format!("picture {number}")),
            format: if number == 0 { Format::Png } else { Format::Jpeg },
            width,
            height,
        };
        Self { edit, model, pictures: sizes.iter().enumerate().map(picture).collect() }
    }

    /// This sample with a change to the request.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Edit)) -> Self {
        change(&mut self.edit);
        self
    }

    /// This sample with an aspect ratio.
    pub(crate) fn in_shape(self, ratio: &str) -> Self {
        let ratio = ratio.parse().unwrap();
        self.with(|edit| edit.aspect_ratio = ratio)
    }

    /// This sample with a size.
    pub(crate) fn in_size(self, size: &str) -> Self {
        let size = size.parse().unwrap();
        self.with(|edit| edit.size = Some(size))
    }

    /// The order, as the driver would build it.
    pub(crate) fn order(&self) -> Order<'_> {
        let id = "019aa000-0000-7000-8000-000000000001".parse().unwrap();
        Order {
            id,
            edit: &self.edit,
            model: self.model,
            pictures: &self.pictures,
            mask: None,
            end_user: None,
        }
    }

    pub(crate) fn call(&self, dialect: &dyn Dialect) -> Call {
        dialect.submit(&self.order(), &[]).unwrap().call
    }

    /// What a response to the order means.
    pub(crate) fn answered(&self, dialect: &dyn Dialect, answer: &Answer) -> Meaning {
        dialect.submitted(&self.order(), answer)
    }

    /// The call and its warnings, as text.
    pub(crate) fn shown(&self, dialect: &dyn Dialect) -> String {
        let mut text = shown(&self.call(dialect));
        for warning in dialect.read(&self.edit, self.model).unwrap() {
            text += &format!("! {}: {}\n", warning.code, warning.message);
        }
        text
    }
}

/// A call as text: its target, and one line for each field.
fn shown(call: &Call) -> String {
    let CallUrl::Path(path) = &call.url else { panic!("calls go to the base URL only") };
    let mut text = format!("{} {path}\n", call.method);
    match &call.body {
        Body::Empty => {}
        Body::Fields(fields) => text += fields,
        Body::Json(json) => {
            let value: serde_json::Value = serde_json::from_slice(json).unwrap();
            for (name, value) in value.as_object().unwrap() {
                text += &format!("  {name} = {value}\n");
            }
        }
        Body::Form(parts) => {
            for part in parts {
                let content = match &part.content {
                    PartContent::Text(text) => text.clone(),
                    PartContent::File { file_name, media_type, bytes } => {
                        format!("file {file_name}, {media_type}, {bytes:?}")
                    }
                };
                text += &format!("  {}: {content}\n", part.name);
            }
        }
    }
    text
}

/// The protocol for servers with this profile, with no settings.
pub(crate) fn dialect(profile: &'static Profile) -> OpenAi {
    OpenAi::new(profile, Options::default())
}

/// A complete response.
pub(crate) fn answer(status: u16, body: impl Into<Bytes>) -> Answer {
    let status = StatusCode::from_u16(status).unwrap();
    Answer { status, headers: HeaderMap::new(), body: body.into() }
}

/// The same response with one more header.
pub(crate) fn with_header(mut answer: Answer, name: &'static str, value: &'static str) -> Answer {
    answer.headers.insert(name, value.parse().unwrap());
    answer
}

/// A recorded response.
macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("../fixtures/openai/", $name, ".json"))
    };
}
pub(crate) use fixture;
