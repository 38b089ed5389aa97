//! What the calls that charge credits have in common: the body, the caller, the `Idempotency-Key`,
//! and whether the caller waits for the result.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use retouch_core::edit::Supplement;
use retouch_core::{Credits, Kind};

use super::edit_response::EditResponse;
use crate::app::App;
use crate::auth::Caller;
use crate::edits::{self, ReadOnce, Submission};
use crate::error::{ApiError, ApiResult, Code};
use crate::http::intake::{self, Who};
use crate::http::receipt::{self, Receipt};

/// Seconds to wait before getting a generation again that is still being made.
pub(super) const LOOK_AGAIN_S: u64 = 5;

/// What a caller prefers, and what was done about it (RFC 7240).
const PREFER: HeaderName = HeaderName::from_static("prefer");
const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");
const RESPOND_ASYNC: &str = "respond-async";
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
    let read_once = ReadOnce::default();
    Ok((caller, Submission { kind, body, supplement, idempotency_key, memory, read_once }))
}

/// Makes an image and responds with it, or with a 202 if the caller prefers not to wait.
pub(super) async fn picture(app: &Arc<App>, request: Request, kind: Kind) -> ApiResult<Response> {
    if prefers_async(request.headers()) {
        return background(app, request, kind).await;
    }
    let (caller, submission) = receive(app, request, kind).await?;
    let answered = edits::submit(app, &caller, submission).await;
    let answered = answered.and_then(|answer| {
        let receipt = answer.finished.receipt();
        let response = EditResponse::from(answer.finished).into_response()?;
        Ok((marked(response, answer.replayed), receipt))
    });
    Ok(with_receipt(app, &caller, answered).await)
}

/// The response, with headers that say what the call cost and what is left.
async fn with_receipt(
    app: &App,
    caller: &Caller,
    answered: ApiResult<(Response, Receipt)>,
) -> Response {
    let (mut response, receipt) = answered.unwrap_or_else(|error| {
        let receipt = receipt::of_failure(&error);
        (error.into_response(), receipt)
    });
    receipt::add(app, &caller.account.id, receipt, &mut response).await;
    response
}

/// Accepts work whose result is made in the background.
pub(super) async fn background(
    app: &Arc<App>,
    request: Request,
    kind: Kind,
) -> ApiResult<Response> {
    let is_preferred = prefers_async(request.headers());
    let (caller, submission) = receive(app, request, kind).await?;
    let answered = accepted(app, &caller, (submission, is_preferred)).await;
    Ok(with_receipt(app, &caller, answered).await)
}

/// Accepts a submission whose result is made in the background. Returns the response, which names the
/// generation, and says what is held for it. `is_preferred`: the caller has asked not to wait.
///
/// # Errors
/// As [`edits::submit_background`].
pub(crate) async fn accepted(
    app: &Arc<App>,
    caller: &Caller,
    (submission, is_preferred): (Submission, bool),
) -> ApiResult<(Response, Receipt)> {
    let answer = edits::submit_background(app, caller, submission).await?;
    let location = app.url_of(&format!("/api/generations/{}", answer.response.generation.uuid));
    let location = HeaderValue::from_str(&location).map_err(ApiError::internal)?;
    let response = (StatusCode::ACCEPTED, axum::Json(&answer.response)).into_response();
    let mut response = marked(response, answer.replayed);
    let headers = response.headers_mut();
    headers.insert(header::LOCATION, location);
    headers.insert(header::RETRY_AFTER, LOOK_AGAIN_S.into());
    if is_preferred {
        headers.insert(PREFERENCE_APPLIED, HeaderValue::from_static(RESPOND_ASYNC));
    }
    Ok((response, Receipt { cost: Credits::new(answer.response.cost), balance: None }))
}

/// Whether the caller prefers a response before there is a result (RFC 7240, section 4.1).
pub(crate) fn prefers_async(headers: &HeaderMap) -> bool {
    let lists = headers.get_all(PREFER).iter().filter_map(|value| value.to_str().ok());
    let names = lists.flat_map(|list| list.split(',')).map(|preference| {
        let name = preference.split([';', '=']).next().unwrap_or_default();
        name.trim()
    });
    names.into_iter().any(|name| name.eq_ignore_ascii_case(RESPOND_ASYNC))
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
pub(crate) fn checked(value: &[u8]) -> ApiResult<String> {
    const CHARS_MAX: usize = 255;
    let visible = value.iter().all(u8::is_ascii_graphic);
    let key = std::str::from_utf8(value).ok().filter(|_| visible);
    key.filter(|key| (1..=CHARS_MAX).contains(&key.len())).map(ToOwned::to_owned).ok_or_else(|| {
        let message =
            "`Idempotency-Key` must be 1 to 255 visible ASCII characters, without spaces.";
        ApiError::new(Code::InvalidIdempotencyKey, message)
    })
}
