//! What the calls that charge credits have in common: the body, the caller and the
//! `Idempotency-Key`.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;
use retouch_core::Kind;
use retouch_core::edit::Supplement;

use super::edit_response::EditResponse;
use crate::app::App;
use crate::auth::Caller;
use crate::edits::{self, Submission};
use crate::error::{ApiError, ApiResult, Code};
use crate::http::intake::{self, Who};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Receives a request for `kind` and identifies the caller.
pub(super) async fn receive(
    app: &Arc<App>,
    request: Request,
    kind: Kind,
) -> ApiResult<(Caller, Submission)> {
    let bytes_max = app.settings.server.body_bytes_max;
    let received = intake::receive(app, request, Who::Payer, bytes_max).await?;
    let caller = received.caller()?.clone();
    let idempotency_key = idempotency_key(&received.parts.headers)?;
    let (body, memory) = (received.body, received.memory);
    let supplement = Supplement::default();
    Ok((caller, Submission { kind, body, supplement, idempotency_key, memory }))
}

/// Makes an image and responds with it.
pub(super) async fn picture(app: &Arc<App>, request: Request, kind: Kind) -> ApiResult<Response> {
    let (caller, submission) = receive(app, request, kind).await?;
    let answer = edits::submit(app, &caller, submission).await?;
    let response = EditResponse::from(answer.finished).into_response()?;
    Ok(marked(response, answer.replayed))
}

/// Marks `response` if it repeats the response to an earlier call.
pub(crate) fn marked(mut response: Response, replayed: bool) -> Response {
    if replayed {
        response.headers_mut().insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
    }
    response
}

/// The `Idempotency-Key`, if there is one.
///
/// # Errors
/// When it is not 1 to 255 visible ASCII characters, or there is more than one.
pub(crate) fn idempotency_key(headers: &HeaderMap) -> ApiResult<Option<String>> {
    let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        let message = "There is more than one `Idempotency-Key` header. Send exactly one.";
        return Err(ApiError::new(Code::InvalidIdempotencyKey, message));
    }
    checked(value.as_bytes()).map(Some)
}

/// Checks that the key is 1 to 255 visible ASCII characters.
fn checked(value: &[u8]) -> ApiResult<String> {
    const CHARS_MAX: usize = 255;
    let visible = value.iter().all(u8::is_ascii_graphic);
    let key = std::str::from_utf8(value).ok().filter(|_| visible);
    key.filter(|key| (1..=CHARS_MAX).contains(&key.len())).map(ToOwned::to_owned).ok_or_else(|| {
        let message =
            "`Idempotency-Key` must be 1 to 255 visible ASCII characters, without spaces.";
        ApiError::new(Code::InvalidIdempotencyKey, message)
    })
}
