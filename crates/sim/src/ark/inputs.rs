//! Input images: a URL, or a `data:` URI that is decoded and checked.

use base64_simd::STANDARD;
use bytes::Bytes;

use super::errors::Error;
use crate::picture::{Format, sniff};

/// A model's limits on input images.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputLimits {
    /// Maximum size of the file, in bytes.
    pub(super) bytes_max: usize,
    /// Minimum side, in pixels.
    pub(super) side_px_min: u32,
    /// Maximum side, in pixels.
    pub(super) side_px_max: u32,
}

/// Reads the image that `text` contains or names. The URL itself takes the place of the bytes
/// behind it.
pub(super) fn read(text: &str, (param, limits): (&str, InputLimits)) -> Result<Bytes, Error> {
    if text.starts_with("http://") || text.starts_with("https://") {
        return Ok(text.to_owned().into());
    }
    let wrong = |message: &str| Error::invalid(param, message);
    let form = "an image must be a URL or data:image/<format>;base64,<data>";
    let rest = text.strip_prefix("data:image/").ok_or_else(|| wrong(form))?;
    let (format, data) = rest.split_once(";base64,").ok_or_else(|| wrong(form))?;
    let format = Format::named(format).ok_or_else(|| wrong("the format must be lower case"))?;
    let bytes = STANDARD.decode_to_vec(data).map_err(|_| wrong("it is not base64"))?;
    if bytes.len() > limits.bytes_max {
        return Err(wrong("the image is too large"));
    }
    let head = sniff(&bytes).ok_or_else(|| wrong("it is not an image"))?;
    if head.format != format {
        return Err(wrong("the image does not have the declared format"));
    }
    let (short, long) = (head.width.min(head.height), head.width.max(head.height));
    if short < limits.side_px_min
        || long > limits.side_px_max
        || u64::from(long) > 16 * u64::from(short)
    {
        return Err(wrong("the width or height of the image is out of range"));
    }
    Ok(bytes.into())
}
