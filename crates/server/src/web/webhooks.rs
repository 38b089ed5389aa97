//! `/webhooks`: creating and listing webhooks.

pub(super) mod one;

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use retouch_store::{Account, Delivery, EventKind, Off, PageRequest, Webhook};

use super::form::{self, Form};
use super::html;
use super::problem::{Mistake, PageResult, status_of_mistake};
use super::shell::{Here, Shell};
use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::webhooks::{self, Shown};

/// Webhooks per page.
const ROWS_MAX: u32 = 50;

/// What the form has: the address, and the chosen events.
struct Typed {
    url: String,
    events: Vec<EventKind>,
}

#[derive(Template)]
#[template(path = "web/webhooks.html")]
struct WebhooksPage {
    shell: Shell,
    /// Whether this server has webhooks.
    is_available: bool,
    /// The webhook that this request created. Its secret is shown only now.
    made: Option<Shown>,
    webhooks: Vec<Webhook>,
    older: Option<String>,
    typed: Typed,
    mistake: Mistake,
}

impl WebhooksPage {
    fn events(&self) -> [(&'static str, bool, &'static str); 5] {
        choices(&self.typed.events)
    }
}

pub(super) async fn webhooks(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, account) = Shell::for_member(&app, &parts, Here::Webhooks).await?;
    let cursor = form::query(&parts, "cursor").filter(|cursor| !cursor.is_empty());
    Ok(html::page(&page(&app, shell, (&account, cursor)).await?)?)
}

pub(super) async fn create(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (shell, account) = Shell::for_member(&app, &form.parts, Here::Webhooks).await?;
    let made = match chosen(&form) {
        Ok(events) => webhooks::create(&app, &account.id, (form.text("url"), &events)).await,
        Err(error) => Err(error),
    };
    let empty = page(&app, shell, (&account, None)).await?;
    match made {
        Ok(made) => {
            Ok(html::page_with(StatusCode::CREATED, &WebhooksPage { made: Some(made), ..empty })?)
        }
        Err(error) => {
            let typed = Typed { url: form.text("url").to_owned(), events: known(&form).collect() };
            let page = WebhooksPage { typed, mistake: Mistake::of(&error), ..empty };
            Ok(html::page_with(status_of_mistake(&error)?, &page)?)
        }
    }
}

async fn page(
    app: &App,
    shell: Shell,
    (account, cursor): (&Account, Option<String>),
) -> ApiResult<WebhooksPage> {
    let request = PageRequest { limit: ROWS_MAX, cursor };
    let found = app.store.list_webhooks(&account.id, &request).await?;
    Ok(WebhooksPage {
        shell,
        is_available: webhooks::are_available(app),
        made: None,
        webhooks: found.data,
        older: found.next_cursor.map(|cursor| format!("/webhooks?cursor={cursor}")),
        typed: Typed { url: String::new(), events: EventKind::ALL.to_vec() },
        mistake: Mistake::default(),
    })
}

/// The events of a form with checkboxes.
fn chosen(form: &Form) -> ApiResult<Vec<EventKind>> {
    if form.all("events").next().is_none() {
        let message = "Choose at least one event.";
        return Err(ApiError::about(Code::InvalidValue, "events", message));
    }
    webhooks::checked_events(form.all("events"))
}

fn known(form: &Form) -> impl Iterator<Item = EventKind> {
    form.all("events").filter_map(EventKind::find)
}

/// The checkboxes: name, whether it is chosen, and what it says.
fn choices(events: &[EventKind]) -> [(&'static str, bool, &'static str); 5] {
    EventKind::ALL.map(|kind| (kind.as_str(), events.contains(&kind), event(kind)))
}

/// An event in words.
fn event(kind: EventKind) -> &'static str {
    match kind {
        EventKind::GenerationSucceeded => "Generation succeeded",
        EventKind::GenerationFailed => "Generation failed",
        EventKind::CreditsLow => "Credits are running low",
        EventKind::KeyLimitReached => "API key reached its credit limit",
        EventKind::PlanChanged => "Plan changed",
        EventKind::Test => "Test",
    }
}

/// The event of a delivery in words.
fn event_of(delivery: &Delivery) -> &'static str {
    event(delivery.event)
}

/// The events of a webhook in words.
fn events_of(webhook: &Webhook) -> String {
    if EventKind::ALL.iter().all(|kind| webhook.events.contains(kind)) {
        return "All".to_owned();
    }
    webhook.events.iter().map(|kind| event(*kind)).collect::<Vec<_>>().join(", ")
}

/// The status of a webhook in words.
fn state(webhook: &Webhook) -> &'static str {
    match (webhook.off, webhook.failing_since) {
        (Some((Off::Paused, _)), _) => "Paused",
        (Some((Off::Gone, _)), _) => "Off: its address is gone",
        (Some((Off::Failing, _)), _) => "Off: it kept failing",
        (None, Some(_)) => "Failing",
        (None, None) => "Active",
    }
}
