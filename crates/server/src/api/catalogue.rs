//! `GET /api/models` and `GET /api/plans`: what there is, what it takes and what it costs.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use retouch_core::catalogue::{Model, Plan};
use serde::Serialize;
use utoipa::ToSchema;

use super::page::ListView;
use crate::app::App;

/// A model.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModelView {
    /// What to send as `model`.
    pub id: String,
    /// A few words about it.
    pub label: String,
    /// Other names that requests may use.
    pub aliases: Vec<String>,
    /// Most input images in one request.
    pub max_input_images: usize,
    /// Output images of one call.
    pub outputs_per_call: u32,
    /// Values that `aspectRatio` may have; empty where the provider decides.
    pub aspect_ratios: Vec<String>,
    /// Credits for one image.
    pub credits: i64,
    /// Qualities that cost something else.
    pub quality_credits: BTreeMap<String, i64>,
    /// Who serves it, in order.
    pub providers: Vec<String>,
}

/// A plan.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlanView {
    /// The plan's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Credits that it adds each month.
    pub credits_per_month: i64,
    /// Its price a month in US dollars.
    #[schema(example = "9.90")]
    pub price_usd: String,
}

/// List the models, with limits, aspect ratios and credits.
#[utoipa::path(
    get,
    path = "/api/models",
    operation_id = "list_models",
    tag = "Catalogue",
    responses((status = 200, description = "All models", body = ListView<ModelView>))
)]
pub async fn list_models(State(app): State<Arc<App>>) -> Json<ListView<ModelView>> {
    let view = |model: &Arc<Model>| model_view(model, app.providers.names(model));
    Json(ListView::whole(app.catalogue.models.iter().map(view).collect()))
}

/// List the plans.
#[utoipa::path(
    get,
    path = "/api/plans",
    operation_id = "list_plans",
    tag = "Catalogue",
    responses((status = 200, description = "All plans", body = ListView<PlanView>))
)]
pub async fn list_plans(State(app): State<Arc<App>>) -> Json<ListView<PlanView>> {
    Json(ListView::whole(app.catalogue.plans.iter().map(plan_view).collect()))
}

/// A model as the catalogue shows it, served by `providers`.
pub fn model_view(model: &Model, providers: Vec<String>) -> ModelView {
    let qualities = model.quality_credits.iter();
    ModelView {
        id: model.id.clone(),
        label: model.label.clone(),
        aliases: model.aliases.clone(),
        max_input_images: model.max_input_images,
        outputs_per_call: model.outputs_per_call,
        aspect_ratios: model.aspect_ratios.iter().map(ToString::to_string).collect(),
        credits: model.credits.get(),
        quality_credits: qualities
            .map(|(quality, price)| (quality.as_str().into(), price.get()))
            .collect(),
        providers,
    }
}

fn plan_view(plan: &Plan) -> PlanView {
    PlanView {
        id: plan.id.clone(),
        name: plan.name.clone(),
        credits_per_month: plan.credits_per_month.get(),
        price_usd: plan.price_usd.clone(),
    }
}
