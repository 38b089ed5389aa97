//! `POST /api/estimate`: what a call would cost and who would perform it.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use retouch_core::Warning;
use retouch_store::Scope;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::app::App;
use crate::edits;
use crate::error::{ApiResult, ErrorBody};
use crate::http::intake::{self, Who};

/// What a call would cost.
#[derive(Debug, Serialize, ToSchema)]
pub struct EstimateView {
    /// The credits that the call would charge.
    #[schema(example = 6)]
    pub cost: i64,
    /// The credits that you have now.
    #[schema(example = 15)]
    pub available: i64,
    /// The provider that would be asked first. If it does not accept the call, another one may.
    #[schema(example = "built-in")]
    pub provider: String,
    /// The steps that the built-in editor would perform, or null for other providers.
    #[schema(value_type = Option<Object>)]
    pub plan: Option<Value>,
    /// The warnings that the call would get; empty when there are none.
    #[schema(value_type = Vec<super::schema::WarningSchema>)]
    pub warnings: Vec<Warning>,
}

/// Estimate the cost of a call.
///
/// Takes the body of any call that charges, and refuses what that call would refuse before any
/// work. Nothing is reserved, fetched or charged. `kind` says which call you mean. Without it,
/// `duration_seconds` or a video model means a video, images mean an edit, and anything else means an
/// image from text.
#[utoipa::path(
    post,
    path = "/api/estimate",
    operation_id = "estimate_cost",
    tag = "Editing",
    request_body = super::schema::EstimateRequest,
    responses(
        (status = 200, description = "What the call would cost", body = EstimateView),
        (status = 403, description = "The API key does not have the scope `edit`, or the call came from another site's page", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn estimate_cost(
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Json<EstimateView>> {
    let bytes_max = app.settings.server.body_bytes_max;
    let received = intake::receive(&app, request, Who::Caller, bytes_max).await?;
    let caller = received.caller()?;
    caller.require(Scope::Edit)?;
    let account = &caller.account.id;
    let edits::Estimate { cost, provider, plan, warnings } =
        edits::estimate(&app, account, received.body.clone()).await?;
    let available = app.store.available(account).await?.get();
    Ok(Json(EstimateView { cost: cost.get(), available, provider, plan, warnings }))
}
