//! `/plans`: what there is to buy.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;

use super::html;
use super::problem::PageResult;
use super::shell::{Here, Shell};
use crate::api::catalogue::{PlanView, plan_view};
use crate::app::App;

#[derive(Template)]
#[template(path = "web/plans.html")]
struct PlansPage {
    shell: Shell,
    sign_up_credits: i64,
    /// What an edit with the default model takes.
    edit_credits: i64,
    plans: Vec<PlanView>,
}

pub(super) async fn plans(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let shell = Shell::of(&app, &parts, Here::Plans).await?;
    let catalogue = &app.catalogue;
    let mut models = catalogue.models.iter();
    let default = models.find(|model| model.id == catalogue.default_model);
    let page = PlansPage {
        shell,
        sign_up_credits: catalogue.sign_up_credits.get(),
        edit_credits: default.map_or(1, |model| model.credits.get().max(1)),
        plans: catalogue.plans.iter().map(plan_view).collect(),
    };
    Ok(html::page(&page)?)
}
