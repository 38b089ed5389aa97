//! Untrusted bytes as pictures and videos: refused with a reason, or decoded within the announced
//! memory to a picture that survives being written and read again.

use crate::counting::peak_bytes;
use retouch_engine::codec::{self, Limits};

/// Small enough that a single input is over in a moment; the code is the same.
const LIMITS: Limits = Limits {
    bytes_max: 1 << 20,
    pixels_max: 1 << 18,
    side_px_max: 1 << 12,
    decode_bytes_max: 1 << 26,
};

/// Memory in bytes that looking at a picture may take, which nothing is admitted by.
const PROBING_BYTES: u64 = 1 << 24;

pub(crate) fn check(bytes: &[u8]) {
    let _ = codec::verify_mp4(bytes);
    let (header, probing) = peak_bytes(|| codec::probe(bytes, &LIMITS));
    assert!(probing <= PROBING_BYTES, "{probing} bytes to look at {}", bytes.len());
    let (picture, peak) = peak_bytes(|| codec::decode(bytes, &LIMITS));
    let picture = match picture {
        Ok(picture) => picture,
        Err(error) => return assert!(error.to_string().len() > 20, "{error}"),
    };
    let header = header.expect("what can be decoded can be looked at first");
    assert!(peak <= header.decode_bytes, "{peak} bytes, {} announced", header.decode_bytes);
    assert_eq!(header.size(), picture.size(), "the header told the size");
    let png = codec::encode_png(&picture).expect("memory takes everything");
    let again = codec::decode(&png, &Limits::default()).expect("our own file");
    assert!(again == picture, "PNG keeps every pixel");
}
