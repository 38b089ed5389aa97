//! `POST /api/video-generation`: creates a video, which takes minutes.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use retouch_core::Kind;

use super::submission;
use crate::app::App;
use crate::edits::{self, VideoResponse};
use crate::error::{ApiError, ApiResult, ErrorBody};

/// Seconds to wait before checking on a video again.
pub(super) const LOOK_AGAIN_S: u64 = 5;

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
            body = VideoResponse,
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
    let (caller, submission) = submission::receive(&app, request, Kind::Video).await?;
    let answer = edits::submit_video(&app, &caller, submission).await?;
    let base = app.public_url.as_str().trim_end_matches('/');
    let location = format!("{base}/api/generations/{}", answer.response.generation.uuid);
    let response = axum::Json(&answer.response).into_response();
    let mut response = submission::marked(response, answer.replayed);
    *response.status_mut() = StatusCode::ACCEPTED;
    let headers = response.headers_mut();
    let location = HeaderValue::from_str(&location).map_err(ApiError::internal)?;
    headers.insert(header::LOCATION, location);
    headers.insert(header::RETRY_AFTER, LOOK_AGAIN_S.into());
    Ok(response)
}
