//! `/forgot-password` and `/reset-password`.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::header;
use axum::http::request::Parts;
use retouch_store::{EmailKind, Openers};

use super::form::{self, Form};
use super::html;
use super::problem::{Mistake, PageResult, Problem, status_of_mistake};
use super::shell::{Here, Shell};
use crate::api::authentication::email_links::{self, Kept, Reset};
use crate::app::App;
use crate::auth::password::PASSWORD_CHARS_MIN;

#[derive(Template)]
#[template(path = "web/forgot.html")]
struct ForgotPage {
    shell: Shell,
    sends_mail: bool,
    email: String,
    mistake: Mistake,
}

#[derive(Template)]
#[template(path = "web/reset.html")]
struct ResetPage {
    shell: Shell,
    token: String,
    email: String,
    password_chars_min: usize,
    /// The other ways to access the account, by kind: the name of the checkbox that keeps it, the
    /// kind, and the names.
    openers: Vec<(&'static str, &'static str, String)>,
    /// How many of them were added before the address was confirmed.
    older: usize,
    mistake: Mistake,
}

pub(super) async fn forgotten(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let page = forgot_page(&app, &parts).await?;
    Ok(html::page(&page)?)
}

pub(super) async fn ask(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let email = form.text("email").trim();
    match email_links::ask_reset(&app, &form.parts, email).await {
        Ok(()) => Ok(html::see_other("/check-mail?for=reset")?),
        Err(error) => {
            let status = status_of_mistake(&error)?;
            let page = forgot_page(&app, &form.parts).await?;
            let mistake = Mistake::of(&error);
            Ok(html::page_with(status, &ForgotPage { email: email.to_owned(), mistake, ..page })?)
        }
    }
}

/// The page of a reset link. Opening it does not use up the link.
pub(super) async fn look(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let token = form::query(&parts, "token").unwrap_or_default();
    let page = reset_page(&app, &parts, token).await?;
    Ok(html::page(&page)?)
}

pub(super) async fn reset(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (token, password) = (form.text("token").to_owned(), form.text("password").to_owned());
    let page = reset_page(&app, &form.parts, token.clone()).await?;
    let named = [
        ("keep_passkeys", Kept::Passkeys),
        ("keep_identities", Kept::Identities),
        ("keep_keys", Kept::Keys),
    ];
    let kept = named.into_iter().filter(|(name, _)| form.filled(name).is_some());
    let keep = kept.map(|(_, kept)| kept).collect();
    match email_links::reset(&app, &form.parts, Reset { token, password, keep }).await {
        Ok(cookie) => {
            let mut response = html::see_other("/sign-in?done=reset")?;
            response.headers_mut().insert(header::SET_COOKIE, cookie);
            Ok(response)
        }
        Err(error) => {
            let status = status_of_mistake(&error)?;
            Ok(html::page_with(status, &ResetPage { mistake: Mistake::of(&error), ..page })?)
        }
    }
}

async fn forgot_page(app: &App, parts: &Parts) -> Result<ForgotPage, Problem> {
    let shell = Shell::of(app, parts, Here::Elsewhere).await?;
    let (email, mistake) = (String::new(), Mistake::default());
    Ok(ForgotPage { shell, sends_mail: app.sends_mail(), email, mistake })
}

async fn reset_page(app: &App, parts: &Parts, token: String) -> Result<ResetPage, Problem> {
    let (_, link) = email_links::link(app, parts, &token, &[EmailKind::Reset]).await?;
    let openers = match &link.account {
        Some(account) => app.store.list_openers(account).await?,
        None => Openers::default(),
    };
    let older = openers.older;
    Ok(ResetPage {
        openers: shown(app, openers),
        older,
        shell: Shell::of(app, parts, Here::Elsewhere).await?,
        token,
        email: link.email.to_string(),
        password_chars_min: PASSWORD_CHARS_MIN,
        mistake: Mistake::default(),
    })
}

/// The other ways to access an account, as the page lists them.
fn shown(app: &App, openers: Openers) -> Vec<(&'static str, &'static str, String)> {
    let provider = app.identity_provider.as_ref();
    let called = |issuer: String| match provider.filter(|it| it.oidc.issuer() == issuer) {
        Some(known) => known.name.clone(),
        None => issuer,
    };
    let identities = openers.identities.into_iter().map(called).collect();
    let all: [(_, _, Vec<String>); 3] = [
        ("keep_passkeys", "passkeys", openers.passkeys),
        ("keep_identities", "linked sign-ins", identities),
        ("keep_keys", "API keys", openers.keys),
    ];
    let some = all.into_iter().filter(|(_, _, names)| !names.is_empty());
    some.map(|(field, kind, names)| (field, kind, names.join(", "))).collect()
}
