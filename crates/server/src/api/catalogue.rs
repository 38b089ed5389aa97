//! `GET /api/models` and `GET /api/plans`: the models and plans, with limits and prices.

mod query;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use retouch_core::catalogue::{Model, Plan, Tier};
use retouch_core::{Credits, Kind};
use retouch_providers::built_in;
use serde::Serialize;
use utoipa::ToSchema;

use super::page::{ListView, PageQuery};
use crate::app::App;
use crate::billing;
use crate::config::PackSettings;
use crate::error::ApiResult;

use query::ModelQuery;

/// A model.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModelView {
    /// What to send as `model`.
    pub id: String,
    /// A short description.
    pub label: String,
    /// What it can do: `image_edit`, `text_to_image`, `video`.
    pub kinds: Vec<String>,
    /// Other names that requests can use.
    pub aliases: Vec<String>,
    /// Most input images in a request.
    pub max_input_images: usize,
    /// Output images per call.
    pub outputs_per_call: u32,
    /// Values of `aspectRatio`. Empty if the provider decides.
    pub aspect_ratios: Vec<String>,
    /// Values of `duration_seconds`, the default first. Only for models that make videos.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub durations_seconds: Vec<u32>,
    /// Credits for a default call: one image of medium quality, or one video.
    pub credits: i64,
    /// The other values of `quality`, with their credits. Empty if the provider has only one
    /// quality.
    pub quality_credits: BTreeMap<String, i64>,
    /// All combinations with their credits, a default call first. If the built-in editor serves the
    /// model, any `size` costs as much as a default call.
    pub tiers: Vec<TierView>,
    /// The providers that serve it, in the order in which they are tried.
    pub providers: Vec<String>,
}

/// A combination of settings and its price.
#[derive(Debug, Serialize, ToSchema)]
pub struct TierView {
    /// The quality: `low`, `medium` or `high`.
    pub quality: String,
    /// The largest image: `1K` (up to 1,572,864 pixels), `2K` (up to 4,194,304) or `4K`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub size: Option<String>,
    /// The resolution of a video: `480p`, `720p`, `1080p` or `4k`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub resolution: Option<String>,
    /// The length of a video, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seconds: Option<u32>,
    /// Its price in credits.
    pub credits: i64,
}

/// A plan.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlanView {
    /// The plan's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Credits it adds each month.
    pub credits_per_month: i64,
    /// Its monthly price in US dollars.
    #[schema(example = "9.90")]
    pub price_usd: String,
    /// What happens to unused credits at the end of a month: they `stay` or `expire`.
    #[schema(example = "stay")]
    pub unused_credits: String,
    /// Days that results are kept; null if they are kept as long as their generations.
    pub results_kept_days: Option<u32>,
    /// Calls that charge credits which the account can make per minute; null if there is no limit.
    pub calls_per_minute: Option<u32>,
    /// Image edits that can run at the same time.
    pub edits_at_once_max: usize,
    /// Videos that can be made at the same time.
    pub videos_at_once_max: usize,
}

/// List the models with their limits, aspect ratios and prices.
#[utoipa::path(
    get,
    path = "/api/models",
    operation_id = "list_models",
    tag = "Catalog",
    params(ModelQuery, PageQuery),
    responses((status = 200, description = "A page of models", body = ListView<ModelView>))
)]
pub async fn list_models(
    State(app): State<Arc<App>>,
    query: ApiResult<ModelQuery>,
    page: ApiResult<PageQuery>,
) -> ApiResult<Json<ListView<ModelView>>> {
    let models = model_views(&app, query?.kind);
    ListView::of_fixed("models", models, &page?).map(Json)
}

/// The models of `kind`, or all but those for videos.
pub(crate) fn model_views(app: &App, kind: Option<Kind>) -> Vec<ModelView> {
    let models = app.catalogue.models.iter();
    models.filter_map(|model| Some(model_view(app, model, shown_for(model, kind)?))).collect()
}

/// The kind whose prices are listed for `model`: `kind` if the caller asks for one, else the first
/// kind of the model that is not video. `None` leaves the model out.
fn shown_for(model: &Model, kind: Option<Kind>) -> Option<Kind> {
    match kind {
        Some(kind) => model.does(kind).then_some(kind),
        None => model.kinds.iter().copied().find(|kind| *kind != Kind::Video),
    }
}

/// List the plans.
#[utoipa::path(
    get,
    path = "/api/plans",
    operation_id = "list_plans",
    tag = "Catalog",
    params(PageQuery),
    responses((status = 200, description = "A page of plans", body = ListView<PlanView>))
)]
pub async fn list_plans(
    State(app): State<Arc<App>>,
    page: ApiResult<PageQuery>,
) -> ApiResult<Json<ListView<PlanView>>> {
    let plans = app.catalogue.plans.iter().map(|plan| plan_view(&app, plan)).collect();
    ListView::of_fixed("plans", plans, &page?).map(Json)
}

/// A pack of credits, which is bought once.
#[derive(Debug, Serialize, ToSchema)]
pub struct PackView {
    /// The pack's id.
    #[schema(example = "small")]
    pub id: String,
    /// Its name.
    pub name: String,
    /// Credits it adds.
    pub credits: i64,
    /// Its price in US dollars.
    #[schema(example = "4.90")]
    pub price_usd: String,
}

/// List the packs of credits that can be bought.
#[utoipa::path(
    get,
    path = "/api/packs",
    operation_id = "list_packs",
    tag = "Catalog",
    params(PageQuery),
    responses((status = 200, description = "A page of packs", body = ListView<PackView>))
)]
pub async fn list_packs(
    State(app): State<Arc<App>>,
    page: ApiResult<PageQuery>,
) -> ApiResult<Json<ListView<PackView>>> {
    ListView::of_fixed("packs", pack_views(&app), &page?).map(Json)
}

/// The packs that can be bought.
pub(crate) fn pack_views(app: &App) -> Vec<PackView> {
    let view = |pack: &PackSettings| PackView {
        id: pack.id(),
        name: pack.name.clone(),
        credits: pack.credits.get(),
        price_usd: pack.price_usd(),
    };
    billing::packs(app).iter().map(view).collect()
}

/// What the providers that now serve `model` for `kind` can do, and what it costs there.
pub fn model_view(app: &App, model: &Model, kind: Kind) -> ModelView {
    let now = app.clock.now();
    let serving = app.providers.serving(model, kind, now);
    let is_built_in = serving.iter().any(|one| one.provider.name() == built_in::NAME);
    let has_quality = serving.iter().any(|one| one.provider.supports_quality(&one.model));
    let default = model.default_tier();
    let mut offers = model.offers();
    offers.retain(|(tier, _)| has_quality || tier.quality == default.quality);
    if is_built_in {
        offers
            .retain(|(tier, _)| (tier.size, tier.resolution) == (default.size, default.resolution));
        offers.iter_mut().for_each(|(_, price)| *price = model.credits);
    }
    let qualities = model.quality_credits().into_iter().filter(|_| has_quality);
    ModelView {
        id: model.id.clone(),
        label: model.label.clone(),
        kinds: model.kinds.iter().map(|kind| kind.as_str().to_owned()).collect(),
        aliases: model.aliases.clone(),
        max_input_images: model.max_input_images,
        outputs_per_call: model.outputs_per_call,
        aspect_ratios: model.aspect_ratios.iter().map(ToString::to_string).collect(),
        durations_seconds: model.durations_seconds(),
        credits: model.credits.get(),
        quality_credits: qualities
            .map(|(quality, price)| (quality.as_str().into(), price.get()))
            .collect(),
        tiers: tiers(offers),
        providers: app.providers.names(model, kind, now),
    }
}

/// Tiers with their prices, as responses and pages show them.
pub(crate) fn tiers(offers: Vec<(Tier, Credits)>) -> Vec<TierView> {
    let view = |(tier, credits): (Tier, Credits)| TierView {
        quality: tier.quality.as_str().to_owned(),
        size: tier.size.map(|size| size.as_str().to_owned()),
        resolution: tier.resolution.map(|resolution| resolution.as_str().to_owned()),
        seconds: tier.seconds,
        credits: credits.get(),
    };
    offers.into_iter().map(view).collect()
}

pub(crate) fn plan_view(app: &App, plan: &Plan) -> PlanView {
    let limits = app.limits_with(Some(plan));
    PlanView {
        id: plan.id.clone(),
        name: plan.name.clone(),
        credits_per_month: plan.credits_per_month.get(),
        price_usd: plan.price_usd.clone(),
        unused_credits: plan.unused_credits.as_str().to_owned(),
        results_kept_days: plan.results_kept_days,
        calls_per_minute: limits.calls_per_minute,
        edits_at_once_max: limits.edits_at_once_max,
        videos_at_once_max: limits.videos_at_once_max,
    }
}
