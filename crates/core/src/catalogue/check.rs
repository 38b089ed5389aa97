//! What a catalogue must hold to be used at all: found at start, not at the first sale.

use std::collections::BTreeSet;

use super::{Catalogue, CatalogueError, Model, Plan};

/// Says what is wrong with `catalogue`, first thing first.
pub(super) fn check(catalogue: &Catalogue) -> Result<(), CatalogueError> {
    let mut names = BTreeSet::new();
    for model in &catalogue.models {
        check_model(model, catalogue.max_input_images)?;
        for name in std::iter::once(&model.id).chain(&model.aliases) {
            if !names.insert(name) {
                return wrong(format!("models: the name {name} stands twice"));
            }
        }
    }
    if catalogue.find_model(&catalogue.default_model).is_none() {
        let (default, known) = (&catalogue.default_model, catalogue.model_names());
        return wrong(format!("default_model: {default} is none of the models: {known}"));
    }
    let mut plans = BTreeSet::new();
    for plan in &catalogue.plans {
        check_plan(plan)?;
        if !plans.insert(&plan.id) {
            return wrong(format!("plans: the name {} stands twice", plan.id));
        }
    }
    Ok(())
}

fn check_model(model: &Model, inputs_max: usize) -> Result<(), CatalogueError> {
    let id = &model.id;
    if id.is_empty() || model.label.is_empty() {
        return wrong(format!("models: {id:?} needs an id and a label"));
    }
    if model.max_input_images == 0 || model.max_input_images > inputs_max {
        let inputs = model.max_input_images;
        return wrong(format!(
            "{id}: max_input_images is {inputs}; 1 to {inputs_max} are possible"
        ));
    }
    if model.outputs_per_call != 1 {
        let outputs = model.outputs_per_call;
        return wrong(format!("{id}: outputs_per_call is {outputs}; current models return 1"));
    }
    if model.credits.get() == 0 || model.quality_credits.values().any(|price| price.get() == 0) {
        return wrong(format!("{id}: a price of 0 credits cannot be held or captured"));
    }
    let distinct: BTreeSet<String> = model.aspect_ratios.iter().map(ToString::to_string).collect();
    if distinct.len() != model.aspect_ratios.len() {
        return wrong(format!("{id}: an aspect ratio stands twice"));
    }
    Ok(())
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
    Ok(())
}

fn wrong(message: String) -> Result<(), CatalogueError> {
    Err(CatalogueError::Content(message))
}
