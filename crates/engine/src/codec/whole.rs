//! Checks that the data of an image is complete by decoding all of it. Pixels are kept only where
//! the decoder can't do without.

use super::{DecodeError, Format, decode_stored, jpeg, png};

/// Decodes all data of an image.
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
