//! `POST /api/image-edit`: edits images from an instruction.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use retouch_core::Kind;

use super::submission;
use crate::app::App;
use crate::edits::EditResponse;
use crate::error::{ApiResult, ErrorBody};

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
        (status = 403, description = "The API key lacks the scope `edit`, or a cookie from another site's page", body = ErrorBody),
        (status = 404, description = "The generation that this Idempotency-Key made has been deleted", body = ErrorBody),
        (status = 409, description = "The first call with this Idempotency-Key is still running", body = ErrorBody),
        (status = 410, description = "The result that this Idempotency-Key made has been removed because of its age", body = ErrorBody),
        (status = 413, description = "The body is too large", body = ErrorBody),
        (status = 415, description = "The body is not JSON", body = ErrorBody),
        (status = 422, description = "The Idempotency-Key was used with another body", body = ErrorBody),
        (status = 429, description = "Too many calls, or too many edits of the account under way", body = ErrorBody),
        (status = 500, description = "Server error; nothing was charged", body = ErrorBody),
        (status = 503, description = "More work is waiting than may wait", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn edit_image(State(app): State<Arc<App>>, request: Request) -> ApiResult<Response> {
    submission::picture(&app, request, Kind::ImageEdit).await
}
