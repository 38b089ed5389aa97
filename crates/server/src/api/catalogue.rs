//! `GET /api/models` and `GET /api/plans`: what there is, what it takes and what it costs.

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

use super::page::ListView;

use crate::app::App;
use crate::error::{ApiResult, ErrorBody};

use query::ModelQuery;

/// A model.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModelView {
    /// What to send as `model`.
    pub id: String,
    /// A few words about it.
    pub label: String,
    /// What it makes: `image_edit`, `text_to_image`, `video`.
    pub kinds: Vec<String>,
    /// Other names that requests may use.
    pub aliases: Vec<String>,
    /// Most input images in one request.
    pub max_input_images: usize,
    /// Output images of one call.
    pub outputs_per_call: u32,
    /// Values that `aspectRatio` may have; empty where the provider decides.
    pub aspect_ratios: Vec<String>,
    /// Values that `duration_seconds` may have, the default first; only where it makes videos.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub durations_seconds: Vec<u32>,
    /// Credits for a default call: one image of medium quality, or one video.
    pub credits: i64,
    /// Other qualities that may be asked for, with their credits; empty where the provider that
    /// serves it has one quality.
    pub quality_credits: BTreeMap<String, i64>,
    /// Everything that may be asked for, with its credits; a default call first. Where the built-in
    /// editor serves the model, any `size` may be asked for as well, at the credits of a default call.
    pub tiers: Vec<TierView>,
    /// Who serves it, in order.
    pub providers: Vec<String>,
}

/// What may be asked of a model, and what it costs.
#[derive(Debug, Serialize, ToSchema)]
pub struct TierView {
    /// The quality: `low`, `medium` or `high`.
    pub quality: String,
    /// The largest class of an image: `1K` (up to 1,572,864 pixels), `2K` (up to 4,194,304) or `4K`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub size: Option<String>,
    /// The resolution of a video: `480p`, `720p`, `1080p` or `4k`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub resolution: Option<String>,
    /// The length of a video, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub seconds: Option<u32>,
    /// Credits for it.
    pub credits: i64,
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
    /// What becomes of a month's credits that are left at its end: they `stay` or `expire`.
    #[schema(example = "stay")]
    pub unused_credits: String,
    /// How long results are kept, in days after they were made; null: as long as their generations.
    pub results_kept_days: Option<u32>,
    /// Calls that charge which the account may make in a minute; null: as many as it likes.
    pub calls_per_minute: Option<u32>,
    /// Edits of pictures that it may have under way at once.
    pub edits_at_once_max: usize,
    /// Videos that it may have under way at once.
    pub videos_at_once_max: usize,
}

/// List the models, with limits, aspect ratios and credits.
#[utoipa::path(
    get,
    path = "/api/models",
    operation_id = "list_models",
    tag = "Catalogue",
    params(ModelQuery),
    responses(
        (status = 200, description = "The models", body = ListView<ModelView>),
        (status = 400, description = "There is no such kind", body = ErrorBody),
    )
)]
pub async fn list_models(
    State(app): State<Arc<App>>,
    query: ApiResult<ModelQuery>,
) -> ApiResult<Json<ListView<ModelView>>> {
    let asked = query?.kind;
    let models = app.catalogue.models.iter().filter_map(|model| {
        let kind = shown_for(model, asked)?;
        Some(model_view(&app, model, kind))
    });
    Ok(Json(ListView::whole(models.collect())))
}

/// The kind for which `model` is listed when somebody asks for models of `kind`: the first thing
/// that it makes where nobody says for what, videos apart.
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
    tag = "Catalogue",
    responses((status = 200, description = "All plans", body = ListView<PlanView>))
)]
pub async fn list_plans(State(app): State<Arc<App>>) -> Json<ListView<PlanView>> {
    Json(ListView::whole(app.catalogue.plans.iter().map(|plan| plan_view(&app, plan)).collect()))
}

/// A model as those who serve it for `kind` perform and charge it.
pub fn model_view(app: &App, model: &Model, kind: Kind) -> ModelView {
    let now = app.clock.now();
    let serving = app.providers.serving(model, kind, now);
    let is_built_in = serving.iter().any(|one| one.provider.name() == built_in::NAME);
    let has_quality = serving.iter().any(|one| one.provider.heeds_quality(&one.model));
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

/// Tiers with their prices, as they are shown.
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
