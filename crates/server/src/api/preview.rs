//! `POST /api/preview`: the result of the built-in editor at a smaller size, at once and for free.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use base64_simd::STANDARD;
use retouch_core::Warning;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{ApiResult, ErrorBody};
use crate::http::intake::{self, Who};
use crate::previews;

/// A preview.
#[derive(Debug, Serialize, ToSchema)]
pub struct PreviewView {
    /// The preview, as a data URI.
    #[schema(example = "data:image/jpeg;base64,/9j/4AAQSkZJRg…")]
    pub image: String,
    /// Width of the full-size result in pixels. If the edit trims the image, this is an estimate.
    pub width: u32,
    /// Height of the full-size result in pixels. If the edit trims the image, this is an estimate.
    pub height: u32,
    /// The plan that would be performed. Send it as `plan` to preview or perform it, changed or
    /// not.
    #[schema(value_type = Object)]
    pub plan: Value,
    /// Warnings; empty when there are none.
    #[schema(value_type = Vec<super::schema::WarningSchema>)]
    pub warnings: Vec<Warning>,
}

/// Preview the result of the built-in editor at a smaller size.
///
/// Takes the fields of an image edit, or of text-to-image if there is no image. Nothing is stored or
/// charged. Images must be in the request, uploaded (`POST /api/uploads`) or stored results. A plan
/// with no steps shows the image itself. Calls without an account are allowed if the operator has
/// enabled them.
#[utoipa::path(
    post,
    path = "/api/preview",
    operation_id = "preview_edit",
    tag = "Editing",
    request_body = super::schema::PreviewRequest,
    responses(
        (status = 200, description = "The preview", body = PreviewView),
        (status = 400, description = "Invalid parameters, or the built-in editor can't do this", body = ErrorBody),
        (status = 403, description = "The API key does not have the scope `edit`, or the call came from another site's page", body = ErrorBody),
    ),
    security((), ("api_key" = []), ("session" = []))
)]
pub async fn preview_edit(
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Json<PreviewView>> {
    let bytes_max = app.settings.server.body_bytes_max;
    let received = intake::receive(&app, request, Who::Visitor, bytes_max).await?;
    let viewer = received.viewer(&app);
    let made = previews::preview(&app, &viewer, received.body, &received.memory).await?;
    let (kind, (width, height)) = (made.media.content_type(), made.size);
    let image = format!("data:{kind};base64,{}", STANDARD.encode_to_string(&made.file));
    Ok(Json(PreviewView { image, width, height, plan: made.plan, warnings: made.warnings }))
}
