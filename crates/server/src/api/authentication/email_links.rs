//! What needs a link from an email: confirming an address and resetting a password.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use retouch_core::{AccountId, Email};
use retouch_outbound::mail::check_recipient;
use retouch_store::{Confirmed, EmailKind, Keep, Link, PasswordReset, SignUpRequest};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Entered, How, SignUp, admitted, begin, email, leave};
use crate::api::account::{self, AccountView};
use crate::app::App;
use crate::auth::secret::SessionToken;
use crate::auth::{self, client, cookie, sign_up};
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::http::intake::{self, SMALL_BODY_BYTES_MAX, Who};

/// The response after asking for an email. Only the email itself says whether there is an account.
#[derive(Debug, Serialize, ToSchema)]
pub struct EmailRequested {
    /// `check_mail`: follow the link in the email we have sent.
    #[schema(example = "check_mail")]
    pub status: String,
    /// The address, as you sent it.
    pub email: String,
}

/// The link of an email.
#[derive(Deserialize, ToSchema)]
pub struct Verification {
    /// The `token` parameter of the link.
    pub(crate) token: String,
}

/// A forgotten password.
#[derive(Deserialize, ToSchema)]
pub struct ResetRequest {
    /// The account's email address.
    #[schema(example = "ada@example.com")]
    pub(crate) email: String,
}

/// A new password, with the link of an email.
#[derive(Deserialize, ToSchema)]
pub struct Reset {
    /// The `token` parameter of the link.
    pub(crate) token: String,
    /// The new password, at least 8 characters.
    #[schema(min_length = 8, format = Password)]
    pub(crate) password: String,
    /// Which other sign-in methods and keys to keep. The rest is removed, and so is everything that
    /// was added before the address was confirmed.
    #[serde(default)]
    pub(crate) keep: Vec<Kept>,
}

/// Something other than the password that gives access to an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kept {
    /// The passkeys.
    Passkeys,
    /// The linked accounts of sign-in providers.
    Identities,
    /// The API keys.
    Keys,
}

/// Confirm an email address with the link of an email.
///
/// For a sign-up, this creates the account with its free credits and a session. For an existing
/// account, it changes the address.
#[utoipa::path(
    post,
    path = "/api/auth/verify",
    operation_id = "verify",
    tag = "Account",
    request_body = Verification,
    responses(
        (status = 200, description = "The account. A new one also gets a session cookie", body = AccountView),
        (status = 400, description = "The link is invalid, expired or already used", body = ErrorBody),
        (status = 403, description = "The call has a session cookie but came from another site's page", body = ErrorBody),
        (status = 429, description = "Too many attempts", body = ErrorBody),
    )
)]
pub async fn verify(State(app): State<Arc<App>>, request: Request) -> ApiResult<Response> {
    let received = intake::receive(&app, request, Who::Anyone, SMALL_BODY_BYTES_MAX).await?;
    let Verification { token } = received.json()?;
    match confirm_address(&app, &received.parts, &token).await? {
        Arrived::New(entered) => super::answer(&app, entered, StatusCode::OK).await,
        Arrived::Moved(account) => Ok(Json(account::view(&app, account).await?).into_response()),
    }
}

/// Ask for an email with a link that resets the password.
///
/// The response is the same whether or not the address has an account.
#[utoipa::path(
    post,
    path = "/api/auth/request-password-reset",
    operation_id = "request_password_reset",
    tag = "Account",
    request_body = ResetRequest,
    responses(
        (status = 202, description = "If there is an account, we have sent an email", body = EmailRequested),
        (status = 429, description = "Too many emails", body = ErrorBody),
        (status = 503, description = "This server does not send email", body = ErrorBody),
    )
)]
pub async fn request_password_reset(
    State(app): State<Arc<App>>,
    request: Request,
) -> ApiResult<Response> {
    let received = intake::receive(&app, request, Who::Anyone, SMALL_BODY_BYTES_MAX).await?;
    let ResetRequest { email } = received.json()?;
    ask_reset(&app, &received.parts, &email).await?;
    Ok(asked(&email))
}

/// Choose a new password with the link of an email.
///
/// All sessions of the account end. Its passkeys, linked accounts of sign-in providers and API keys
/// are removed unless `keep` names them.
#[utoipa::path(
    post,
    path = "/api/auth/reset-password",
    operation_id = "reset_password",
    tag = "Account",
    request_body = Reset,
    responses(
        (status = 204, description = "The password has been changed. A cookie recognizes this browser later"),
        (status = 400, description = "The link is invalid, expired or already used, or the password is not allowed", body = ErrorBody),
        (status = 429, description = "Too many attempts", body = ErrorBody),
    )
)]
pub async fn reset_password(State(app): State<Arc<App>>, request: Request) -> ApiResult<Response> {
    let received = intake::receive(&app, request, Who::Anyone, SMALL_BODY_BYTES_MAX).await?;
    let cookie = reset(&app, &received.parts, received.json()?).await?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

/// The outcome of confirming an address.
pub(crate) enum Arrived {
    /// The account has been created, with a session.
    New(Entered),
    /// The account has a new address.
    Moved(retouch_store::Account),
}

/// Stores a sign-up until its address is confirmed. Returns the cookie that recognizes the browser
/// then and sends it to `next`. The time and the response are the same whether or not there is
/// already an account.
pub(super) async fn ask_sign_up(
    app: &App,
    parts: &Parts,
    asked: SignUp,
    next: &str,
) -> ApiResult<HeaderValue> {
    let email = writable(&asked.email)?;
    let admission = admitted(app, &email, asked.invitation.as_deref()).await?;
    app.passwords.check_new(&asked.password, email.as_str())?;
    app.throttles.sign_up(client::of_call(app, parts)).await?;
    app.throttles.email(&email, client::of_call(app, parts)).await?;
    let password_hash = app.passwords.hash(asked.password, &app.ids).await?;
    let secret = SessionToken::new(&app.ids);
    let lifetime_ms = app.settings.email_links.confirm_ms;
    let expires_at = app.clock.now().plus_ms(lifetime_ms);
    let browser_hash = secret.hash();
    let invitation = admission.invitation();
    let asked = SignUpRequest { email, password_hash, browser_hash, expires_at, invitation };
    app.store.request_sign_up(asked).await?;
    app.emails_queued();
    Ok(sign_up::setting(app.cookies(), &secret, next, lifetime_ms))
}

/// The response after asking for an email.
pub(super) fn asked(email: &str) -> Response {
    let asked = EmailRequested { status: "check_mail".into(), email: email.trim().to_owned() };
    (StatusCode::ACCEPTED, [(header::CACHE_CONTROL, "no-store")], Json(asked)).into_response()
}

/// Asks for an email that resets the password of the account with the address `text`, if there is
/// one.
pub(crate) async fn ask_reset(app: &App, parts: &Parts, text: &str) -> ApiResult<()> {
    if !app.sends_mail() {
        let message = "This server does not send email. Ask the operator of this service to reset \
                       your password.";
        return Err(ApiError::new(Code::MailNotConfigured, message));
    }
    let email = writable(text)?;
    app.throttles.email(&email, client::of_call(app, parts)).await?;
    let expires_at = app.clock.now().plus_ms(app.settings.email_links.reset_ms);
    app.store.request_reset(email, expires_at).await?;
    app.emails_queued();
    Ok(())
}

/// Asks for an email that confirms the new address of an account.
pub(crate) async fn ask_change(
    app: &App,
    parts: &Parts,
    account: &AccountId,
    email: Email,
) -> ApiResult<()> {
    app.throttles.email(&email, client::of_call(app, parts)).await?;
    let expires_at = app.clock.now().plus_ms(app.settings.email_links.confirm_ms);
    app.store.request_email_change(account, email, expires_at).await?;
    app.emails_queued();
    Ok(())
}

/// The link of `token`, if it is of one of `kinds`. This does not use it up.
pub(crate) async fn link(
    app: &App,
    parts: &Parts,
    token: &str,
    kinds: &[EmailKind],
) -> ApiResult<([u8; 32], Link)> {
    app.throttles.link(client::of_call(app, parts)).await?;
    let hash = SessionToken::check(token).ok_or(retouch_store::Error::LinkUnknown)?;
    let found = app.store.find_link(&hash).await?.filter(|link| kinds.contains(&link.kind));
    Ok((hash, found.ok_or(retouch_store::Error::LinkUnknown)?))
}

/// Confirms an address with the link of an email.
pub(crate) async fn confirm_address(app: &App, parts: &Parts, token: &str) -> ApiResult<Arrived> {
    let old = auth::by_session(app, parts).await?;
    let (hash, _) = link(app, parts, token, &[EmailKind::SignUp, EmailKind::Change]).await?;
    let confirmed = app.store.confirm_address(hash, app.sign_up_credits()).await?;
    app.emails_queued();
    let Confirmed { account, is_new } = confirmed;
    if !is_new {
        return Ok(Arrived::Moved(account));
    }
    leave(app, old).await?;
    let how = How { is_new: true, ..How::now(app) };
    begin(app, parts, account, how).await.map(Arrived::New)
}

/// Sets a new password with the link of an email. Returns the cookie that recognizes this browser
/// later, so that it can sign in even while strangers guess at the password and are throttled.
pub(crate) async fn reset(app: &App, parts: &Parts, asked: Reset) -> ApiResult<HeaderValue> {
    app.passwords.check_rules(&asked.password)?;
    let (hash, link) = link(app, parts, &asked.token, &[EmailKind::Reset]).await?;
    app.passwords.check_new(&asked.password, link.email.as_str())?;
    let password_hash = app.passwords.hash(asked.password, &app.ids).await?;
    let keep = Keep {
        passkeys: asked.keep.contains(&Kept::Passkeys),
        identities: asked.keep.contains(&Kept::Identities),
        keys: asked.keep.contains(&Kept::Keys),
    };
    let (browser, cookie) = cookie::browser(&parts.headers, app.cookies(), &app.ids);
    let reset = PasswordReset { token_hash: hash, password_hash, keep, browser };
    app.store.reset_password(reset).await?;
    app.emails_queued();
    Ok(cookie)
}

/// Parses an address and checks that email can be sent to it.
pub(crate) fn writable(text: &str) -> ApiResult<Email> {
    let email = email(text)?;
    let written = check_recipient(&email).map(|()| email);
    written
        .map_err(|error| ApiError::about(Code::InvalidEmail, "email", format!("`email`: {error}.")))
}
