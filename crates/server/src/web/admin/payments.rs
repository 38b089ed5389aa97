//! `/admin/payments`: the events of Stripe, their outcomes, and which are pending.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use retouch_store::{EventRecord, OpenEvents, PageRequest};

use super::{Tab, deed};
use crate::api::path::Named;
use crate::app::App;
use crate::error::ApiError;
use crate::web::form::{self, Form};
use crate::web::html;
use crate::web::problem::PageResult;
use crate::web::shell::{Here, Shell};

/// Events per page.
const ROWS_MAX: u32 = 50;
const PATH: &str = "/admin/payments";

#[derive(Template)]
#[template(path = "web/admin/payments.html")]
struct PaymentsPage {
    shell: Shell,
    tab: Tab,
    /// Whether payments are configured.
    is_configured: bool,
    waiting: OpenEvents,
    /// Whether only pending events are shown.
    only_waiting: bool,
    events: Vec<EventRecord>,
    is_retried: bool,
    is_first: bool,
    older: Option<String>,
}

pub(super) async fn payments(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, _) = Shell::for_member(&app, &parts, Here::Administration).await?;
    let show = form::query(&parts, "show").unwrap_or_default();
    let only_waiting = show == "waiting";
    let cursor = form::query(&parts, "cursor").filter(|cursor| !cursor.is_empty());
    let is_first = cursor.is_none();
    let page = PageRequest { limit: ROWS_MAX, cursor };
    let found = app.store.list_events(only_waiting, &page).await?;
    let show = if only_waiting { "waiting" } else { "" };
    let older = |cursor: String| form::address(PATH, &[("show", show), ("cursor", &cursor)]);
    Ok(html::page(&PaymentsPage {
        shell,
        tab: Tab::Payments,
        is_configured: app.payments.is_some(),
        waiting: app.store.count_open_events().await?,
        only_waiting,
        events: found.data,
        is_retried: form::query(&parts, "done").as_deref() == Some("retried"),
        is_first,
        older: found.next_cursor.map(older),
    })?)
}

/// Retries an event immediately.
pub(super) async fn retry(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (_, own) = Shell::for_member(&app, &form.parts, Here::Administration).await?;
    if !app.store.retry_event(&id, deed(&own, id.clone())).await? {
        return Err(ApiError::not_found("pending event").into());
    }
    if let Some(payments) = &app.payments {
        payments.wake();
    }
    Ok(html::see_other("/admin/payments?done=retried")?)
}
