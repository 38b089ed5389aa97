//! Forms with a file (RFC 7578). Only the file is read.

use axum::extract::Request;
use axum::http::header;
use axum::http::request::Parts;
use bytes::Bytes;

use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::http::bodies::BodyMemory;
use crate::http::intake;

/// A file that was sent from one of our pages.
pub(super) struct Upload {
    /// The head of its request.
    pub(super) parts: Parts,
    /// The bytes of the file.
    pub(super) file: Bytes,
    /// The memory that it takes.
    _memory: BodyMemory,
}

impl Upload {
    /// Receives a form with a file, of at most `bytes_max` bytes in all.
    ///
    /// # Errors
    /// 403 if another site's page sent it; 413, 415 or 400 if it is not a valid form with a file.
    pub(super) async fn receive(app: &App, request: Request, bytes_max: usize) -> ApiResult<Self> {
        let received = intake::receive_upload(app, request, bytes_max).await?;
        let kind = received.parts.headers.get(header::CONTENT_TYPE);
        let boundary = kind.and_then(|kind| kind.to_str().ok()).and_then(boundary);
        let file = boundary.and_then(|boundary| file(&received.body, boundary));
        let file = file
            .filter(|file| !file.is_empty())
            .ok_or_else(|| ApiError::new(Code::InvalidValue, "Choose a file."))?;
        Ok(Self { parts: received.parts, file, _memory: received.memory })
    }
}

/// The text between the parts of a form, from its content type.
fn boundary(kind: &str) -> Option<&str> {
    let boundary = kind.split(';').find_map(|part| part.trim().strip_prefix("boundary="))?;
    Some(boundary.trim_matches('"')).filter(|boundary| (1..=70).contains(&boundary.len()))
}

/// The content of the first part that is a file.
fn file(body: &Bytes, boundary: &str) -> Option<Bytes> {
    let mark = format!("--{boundary}");
    let mut rest = body.slice(find(body, mark.as_bytes())? + mark.len()..);
    let mark = format!("\r\n--{boundary}");
    while let Some(head_end) = find(&rest, b"\r\n\r\n") {
        let (head, content) = (rest.slice(..head_end), rest.slice(head_end + 4..));
        let end = find(&content, mark.as_bytes())?;
        let head = String::from_utf8_lossy(&head).to_lowercase();
        if head.contains("content-disposition: form-data") && head.contains("filename=") {
            return Some(content.slice(..end));
        }
        rest = content.slice(end + mark.len()..);
    }
    None
}

/// Where `wanted` begins in `bytes`.
fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_found_whole() {
        let kind = "multipart/form-data; boundary=----x";
        let boundary = boundary(kind).unwrap();
        let body = "------x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nno\r\n------x\r\n\
                    Content-Disposition: form-data; name=\"logo\"; filename=\"l.png\"\r\n\
                    Content-Type: image/png\r\n\r\n\x01\r\n--\x02\r\n------x--\r\n";
        assert_eq!(file(&Bytes::from(body), boundary).unwrap(), "\x01\r\n--\x02");
        for broken in ["", "------x", "------x\r\n\r\n\r\n", &body[..body.len() - 12]] {
            assert_eq!(file(&Bytes::from(broken.to_owned()), boundary), None, "{broken:?}");
        }
    }
}
