//! Input images: a URL, or a `data:` URI that is decoded and checked.

use base64_simd::STANDARD;
use bytes::Bytes;

use super::errors::Error;
use crate::picture::sniff;

/// Largest image as base64, in bytes.
const ENCODED_BYTES_MAX: usize = 10 << 20;

/// Reads the image that `text` contains or names. Its sides must be within `side_px`. The URL
/// itself takes the place of the bytes behind it.
pub(super) fn read(text: &str, side_px: (u32, u32)) -> Result<Bytes, Error> {
    let schemes = ["http://", "https://", "oss://"];
    if schemes.iter().any(|scheme| text.starts_with(scheme)) {
        return Ok(text.to_owned().into());
    }
    let form = "The image must be a URL or data:{MIME};base64,{data}.";
    let rest = text.strip_prefix("data:").ok_or_else(|| Error::invalid(form))?;
    let (media_type, data) = rest.split_once(";base64,").ok_or_else(|| Error::invalid(form))?;
    if text.len() > ENCODED_BYTES_MAX {
        return Err(Error::invalid("The image is larger than 10MB."));
    }
    let bytes = STANDARD.decode_to_vec(data).map_err(|_| Error::invalid(form))?;
    let head = sniff(&bytes).ok_or_else(|| Error::invalid("The image cannot be decoded."))?;
    if head.format.media_type() != media_type {
        return Err(Error::invalid("The image does not have the declared type."));
    }
    let (short, long) = (head.width.min(head.height), head.width.max(head.height));
    let (least, most) = side_px;
    if short < least || long > most {
        return Err(Error::invalid(format!(
            "The width and height of the image must be between {least} and {most} pixels."
        )));
    }
    Ok(bytes.into())
}
