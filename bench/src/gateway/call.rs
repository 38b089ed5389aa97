//! An edit as OpenAI's clients send it, and a check of its answer.

use std::net::SocketAddr;

use bytes::Bytes;
use serde_json::Value;

use super::simulator::{KEY, Simulator};
use crate::Fallible;
use crate::client::{Load, once};

/// The model that every call names.
pub(super) const MODEL: &str = "gpt-image-2";
/// The text between the parts of the form.
const BOUNDARY: &str = "retouch-bench-7d1f";
/// The beginning of an image that is sent as a URL.
const DATA_URL: &str = "data:image/png;base64,";

/// The call, sent to the simulator itself.
pub(super) fn direct(input: &[u8], upstream: &Simulator) -> Load {
    edit(input, upstream.address, ("/openai/v1", ""))
}

/// The call, sent to the server at `address` whose paths begin with `base`, with more headers. Each
/// header ends its line.
pub(super) fn edit(input: &[u8], address: SocketAddr, (base, headers): (&str, &str)) -> Load {
    let body = form(input);
    let head = format!(
        "POST {base}/images/edits HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {KEY}\r\n\
         {headers}content-type: multipart/form-data; boundary={BOUNDARY}\r\n\
         content-length: {}\r\n\r\n",
        body.len()
    );
    let request = Bytes::from([head.into_bytes(), body].concat());
    Load { address, request, connections: 1, seconds: 0.0 }
}

fn form(input: &[u8]) -> Vec<u8> {
    let mut body = Vec::with_capacity(input.len() + 1024);
    for (name, value) in [("prompt", "make it warmer"), ("model", MODEL)] {
        let part = format!(
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        );
        body.extend_from_slice(part.as_bytes());
    }
    let file = format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"image\"; filename=\"a.png\"\r\n\
         content-type: image/png\r\n\r\n"
    );
    body.extend_from_slice(file.as_bytes());
    body.extend_from_slice(input);
    body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
    body
}

/// Makes the call once and checks that its answer is the provider's `result`, as OpenAI's API or
/// Retouch's own sends it.
pub(super) fn check(load: &Load, result: &[u8]) -> Fallible<()> {
    let answer: Value = serde_json::from_slice(&once(load)?)?;
    let image = &answer["data"][0];
    let base64 = image["b64_json"].as_str();
    let base64 = base64.or_else(|| image["url"].as_str()?.strip_prefix(DATA_URL));
    let base64 = base64.ok_or("the answer has no image")?;
    let image = base64_simd::STANDARD.decode_to_vec(base64)?;
    if image != result {
        let (found, expected) = (image.len(), result.len());
        return Err(format!("the answer is another image: {found} bytes, not {expected}").into());
    }
    Ok(())
}
