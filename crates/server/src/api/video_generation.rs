//! `POST /api/video-generation`: creates a video, which takes minutes.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use retouch_core::Kind;

use super::submission;
use crate::app::App;
use crate::edits::AcceptedResponse;
use crate::error::{ApiResult, ErrorBody};

/// Create a video from an instruction, and optionally from images.
///
/// Responds as soon as the request has been checked. Get the generation at `Location` until its
/// `status` says how it ended. You are charged only when the video has been stored.
#[utoipa::path(
    post,
    path = "/api/video-generation",
    operation_id = "make_video",
    tag = "Editing",
    request_body = super::schema::VideoRequest,
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters. A repeated call with the same key and body gets the same generation again, with `idempotent-replayed: true`, and is not charged again."),
        ("x-client-request-id" = Option<String>, Header, description = "Echoed in the response."),
    ),
    responses(
        (
            status = 202,
            description = "The video is being made",
            body = AcceptedResponse,
            headers(
                ("Location" = String, description = "The URL of the generation"),
                ("Retry-After" = u64, description = "Seconds to wait before getting the generation"),
            )
        ),
        (status = 400, description = "Invalid parameters", body = ErrorBody),
        (status = 401, description = "Unauthenticated", body = ErrorBody),
        (status = 402, description = "Insufficient credits", body = ErrorBody),
        (status = 403, description = "The API key does not have the scope `edit`, or the call came from another site's page", body = ErrorBody),
        (status = 404, description = "The generation of this Idempotency-Key was deleted", body = ErrorBody),
        (status = 413, description = "The body is too large", body = ErrorBody),
        (status = 415, description = "The body is not JSON", body = ErrorBody),
        (status = 422, description = "The Idempotency-Key was already used with another body", body = ErrorBody),
        (status = 429, description = "Too many calls, or too many videos running", body = ErrorBody),
        (status = 500, description = "Server error; the message says whether you were charged", body = ErrorBody),
        (status = 503, description = "The server is overloaded or not ready", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn make_video(State(app): State<Arc<App>>, request: Request) -> ApiResult<Response> {
    submission::background(&app, request, Kind::Video).await
}
