//! `POST /api/text-to-image`: creates an image from an instruction alone.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use retouch_core::Kind;

use super::edit_response::EditResponse;
use super::submission;
use crate::app::App;
use crate::edits::AcceptedResponse;
use crate::error::{ApiResult, ErrorBody};

/// Create an image from an instruction.
///
/// You are charged only when the result has been stored. With `Prefer: respond-async`, you get a 202
/// as soon as the request has been checked; get the generation at `Location` until its `status` says
/// how it ended.
#[utoipa::path(
    post,
    path = "/api/text-to-image",
    operation_id = "make_image",
    tag = "Editing",
    request_body = super::schema::TextToImageRequest,
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters. A repeated call with the same key and body gets the first response again, with `idempotent-replayed: true`, and is not charged again."),
        ("Prefer" = Option<String>, Header, description = "`respond-async`: respond with a 202 as soon as the request has been checked, and do the work afterwards."),
        ("x-client-request-id" = Option<String>, Header, description = "Echoed in the response."),
    ),
    responses(
        (status = 200, description = "The image", body = EditResponse),
        (
            status = 202,
            description = "With `Prefer: respond-async`: the image is being made",
            body = AcceptedResponse,
            headers(
                ("Location" = String, description = "The URL of the generation"),
                ("Preference-Applied" = String, description = "`respond-async`"),
                ("Retry-After" = u64, description = "Seconds to wait before getting the generation"),
            )
        ),
        (status = 400, description = "Invalid parameters", body = ErrorBody),
        (status = 401, description = "Unauthenticated", body = ErrorBody),
        (status = 402, description = "Insufficient credits", body = ErrorBody),
        (status = 403, description = "The API key does not have the scope `edit`, or the call came from another site's page", body = ErrorBody),
        (status = 404, description = "The generation of this Idempotency-Key was deleted", body = ErrorBody),
        (status = 409, description = "The first call with this Idempotency-Key is still running", body = ErrorBody),
        (status = 410, description = "The result of this Idempotency-Key has expired and was removed", body = ErrorBody),
        (status = 413, description = "The body is too large", body = ErrorBody),
        (status = 415, description = "The body is not JSON", body = ErrorBody),
        (status = 422, description = "The Idempotency-Key was already used with another body", body = ErrorBody),
        (status = 429, description = "Too many calls, or too many edits running", body = ErrorBody),
        (status = 500, description = "Server error; the message says whether you were charged", body = ErrorBody),
        (status = 503, description = "The server is overloaded or not ready", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn make_image(State(app): State<Arc<App>>, request: Request) -> ApiResult<Response> {
    submission::picture(&app, request, Kind::TextToImage).await
}
