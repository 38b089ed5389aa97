//! Images in JSON.

use base64_simd::STANDARD;
use serde::{Serialize, Serializer};

/// Bytes that are written to JSON as base64 without an intermediate copy.
#[derive(Clone, Debug)]
pub struct Base64<'a> {
    /// What comes before the base64, such as `data:image/png;base64,`. May be empty.
    pub prefix: &'a str,
    /// The bytes.
    pub bytes: &'a [u8],
}

impl Serialize for Base64<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl std::fmt::Display for Base64<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A multiple of three bytes, so that only the last piece is padded.
        const PIECE_BYTES: usize = 3 * 4096;
        out.write_str(self.prefix)?;
        let mut piece = String::with_capacity(PIECE_BYTES / 3 * 4);
        for bytes in self.bytes.chunks(PIECE_BYTES) {
            piece.clear();
            STANDARD.encode_append(bytes, &mut piece);
            out.write_str(&piece)?;
        }
        Ok(())
    }
}
