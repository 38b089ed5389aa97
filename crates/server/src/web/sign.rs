//! `/sign-up`, `/sign-in`, `/sign-out`.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::Response;
use retouch_core::AccountId;
use retouch_store::{FreeCredits, NewChallenge};

use super::form::{self, Form};
use super::problem::{Mistake, PageResult, status_of_mistake};
use super::shell::{Here, Shell};
use super::{html, local};
use crate::api::authentication::{self, Credentials, Entered, How, Joined, SignIn, SignUp};
use crate::app::App;
use crate::auth::admission::{self, Ticket};
use crate::auth::passkey::RelyingParty;
use crate::auth::password::PASSWORD_CHARS_MIN;
use crate::auth::secret::SessionToken;
use crate::auth::{self, second_factor};
use crate::error::{ApiError, ApiResult, Code};

#[derive(Template)]
#[template(path = "web/sign.html")]
struct SignPage {
    shell: Shell,
    /// Whether this is the sign-up form.
    is_new: bool,
    /// Whether addresses are confirmed and passwords are reset by email.
    sends_mail: bool,
    /// The message about what was just done.
    done: Option<&'static str>,
    sign_up_credits: i64,
    /// Who can sign up, unless everyone can, or what the invitation says.
    rule: Option<String>,
    /// Whether to show the sign-up form.
    may_sign_up: bool,
    /// The secret of the invitation that led here, or an empty string.
    invitation: String,
    /// The name of the configured identity provider.
    provider: Option<String>,
    /// Whether passkeys work at this service's URL.
    takes_passkeys: bool,
    password_chars_min: usize,
    next: String,
    email: String,
    mistake: Mistake,
}

/// The time limit for entering a code, in milliseconds: five minutes.
const CODE_MS_MAX: i64 = 5 * 60_000;
/// The name of requests for a code in the store.
const CODE_KIND: &str = "sign_in_code";

#[derive(Template)]
#[template(path = "web/code.html")]
struct CodePage {
    shell: Shell,
    /// Proves that the password was correct.
    token: String,
    next: String,
    mistake: Mistake,
}

pub(super) async fn sign_up_page(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    empty(&app, &parts, true).await
}

pub(super) async fn sign_in_page(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    empty(&app, &parts, false).await
}

pub(super) async fn sign_up(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let next = local::path(form.text("next"));
    let Credentials { email, password } = credentials(&form);
    let asked = SignUp { email, password, invitation: form.filled("invitation") };
    let joined = authentication::join(&app, &form.parts, asked, &next).await;
    let entered = match joined {
        Ok(Joined::Asked(cookie)) => {
            let mut response = html::see_other("/check-mail?for=sign-up")?;
            response.headers_mut().insert(header::SET_COOKIE, cookie);
            return Ok(response);
        }
        Ok(Joined::Entered(entered)) => Ok(entered),
        Err(error) => Err(error),
    };
    answer(&app, &form, true, entered).await
}

/// The first page of a new account: the one the user was on the way to, or the one that explains
/// why the account has no free credits.
pub(super) async fn first_page(app: &App, account: &AccountId, next: String) -> ApiResult<String> {
    let without = [Some(FreeCredits::HadBefore), Some(FreeCredits::DayFull)];
    let is_without = without.contains(&app.store.find_free_credits(account).await?);
    Ok(if is_without && next == "/" { "/credits".to_owned() } else { next })
}

pub(super) async fn sign_in(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let Credentials { email, password } = credentials(&form);
    let asked = SignIn { email, password, code: None };
    match authentication::enter(&app, &form.parts, asked).await {
        Err(error) if error.code == Code::SecondFactorRequired => {
            ask_code(&app, &form, form.text("email").trim(), Mistake::default()).await
        }
        entered => answer(&app, &form, false, entered).await,
    }
}

/// The second step, after a correct password.
pub(super) async fn sign_in_by_code(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let stale = || {
        let message =
            "This sign-in took longer than five minutes or was already completed. Sign in again.";
        ApiError::new(Code::SignInNotCompleted, message)
    };
    let hash = SessionToken::check(form.text("token")).ok_or_else(stale)?;
    let question = app.store.take_challenge(&hash, CODE_KIND).await?.ok_or_else(stale)?;
    let email = authentication::email(&question.content)?;
    let found = app.store.find_account_by_email(&email).await?.map(|(account, _)| account);
    let account =
        found.filter(|one| question.account.as_ref() == Some(&one.id)).ok_or_else(stale)?;
    let old = auth::by_session(&app, &form.parts).await?;
    match second_factor::passed(&app, &account.id, Some(form.text("code"))).await {
        Ok(is_strong) => {
            authentication::leave(&app, old).await?;
            let how = How { is_strong, ..How::now(&app) };
            let entered = authentication::begin(&app, &form.parts, account, how).await;
            answer(&app, &form, false, entered).await
        }
        Err(error) => {
            let mistake = Mistake::of(&error);
            let status = status_of_mistake(&error)?;
            let mut page = ask_code(&app, &form, email.as_str(), mistake).await?;
            *page.status_mut() = status;
            Ok(page)
        }
    }
}

/// Asks for a code. The form has a token that proves that the password was correct.
async fn ask_code(app: &App, form: &Form, email: &str, mistake: Mistake) -> PageResult {
    let address = authentication::email(email)?;
    let account = app.store.find_account_by_email(&address).await?;
    let token = SessionToken::new(&app.ids);
    let question = NewChallenge {
        token_hash: token.hash(),
        kind: CODE_KIND,
        account: account.map(|(account, _)| account.id),
        content: email.to_owned(),
        expires_at: app.clock.now().plus_ms(CODE_MS_MAX),
    };
    app.store.create_challenge(question).await?;
    let shell = Shell::of(app, &form.parts, Here::Elsewhere).await?;
    let (token, next) = (token.reveal().to_owned(), local::path(form.text("next")));
    Ok(html::page(&CodePage { shell, token, next, mistake })?)
}

/// Ends the session. Without a session it does nothing and succeeds.
pub(super) async fn sign_out(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let caller = auth::by_session(&app, &form.parts).await?;
    let clearing = authentication::leave(&app, caller).await?;
    let mut response = html::see_other("/")?;
    response.headers_mut().insert(header::SET_COOKIE, clearing);
    Ok(response)
}

async fn empty(app: &App, parts: &Parts, is_new: bool) -> PageResult {
    let shell = Shell::of(app, parts, Here::Elsewhere).await?;
    let next = local::path(&form::query(parts, "next").unwrap_or_default());
    if shell.member.is_some() {
        return Ok(html::see_other(&next)?);
    }
    let invitation = form::query(parts, "invitation").unwrap_or_default();
    let shell = shell.leading_to(&next, &invitation);
    let mut page = page(app, shell, is_new, next);
    if is_new {
        page.ask_rule(app, invitation).await?;
    }
    page.done = match form::query(parts, "done").as_deref() {
        Some("reset") => Some("Password changed. Sign in with the new one."),
        Some("declined") => {
            Some("You canceled at the sign-in provider. Try again, or sign in another way.")
        }
        _ => None,
    };
    Ok(html::page(&page)?)
}

async fn answer(app: &App, form: &Form, is_new: bool, entered: ApiResult<Entered>) -> PageResult {
    let next = local::path(form.text("next"));
    match entered {
        Ok(entered) => {
            let next =
                if is_new { first_page(app, &entered.account.id, next).await? } else { next };
            let mut response: Response = html::see_other(&next)?;
            entered.remember(response.headers_mut());
            Ok(response)
        }
        Err(error) => refused(app, form, is_new, error).await,
    }
}

/// The form again, with the error and the entered values except the password.
async fn refused(app: &App, form: &Form, is_new: bool, error: ApiError) -> PageResult {
    let status = status_of_mistake(&error)?;
    let (next, invitation) = (local::path(form.text("next")), form.text("invitation"));
    let shell = Shell::of(app, &form.parts, Here::Elsewhere).await?;
    let mut empty = page(app, shell.leading_to(&next, invitation), is_new, next);
    if is_new {
        empty.ask_rule(app, invitation.to_owned()).await?;
    }
    let page =
        SignPage { email: form.text("email").to_owned(), mistake: Mistake::of(&error), ..empty };
    Ok(html::page_with(status, &page)?)
}

impl SignPage {
    /// What a visitor wanted to see when they were asked to sign in.
    fn wanted(&self) -> Option<&'static str> {
        let path = self.next.split(['/', '?']).nth(1).unwrap_or_default();
        Some(match path {
            "history" => "your history",
            "credits" => "your credits",
            "keys" => "your API keys",
            "account" => "your account",
            "oauth" => "what your assistant asks for",
            _ => return None,
        })
    }

    /// Fills in who can sign up; `invitation` is the secret of an invitation and may be empty.
    async fn ask_rule(&mut self, app: &App, invitation: String) -> ApiResult<()> {
        let ticket = admission::look(app, &invitation).await?;
        self.rule = ticket.words(&app.live().settings);
        self.may_sign_up = ticket.may_sign_up(app.live().settings.sign_up);
        if let Ticket::Invitation(Some(email)) = &ticket {
            self.email = email.to_string();
        }
        if matches!(ticket, Ticket::Invitation(_) | Ticket::FirstAdministrator) {
            self.invitation = invitation;
        }
        Ok(())
    }
}

fn page(app: &App, shell: Shell, is_new: bool, next: String) -> SignPage {
    SignPage {
        shell,
        is_new,
        sends_mail: app.sends_mail(),
        done: None,
        takes_passkeys: RelyingParty::of(&app.public_url).is_some(),
        provider: app.identity_provider.as_ref().map(|it| it.name.clone()),
        sign_up_credits: app.sign_up_credits().get(),
        rule: None,
        may_sign_up: true,
        invitation: String::new(),
        password_chars_min: PASSWORD_CHARS_MIN,
        next,
        email: String::new(),
        mistake: Mistake::default(),
    }
}

fn credentials(form: &Form) -> Credentials {
    Credentials {
        email: form.text("email").trim().to_owned(),
        password: form.text("password").to_owned(),
    }
}
