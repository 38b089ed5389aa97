//! `POST /api/video-generation`: a video, which takes minutes.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use retouch_core::Kind;

use super::submission;
use crate::app::App;
use crate::edits::{self, VideoResponse};
use crate::error::{ApiError, ApiResult, ErrorBody};

/// After how many seconds looking at a video may help.
pub(super) const LOOK_AGAIN_S: u64 = 5;

/// Have a video made out of an instruction, and of images where there are any.
///
/// Answered as soon as nothing can be wrong with the request any more; look at the generation at
/// `Location` until its `status` says how it ended. Charged when, and only when, the video has been
/// stored.
#[utoipa::path(
    post,
    path = "/api/video-generation",
    operation_id = "make_video",
    tag = "Editing",
    request_body = super::schema::VideoRequest,
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible characters. The same key and body get the same generation again (`idempotent-replayed: true`) without a second charge."),
        ("x-client-request-id" = Option<String>, Header, description = "Echoed in the response."),
    ),
    responses(
        (
            status = 202,
            description = "The video is being made",
            body = VideoResponse,
            headers(
                ("Location" = String, description = "The address of the generation"),
                ("Retry-After" = u64, description = "Seconds after which looking at it may help"),
            )
        ),
        (status = 400, description = "Invalid parameters", body = ErrorBody),
        (status = 401, description = "Unauthenticated", body = ErrorBody),
        (status = 402, description = "Insufficient credits", body = ErrorBody),
        (status = 403, description = "The API key lacks the scope `edit`, or a cookie from another site's page", body = ErrorBody),
        (status = 404, description = "The generation that this Idempotency-Key made has been deleted", body = ErrorBody),
        (status = 413, description = "The body is too large", body = ErrorBody),
        (status = 415, description = "The body is not JSON", body = ErrorBody),
        (status = 422, description = "The Idempotency-Key was used with another body", body = ErrorBody),
        (status = 429, description = "Too many calls, or too many videos of the account under way", body = ErrorBody),
        (status = 500, description = "Server error; nothing is charged", body = ErrorBody),
        (status = 503, description = "More work is waiting than may wait", body = ErrorBody),
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
