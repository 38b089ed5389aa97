//! Validates a catalogue when it is loaded, so that mistakes show at startup and not at the first
//! sale.

use std::collections::BTreeSet;

use super::{Catalogue, CatalogueError, Model, Plan, Route, Tier, retention};
use crate::Kind;

/// The longest video that a model may offer, in seconds.
const DURATION_SECONDS_MAX: u32 = 600;

/// The maximum number of calls per minute that a plan can allow.
const CALLS_PER_MINUTE_MAX: u32 = 100_000_000;
/// The maximum number of simultaneous edits or videos that a plan can allow.
const AT_ONCE_MAX: u32 = 1_000_000;

/// Reports the first problem of `catalogue`.
pub(super) fn check(catalogue: &Catalogue) -> Result<(), CatalogueError> {
    let mut names = BTreeSet::new();
    for model in &catalogue.models {
        check_model(model, catalogue.max_input_images)?;
        let aliases = model.aliases.iter().chain(&model.aliases_openai);
        for name in std::iter::once(&model.id).chain(aliases) {
            if !names.insert(name) {
                return wrong(format!("models: duplicate name {name}"));
            }
        }
    }
    check_defaults(catalogue)?;
    let mut plans = BTreeSet::new();
    for plan in &catalogue.plans {
        check_plan(plan)?;
        if !plans.insert(&plan.id) {
            return wrong(format!("plans: duplicate name {}", plan.id));
        }
    }
    retention::check(catalogue)
}

/// Checks that every request without a model gets one that supports its kind.
fn check_defaults(catalogue: &Catalogue) -> Result<(), CatalogueError> {
    let all = [
        ("default_model", Kind::ImageEdit),
        ("default_model", Kind::TextToImage),
        ("default_video_model", Kind::Video),
    ];
    for (key, kind) in all {
        let known = catalogue.model_names(kind);
        let what = kind.as_str();
        match catalogue.default_for(kind) {
            None if known.is_empty() => {}
            None => return wrong(format!("{key}: missing; set it to one of {known}")),
            // A catalogue doesn't need models that create images from text.
            Some(_) if known.is_empty() && kind == Kind::TextToImage => {}
            Some(id) if catalogue.find_model(id).is_some_and(|model| model.does(kind)) => {}
            Some(id) => {
                return wrong(format!("{key}: {id} is not one of the {what} models: {known}"));
            }
        }
    }
    Ok(())
}

fn check_model(model: &Model, inputs_max: usize) -> Result<(), CatalogueError> {
    let id = &model.id;
    if id.is_empty() || model.label.is_empty() {
        return wrong(format!("models: {id:?} needs an id and a label"));
    }
    check_kinds(model)?;
    check_inputs(model, inputs_max)?;
    if model.outputs_per_call != 1 {
        let outputs = model.outputs_per_call;
        return wrong(format!("{id}: outputs_per_call is {outputs}; only 1 is supported"));
    }
    if model.offers().iter().any(|(_, price)| price.get() == 0) {
        return wrong(format!("{id}: a price of 0 credits is not allowed"));
    }
    let ratios: Vec<String> = model.aspect_ratios.iter().map(ToString::to_string).collect();
    if has_twins(&ratios) {
        return wrong(format!("{id}: aspect_ratios contains a duplicate"));
    }
    check_tiers(model)?;
    check_routes(model)
}

fn check_kinds(model: &Model) -> Result<(), CatalogueError> {
    let id = &model.id;
    if model.kinds.is_empty() {
        return wrong(format!(
            "{id}: kinds is empty; list what the model makes, or remove the model"
        ));
    }
    if has_twins(&model.kinds) {
        return wrong(format!("{id}: kinds contains a duplicate"));
    }
    if model.does(Kind::Video) && model.kinds.len() > 1 {
        return wrong(format!("{id}: kinds mixes video and images; define two models"));
    }
    Ok(())
}

fn check_inputs(model: &Model, inputs_max: usize) -> Result<(), CatalogueError> {
    let (id, inputs) = (&model.id, model.max_input_images);
    let least = usize::from(model.does(Kind::ImageEdit));
    if (least..=inputs_max).contains(&inputs) {
        return Ok(());
    }
    wrong(format!("{id}: max_input_images is {inputs}; expected {least} to {inputs_max}"))
}

/// Checks the tiers of a model and of its routes.
fn check_tiers(model: &Model) -> Result<(), CatalogueError> {
    let (id, is_video) = (&model.id, model.does(Kind::Video));
    if is_video != model.seconds.is_some() {
        return wrong(format!(
            "{id}: video models need seconds, and other models must not have it"
        ));
    }
    if model.tiers.iter().any(|tier| tier.credits.is_none() || tier.cost_usd.is_some()) {
        return wrong(format!("{id}: each tier needs credits and must not have cost_usd"));
    }
    let offered: Vec<Tier> = model.offers().into_iter().map(|(tier, _)| tier).collect();
    if has_twins(&offered) {
        return wrong(format!("{id}: duplicate tier"));
    }
    let fits = |tier: &Tier| {
        let is_of_video = tier.resolution.is_some() && tier.size.is_none();
        let is_of_image = tier.size.is_some() && tier.resolution.is_none();
        (if is_video { is_of_video } else { is_of_image }) && tier.seconds.is_some() == is_video
    };
    if model.size.is_some() && is_video
        || model.resolution.is_some() && !is_video
        || !offered.iter().all(fits)
    {
        return wrong(format!("{id}: size is for images; seconds and resolution are for videos"));
    }
    let lengths = model.durations_seconds();
    if let Some(length) = lengths.iter().find(|one| !(1..=DURATION_SECONDS_MAX).contains(*one)) {
        let most = DURATION_SECONDS_MAX;
        return wrong(format!("{id}: seconds is {length}; expected 1 to {most}"));
    }
    for route in &model.routes {
        check_costs(model, route)?;
    }
    Ok(())
}

/// Checks that a route has costs only for tiers that its model offers.
fn check_costs(model: &Model, route: &Route) -> Result<(), CatalogueError> {
    let (id, provider) = (&model.id, &route.provider);
    let default = model.default_tier();
    for entry in &route.tiers {
        let tier = entry.tier(default);
        if entry.cost_usd.is_none() || entry.credits.is_some() {
            return wrong(format!(
                "{id}: each tier of the route to {provider} needs cost_usd and must not have credits"
            ));
        }
        if model.price(tier).is_none() {
            return wrong(format!(
                "{id}: the route to {provider} has a cost for {tier}, which {id} does not offer"
            ));
        }
    }
    let costs: Vec<Tier> = route.tiers.iter().map(|entry| entry.tier(default)).collect();
    if has_twins(&costs) {
        return wrong(format!("{id}: the route to {provider} has a duplicate tier"));
    }
    Ok(())
}

fn check_routes(model: &Model) -> Result<(), CatalogueError> {
    let id = &model.id;
    for route in &model.routes {
        if route.provider.is_empty() || route.model.is_empty() {
            return wrong(format!("{id}: a route needs a provider and the provider's model"));
        }
        let provider = &route.provider;
        if has_twins(&route.kinds) {
            return wrong(format!(
                "{id}: the kinds of the route to {provider} contain a duplicate"
            ));
        }
        if let Some(kind) = route.kinds.iter().find(|kind| !model.does(**kind)) {
            let kind = kind.as_str();
            return wrong(format!(
                "{id}: the route to {provider} is for {kind}, which is not one of the model's kinds"
            ));
        }
    }
    Ok(())
}

fn has_twins<T: Ord>(all: &[T]) -> bool {
    all.iter().collect::<BTreeSet<_>>().len() != all.len()
}

fn check_plan(plan: &Plan) -> Result<(), CatalogueError> {
    let well_formed = plan.price_usd.split_once('.').is_some_and(|(dollars, cents)| {
        let digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits(dollars) && digits(cents) && cents.len() == 2
    });
    if !well_formed {
        let (id, price) = (&plan.id, &plan.price_usd);
        return wrong(format!(
            "{id}: price_usd is {price:?}; write dollars and cents, such as \"9.90\""
        ));
    }
    if plan.credits_per_month.get() == 0 {
        return wrong(format!("{}: credits_per_month is 0", plan.id));
    }
    check_limits(plan)
}

/// Checks that the limits of a plan are in the same range as those in the settings.
fn check_limits(plan: &Plan) -> Result<(), CatalogueError> {
    let limits = [
        ("calls_per_minute", plan.calls_per_minute, 0..=CALLS_PER_MINUTE_MAX),
        ("failures_per_minute", plan.failures_per_minute, 0..=CALLS_PER_MINUTE_MAX),
        ("reads_per_minute", plan.reads_per_minute, 0..=CALLS_PER_MINUTE_MAX),
        ("edits_at_once_max", plan.edits_at_once_max, 1..=AT_ONCE_MAX),
        ("videos_at_once_max", plan.videos_at_once_max, 1..=AT_ONCE_MAX),
    ];
    for (key, limit, possible) in limits {
        if let Some(limit) = limit
            && !possible.contains(&limit)
        {
            let (id, least, most) = (&plan.id, possible.start(), possible.end());
            return wrong(format!("{id}: {key} is {limit}; expected {least} to {most}"));
        }
    }
    Ok(())
}

fn wrong(message: String) -> Result<(), CatalogueError> {
    Err(CatalogueError::Content(message))
}
