//! `POST /api/auth/*`: in and out.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Json;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use retouch_core::email::Email;
use retouch_store::{Account, NewAccount, NewSession};
use serde::Deserialize;
use utoipa::ToSchema;

use super::account::{self, AccountView};
use crate::app::App;
use crate::auth::secret::SessionToken;
use crate::auth::{self, Caller, Proof, client, cookie};
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::http::intake::{self, SMALL_BODY_BYTES_MAX, Who};

/// What somebody proves who they are with.
#[derive(Deserialize, ToSchema)]
pub struct Credentials {
    /// An e-mail address; upper and lower case are the same.
    #[schema(example = "ada@example.com")]
    pub(crate) email: String,
    /// At least 8 characters.
    #[schema(min_length = 8, format = Password)]
    pub(crate) password: String,
}

/// Make an account. It starts with the free credits and a session.
#[utoipa::path(
    post,
    path = "/api/auth/sign-up",
    operation_id = "sign_up",
    tag = "Account",
    request_body = Credentials,
    responses(
        (status = 201, description = "The account, and a session cookie", body = AccountView),
        (status = 400, description = "Invalid parameters", body = ErrorBody),
        (status = 403, description = "A cookie from another site's page", body = ErrorBody),
        (status = 409, description = "The e-mail address has an account", body = ErrorBody),
        (status = 413, description = "The body is too large", body = ErrorBody),
        (status = 415, description = "The body is not JSON", body = ErrorBody),
        (status = 429, description = "Too many sign-ups", body = ErrorBody),
    )
)]
pub async fn sign_up(State(app): State<Arc<App>>, request: Request) -> ApiResult<Response> {
    let received = intake::receive(&app, request, Who::Anyone, SMALL_BODY_BYTES_MAX).await?;
    let entered = join(&app, &received.parts, received.json()?).await?;
    answer(&app, entered, StatusCode::CREATED).await
}

/// Sign in with an e-mail address and a password.
#[utoipa::path(
    post,
    path = "/api/auth/sign-in",
    operation_id = "sign_in",
    tag = "Account",
    request_body = Credentials,
    responses(
        (status = 200, description = "The account, and a session cookie", body = AccountView),
        (status = 400, description = "Invalid parameters", body = ErrorBody),
        (status = 401, description = "They do not belong together", body = ErrorBody),
        (status = 403, description = "A cookie from another site's page", body = ErrorBody),
        (status = 413, description = "The body is too large", body = ErrorBody),
        (status = 415, description = "The body is not JSON", body = ErrorBody),
        (status = 429, description = "Too many attempts", body = ErrorBody),
    )
)]
pub async fn sign_in(State(app): State<Arc<App>>, request: Request) -> ApiResult<Response> {
    let received = intake::receive(&app, request, Who::Anyone, SMALL_BODY_BYTES_MAX).await?;
    let entered = enter(&app, &received.parts, received.json()?).await?;
    answer(&app, entered, StatusCode::OK).await
}

/// End the session.
#[utoipa::path(
    post,
    path = "/api/auth/sign-out",
    operation_id = "sign_out",
    tag = "Account",
    responses(
        (status = 204, description = "The session has ended"),
        (status = 401, description = "There was no session", body = ErrorBody),
        (status = 403, description = "A session is needed, from a page of our own", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn sign_out(State(app): State<Arc<App>>, parts: Parts) -> ApiResult<Response> {
    let caller = auth::session(&app, &parts).await?;
    let clear = [(header::SET_COOKIE, leave(&app, Some(caller)).await?)];
    Ok((StatusCode::NO_CONTENT, clear).into_response())
}

/// An account that has just been entered, and what makes the browser remember it.
pub(crate) struct Entered {
    pub(crate) account: Account,
    pub(crate) cookie: HeaderValue,
}

/// Makes an account and a session of it.
pub(crate) async fn join(app: &App, parts: &Parts, credentials: Credentials) -> ApiResult<Entered> {
    let old = auth::by_session(app, parts).await?;
    let email = email(&credentials.email)?;
    app.passwords.check_rules(&credentials.password)?;
    app.throttles.sign_up(address(app, parts))?;
    let password_hash = Some(app.passwords.hash(credentials.password, &app.ids).await?);
    let sign_up_credits = app.catalogue.sign_up_credits;
    let new = NewAccount { email, password_hash, sign_up_credits };
    let message = "There is an account with this e-mail address; sign in instead.";
    let account = app.store.create_account(new).await.map_err(|error| taken(error, message))?;
    leave(app, old).await?;
    begin(app, parts, account).await
}

/// Begins a session of the account that the credentials belong to.
pub(crate) async fn enter(
    app: &App,
    parts: &Parts,
    credentials: Credentials,
) -> ApiResult<Entered> {
    let old = auth::by_session(app, parts).await?;
    let email = email(&credentials.email)?;
    app.throttles.sign_in(&email, address(app, parts))?;
    let account = verified(app, &email, credentials.password).await?;
    leave(app, old).await?;
    begin(app, parts, account).await
}

/// Ends the session of `caller`, and says what makes the browser forget it. Whoever signs in or up
/// in a browser that is signed in already leaves the old session, which another site's page may
/// not bring about.
pub(crate) async fn leave(app: &App, caller: Option<Caller>) -> ApiResult<HeaderValue> {
    if let Some(Proof::Session(token_hash)) = caller.map(|caller| caller.proof) {
        app.store.delete_session(&token_hash).await?;
    }
    Ok(cookie::clearing(app.cookies()))
}

/// The account of `email`, when `password` is its own. Takes as long for an unknown address.
async fn verified(app: &App, email: &Email, password: String) -> ApiResult<Account> {
    let found = app.store.find_account_by_email(email).await?;
    let (account, hash) = found.map_or((None, None), |(account, hash)| (Some(account), hash));
    let verdict = app.passwords.verify(password, hash).await?;
    match account.filter(|_| verdict) {
        Some(account) => Ok(account),
        None => {
            let message = "The e-mail address and the password do not belong together.";
            Err(ApiError::new(Code::InvalidCredentials, message))
        }
    }
}

/// Sees whether `password`, which stands in the field `param`, is the one of `account`: a session
/// that somebody has left open, or stolen, is not enough to take an account over.
pub(crate) async fn confirm(
    app: &App,
    parts: &Parts,
    account: &Account,
    (param, password): (&str, String),
) -> ApiResult<()> {
    app.throttles.sign_in(&account.email, address(app, parts))?;
    let hash = app.store.find_password_hash(&account.id).await?;
    if app.passwords.verify(password, hash).await? {
        return Ok(());
    }
    Err(ApiError::about(Code::InvalidCredentials, param, "This is not the account's password."))
}

async fn begin(app: &App, parts: &Parts, account: Account) -> ApiResult<Entered> {
    let token = SessionToken::new(&app.ids);
    let lifetime_ms = app.settings.auth.session_absolute_ms;
    let expires_at = app.clock.now().plus_ms(lifetime_ms);
    let user_agent = client::user_agent(&parts.headers);
    let session = NewSession { token_hash: token.hash(), expires_at, user_agent };
    app.store.create_session(&account.id, session).await?;
    let cookie = cookie::setting(app.cookies(), &token, lifetime_ms);
    Ok(Entered { account, cookie })
}

async fn answer(app: &App, entered: Entered, status: StatusCode) -> ApiResult<Response> {
    let set = [(header::SET_COOKIE, entered.cookie)];
    let view = account::view(app, entered.account).await?;
    Ok((status, set, Json(view)).into_response())
}

pub(crate) fn email(text: &str) -> ApiResult<Email> {
    text.parse()
        .map_err(|error| ApiError::about(Code::InvalidEmail, "email", format!("`email`: {error}.")))
}

/// What is said where an address turns out to be another account's.
pub(crate) fn taken(error: retouch_store::Error, message: &str) -> ApiError {
    match error {
        retouch_store::Error::EmailTaken => ApiError::about(Code::EmailTaken, "email", message),
        other => other.into(),
    }
}

/// The address of the client that the call came from, behind trusted proxies.
pub(crate) fn address(app: &App, parts: &Parts) -> Option<IpAddr> {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>()?.0.ip();
    Some(client::address(peer, &parts.headers, &app.settings.server.trusted_proxies))
}
