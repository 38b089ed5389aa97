//! `/check-mail` and `/verify`: the pages after requesting a link by email and after opening it.
//!
//! Opening the page does not use up the link, because email scanners open links too.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::header;
use axum::http::request::Parts;
use retouch_store::{EmailKind, Link};

use super::form::{self, Form};
use super::problem::{Mistake, PageResult, Problem, status_of_mistake};
use super::shell::{Here, Shell};
use super::{html, local, sign};
use crate::api::authentication::email_links::{self, Arrived};
use crate::api::authentication::{PasswordGuess, guesser, prove};
use crate::app::App;
use crate::auth::sign_up::{self, Kept};
use crate::error::{ApiError, Code};
use crate::mail::email_text::{CONFIRM_PATH, lasting};

#[derive(Template)]
#[template(path = "web/check_mail.html")]
struct CheckMailPage {
    shell: Shell,
    is_reset: bool,
    lasting: String,
}

#[derive(Template)]
#[template(path = "web/verify.html")]
struct VerifyPage {
    shell: Shell,
    token: String,
    email: String,
    is_new: bool,
    sign_up_credits: i64,
    /// Whether the password is required because this is not the browser that signed up.
    asks_password: bool,
    mistake: Mistake,
}

pub(super) async fn check_mail(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    if !app.sends_mail() {
        return Err(ApiError::not_found("page").into());
    }
    let is_reset = form::query(&parts, "for").as_deref() == Some("reset");
    let ages = app.settings.email_links;
    let ms = if is_reset { ages.reset_ms } else { ages.confirm_ms };
    let shell = Shell::of(&app, &parts, Here::Elsewhere).await?;
    Ok(html::page(&CheckMailPage { shell, is_reset, lasting: lasting(ms) })?)
}

pub(super) async fn look(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let token = form::query(&parts, "token").unwrap_or_default();
    let page = page(&app, &parts, token).await?;
    Ok(html::page(&page)?)
}

pub(super) async fn confirm(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (token, parts) = (form.text("token").to_owned(), &form.parts);
    let mut page = page(&app, parts, token.clone()).await?;
    if page.asks_password
        && let Err(error) = prove_sign_up(&app, &form).await
    {
        let status = status_of_mistake(&error)?;
        page.mistake = Mistake::of(&error);
        return Ok(html::page_with(status, &page)?);
    }
    match email_links::confirm_address(&app, parts, &token).await? {
        Arrived::Moved(_) => Ok(html::see_other("/account?done=confirmed")?),
        Arrived::New(entered) => {
            let next = sign_up::kept(&parts.headers, app.cookies()).map(|kept| kept.next);
            let next = local::path(&next.unwrap_or_default());
            let next = sign::first_page(&app, &entered.account.id, next).await?;
            let mut response = html::see_other(&next)?;
            let headers = response.headers_mut();
            entered.remember(headers);
            headers.append(header::SET_COOKIE, sign_up::clearing(app.cookies()));
            Ok(response)
        }
    }
}

/// The page of a link. Only the account that requested a new address can confirm it, so that no one
/// confirms it for a stranger.
async fn page(app: &App, parts: &Parts, token: String) -> Result<VerifyPage, Problem> {
    let link = find(app, parts, &token).await?;
    let is_new = link.kind == EmailKind::SignUp;
    let shell = if is_new {
        Shell::of(app, parts, Here::Elsewhere).await?
    } else {
        of_account(app, parts, &token, &link).await?
    };
    let kept = sign_up::kept(&parts.headers, app.cookies());
    Ok(VerifyPage {
        shell,
        token,
        email: link.email.to_string(),
        is_new,
        sign_up_credits: app.sign_up_credits().get(),
        asks_password: is_new && !is_of_browser(&link, kept.as_ref()),
        mistake: Mistake::default(),
    })
}

async fn find(app: &App, parts: &Parts, token: &str) -> Result<Link, Problem> {
    let kinds = [EmailKind::SignUp, EmailKind::Change];
    Ok(email_links::link(app, parts, token, &kinds).await?.1)
}

async fn of_account(app: &App, parts: &Parts, token: &str, link: &Link) -> Result<Shell, Problem> {
    let shell = Shell::of(app, parts, Here::Account).await?;
    // A valid token has only characters that need no escaping in a URL.
    let back = || Problem::SignIn(format!("{CONFIRM_PATH}?token={token}"));
    let member = shell.member.as_ref().ok_or_else(back)?;
    if link.account.as_ref() != Some(&member.account.id) {
        let message = "This link belongs to another account. Sign out, then open it again.";
        return Err(ApiError::new(Code::NotAllowed, message).into());
    }
    Ok(shell)
}

fn is_of_browser(link: &Link, kept: Option<&Kept>) -> bool {
    kept.is_some_and(|kept| link.browser_hash == Some(kept.browser_hash))
}

/// Checks the password that was chosen at sign-up.
async fn prove_sign_up(app: &App, form: &Form) -> Result<(), ApiError> {
    let (_, link) =
        email_links::link(app, &form.parts, form.text("token"), &[EmailKind::SignUp]).await?;
    let password = form.text("password").to_owned();
    let guesser = guesser(app, &form.parts, &link.email).await?;
    let guess = PasswordGuess { email: &link.email, guesser, password };
    if prove(app, guess, link.password_hash).await? {
        return Ok(());
    }
    let message = "This isn’t the password you chose when you signed up.";
    Err(ApiError::about(Code::InvalidCredentials, "password", message))
}
