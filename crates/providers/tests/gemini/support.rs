//! Orders and responses without a network.

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use retouch_core::edit::Edit;
use retouch_core::{EditId, Kind, Warning};
use retouch_engine::codec::Format;
use retouch_providers::gemini::Gemini;
use retouch_providers::upstream::{Answer, Body, Call, Dialect, Fault, Meaning, Order, Picture};
use retouch_providers::{Refused, RefusedKind};
use serde_json::Value;

/// An edit with nothing but an instruction.
pub(super) fn edit(kind: Kind) -> Edit {
    let edit = super::edit::edit(kind, "make it dusk", 0);
    Edit { duration_seconds: edit.duration_seconds.map(|_| 8), ..edit }
}

/// An image of three bytes.
pub(super) fn picture(bytes: &'static str, format: Format, (width, height): (u32, u32)) -> Picture {
    Picture { bytes: Bytes::from(bytes), format, width, height }
}

pub(super) fn order<'a>(edit: &'a Edit, model: &'a str, pictures: &'a [Picture]) -> Order<'a> {
    let id: EditId = "0198d6f0-0000-7000-8000-000000000001".parse().unwrap();
    Order { id, edit, model, pictures, mask: None, end_user: None }
}

/// The call that requests the work, which must be possible.
pub(super) fn call(edit: &Edit, model: &str, pictures: &[Picture]) -> Call {
    Gemini::default().submit(&order(edit, model, pictures), &[]).unwrap().call
}

pub(super) fn json(call: &Call) -> Value {
    let Body::Json(text) = &call.body else { panic!("not JSON: {call:?}") };
    serde_json::from_slice(text).unwrap()
}

pub(super) fn answer(status: u16, body: impl Into<Bytes>) -> Answer {
    let status = StatusCode::from_u16(status).unwrap();
    Answer { status, headers: HeaderMap::new(), body: body.into() }
}

/// The recorded response with this name.
pub(super) fn recorded(status: u16, name: &str) -> Answer {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/gemini");
    answer(status, std::fs::read(format!("{folder}/{name}.json")).unwrap())
}

/// What `answer` to an edit means.
pub(super) fn meaning(answer: &Answer) -> Meaning {
    let edit = edit(Kind::ImageEdit);
    Gemini::default().submitted(&order(&edit, "gemini-3-pro-image", &[]), answer)
}

pub(super) fn refused(meaning: Meaning) -> Refused {
    match meaning {
        Err(Fault::Refused(refused)) => refused,
        other => panic!("not a refusal: {other:?}"),
    }
}

/// The message of a refusal, which must be of this kind.
pub(super) fn refused_for(kind: RefusedKind, meaning: Meaning) -> String {
    let refused = refused(meaning);
    assert_eq!(refused.kind, kind, "{}", refused.message);
    refused.message
}

/// The code and the field of each warning.
pub(super) fn codes(warnings: &[Warning]) -> Vec<(&str, &str)> {
    let param = |warning: &Warning| warning.param.clone().unwrap_or_default().leak() as &str;
    warnings.iter().map(|warning| (warning.code.as_str(), param(warning))).collect()
}
