//! `/admin/models`: the providers of each model, their health, cost and margin.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use retouch_core::Kind;
use retouch_core::catalogue::{MicroDollars, Model, Route};
use retouch_providers::{Health, Provider, built_in};

use super::Tab;
use super::days::{self, DAYS, DaySum, RouteSum};
use crate::app::App;
use crate::metrics::Tally;
use crate::serving;
use crate::web::problem::PageResult;
use crate::web::shell::{Here, Shell};
use crate::web::usage::DAY_MS;
use crate::web::{form, html};

/// How many days in advance the end of a route is announced.
const TOLD_DAYS: i64 = 60;

/// A model and its providers.
struct Entry {
    id: String,
    label: String,
    credits: i64,
    ways: Vec<Way>,
}

/// A provider that serves a model.
struct Way {
    provider: String,
    /// The provider's name for the model.
    theirs: String,
    cost: String,
    margin: String,
    health: String,
    is_well: bool,
    tally: Tally,
}

impl Way {
    /// The success rate in percent, and the outcomes of the other attempts.
    fn done(&self) -> String {
        let (attempts, done) = (self.tally.attempts(), self.tally.done());
        if attempts == 0 {
            return String::new();
        }
        let others = self.tally.outcomes.iter().filter(|(outcome, _)| **outcome != "done");
        let others = others.map(|(outcome, count)| format!(", {count} {}", in_words(outcome)));
        format!("{} %{}", done * 100 / attempts, others.collect::<String>())
    }

    fn within(&self, percent: u64) -> String {
        let ms = self.tally.within_ms(percent).and_then(|ms| i64::try_from(ms).ok());
        ms.map_or_else(String::new, html::duration)
    }
}

#[derive(Template)]
#[template(path = "web/admin/models.html")]
struct ModelsPage {
    shell: Shell,
    tab: Tab,
    entries: Vec<Entry>,
    /// Routes whose providers are not configured, with their models.
    unused: Vec<(String, Way)>,
    /// The chosen day, or `None` for all of the last days.
    day: Option<String>,
    /// What was spent today with each provider that has a daily limit.
    spending: Vec<String>,
    routes: Vec<RouteSum>,
    days: Vec<DaySum>,
}

pub(super) async fn models(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, _) = Shell::for_member(&app, &parts, Here::Administration).await?;
    let since = app.clock.now().plus_ms(-(DAYS - 1) * DAY_MS);
    let rows = app.store.list_days(since).await?;
    let is_kept = |day: &str| rows.iter().any(|row| days::date(row.day) == day);
    let day = form::choice(&parts, "day", |day| is_kept(day).then(|| day.to_owned()))?;
    let catalogue = &app.catalogue;
    let page = ModelsPage {
        shell,
        tab: Tab::Models,
        entries: catalogue.models.iter().map(|model| entry(&app, model)).collect(),
        unused: catalogue.models.iter().flat_map(|model| unused(&app, model)).collect(),
        routes: days::by_route(&rows, day.as_deref(), catalogue),
        days: days::by_day(&rows, catalogue),
        spending: spending(&app).await?,
        day,
    };
    Ok(html::page(&page)?)
}

/// What was spent today with each provider that has a daily limit.
async fn spending(app: &App) -> Result<Vec<String>, retouch_store::Error> {
    let spent = app.store.list_spending().await?;
    let live = app.live();
    let limited = live.providers.iter();
    let limited = limited.filter_map(|(name, one)| Some((name, one.usd_per_day_max?)));
    let line = |(name, limit): (&String, MicroDollars)| {
        let today = spent.iter().find(|one| one.provider == *name);
        let today = today.map_or(MicroDollars(0), |one| one.spent);
        format!("{name}: ${today} of ${limit} spent today (UTC)")
    };
    Ok(limited.map(line).collect())
}

fn entry(app: &App, model: &Model) -> Entry {
    let used = model.routes.iter().filter(|route| app.providers.find(&route.provider).is_some());
    let mut ways: Vec<Way> = used.map(|route| way(app, model, route)).collect();
    let stands_in =
        |kind: &Kind| app.providers.names(model, *kind, app.clock.now()) == [built_in::NAME];
    if model.kinds.iter().any(stands_in) {
        ways.push(Way {
            provider: built_in::NAME.to_owned(),
            theirs: String::new(),
            cost: "$0".to_owned(),
            margin: "100 %".to_owned(),
            health: "Healthy".to_owned(),
            is_well: true,
            tally: app.metrics.tally(model, built_in::NAME, ""),
        });
    }
    let (id, label) = (model.id.clone(), model.label.clone());
    Entry { id, label, credits: model.credits.get(), ways }
}

fn unused(app: &App, model: &Model) -> Vec<(String, Way)> {
    let unused = model.routes.iter().filter(|route| app.providers.find(&route.provider).is_none());
    unused.map(|route| (model.id.clone(), way(app, model, route))).collect()
}

fn way(app: &App, model: &Model, route: &Route) -> Way {
    let [cost, margin] = serving::cost_and_margin(route, model, &app.catalogue);
    let (health, is_well) = health(app, model, route);
    Way {
        provider: route.provider.clone(),
        theirs: route.model.clone(),
        cost,
        margin,
        health,
        is_well,
        tally: app.metrics.tally(model, &route.provider, &route.model),
    }
}

/// The health of the provider of `route`, and whether it is fully healthy.
fn health(app: &App, model: &Model, route: &Route) -> (String, bool) {
    let Some(provider) = app.providers.find(&route.provider) else {
        return ("Not configured".to_owned(), false);
    };
    if let Some(day) = route.ends {
        let days = day.days_left(app.clock.now());
        if days == 0 {
            return (format!("Ended on {day}"), false);
        }
        if days <= TOLD_DAYS {
            return (format!("Ends on {day}, in {days} days"), false);
        }
    }
    let kinds = model.kinds.iter().filter(|kind| route.does(**kind));
    in_words_of(kinds.map(|kind| provider.health(*kind)))
}

/// The health of a provider, and whether it is fully healthy.
pub(super) fn worst(provider: &dyn Provider) -> (String, bool) {
    in_words_of([Kind::ImageEdit, Kind::Video].into_iter().map(|kind| provider.health(kind)))
}

/// The worst of these. Images and videos are counted separately.
fn in_words_of(known: impl Iterator<Item = Health>) -> (String, bool) {
    match known.max_by_key(badness).unwrap_or(Health::Well) {
        Health::Well => ("Healthy".to_owned(), true),
        Health::Troubled(1) => ("Failed once".to_owned(), false),
        Health::Troubled(times) => (format!("Failed {times} times in a row"), false),
        Health::Resting(ms) => (format!("Paused for {} s", ms.div_ceil(1_000)), false),
        Health::Throttled(ms) => (format!("Rate-limited for {} s", ms.div_ceil(1_000)), false),
    }
}

fn badness(health: &Health) -> (u8, u64) {
    match *health {
        Health::Well => (0, 0),
        Health::Troubled(times) => (1, u64::from(times)),
        Health::Throttled(ms) => (2, ms),
        Health::Resting(ms) => (3, ms),
    }
}

fn in_words(outcome: &str) -> &str {
    match outcome {
        "input" => "unusable input",
        "not_accepted" => "not accepted",
        "queue_full" => "queue full",
        "unknown" => "unknown outcome",
        other => other,
    }
}
