//! The calls of the stream. Each is a function of its number, so it can be repeated exactly.

use base64_simd::STANDARD;
use retouch_engine::{Picture, codec};
use serde_json::json;

use crate::http;

/// The price of every successful call of the stream.
pub(crate) const PRICE: i64 = 6;

const INSTRUCTIONS: [&str; 6] = [
    "make it grayscale",
    "sepia",
    "invert the colours",
    "rotate 90 degrees",
    "flip it horizontally",
    "blur it slightly",
];

/// Whether the call `number` can succeed. The others send bytes that are not an image, which is
/// found only after the credits are held.
pub(crate) fn can_succeed(number: u64) -> bool {
    number % 7 != 3
}

/// Whether the caller of `number` does not wait for the result, but asks for it later.
pub(crate) fn is_async(number: u64) -> bool {
    number % 4 == 2
}

/// The request of the call `number`, with its own `Idempotency-Key`.
pub(crate) fn edit(number: u64, key: &str) -> Vec<u8> {
    let picture = if can_succeed(number) { picture(number) } else { b"no picture".to_vec() };
    let instruction = INSTRUCTIONS[number as usize % INSTRUCTIONS.len()];
    let body =
        json!({ "instruction": instruction, "imageBase64": STANDARD.encode_to_string(picture) });
    let mut headers = vec![http::bearer(key), format!("Idempotency-Key: call-{number}")];
    if is_async(number) {
        headers.push("Prefer: respond-async".to_owned());
    }
    http::request("POST /api/image-edit", &headers, Some(body.to_string().as_bytes()))
}

/// A small image for most calls and a larger one for some, so that their work overlaps.
fn picture(number: u64) -> Vec<u8> {
    let side = if number.is_multiple_of(5) { 160 } else { 12 };
    noise(side, number)
}

/// A PNG that hardly compresses.
pub(crate) fn noise(side: u32, seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let pixels = (0..side * side).flat_map(|_| (random.next() as u32 | 0xFF).to_be_bytes());
    codec::encode_png(&Picture::from_rgba(side, side, pixels.collect()).unwrap()).unwrap()
}

/// Pseudorandom numbers that are the same for the same seed (splitmix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}
