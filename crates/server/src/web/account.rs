//! `/account`: account details, sessions, sign-in methods, password, email and deletion.

pub(super) mod sign_in_methods;

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, header};
use retouch_core::Timestamp;

use self::sign_in_methods::SignInMethods;
use super::form::{self, Form};
use super::html;
use super::problem::{Mistake, PageResult, Problem, status_of_mistake};
use super::shell::{Here, Shell};
use crate::api::account::change::{self, AccountChange};
use crate::api::account::{AccountView, view};
use crate::api::path::Named;
use crate::api::sessions::{self, SessionView};
use crate::app::App;
use crate::auth::client::browser;
use crate::auth::password::PASSWORD_CHARS_MIN;
use crate::auth::{self, Caller, cookie};
use crate::error::{ApiError, ApiResult};

/// Tells the browser which data to delete. Over plain HTTP, browsers obey it only on localhost.
const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");

/// One of the forms of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sheet {
    Password,
    Email,
    Deletion,
    Link,
}

#[derive(Template)]
#[template(path = "web/account.html")]
struct AccountPage {
    shell: Shell,
    view: AccountView,
    created_at: Timestamp,
    sessions: Vec<SessionView>,
    methods: SignInMethods,
    password_chars_min: usize,
    sends_mail: bool,
    /// Whether the user gets emails about credits and plans.
    is_warned: bool,
    /// The message about what was just done.
    done: Option<&'static str>,
    typed_email: String,
    /// The form that was rejected, and why.
    mistake: Option<(Sheet, Mistake)>,
}

impl AccountPage {
    /// The error at the field `name` of a form.
    fn wrong(&self, sheet: Sheet, name: &str) -> Option<&str> {
        self.mistake_of(sheet).and_then(|mistake| mistake.at(name))
    }

    /// The error of a form that belongs to none of its fields.
    fn alert(&self, sheet: Sheet) -> Option<&str> {
        self.mistake_of(sheet).and_then(Mistake::general)
    }

    fn mistake_of(&self, sheet: Sheet) -> Option<&Mistake> {
        self.mistake.as_ref().filter(|(at, _)| *at == sheet).map(|(_, mistake)| mistake)
    }
}

pub(super) async fn account(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let member = member(&app, &parts).await?;
    let mut page = page(&app, member).await?;
    page.done = match form::query(&parts, "done").as_deref() {
        Some("password") => {
            Some("Password changed. You’ve been signed out of every other browser.")
        }
        Some("email") if app.sends_mail() => {
            Some("We’ve emailed a link to the new address. Open it to confirm the change.")
        }
        Some("email") => Some("Email address changed."),
        Some("confirmed") => Some("Email address confirmed."),
        Some("emails") => Some("Saved."),
        Some("sessions") => Some("Session signed out."),
        Some("passkey") => Some("Passkey added. You can now sign in with it."),
        Some("passkey-removed") => Some("Passkey removed. Your device may still offer it."),
        Some("proven") => Some("Confirmed. For ten minutes, you can change your sign-in methods."),
        Some("linked") => Some("Linked. You can now sign in with this provider."),
        Some("declined") => Some("You canceled at the sign-in provider. Nothing was changed."),
        Some("unlinked") => Some("Unlinked. You can no longer sign in with this provider."),
        _ => None,
    };
    Ok(html::page(&page)?)
}

pub(super) async fn change_password(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let asked = AccountChange {
        current_password: form.filled("current_password"),
        password: Some(form.text("password").to_owned()),
        email: None,
    };
    answer_change(&app, &form, Sheet::Password, asked).await
}

pub(super) async fn change_email(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let asked = AccountChange {
        current_password: form.filled("current_password"),
        password: None,
        email: Some(form.text("email").to_owned()),
    };
    answer_change(&app, &form, Sheet::Email, asked).await
}

/// Switches the emails about credits and plans on or off.
pub(super) async fn change_emails(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let member = member(&app, &form.parts).await?;
    let is_warned = form.filled("warn").is_some();
    app.store.set_warned(&member.caller.account.id, is_warned).await?;
    Ok(html::see_other("/account?done=emails")?)
}

pub(super) async fn delete(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let member = member(&app, &form.parts).await?;
    let password = form.filled("password");
    match change::delete(&app, &form.parts, &member.caller, password).await {
        Ok(()) => {
            let mut response = html::see_other("/")?;
            let clearing = cookie::clearing(app.cookies());
            response.headers_mut().insert(header::SET_COOKIE, clearing);
            // Only after success, so that a rejected deletion does not clear the studio's draft.
            let storage = HeaderValue::from_static("\"storage\"");
            response.headers_mut().insert(CLEAR_SITE_DATA, storage);
            Ok(response)
        }
        Err(error) => refused(&app, member, &form, Refusal { sheet: Sheet::Deletion, error }).await,
    }
}

pub(super) async fn end_session(
    State(app): State<Arc<App>>,
    Named(id): Named,
    request: Request,
) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let Member { caller, .. } = member(&app, &form.parts).await?;
    sessions::end(&app, &caller.account, &id).await?;
    Ok(html::see_other("/account?done=sessions")?)
}

pub(super) async fn end_other_sessions(
    State(app): State<Arc<App>>,
    request: Request,
) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let Member { caller, .. } = member(&app, &form.parts).await?;
    sessions::end_others(&app, &caller).await?;
    Ok(html::see_other("/account?done=sessions")?)
}

async fn answer_change(app: &App, form: &Form, sheet: Sheet, asked: AccountChange) -> PageResult {
    let member = member(app, &form.parts).await?;
    match change::change(app, &form.parts, &member.caller, asked).await {
        Ok(_) if sheet == Sheet::Password => Ok(html::see_other("/account?done=password")?),
        Ok(_) => Ok(html::see_other("/account?done=email")?),
        Err(error) => refused(app, member, form, Refusal { sheet, error }).await,
    }
}

/// The user of the page.
struct Member {
    shell: Shell,
    caller: Caller,
}

/// Why a form was refused.
struct Refusal {
    /// Which of the page's forms it was.
    sheet: Sheet,
    error: ApiError,
}

/// The page again, with the error at the form that was sent.
async fn refused(app: &App, member: Member, form: &Form, refusal: Refusal) -> PageResult {
    let Refusal { sheet, error } = refusal;
    let status = status_of_mistake(&error)?;
    let mut page = page(app, member).await?;
    page.typed_email = form.text("email").to_owned();
    page.mistake = Some((sheet, Mistake::of(&error)));
    Ok(html::page_with(status, &page)?)
}

async fn member(app: &App, parts: &Parts) -> Result<Member, Problem> {
    let (shell, _) = Shell::for_member(app, parts, Here::Account).await?;
    Ok(Member { shell, caller: auth::session(app, parts).await? })
}

async fn page(app: &App, member: Member) -> ApiResult<AccountPage> {
    let Member { shell, caller } = member;
    Ok(AccountPage {
        shell,
        sessions: sessions::list(app, &caller).await?,
        methods: sign_in_methods::of(app, &caller).await?,
        is_warned: app.store.is_warned(&caller.account.id).await?,
        created_at: caller.account.created_at,
        view: view(app, caller.account).await?,
        password_chars_min: PASSWORD_CHARS_MIN,
        sends_mail: app.sends_mail(),
        done: None,
        typed_email: String::new(),
        mistake: None,
    })
}
