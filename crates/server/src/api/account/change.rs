//! `PATCH` and `DELETE /api/account`: changes the password or the email address, or deletes the
//! account.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use retouch_store::{Account, Deletion};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{AccountView, view};
use crate::api::authentication::email_links;
use crate::api::authentication::{self, PasswordField, email};
use crate::app::App;
use crate::auth::{Caller, cookie};
use crate::billing;
use crate::edits;
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::http::intake::{self, SMALL_BODY_BYTES_MAX, Who};

/// A change of an account.
#[derive(Deserialize, ToSchema)]
pub struct AccountChange {
    /// The current password. An account without a password needs a sign-in in the last ten minutes
    /// instead.
    #[schema(format = Password)]
    pub(crate) current_password: Option<String>,
    /// A new password, at least 8 characters.
    #[schema(min_length = 8, format = Password)]
    pub(crate) password: Option<String>,
    /// A new email address.
    #[schema(example = "ada@example.com")]
    pub(crate) email: Option<String>,
}

/// The confirmation that deletes an account.
#[derive(Deserialize, ToSchema)]
pub struct AccountDeletion {
    /// The password. An account without a password needs a sign-in in the last ten minutes instead.
    #[schema(format = Password)]
    pub(crate) password: Option<String>,
}

/// Change the password or the email address.
///
/// A new password ends all other sessions. If the server sends email, a new address takes effect
/// when you follow the link sent to it; until then it is in `pending_email`.
#[utoipa::path(
    patch,
    path = "/api/account",
    operation_id = "change_account",
    tag = "Account",
    request_body = AccountChange,
    responses(
        (status = 200, description = "The account", body = AccountView),
        (status = 401, description = "Unauthenticated, or the password is wrong", body = ErrorBody),
        (status = 409, description = "Another account has the email address; only on servers that do not send email", body = ErrorBody),
        (status = 429, description = "Too many attempts", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn change_account(
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Json<AccountView>> {
    let received = intake::receive(&app, request, Who::Session, SMALL_BODY_BYTES_MAX).await?;
    let asked = received.json()?;
    let account = change(&app, &received.parts, received.caller()?, asked).await?;
    view(&app, account).await.map(Json)
}

/// Delete the account with its images, videos, keys and sessions.
///
/// Remaining credits are lost.
#[utoipa::path(
    delete,
    path = "/api/account",
    operation_id = "delete_account",
    tag = "Account",
    request_body = AccountDeletion,
    responses(
        (status = 204, description = "The account has been deleted"),
        (status = 401, description = "Unauthenticated, or the password is wrong", body = ErrorBody),
        (status = 409, description = "Generations are still running, or the account has a paid plan", body = ErrorBody),
        (status = 429, description = "Too many attempts", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn delete_account(State(app): State<Arc<App>>, request: Request) -> ApiResult<Response> {
    let received = intake::receive(&app, request, Who::Session, SMALL_BODY_BYTES_MAX).await?;
    let AccountDeletion { password } = received.json()?;
    delete(&app, &received.parts, received.caller()?, password).await?;
    let clear = [(header::SET_COOKIE, cookie::clearing(app.cookies()))];
    Ok((StatusCode::NO_CONTENT, clear).into_response())
}

/// Changes the account of `caller`.
pub(crate) async fn change(
    app: &App,
    parts: &Parts,
    caller: &Caller,
    asked: AccountChange,
) -> ApiResult<Account> {
    let readable = if app.sends_mail() { email_links::writable } else { email };
    let address = asked.email.as_deref().map(readable).transpose()?;
    if let Some(password) = &asked.password {
        app.passwords.check_new(password, caller.account.email.as_str())?;
    }
    if address.is_none() && asked.password.is_none() {
        let message = "Send a new `password`, a new `email` or both.";
        return Err(ApiError::about(Code::MissingField, "password", message));
    }
    let mut account = caller.account.clone();
    let typed = PasswordField::current(asked.current_password);
    authentication::confirm(app, parts, caller, typed).await?;
    let sends_mail = app.sends_mail();
    if let Some(address) = address.clone().filter(|_| !sends_mail) {
        let message = "Another account has this email address.";
        let changed = app.store.change_email(&account.id, address).await;
        account = changed.map_err(|error| authentication::taken(error, message))?;
        billing::tell_soon(app);
    }
    if let Some(password) = asked.password {
        let hash = app.passwords.hash(password, &app.ids).await?;
        app.store.change_password(&account.id, hash, caller.session_hash()).await?;
        app.emails_queued();
    }
    // After the password, because changing it cancels earlier requests to change the address.
    if let Some(address) = address.filter(|_| sends_mail) {
        email_links::ask_change(app, parts, &account.id, address).await?;
    }
    Ok(account)
}

/// Deletes the account of `caller`.
pub(crate) async fn delete(
    app: &Arc<App>,
    parts: &Parts,
    caller: &Caller,
    password: Option<String>,
) -> ApiResult<()> {
    let typed = PasswordField { param: "password", password };
    authentication::confirm(app, parts, caller, typed).await?;
    match app.store.delete_account(&caller.account.id).await? {
        Deletion::Gone => {
            app.emails_queued();
            billing::tell_soon(app);
            edits::begin_removal(app);
            Ok(())
        }
        Deletion::Running { edits } => {
            let message =
                format!("Generations still running: {edits}. Try again when they have ended.");
            Err(ApiError::new(Code::GenerationRunning, message).retry_after_s(5))
        }
        Deletion::Paying => {
            let message = "The account has a paid plan, which would be charged again. Cancel it at \
                           /plans first, then delete the account.";
            Err(ApiError::new(Code::PlanRunning, message))
        }
        Deletion::Unknown => Err(ApiError::not_found("account")),
    }
}
