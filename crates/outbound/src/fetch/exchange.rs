//! One request and its response over one stream.

use super::connect::Stream;
use super::target::Target;
use super::{Caps, FetchError};
use crate::stock::Allowance;
use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, AGE, CACHE_CONTROL, CONNECTION, CONTENT_ENCODING, HOST, LOCATION,
    USER_AGENT,
};
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::{BodyExt, Empty};
use hyper::body::{Body, Incoming};
use hyper::client::conn::http1::Builder;
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::time::Duration;

/// The outcome of a response.
pub(super) enum Answer {
    Body {
        bytes: Bytes,
        /// How long they may be used without asking again.
        fresh_for: Duration,
    },
    Redirect(String),
}

/// The limits on a response, and the memory to use for it.
type Limits<'a> = (Caps, &'a dyn Allowance);

/// Requests the target over a stream and reads the response within the limits.
pub(super) async fn get(
    stream: Box<dyn Stream>,
    target: &Target,
    limits: Limits<'_>,
) -> Result<Answer, FetchError> {
    let request = request(target, limits.0.accept)?;
    respond(stream, request, async |response| answer(response, limits).await).await
}

/// Sends a request over a stream, and reads the response with `read`.
pub(super) async fn respond<B, T>(
    stream: Box<dyn Stream>,
    request: Request<B>,
    read: impl AsyncFnOnce(Response<Incoming>) -> Result<T, FetchError>,
) -> Result<T, FetchError>
where
    B: Body<Data = Bytes, Error = Infallible> + Send + 'static,
{
    let mut builder = Builder::new();
    builder.max_buf_size(HEAD_BYTES_MAX).max_headers(HEADERS_MAX);
    let handshake = builder.handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = handshake.map_err(|_| FetchError::Broken)?;
    // The connection runs while the exchange waits. Both end with this call.
    let drive = async {
        let _ended = connection.await;
        std::future::pending::<Infallible>().await
    };
    let exchange = async {
        let response = sender.send_request(request).await;
        read(response.map_err(|_| FetchError::Broken)?).await
    };
    tokio::select! {
        answer = exchange => answer,
        never = drive => match never {},
    }
}

async fn answer(response: Response<Incoming>, limits: Limits<'_>) -> Result<Answer, FetchError> {
    match response.status() {
        StatusCode::OK => {
            let fresh_for = fresh_for(response.headers());
            Ok(Answer::Body { bytes: read_body(response, limits).await?, fresh_for })
        }
        status if is_redirect(status) => {
            let location = response.headers().get(LOCATION).ok_or(FetchError::BadRedirect)?;
            let location = location.to_str().map_err(|_| FetchError::BadRedirect)?;
            Ok(Answer::Redirect(location.to_owned()))
        }
        status => Err(FetchError::Status { status: status.as_u16() }),
    }
}

fn request(target: &Target, accept: &'static str) -> Result<Request<Empty<Bytes>>, FetchError> {
    Request::get(&target.path)
        .header(HOST, &target.authority)
        .header(USER_AGENT, concat!("retouch/", env!("CARGO_PKG_VERSION")))
        .header(ACCEPT, accept)
        .header(ACCEPT_ENCODING, "identity")
        .header(CONNECTION, "close")
        .body(Empty::new())
        .map_err(|_| FetchError::NoHost)
}

async fn read_body(
    response: Response<Incoming>,
    (Caps { bytes_max, .. }, allowance): Limits<'_>,
) -> Result<Bytes, FetchError> {
    let encoding = response.headers().get(CONTENT_ENCODING);
    if encoding.is_some_and(|encoding| encoding != "identity") {
        return Err(FetchError::Encoded);
    }
    let mut body = response.into_body();
    let too_large = FetchError::TooLarge { bytes_max };
    let declared = body.size_hint().lower();
    if declared > bytes_max as u64 {
        return Err(too_large);
    }
    let declared = usize::try_from(declared).unwrap_or(bytes_max);
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| FetchError::Broken)?;
        let Ok(data) = frame.into_data() else { continue };
        let length = bytes.len() + data.len();
        if length > bytes_max {
            return Err(too_large);
        }
        if length > bytes.capacity() {
            // Reserve in proportion to the bytes that have arrived. A declared length alone must
            // not reserve memory.
            let expected = declared.min(length.saturating_mul(ROOM_TIMES));
            let room = expected.max(length.saturating_mul(2).min(bytes_max));
            if !allowance.take((room - bytes.capacity()) as u64) {
                return Err(FetchError::NoRoom);
            }
            bytes.reserve_exact(room - bytes.len());
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes.into())
}

/// How long a cache that many people share may use the response (RFC 9111, 4.2). Zero if it doesn't
/// say so.
fn fresh_for(headers: &HeaderMap) -> Duration {
    let all = headers.get_all(CACHE_CONTROL).iter().filter_map(|value| value.to_str().ok());
    let text = all.collect::<Vec<_>>().join(",").to_ascii_lowercase();
    let directives =
        || text.split(',').map(|one| one.trim().split_once('=').unwrap_or((one.trim(), "")));
    if directives().any(|(name, _)| matches!(name, "no-store" | "no-cache" | "private")) {
        return Duration::ZERO;
    }
    let seconds = |name: &str| {
        let (_, value) = directives().find(|(own, _)| *own == name)?;
        value.trim_matches('"').parse::<u64>().ok()
    };
    let lifetime = seconds("s-maxage").or_else(|| seconds("max-age")).unwrap_or_default();
    let age = headers.get(AGE).and_then(|age| age.to_str().ok()?.parse().ok()).unwrap_or_default();
    Duration::from_secs(lifetime.saturating_sub(age))
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Largest response headers, and size of the buffer for the body, in bytes.
const HEAD_BYTES_MAX: usize = 64 * 1024;

/// Reserve at most this many times the bytes received so far, even if the declared length is
/// larger.
const ROOM_TIMES: usize = 16;

/// Maximum number of response headers.
const HEADERS_MAX: usize = 100;
