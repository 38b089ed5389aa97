//! `/keys`: creating, listing and revoking API keys.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use retouch_core::Timestamp;
use retouch_store::{PageRequest, Scope, Scopes};

use super::form::{self, Form};
use super::html;
use super::problem::{Mistake, PageResult, Problem};
use super::shell::{Here, Shell};
use crate::api::keys::{self, KeyRequest, KeyView, NewKeyView, key_view};
use crate::api::path::Named;
use crate::app::App;
use crate::auth;
use crate::error::{ApiError, ApiResult, Code};

/// Keys per page.
const ROWS_MAX: u32 = 50;

/// The limits of a key: the field, its label, and what it limits.
const LIMITS: [(&str, &str, &str); 3] = [
    ("credit_limit", "Credit limit", "Total it may ever spend"),
    ("credit_limit_per_day", "Daily limit", "Credits per day (UTC)"),
    ("credit_limit_per_month", "Monthly limit", "Credits per calendar month (UTC)"),
];

struct Typed {
    name: String,
    expires_on: String,
    /// The limits, in the order of [`LIMITS`].
    limits: [String; 3],
    scopes: Scopes,
}

impl Default for Typed {
    fn default() -> Self {
        let (name, expires_on, limits) = Default::default();
        Self { name, expires_on, limits, scopes: Scopes::DEFAULT }
    }
}

#[derive(Template)]
#[template(path = "web/keys.html")]
struct KeysPage {
    shell: Shell,
    base_url: String,
    now: Timestamp,
    /// The key that this request created. It is shown only now.
    made: Option<NewKeyView>,
    keys: Vec<KeyView>,
    /// Whether the password is required because the sign-in is too long ago.
    asks_password: bool,
    has_password: bool,
    older: Option<String>,
    typed: Typed,
    mistake: Mistake,
}

impl KeysPage {
    /// The scopes: name, whether it is chosen, and what it allows.
    fn scopes(&self) -> [(&'static str, bool, &'static str); 3] {
        Scope::ALL.map(|scope| {
            let words = match scope {
                Scope::Edit => "Create and edit images and videos, and see what this key made",
                Scope::Read => "See everything in your history, your account and your transactions",
                Scope::Delete => "Delete the generations that the key can see",
            };
            (scope.as_str(), self.typed.scopes.contains(scope), words)
        })
    }

    /// The limits: field, label, what it limits, and what was typed.
    fn limits(&self) -> impl Iterator<Item = (&'static str, &'static str, &'static str, &str)> {
        let typed = self.typed.limits.iter().map(String::as_str);
        LIMITS.into_iter().zip(typed).map(|((name, label, hint), typed)| (name, label, hint, typed))
    }

    /// The status of a key.
    fn state(&self, key: &KeyView) -> &'static str {
        match key {
            KeyView { revoked_at: Some(_), .. } => "Revoked",
            KeyView { expires_at: Some(moment), .. } if *moment <= self.now => "Expired",
            _ => "Active",
        }
    }
}

pub(super) async fn keys(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let (shell, _) = Shell::for_member(&app, &parts, Here::Keys).await?;
    let cursor = form::query(&parts, "cursor").filter(|cursor| !cursor.is_empty());
    Ok(html::page(&page(&app, &parts, shell, cursor).await?)?)
}

pub(super) async fn create(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (shell, _) = Shell::for_member(&app, &form.parts, Here::Keys).await?;
    let caller = auth::session(&app, &form.parts).await?;
    let made = match asked(&form) {
        Ok(asked) => keys::create(&app, &form.parts, &caller, asked).await,
        Err(error) => Err(error),
    };
    // Load the page only now: a correct password also counts as a recent sign-in.
    let empty = page(&app, &form.parts, shell, None).await?;
    match made {
        Ok(made) => Ok(html::page(&KeysPage { made: Some(made), ..empty })?),
        Err(error) if error.code.row().status >= 500 => Err(Problem::from(error)),
        Err(error) => {
            let typed = Typed {
                name: form.text("name").to_owned(),
                expires_on: form.text("expires_on").to_owned(),
                limits: LIMITS.map(|(name, ..)| form.text(name).to_owned()),
                scopes: Scopes::named(scopes(&form)).unwrap_or(Scopes::DEFAULT),
            };
            let page = KeysPage { typed, mistake: Mistake::of(&error), ..empty };
            Ok(html::page_with(StatusCode::BAD_REQUEST, &page)?)
        }
    }
}

pub(super) async fn revoke(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (_, account) = Shell::for_member(&app, &form.parts, Here::Keys).await?;
    keys::revoke(&app, &account, &id).await?;
    Ok(html::see_other("/keys")?)
}

async fn page(
    app: &App,
    parts: &Parts,
    shell: Shell,
    cursor: Option<String>,
) -> ApiResult<KeysPage> {
    let caller = auth::session(app, parts).await?;
    let account = &caller.account;
    let request = PageRequest { limit: ROWS_MAX, cursor };
    let keys = app.store.list_keys(&account.id, &request).await?;
    let now = app.clock.now();
    Ok(KeysPage {
        shell,
        base_url: app.public_url.as_str().trim_end_matches('/').to_owned(),
        now,
        made: None,
        keys: keys.data.into_iter().map(|key| key_view(key, now)).collect(),
        asks_password: !auth::is_proven(app, &caller),
        has_password: app.store.find_password_hash(&account.id).await?.is_some(),
        older: keys.next_cursor.map(|cursor| format!("/keys?cursor={cursor}")),
        typed: Typed::default(),
        mistake: Mistake::default(),
    })
}

/// The requested key; empty fields set no limit.
fn asked(form: &Form) -> ApiResult<KeyRequest> {
    let field = |name| Some(form.text(name).trim()).filter(|text| !text.is_empty());
    let expires_at = field("expires_on").map(|day| {
        // The key works until the end of the day.
        Timestamp::parse(&format!("{day}T23:59:59.999Z")).ok_or_else(|| {
            ApiError::about(Code::InvalidValue, "expires_at", "Enter a date such as 2027-01-31.")
        })
    });
    let limit = |name| {
        let number = field(name).map(|text| text.parse::<i64>());
        let wrong =
            |_| ApiError::about(Code::InvalidValue, name, "Enter a whole number of credits.");
        number.transpose().map_err(wrong)
    };
    let [(life, ..), (day, ..), (month, ..)] = LIMITS;
    Ok(KeyRequest {
        name: form.text("name").to_owned(),
        expires_at: expires_at.transpose()?,
        credit_limit: limit(life)?,
        credit_limit_per_day: limit(day)?,
        credit_limit_per_month: limit(month)?,
        scopes: Some(scopes(form).into_iter().map(str::to_owned).collect()),
        current_password: form.filled("current_password"),
    })
}

/// The names of the checked scopes.
fn scopes(form: &Form) -> Vec<&'static str> {
    let names = Scope::ALL.map(Scope::as_str);
    names.into_iter().filter(|name| form.filled(&format!("scope_{name}")).is_some()).collect()
}
