//! The calls of the stream. Each is a function of its number, so it can be repeated exactly.

use base64_simd::STANDARD;
use retouch_engine::{Picture, codec};
use serde_json::json;

use crate::http;

/// The price of every successful call of the stream.
pub(crate) const PRICE: i64 = 6;

/// What separates the parts of a form. Its dashes at the beginning are not part of its name.
const BOUNDARY: &str = "--part-of-the-form";
const DISPOSITION: &str = "Content-Disposition: form-data";

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

/// Whether the call `number` is made in OpenAI's protocol.
pub(crate) fn is_openai(number: u64) -> bool {
    number % 3 == 2
}

/// How many images the call `number` makes. Each of them is an edit of its own.
pub(crate) fn images(number: u64) -> usize {
    if number % 9 == 5 && !is_async(number) { 2 } else { 1 }
}

/// The request of the call `number`, with its own `Idempotency-Key`.
pub(crate) fn edit(number: u64, key: &str) -> Vec<u8> {
    request(number, key, "url")
}

/// The same request, whose answer in OpenAI's protocol has the images instead of their addresses.
pub(crate) fn edit_for_bytes(number: u64, key: &str) -> Vec<u8> {
    request(number, key, "b64_json")
}

fn request(number: u64, key: &str, response_format: &str) -> Vec<u8> {
    let picture = if can_succeed(number) { picture(number) } else { b"no picture".to_vec() };
    let instruction = INSTRUCTIONS[number as usize % INSTRUCTIONS.len()];
    let mut headers = vec![http::bearer(key), format!("Idempotency-Key: call-{number}")];
    if is_async(number) {
        headers.push("Prefer: respond-async".to_owned());
    }
    let base64 = || STANDARD.encode_to_string(&picture);
    let (line, body) = if !is_openai(number) {
        let body = json!({ "instruction": instruction, "imageBase64": base64() });
        ("POST /api/image-edit", body)
    } else if number.is_multiple_of(2) {
        let image = json!({ "image_url": format!("data:image/png;base64,{}", base64()) });
        let body = json!({
            "prompt": instruction, "images": [image], "n": images(number),
            "response_format": response_format,
        });
        ("POST /v1/images/edits", body)
    } else {
        let n = images(number).to_string();
        let fields = [("prompt", instruction), ("n", &n), ("response_format", response_format)];
        return form_request(&headers, &fields, &picture);
    };
    http::request(line, &headers, Some(body.to_string().as_bytes()))
}

/// The request to edit `picture` as a form, as OpenAI's clients send it.
fn form_request(headers: &[String], fields: &[(&str, &str)], picture: &[u8]) -> Vec<u8> {
    let mut form = Vec::new();
    for (name, value) in fields {
        let part = format!("{BOUNDARY}\r\n{DISPOSITION}; name=\"{name}\"\r\n\r\n{value}\r\n");
        form.extend(part.into_bytes());
    }
    let head = format!("{BOUNDARY}\r\n{DISPOSITION}; name=\"image\"; filename=\"upload\"\r\n");
    let kind = "Content-Type: application/octet-stream\r\n\r\n";
    form.extend([head.as_bytes(), kind.as_bytes(), picture, b"\r\n"].concat());
    form.extend(format!("{BOUNDARY}--\r\n").into_bytes());
    let mut headers = headers.to_vec();
    let boundary = BOUNDARY.trim_start_matches('-');
    headers.push(format!("Content-Type: multipart/form-data; boundary={boundary}"));
    headers.push(format!("Content-Length: {}", form.len()));
    [http::request("POST /v1/images/edits", &headers, None), form].concat()
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
