//! `POST /api/image-edit`: the requirement.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::edits::{self, EditResponse, Submission};
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::http::intake::{self, Who};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Edit one or more images from an instruction.
///
/// Charged when, and only when, the result has been stored.
#[utoipa::path(
    post,
    path = "/api/image-edit",
    operation_id = "edit_image",
    tag = "Editing",
    request_body = super::schema::ImageEditRequest,
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible characters. The same key and body get the first answer again (`idempotent-replayed: true`) without a second charge."),
        ("x-client-request-id" = Option<String>, Header, description = "Echoed in the response."),
    ),
    responses(
        (status = 200, description = "The edited image", body = EditResponse),
        (status = 400, description = "Invalid parameters", body = ErrorBody),
        (status = 401, description = "Unauthenticated", body = ErrorBody),
        (status = 402, description = "Insufficient credits", body = ErrorBody),
        (status = 403, description = "A cookie from another site's page", body = ErrorBody),
        (status = 404, description = "The generation that this Idempotency-Key made has been deleted", body = ErrorBody),
        (status = 409, description = "The first call with this Idempotency-Key is still running", body = ErrorBody),
        (status = 413, description = "The body is too large", body = ErrorBody),
        (status = 415, description = "The body is not JSON", body = ErrorBody),
        (status = 422, description = "The Idempotency-Key was used with another body", body = ErrorBody),
        (status = 429, description = "Too many calls", body = ErrorBody),
        (status = 500, description = "Server error; nothing was charged", body = ErrorBody),
        (status = 503, description = "More work is waiting than may wait", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn edit_image(State(app): State<Arc<App>>, request: Request) -> ApiResult<Response> {
    let bytes_max = app.settings.server.body_bytes_max;
    let received = intake::receive(&app, request, Who::Payer, bytes_max).await?;
    let caller = received.caller()?.clone();
    let idempotency_key = idempotency_key(&received.parts.headers)?;
    let submission = Submission { body: received.body, idempotency_key, memory: received.memory };
    let answer = edits::submit(&app, &caller, submission).await?;
    let mut response = Json(answer.response).into_response();
    if answer.replayed {
        response.headers_mut().insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}

fn idempotency_key(headers: &HeaderMap) -> ApiResult<Option<String>> {
    let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        let message = "`Idempotency-Key` stands more than once; send one.";
        return Err(ApiError::new(Code::InvalidIdempotencyKey, message));
    }
    edits::idempotency_key(value.as_bytes()).map(Some)
}
