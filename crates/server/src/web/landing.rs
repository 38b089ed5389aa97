//! `/`: the studio for members, and for visitors a page that shows what the service does, lets them try
//! it on the sample photo, and says what it costs.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use retouch_core::Kind;
use retouch_core::edit::TEXT_CHARS_MAX;
use retouch_engine::Context;
use retouch_providers::built_in;

use super::docs::Entry;
use super::problem::PageResult;
use super::shell::{Here, Shell};
use super::{docs, html, studio};
use crate::app::App;
use crate::billing;
use crate::config::PackSettings;

/// The instruction that made the edited sample photo, `samples/coffee-edited.jpg`.
const FIRST: &str = "Black and white except red, with more contrast";

/// Instructions to try with one click.
const IDEAS: [&str; 4] = [
    "Make it warmer and brighter",
    "Crop to a square and round the corners",
    "Write \"Good morning\" in white at the top",
    "Make it look like a pencil sketch",
];

/// The operations that the page shows, by the names of their pictures.
const SHOWN: [&str; 8] =
    ["within", "cutout", "polaroid", "posterize", "pixelate", "sketch", "sepia", "halftone"];

#[derive(Template)]
#[template(path = "web/landing.html")]
struct LandingPage {
    shell: Shell,
    first: &'static str,
    /// What the built-in editor does for the first instruction.
    steps: Vec<String>,
    ideas: [&'static str; 4],
    chars_max: usize,
    /// Some operations of the built-in editor, with their pictures.
    shown: Vec<&'static Entry>,
    /// How many operations the built-in editor has.
    operations: usize,
    /// Whether a model is served by a provider and not only by the built-in editor.
    has_models: bool,
    edit_credits: i64,
    sign_up_credits: i64,
    /// The lowest monthly price in US dollars, if plans can be bought here.
    from_usd: Option<String>,
}

/// `/`: the studio, or the landing page for visitors.
pub(super) async fn home(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let mut shell = Shell::of(&app, &parts, Here::Studio).await?;
    if shell.member.is_some() {
        return studio::show(&app, shell, &parts).await;
    }
    shell.here = Here::Elsewhere;
    let entries = || docs::chapters().iter().flat_map(|chapter| &chapter.entries);
    let shown = SHOWN.iter().filter_map(|name| entries().find(|entry| entry.name == *name));
    Ok(html::page(&LandingPage {
        shell,
        first: FIRST,
        steps: steps(FIRST),
        ideas: IDEAS,
        chars_max: TEXT_CHARS_MAX,
        shown: shown.collect(),
        operations: entries().count(),
        has_models: has_models(&app),
        edit_credits: super::edit_credits(&app),
        sign_up_credits: app.sign_up_credits().get(),
        from_usd: from_usd(&app),
    })?)
}

/// The steps of an instruction for one photo, in words.
fn steps(instruction: &str) -> Vec<String> {
    let context = Context { inputs: 1, ..Context::default() };
    retouch_language::read(instruction, &context).map(|plan| plan.shown()).unwrap_or_default()
}

/// Whether a provider other than the built-in editor serves any model.
fn has_models(app: &App) -> bool {
    let now = app.clock.now();
    let mut each = app.catalogue.models.iter().flat_map(|model| {
        let kinds = [Kind::ImageEdit, Kind::TextToImage, Kind::Video];
        kinds.into_iter().filter(move |kind| model.does(*kind)).map(move |kind| (model, kind))
    });
    each.any(|(model, kind)| {
        app.providers.names(model, kind, now).iter().any(|name| name != built_in::NAME)
    })
}

/// The price of the smallest plan or, where only packs are sold, of the smallest pack.
fn from_usd(app: &App) -> Option<String> {
    let payments = app.payments.as_ref()?;
    let sold = app.catalogue.plans.iter().filter(|it| payments.stripe.price_of(&it.id).is_some());
    let plan = sold.min_by_key(|plan| plan.credits_per_month).map(|plan| plan.price_usd.clone());
    let pack = || billing::packs(app).iter().min_by_key(|pack| pack.cents);
    plan.or_else(|| pack().map(PackSettings::price_usd))
}

#[cfg(test)]
mod tests {
    use super::{FIRST, IDEAS, steps};

    #[test]
    fn every_instruction_on_the_page_works() {
        assert!(!steps(FIRST).is_empty());
        for idea in IDEAS {
            assert!(!steps(idea).is_empty(), "{idea}");
        }
    }
}
