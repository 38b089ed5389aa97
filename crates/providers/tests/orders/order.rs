//! Orders to test protocols with, as short as the tests that need them.

#[cfg(test)]
mod edit;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use retouch_core::Kind;
use retouch_core::catalogue::Quality;
use retouch_core::edit::Edit;
use retouch_engine::codec::Format;
use retouch_providers::Refused;
use retouch_providers::upstream::{
    Answer, Body, Call, Dialect, Meaning, Order, Picture, Submission,
};
use serde_json::Value;

/// The ID of every edit here.
pub(crate) const ID: &str = "019aa000-0000-7000-8000-000000000001";

/// A request and its images, for one model of a provider.
pub(crate) struct Sample {
    pub(crate) edit: Edit,
    pub(crate) model: String,
    pub(crate) pictures: Vec<Picture>,
}

impl Sample {
    /// The smallest request for `model`: an instruction, and images of these sizes.
    pub(crate) fn new(kind: Kind, model: &str, sizes: &[(u32, u32)]) -> Self {
        let edit = edit::edit(kind, "make it night", sizes.len());
        let picture = |(number, &(width, height)): (usize, &(u32, u32))| Picture {
            bytes: Bytes::from(vec![u8::try_from(number).expect("few"); 3]),
            format: if number == 0 { Format::Png } else { Format::Jpeg },
            width,
            height,
        };
        let pictures = sizes.iter().enumerate().map(picture).collect();
        Self { edit, model: model.into(), pictures }
    }

    /// This sample with a change to the request.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Edit)) -> Self {
        change(&mut self.edit);
        if self.edit.size.is_some() {
            self.edit.tier = edit::tier(self.edit.kind, self.edit.size);
        }
        self
    }

    /// This sample with every parameter that few providers support.
    pub(crate) fn with_rarities(self) -> Self {
        self.with(|edit| {
            edit.quality = Some(Quality::High);
            edit.watermark = Some(true);
            edit.negative_prompt = Some("people".into());
            edit.prompt_extend = Some(true);
        })
    }

    pub(crate) fn order(&self) -> Order<'_> {
        let id = ID.parse().expect("an id");
        Order {
            id,
            edit: &self.edit,
            model: &self.model,
            pictures: &self.pictures,
            mask: None,
            end_user: None,
        }
    }

    pub(crate) fn submission(&self, dialect: &dyn Dialect, uploaded: &[Answer]) -> Submission {
        dialect.submit(&self.order(), uploaded).expect("the provider can take the order")
    }

    /// The JSON that is sent for the order.
    pub(crate) fn sent(&self, dialect: &dyn Dialect) -> Value {
        json_of(&self.submission(dialect, &[]).call)
    }

    /// What a response to the order means.
    pub(crate) fn answered(&self, dialect: &dyn Dialect, answer: &Answer) -> Meaning {
        dialect.submitted(&self.order(), answer)
    }

    /// The model's refusal, which is known before anything is sent.
    pub(crate) fn refused(&self, dialect: &dyn Dialect) -> Refused {
        dialect.read(&self.edit, &self.model).expect_err("the model cannot do it")
    }
}

/// The JSON body of `call`.
pub(crate) fn json_of(call: &Call) -> Value {
    let Body::Json(text) = &call.body else { panic!("not JSON: {call:?}") };
    serde_json::from_slice(text).expect("the body is JSON")
}

/// A complete response.
pub(crate) fn answer(status: u16, body: impl Into<Bytes>) -> Answer {
    let status = StatusCode::from_u16(status).expect("a status");
    Answer { status, headers: HeaderMap::new(), body: body.into() }
}
