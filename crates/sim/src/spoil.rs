//! What the network makes of an answer.

use std::convert::Infallible;
use std::io;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::response::{IntoResponse, Redirect, Response};
use bytes::Bytes;
use futures_util::stream::{self, StreamExt};
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};

use crate::fault::FaultName;

/// The length of an oversized answer, in bytes, and of one piece of it.
const OVERSIZED_BYTES: u64 = 1 << 30;
const PIECE: &[u8] = &[b' '; 64 << 10];

/// How long a connection that closes in the middle stays open after its last byte, so that the
/// byte is on its way.
const LAST_BYTE_MS: u64 = 50;

/// What the accept loop does instead of sending an answer: found in the answer's extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instead {
    /// Nothing, for ever.
    Hang,
    /// Closes.
    Close,
    /// Resets.
    Reset,
}

/// The page that a proxy shows where the server behind it is gone.
const PROXY_PAGE: &str = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n\
    <center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>";

/// Spoils `response`; faults that are not the network's leave it as it is.
pub(crate) async fn spoil(mut response: Response, fault: FaultName) -> Response {
    match fault {
        FaultName::BadGatewayHtml => {
            (StatusCode::BAD_GATEWAY, [(CONTENT_TYPE, "text/html")], PROXY_PAGE).into_response()
        }
        FaultName::EmptyBody => with_body(response, Body::empty()),
        FaultName::NotJson => with_body(response, Body::from("upstream connect error")),
        FaultName::TruncatedJson => {
            let (mut response, whole) = whole(response).await;
            *response.body_mut() = Body::from(whole.slice(..whole.len() / 2));
            response
        }
        FaultName::WrongContentType => {
            response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
            response
        }
        FaultName::OversizedBody => oversized(response).await,
        FaultName::CloseMidBody => half(response, Then::Closes).await,
        FaultName::HangMidBody => half(response, Then::Hangs).await,
        FaultName::Hang => instead(Instead::Hang),
        FaultName::CloseBeforeAnswer => instead(Instead::Close),
        FaultName::Reset => instead(Instead::Reset),
        _ => response,
    }
}

/// A redirect to a host that is none of the vendor's; no work is done.
pub(crate) fn elsewhere() -> Response {
    Redirect::temporary("http://10.11.12.13/elsewhere").into_response()
}

fn instead(instead: Instead) -> Response {
    let mut response = Response::default();
    response.extensions_mut().insert(instead);
    response
}

fn with_body(mut response: Response, body: Body) -> Response {
    response.headers_mut().remove(CONTENT_LENGTH);
    *response.body_mut() = body;
    response
}

/// The answer without its body, and the body.
async fn whole(response: Response) -> (Response, Bytes) {
    let (parts, body) = response.into_parts();
    // It is in memory already: our own answers cannot fail.
    let whole = to_bytes(body, usize::MAX).await.unwrap_or_default();
    (with_body(Response::from_parts(parts, Body::empty()), Body::empty()), whole)
}

/// Spaces, which JSON allows in front, and then the answer.
async fn oversized(response: Response) -> Response {
    let (response, whole) = whole(response).await;
    let pieces = OVERSIZED_BYTES / PIECE.len() as u64;
    let spaces = stream::iter(0..pieces).map(|_| Bytes::from_static(PIECE));
    let all = spaces.chain(stream::iter([whole])).map(Ok::<_, Infallible>);
    with_body(response, Body::from_stream(all))
}

/// What follows the first half of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    Closes,
    Hangs,
}

/// Half of what its length promises.
async fn half(response: Response, then: Then) -> Response {
    let (response, whole) = whole(response).await;
    let half = whole.slice(..whole.len() / 2);
    let end = stream::once(async move {
        if then == Then::Hangs {
            std::future::pending::<()>().await;
        }
        tokio::time::sleep(Duration::from_millis(LAST_BYTE_MS)).await;
        Err(io::Error::from(io::ErrorKind::ConnectionAborted))
    });
    let body = Body::from_stream(stream::iter([Ok(half)]).chain(end));
    let mut response = with_body(response, body);
    response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(whole.len()));
    response
}
