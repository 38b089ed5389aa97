//! `/admin`: all accounts, searchable by email.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use retouch_store::{PageRequest, User};

use super::Tab;
use crate::app::App;
use crate::web::form;
use crate::web::html;
use crate::web::problem::PageResult;
use crate::web::shell::{Here, Shell};

/// Users per page.
const ROWS_MAX: u32 = 50;

#[derive(Template)]
#[template(path = "web/admin/users.html")]
struct UsersPage {
    shell: Shell,
    tab: Tab,
    words: String,
    users: Vec<User>,
    is_first: bool,
    older: Option<String>,
}

pub(super) async fn users(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, _) = Shell::for_member(&app, &parts, Here::Administration).await?;
    let words = form::query(&parts, "q").unwrap_or_default();
    let cursor = form::query(&parts, "cursor").filter(|cursor| !cursor.is_empty());
    let is_first = cursor.is_none();
    let page = PageRequest { limit: ROWS_MAX, cursor };
    let found = app.store.list_users(&words, &page).await?;
    let older = found.next_cursor.map(|cursor| {
        form::address("/admin", &[("q", words.as_str()), ("cursor", cursor.as_str())])
    });
    let users = found.data;
    Ok(html::page(&UsersPage { shell, tab: Tab::Users, words, users, is_first, older })?)
}
