//! `/admin/users`: all accounts, searchable by email, and a form to create one.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use retouch_core::Email;
use retouch_store::{Account, NewAccount, PageRequest, User};

use super::{Tab, asked, deed};
use crate::app::App;
use crate::auth::secret::new_password;
use crate::error::{ApiError, ApiResult, Code};
use crate::web::form::{self, Form};
use crate::web::html;
use crate::web::problem::{Mistake, PageResult, status_of_mistake};
use crate::web::shell::{Here, Shell};

/// Users per page.
const ROWS_MAX: u32 = 50;
pub(super) const PATH: &str = "/admin/users";

#[derive(Template)]
#[template(path = "web/admin/users.html")]
struct UsersPage {
    shell: Shell,
    tab: Tab,
    words: String,
    users: Vec<User>,
    /// The account that was just created, with its password, which is shown only now.
    made: Option<(Account, String)>,
    /// What was just done.
    done: &'static str,
    email: String,
    reason: String,
    mistake: Mistake,
    is_first: bool,
    older: Option<String>,
}

pub(super) async fn users(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, _) = Shell::for_member(&app, &parts, Here::Administration).await?;
    let words = form::query(&parts, "q").unwrap_or_default();
    let cursor = form::query(&parts, "cursor").filter(|cursor| !cursor.is_empty());
    let mut page = page(&app, shell, words, cursor).await?;
    if form::query(&parts, "done").as_deref() == Some("deleted") {
        page.done = "Account deleted.";
    }
    Ok(html::page(&page)?)
}

/// Creates an account with a new password, which is shown once.
pub(super) async fn create(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (shell, own) = Shell::for_member(&app, &form.parts, Here::Administration).await?;
    let made = make(&app, &form, &own).await;
    let mut page = page(&app, shell, String::new(), None).await?;
    match made {
        Ok(made) => {
            page.made = Some(made);
            Ok(html::page(&page)?)
        }
        Err(error) => {
            let status = status_of_mistake(&error)?;
            page.email = form.text("email").to_owned();
            page.reason = form.text("reason").to_owned();
            page.mistake = Mistake::of(&error);
            Ok(html::page_with(status, &page)?)
        }
    }
}

async fn make(app: &App, form: &Form, own: &Account) -> ApiResult<(Account, String)> {
    let email: Email = form.text("email").trim().parse().map_err(|error| {
        ApiError::about(Code::InvalidEmail, "email", format!("This is {error}."))
    })?;
    let reason = asked::reason(form, "reason")?;
    let password = new_password(&app.ids);
    let new = NewAccount {
        email,
        password_hash: Some(app.passwords.hash(password.clone(), &app.ids).await?),
        sign_up_credits: app.sign_up_credits(),
        invitation: None,
    };
    let made = app.store.create_account_as(new, deed(own, reason)).await;
    let account = made.map_err(|error| match error {
        retouch_store::Error::EmailTaken => {
            let message = "An account with this address already exists.";
            ApiError::about(Code::EmailTaken, "email", message)
        }
        other => other.into(),
    })?;
    Ok((account, password))
}

async fn page(
    app: &App,
    shell: Shell,
    words: String,
    cursor: Option<String>,
) -> ApiResult<UsersPage> {
    let is_first = cursor.is_none();
    let page = PageRequest { limit: ROWS_MAX, cursor };
    let found = app.store.list_users(&words, &page).await?;
    let older = found
        .next_cursor
        .map(|cursor| form::address(PATH, &[("q", words.as_str()), ("cursor", cursor.as_str())]));
    Ok(UsersPage {
        shell,
        tab: Tab::Users,
        words,
        users: found.data,
        made: None,
        done: "",
        email: String::new(),
        reason: String::new(),
        mistake: Mistake::default(),
        is_first,
        older,
    })
}
