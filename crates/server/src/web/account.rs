//! `/account`: who is signed in.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use retouch_core::Timestamp;

use super::html;
use super::problem::PageResult;
use super::shell::{Here, Shell};
use crate::api::account::{AccountView, view};
use crate::app::App;

#[derive(Template)]
#[template(path = "web/account.html")]
struct AccountPage {
    shell: Shell,
    view: AccountView,
    created_at: Timestamp,
}

pub(super) async fn account(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, account) = Shell::for_member(&app, &parts, Here::Account).await?;
    let created_at = account.created_at;
    let view = view(&app, account).await?;
    Ok(html::page(&AccountPage { shell, view, created_at })?)
}
