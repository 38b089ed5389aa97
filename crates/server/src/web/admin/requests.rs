//! `/admin/requests`: members who ask for credits.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use retouch_core::AccountId;
use retouch_store::CreditRequest;

use super::{Tab, deed};
use crate::api::path::Named;
use crate::app::App;
use crate::error::ApiError;
use crate::web::form::Form;
use crate::web::html;
use crate::web::problem::PageResult;
use crate::web::shell::{Here, Shell};

const PATH: &str = "/admin/requests";

#[derive(Template)]
#[template(path = "web/admin/requests.html")]
struct RequestsPage {
    shell: Shell,
    tab: Tab,
    requests: Vec<CreditRequest>,
}

pub(super) async fn requests(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, _) = Shell::for_member(&app, &parts, Here::Administration).await?;
    let requests = app.store.list_credit_requests().await?;
    Ok(html::page(&RequestsPage { shell, tab: Tab::Requests, requests })?)
}

/// Dismisses a request without granting anything.
pub(super) async fn dismiss(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (_, own) = Shell::for_member(&app, &form.parts, Here::Administration).await?;
    let account: AccountId = id.parse().map_err(|_| ApiError::not_found("account"))?;
    let deed = deed(&own, "On the requests page".to_owned());
    app.store.dismiss_credit_request(&account, deed).await?;
    Ok(html::see_other(PATH)?)
}
