//! Forms (`multipart/form-data`) in every form in which clients send them: with `image`, `image[]`
//! or both, files before or after the fields, and numbers and booleans as texts.

use bytes::Bytes;
use retouch_core::edit::{Origin, PictureSource, Scalar};

use super::fields::{self, Values};
use super::request::{INPUTS_MAX, Read};
use crate::error::{ApiError, ApiResult, Code};
use crate::http::multipart::{self, Malformed};

/// Reads the form in `body`.
///
/// # Errors
/// When it is malformed, or a field is not a text or is there twice.
pub(super) fn read(body: &Bytes, boundary: Option<&str>) -> ApiResult<Read> {
    let boundary = boundary.ok_or(Malformed::NoBoundary);
    let parts = boundary.and_then(|boundary| multipart::parts(body, boundary));
    let parts = parts.map_err(|malformed| {
        let message =
            format!("The form cannot be read: {malformed}. Send it as a client library does.");
        ApiError::new(Code::InvalidForm, message)
    })?;
    let (mut values, mut unknown, mut images, mut mask) =
        (Values::default(), Vec::new(), Vec::new(), None);
    for part in parts {
        let name = part.name.as_str();
        if let Some(known) = fields::names().find(|known| *known == name) {
            if let Some(value) = text(known, &part.content)? {
                values.add(known, value)?;
            }
        } else if name == "image" || name.starts_with("image[") {
            images.push(part.content);
        } else if name == "mask" || name.starts_with("mask[") {
            mask = Some(part.content);
        } else {
            unknown.push(part.name);
        }
    }
    let pictures = pictures(images)?;
    let mask = mask.map(|file| source("mask".into(), file));
    Ok(Read { values, pictures, mask, unknown })
}

/// The text of a field. An empty one is the same as none, except that a prompt must not be empty.
fn text(name: &str, content: &Bytes) -> ApiResult<Option<Scalar>> {
    let text = std::str::from_utf8(content).map_err(|_| {
        let message = format!("`{name}` is not valid UTF-8 text.");
        ApiError::about(Code::InvalidType, name, message)
    })?;
    let is_set = !text.is_empty() || name == "prompt";
    Ok(is_set.then(|| Scalar { text: text.to_owned(), is_text: true }))
}

fn pictures(files: Vec<Bytes>) -> ApiResult<Vec<PictureSource>> {
    let count = files.len();
    if count > INPUTS_MAX {
        let message = format!("There are {count} input images; the limit is {INPUTS_MAX}.");
        return Err(ApiError::about(Code::TooManyImages, "image", message));
    }
    let name = |index| if count == 1 { "image".to_owned() } else { format!("image[{index}]") };
    let files = files.into_iter().enumerate();
    Ok(files.map(|(index, file)| source(name(index), file)).collect())
}

fn source(param: String, file: Bytes) -> PictureSource {
    PictureSource { param, origin: Origin::Inline(file) }
}
