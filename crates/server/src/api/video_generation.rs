//! `POST /api/video-generation`: creates a video, which takes minutes.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use retouch_core::Kind;

use super::submission;
use crate::app::App;
use crate::edits::AcceptedResponse;
use crate::error::ApiResult;

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
    params(super::schema::ChargingHeaders),
    responses((status = 202, description = "The video is being made", body = AcceptedResponse)),
    security(("api_key" = []), ("session" = []))
)]
pub async fn make_video(State(app): State<Arc<App>>, request: Request) -> ApiResult<Response> {
    submission::background(&app, request, Kind::Video).await
}
