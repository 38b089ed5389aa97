//! Whether a picture's data is whole: decoded to its end, and not kept where that can be helped.

use super::{DecodeError, Format, decode_stored, jpeg, png};

/// Decodes all data of a picture.
///
/// # Errors
/// [`DecodeError`] when it is cut off or damaged.
pub(super) fn verify(bytes: &[u8], format: Format) -> Result<(), DecodeError> {
    match format {
        Format::Png => png::verify(bytes),
        Format::Jpeg => jpeg::verify(bytes),
        _ => decode_stored(bytes, format).map(drop),
    }
}
