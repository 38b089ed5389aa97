//! `/first-administrator`: the page of the one-time link for the first administrator.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use retouch_store::Claimed;

use super::form::{self, Form};
use super::html;
use super::problem::PageResult;
use super::shell::{Here, Shell};
use crate::app::App;
use crate::auth::link;
use crate::error::{ApiError, Code};
use crate::http::request_id;

#[derive(Template)]
#[template(path = "web/first.html")]
struct FirstPage {
    shell: Shell,
    token: String,
}

pub(super) async fn invited(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let token = form::query(&parts, "token").unwrap_or_default();
    let hash = link::hash(&token).ok_or_else(stale)?;
    if !app.store.admin_link_is_open(&hash).await? {
        return Err(stale().into());
    }
    // A valid token has only characters that need no escaping in a URL.
    let next = format!("{}?token={token}", link::PATH);
    let shell = Shell::of(&app, &parts, Here::Elsewhere).await?.leading_to(&next, &token);
    Ok(html::page(&FirstPage { shell, token })?)
}

pub(super) async fn claim(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (_, account) = Shell::for_member(&app, &form.parts, Here::Elsewhere).await?;
    let hash = link::hash(form.text("token")).ok_or_else(stale)?;
    let request_id = request_id::current();
    match app.store.claim_administration(&account.id, hash, request_id).await? {
        Claimed::New => Ok(html::see_other("/admin")?),
        Claimed::Refused => Err(stale().into()),
    }
}

fn stale() -> ApiError {
    let message = "This link is invalid, expired or already used. If there is still no \
                   administrator, run “retouch admin link” on the server to get a new one.";
    ApiError::new(Code::NotFound, message)
}
