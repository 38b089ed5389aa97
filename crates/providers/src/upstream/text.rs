//! Text that several protocols write and read: prompts, data URIs, base64, messages.

use std::borrow::Cow;

use base64_simd::forgiving_decode_to_vec;
use bytes::Bytes;
use retouch_core::edit::Edit;

use super::{Fault, Picture};

/// The instruction, with the negative prompt appended, for providers without a field for it.
pub fn prompt_with_negative(edit: &Edit) -> Cow<'_, str> {
    match &edit.negative_prompt {
        None => Cow::Borrowed(&edit.instruction),
        Some(negative) => Cow::Owned(format!("{}\n\nAvoid: {negative}", edit.instruction)),
    }
}

/// The part of a `data:` URI with `picture` that comes before the base64.
pub fn data_uri_prefix(picture: &Picture) -> String {
    format!("data:{};base64,", picture.format.media_type())
}

/// Decodes a result from base64, with or without a `data:` URI around it.
///
/// # Errors
/// [`Fault::Failed`] when it is not base64.
pub fn decode_base64(text: &str) -> Result<Bytes, Fault> {
    let data = match text.strip_prefix("data:") {
        Some(rest) => rest.split_once(',').map_or("", |(_, data)| data),
        None => text,
    };
    let bytes = forgiving_decode_to_vec(data.as_bytes())
        .map_err(|_| Fault::Failed("the result is not base64".into()))?;
    Ok(bytes.into())
}
