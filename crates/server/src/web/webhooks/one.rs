//! `/webhooks/{id}`: the page of one webhook with its deliveries, and the forms on it.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use retouch_store::{
    Account, Delivery, DeliveryStatus, EventKind, PageRequest, Webhook, WebhookChange,
};

use super::{choices, chosen, known};
use crate::api::path::{Named, NamedTwice};
use crate::api::webhooks::deliveries::status;
use crate::app::App;
use crate::error::ApiResult;
use crate::web::form::{self, Form};
use crate::web::html;
use crate::web::problem::{Mistake, PageResult, status_of_mistake};
use crate::web::shell::{Here, Shell};
use crate::webhooks;

/// Deliveries per page.
const ROWS_MAX: u32 = 50;

#[derive(Template)]
#[template(path = "web/webhook.html")]
struct WebhookPage {
    shell: Shell,
    webhook: Webhook,
    /// The new secret after a rotation. It is shown only now.
    secret: Option<String>,
    deliveries: Vec<Delivery>,
    /// Whether only failed deliveries are shown.
    is_failed_only: bool,
    is_first: bool,
    older: Option<String>,
    /// What the form has, which differs from the webhook if it could not be saved.
    url: String,
    events: Vec<EventKind>,
    mistake: Mistake,
}

impl WebhookPage {
    fn choices(&self) -> [(&'static str, bool, &'static str); 5] {
        choices(&self.events)
    }

    fn path(&self) -> String {
        format!("/webhooks/{}", self.webhook.id)
    }

    /// The status of a delivery in words.
    fn progress(&self, delivery: &Delivery) -> &'static str {
        match delivery.status {
            DeliveryStatus::Delivered => "Delivered",
            DeliveryStatus::Failed => "Failed",
            DeliveryStatus::Waiting if self.webhook.off.is_some() => "Waiting until it is on",
            DeliveryStatus::Waiting if delivery.tried_at.is_none() => "Waiting",
            DeliveryStatus::Waiting => "Will be retried",
        }
    }
}

pub(in crate::web) async fn webhook(
    State(app): State<Arc<App>>,
    Named(id): Named,
    parts: Parts,
) -> PageResult {
    let (shell, account) = Shell::for_member(&app, &parts, Here::Webhooks).await?;
    let page = page(&app, shell, (&account, &id, &parts)).await?;
    Ok(html::page(&page)?)
}

pub(in crate::web) async fn change(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (shell, account) = Shell::for_member(&app, &form.parts, Here::Webhooks).await?;
    let url = form.text("url").to_owned();
    let changed = match chosen(&form) {
        Ok(events) => {
            let change =
                WebhookChange { url: Some(url.clone()), events: Some(events), is_on: None };
            webhooks::change(&app, (&account.id, &id), change).await
        }
        Err(error) => Err(error),
    };
    let Err(error) = changed else { return back_to(&id) };
    let page = page(&app, shell, (&account, &id, &form.parts)).await?;
    let events = known(&form).collect();
    let page = WebhookPage { url, events, mistake: Mistake::of(&error), ..page };
    Ok(html::page_with(status_of_mistake(&error)?, &page)?)
}

pub(in crate::web) async fn turn(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let (form, _, account) = received(&app, request).await?;
    let is_on = Some(form.text("on") == "1");
    let change = WebhookChange { is_on, ..WebhookChange::default() };
    webhooks::change(&app, (&account.id, &id), change).await?;
    back_to(&id)
}

pub(in crate::web) async fn rotate(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let (form, shell, account) = received(&app, request).await?;
    let rotated = webhooks::rotate(&app, &account.id, &id).await?;
    let page = page(&app, shell, (&account, &id, &form.parts)).await?;
    Ok(html::page(&WebhookPage { secret: Some(rotated.secret), ..page })?)
}

pub(in crate::web) async fn delete(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let (_, _, account) = received(&app, request).await?;
    webhooks::delete(&app, &account.id, &id).await?;
    Ok(html::see_other("/webhooks")?)
}

pub(in crate::web) async fn test(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let (_, _, account) = received(&app, request).await?;
    webhooks::test(&app, &account.id, &id).await?;
    back_to(&id)
}

pub(in crate::web) async fn redeliver(
    State(app): State<Arc<App>>,
    NamedTwice(id, delivery): NamedTwice,
    request: Request,
) -> PageResult {
    let (_, _, account) = received(&app, request).await?;
    webhooks::redeliver(&app, &account.id, (&id, &delivery)).await?;
    back_to(&id)
}

pub(in crate::web) async fn redeliver_failed(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let (_, _, account) = received(&app, request).await?;
    webhooks::redeliver_failed(&app, &account.id, &id).await?;
    back_to(&id)
}

async fn received(
    app: &App,
    request: Request,
) -> Result<(Form, Shell, Account), crate::web::problem::Problem> {
    let form = Form::receive(app, request).await?;
    let (shell, account) = Shell::for_member(app, &form.parts, Here::Webhooks).await?;
    Ok((form, shell, account))
}

/// Redirects to the page of a webhook, which exists.
fn back_to(id: &str) -> PageResult {
    Ok(html::see_other(&format!("/webhooks/{id}#deliveries"))?)
}

async fn page(
    app: &App,
    shell: Shell,
    (account, id, parts): (&Account, &str, &Parts),
) -> ApiResult<WebhookPage> {
    let webhook = webhooks::find(app, &account.id, id).await?;
    let status = status(parts)?;
    let cursor = form::query(parts, "cursor").filter(|cursor| !cursor.is_empty());
    let (is_first, request) = (cursor.is_none(), PageRequest { limit: ROWS_MAX, cursor });
    let found = app.store.list_deliveries(&account.id, &webhook.id, (status, &request)).await?;
    let filter = status.map(DeliveryStatus::as_str).unwrap_or_default();
    let older = found.next_cursor.map(|cursor| {
        form::address(&format!("/webhooks/{id}"), &[("status", filter), ("cursor", &cursor)])
    });
    Ok(WebhookPage {
        shell,
        url: webhook.url.clone(),
        events: webhook.events.clone(),
        webhook,
        secret: None,
        deliveries: found.data,
        is_failed_only: status == Some(DeliveryStatus::Failed),
        is_first,
        older,
        mistake: Mistake::default(),
    })
}
