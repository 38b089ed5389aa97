//! Converts the results of providers to PNG.

use super::encode::encode_png_bytes;
use super::strip::{Audience, strip};
use super::{DecodeError, Format, Header, Limits, decode, encode_png, guarded, probe, whole};
use std::borrow::Cow;

/// The result of a provider as PNG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Png {
    /// The file, or `None` when the original bytes are a PNG that can be used unchanged.
    pub bytes: Option<Vec<u8>>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// Checks that a result is a complete image and makes it a PNG without metadata.
///
/// A PNG in sRGB is not encoded again: the checksum of every chunk is verified, its data is
/// inflated to the end, and personal data (text, Exif, dates) is removed. A signed statement of how
/// it was made (C2PA) stays if nothing else has to go, because it is only valid then.
///
/// # Errors
/// [`DecodeError`] when it is not an image, is incomplete or damaged, or exceeds a limit.
pub fn to_png(bytes: &[u8], limits: &Limits) -> Result<Png, DecodeError> {
    let header = probe(bytes, limits)?;
    let bare = match header.format {
        Format::Png => guarded(Format::Png, || strip(bytes, Format::Png, Audience::Caller))?,
        _ => None,
    };
    if let Some(bare) = bare {
        guarded(Format::Png, || whole::verify(&bare, Format::Png))?;
        let bytes = match bare {
            Cow::Borrowed(_) => None,
            Cow::Owned(bare) => Some(bare),
        };
        return Ok(Png { bytes, width: header.width, height: header.height });
    }
    let picture = decode(bytes, limits)?;
    let written = encode_png(&picture).map_err(DecodeError::unwritten)?;
    Ok(Png { bytes: Some(written), width: picture.width(), height: picture.height() })
}

/// Upper bound of the peak memory of [`to_png`], in bytes. It includes the result, but not the
/// encoded bytes that are passed in.
#[must_use]
pub fn to_png_bytes(header: &Header) -> u64 {
    header.decode_bytes.max(encode_png_bytes(header.size()))
}
