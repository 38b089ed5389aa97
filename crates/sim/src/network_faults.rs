//! Faults of the network, which damage a finished response.

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

/// The length of an oversized response, in bytes.
const OVERSIZED_BYTES: u64 = 1 << 30;
const PIECE: &[u8] = &[b' '; 64 << 10];

/// How long a connection that closes in the middle of a body stays open after its last byte, so
/// that the byte arrives.
const LAST_BYTE_MS: u64 = 50;

/// What the accept loop does instead of sending a response. It is passed in the response's
/// extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConnectionFault {
    /// Keeps the connection open without a response.
    Hang,
    /// Closes the connection.
    Close,
    /// Resets the connection.
    Reset,
}

/// A proxy's page when the server behind it is down.
const PROXY_PAGE: &str = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n\
    <center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>";

/// Applies a fault to `response`. Faults other than those of the network do not change it.
pub(crate) async fn apply(mut response: Response, fault: FaultName) -> Response {
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
        FaultName::CloseMidBody => half(response, AfterHalf::Closes).await,
        FaultName::HangMidBody => half(response, AfterHalf::Hangs).await,
        FaultName::Hang => without_response(ConnectionFault::Hang),
        FaultName::CloseBeforeAnswer => without_response(ConnectionFault::Close),
        FaultName::Reset => without_response(ConnectionFault::Reset),
        _ => response,
    }
}

/// A redirect to a host that does not belong to the provider. No work is done.
pub(crate) fn elsewhere() -> Response {
    Redirect::temporary("http://10.11.12.13/elsewhere").into_response()
}

fn without_response(fault: ConnectionFault) -> Response {
    let mut response = Response::default();
    response.extensions_mut().insert(fault);
    response
}

fn with_body(mut response: Response, body: Body) -> Response {
    response.headers_mut().remove(CONTENT_LENGTH);
    *response.body_mut() = body;
    response
}

/// The response without its body, and the body.
async fn whole(response: Response) -> (Response, Bytes) {
    let (parts, body) = response.into_parts();
    // The body is already in memory, so this cannot fail.
    let whole = to_bytes(body, usize::MAX).await.unwrap_or_default();
    (with_body(Response::from_parts(parts, Body::empty()), Body::empty()), whole)
}

/// Prepends spaces, which JSON allows, to the response.
async fn oversized(response: Response) -> Response {
    let (response, whole) = whole(response).await;
    let pieces = OVERSIZED_BYTES / PIECE.len() as u64;
    let spaces = stream::iter(0..pieces).map(|_| Bytes::from_static(PIECE));
    let all = spaces.chain(stream::iter([whole])).map(Ok::<_, Infallible>);
    with_body(response, Body::from_stream(all))
}

/// What happens after the first half of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AfterHalf {
    Closes,
    Hangs,
}

/// Sends half of the declared length.
async fn half(response: Response, then: AfterHalf) -> Response {
    let (response, whole) = whole(response).await;
    let half = whole.slice(..whole.len() / 2);
    let end = stream::once(async move {
        if then == AfterHalf::Hangs {
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
