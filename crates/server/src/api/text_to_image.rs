//! `POST /api/text-to-image`: creates an image from an instruction alone.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use retouch_core::Kind;

use super::edit_response::EditResponse;
use super::submission;
use crate::app::App;
use crate::edits::AcceptedResponse;
use crate::error::ApiResult;

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
    params(super::schema::ChargingHeaders, super::schema::PreferHeader),
    responses(
        (status = 200, description = "The image", body = EditResponse),
        (status = 202, description = "With `Prefer: respond-async`: the image is being made", body = AcceptedResponse),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn make_image(State(app): State<Arc<App>>, request: Request) -> ApiResult<Response> {
    submission::picture(&app, request, Kind::TextToImage).await
}
