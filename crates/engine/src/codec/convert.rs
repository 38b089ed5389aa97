//! Converts images from one file format to another.

use super::{DecodeError, Encoded, Encoding, Header, Limits, decode, encode, encode_bytes};

/// Decodes an image and encodes it again.
///
/// # Errors
/// [`DecodeError`] when it can't be decoded or encoded.
pub fn convert(bytes: &[u8], limits: &Limits, encoding: Encoding) -> Result<Encoded, DecodeError> {
    let picture = decode(bytes, limits)?;
    encode(&picture, encoding).map_err(DecodeError::unwritten)
}

/// Upper bound of the peak memory of [`convert`], in bytes. It includes the result, but not the
/// encoded bytes that are passed in.
#[must_use]
pub fn convert_bytes(header: &Header, encoding: Encoding) -> u64 {
    header.decode_bytes.max(encode_bytes(header.size(), encoding))
}
