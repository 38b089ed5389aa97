//! Sends images to Replicate: small ones in the request, others as files that are uploaded first,
//! as Replicate's own clients do. Replicate deletes them after a day.

use serde::Deserialize;

use super::failure;
use crate::queue::fields::Sent;
use crate::upstream::{Answer, Body, Call, Fault, Order, Part, Picture, text};

/// Largest image that is part of the request, in bytes, as Replicate's documentation recommends.
const INLINE_BYTES_MAX: usize = 256 << 10;

#[derive(Deserialize)]
struct File {
    urls: Urls,
}

#[derive(Deserialize)]
struct Urls {
    get: String,
}

/// The uploads for the images of `order`, in their order.
pub(super) fn uploads(order: &Order<'_>) -> Vec<Call> {
    let numbered = (1..).zip(order.pictures).filter(|(_, picture)| is_uploaded(picture));
    numbered.map(|(number, picture)| upload(number, picture)).collect()
}

/// The images of `order` in the form in which they are sent, given the responses to their uploads.
pub(super) fn sent<'a>(order: &Order<'a>, uploaded: &[Answer]) -> Result<Vec<Sent<'a>>, Fault> {
    let mut uploaded = uploaded.iter();
    let sent = |picture: &'a Picture| {
        if !is_uploaded(picture) {
            let prefix = text::data_uri_prefix(picture);
            return Ok(Sent::Inline { prefix, bytes: &picture.bytes });
        }
        let answer = uploaded.next();
        answer.map_or_else(|| Err(Fault::busy("an upload is missing", None)), address)
    };
    order.pictures.iter().map(sent).collect()
}

fn is_uploaded(picture: &Picture) -> bool {
    picture.bytes.len() > INLINE_BYTES_MAX
}

fn upload(number: usize, picture: &Picture) -> Call {
    let media_type = picture.format.media_type();
    let extension = media_type.rsplit('/').next().unwrap_or_default();
    let name = format!("picture-{number}.{extension}");
    let part = Part::file("content", name, media_type, picture.bytes.clone());
    Call::post("/files", Body::Form(vec![part]))
}

fn address<'a>(answer: &Answer) -> Result<Sent<'a>, Fault> {
    if !answer.status.is_success() {
        return Err(failure::of_upload(answer));
    }
    let file = answer.json::<File>();
    // Without an address, the upload failed, and no work was done.
    let file = file.map_err(|_| Fault::busy(answer.shown(), None))?;
    Ok(Sent::Address(file.urls.get))
}
