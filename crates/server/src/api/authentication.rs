//! `POST /api/auth/*`: signing up, in and out.

pub mod email_links;

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use retouch_core::Timestamp;
use retouch_core::email::Email;
use retouch_store::{Account, NewAccount, NewBrowser, NewSession};
use serde::Deserialize;
use utoipa::ToSchema;

use self::email_links::EmailRequested;
use super::account::{self, AccountView};
use crate::app::App;
use crate::auth::admission::{self, Admission};
use crate::auth::secret::SessionToken;
use crate::auth::throttle::Guesser;
use crate::auth::{self, Caller, Proof, client, cookie, second_factor};
use crate::error::{ApiError, ApiResult, Code, ErrorBody};
use crate::http::intake::{self, SMALL_BODY_BYTES_MAX, Who};

/// An email address and a password.
#[derive(Deserialize, ToSchema)]
pub struct Credentials {
    /// An email address. Upper and lower case are the same.
    #[schema(example = "ada@example.com")]
    pub(crate) email: String,
    /// At least 8 characters.
    #[schema(min_length = 8, format = Password)]
    pub(crate) password: String,
}

/// A sign-in.
#[derive(Deserialize, ToSchema)]
pub struct SignIn {
    /// The account's email address. Upper and lower case are the same.
    #[schema(example = "ada@example.com")]
    pub(crate) email: String,
    /// The account's password.
    #[schema(format = Password)]
    pub(crate) password: String,
    /// The code from the authenticator app or a recovery code, if the account uses two-step
    /// sign-in.
    #[schema(example = "123456")]
    pub(crate) code: Option<String>,
}

/// A sign-up.
#[derive(Deserialize, ToSchema)]
pub struct SignUp {
    /// An email address. Upper and lower case are the same.
    #[schema(example = "ada@example.com")]
    pub(crate) email: String,
    /// At least 8 characters.
    #[schema(min_length = 8, format = Password)]
    pub(crate) password: String,
    /// The `invitation` parameter of an invitation link, if the service requires one.
    #[serde(default)]
    pub(crate) invitation: Option<String>,
}

/// Create an account.
///
/// You get a session, and free credits unless you have had them before (see `free_credits`). If the
/// server sends email, the account is created when you confirm the address, and the response does
/// not reveal whether the address already has an account.
#[utoipa::path(
    post,
    path = "/api/auth/sign-up",
    operation_id = "sign_up",
    tag = "Account",
    request_body = SignUp,
    responses(
        (status = 201, description = "The account, and a session cookie", body = AccountView),
        (status = 202, description = "We have sent an email with a link that creates the account", body = EmailRequested),
        (status = 400, description = "Invalid parameters or invitation", body = ErrorBody),
        (status = 403, description = "You may not sign up, or the call has a session cookie but came from another site's page", body = ErrorBody),
        (status = 409, description = "Another account has the email address; only on servers that do not send email", body = ErrorBody),
        (status = 429, description = "Too many sign-ups", body = ErrorBody),
    )
)]
pub async fn sign_up(State(app): State<Arc<App>>, request: Request) -> ApiResult<Response> {
    let received = intake::receive(&app, request, Who::Anyone, SMALL_BODY_BYTES_MAX).await?;
    let asked: SignUp = received.json()?;
    let email = asked.email.clone();
    match join(&app, &received.parts, asked, "/").await? {
        Joined::Entered(entered) => answer(&app, entered, StatusCode::CREATED).await,
        Joined::Asked(cookie) => {
            let mut response = email_links::asked(&email);
            response.headers_mut().insert(header::SET_COOKIE, cookie);
            Ok(response)
        }
    }
}

/// Sign in with an email address and a password.
///
/// An account with two-step sign-in also needs a code.
#[utoipa::path(
    post,
    path = "/api/auth/sign-in",
    operation_id = "sign_in",
    tag = "Account",
    request_body = SignIn,
    responses(
        (status = 200, description = "The account, and a session cookie", body = AccountView),
        (status = 401, description = "The email address or the password is wrong, or the code is missing or wrong", body = ErrorBody),
        (status = 403, description = "The call has a session cookie but came from another site's page", body = ErrorBody),
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
        (status = 401, description = "There is no session", body = ErrorBody),
    ),
    security(("session" = []))
)]
pub async fn sign_out(State(app): State<Arc<App>>, parts: Parts) -> ApiResult<Response> {
    let caller = auth::session(&app, &parts).await?;
    let clear = [(header::SET_COOKIE, leave(&app, Some(caller)).await?)];
    Ok((StatusCode::NO_CONTENT, clear).into_response())
}

/// An account with a new session, and the cookies to set in the browser.
pub(crate) struct Entered {
    pub(crate) account: Account,
    /// The cookie of the session, and the one that recognizes the browser later.
    cookies: [HeaderValue; 2],
}

impl Entered {
    /// Sets the cookies.
    pub(crate) fn remember(self, headers: &mut HeaderMap) {
        for cookie in self.cookies {
            headers.append(header::SET_COOKIE, cookie);
        }
    }
}

/// How the user signed in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How {
    /// When they proved who they are, if known.
    pub(crate) proven_at: Option<Timestamp>,
    /// Whether they used a second factor.
    pub(crate) is_strong: bool,
    /// Whether the account is new. Its owner needs no warning about an unknown browser then.
    pub(crate) is_new: bool,
}

impl How {
    /// With a proof given just now.
    pub(crate) fn now(app: &App) -> Self {
        Self { proven_at: Some(app.clock.now()), is_strong: false, is_new: false }
    }
}

/// The outcome of a sign-up.
pub(crate) enum Joined {
    /// The account has been created.
    Entered(Entered),
    /// An email is on its way. The cookie recognizes the browser when the link is followed.
    Asked(HeaderValue),
}

/// Creates an account with a session, now or once its address is confirmed. The browser then goes
/// to `next`.
pub(crate) async fn join(app: &App, parts: &Parts, asked: SignUp, next: &str) -> ApiResult<Joined> {
    let old = auth::by_session(app, parts).await?;
    if app.sends_mail() {
        return email_links::ask_sign_up(app, parts, asked, next).await.map(Joined::Asked);
    }
    let email = email(&asked.email)?;
    let admission = admitted(app, &email, asked.invitation.as_deref()).await?;
    app.passwords.check_new(&asked.password, email.as_str())?;
    app.throttles.sign_up(client::of_call(app, parts)).await?;
    let new = NewAccount {
        email,
        password_hash: Some(app.passwords.hash(asked.password, &app.ids).await?),
        sign_up_credits: app.sign_up_credits(),
        invitation: admission.invitation(),
    };
    let message = "There is already an account with this email address. Sign in instead.";
    let account = app.store.create_account(new).await.map_err(|error| taken(error, message))?;
    leave(app, old).await?;
    let how = How { is_new: true, ..How::now(app) };
    begin(app, parts, account, how).await.map(Joined::Entered)
}

/// Whether `email` may sign up, with the `invitation` of a link if there is one.
async fn admitted(app: &App, email: &Email, invitation: Option<&str>) -> ApiResult<Admission> {
    let given = invitation.filter(|token| !token.is_empty());
    let hash = given.map(admission::hash).transpose()?;
    admission::admit(app, email, hash).await
}

/// Checks the credentials and begins a session.
pub(crate) async fn enter(app: &App, parts: &Parts, asked: SignIn) -> ApiResult<Entered> {
    let old = auth::by_session(app, parts).await?;
    let email = email(&asked.email)?;
    let account = verified(app, parts, &email, asked.password).await?;
    let is_strong = second_factor::passed(app, &account.id, asked.code.as_deref()).await?;
    leave(app, old).await?;
    let how = How { is_strong, ..How::now(app) };
    begin(app, parts, account, how).await
}

/// Ends the session of `caller`, if any, and returns the cookie that clears it. Signing in or up in
/// a browser that is already signed in ends the old session, so it needs the same protection
/// against calls from other sites.
pub(crate) async fn leave(app: &App, caller: Option<Caller>) -> ApiResult<HeaderValue> {
    if let Some(Proof::Session(token_hash)) = caller.map(|caller| caller.proof) {
        app.store.delete_session(&token_hash).await?;
    }
    Ok(cookie::clearing(app.cookies()))
}

/// The account of `email`, if `password` is right. Takes equally long for unknown addresses, so
/// that response times do not reveal which addresses have an account.
async fn verified(app: &App, parts: &Parts, email: &Email, password: String) -> ApiResult<Account> {
    let guesser = guesser(app, parts, email).await?;
    let found = app.store.find_account_by_email(email).await?;
    let (account, hash) = found.map_or((None, None), |(account, hash)| (Some(account), hash));
    let verdict = prove(app, PasswordGuess { email, guesser, password }, hash).await?;
    match account.filter(|_| verdict) {
        Some(account) => Ok(account),
        None => {
            let message = "The email address or the password is wrong.";
            Err(ApiError::new(Code::InvalidCredentials, message))
        }
    }
}

/// Who tries a password of `email` in this call: a browser that the account knows, or a stranger.
pub(crate) async fn guesser(app: &App, parts: &Parts, email: &Email) -> ApiResult<Guesser> {
    let stranger = Guesser::Stranger(client::of_call(app, parts));
    let Some(hash) = cookie::browser_hash(&parts.headers, app.cookies()) else {
        return Ok(stranger);
    };
    let is_known = app.store.knows_browser(email, &hash).await?;
    Ok(if is_known { Guesser::Known(hash) } else { stranger })
}

/// A password that the user typed to confirm a change.
pub(crate) struct PasswordField<'a> {
    /// The field of the request that it is in.
    pub(crate) param: &'a str,
    /// What was typed, if anything.
    pub(crate) password: Option<String>,
}

impl PasswordField<'static> {
    /// The field `current_password` of the API.
    pub(crate) fn current(password: Option<String>) -> Self {
        Self { param: "current_password", password }
    }
}

/// Checks that the user signed in within the last ten minutes, or proves who they are now with the
/// `typed` password. A session that was left open or stolen is not enough
/// to change sign-in methods.
pub(crate) async fn confirm_lately(
    app: &App,
    parts: &Parts,
    caller: &Caller,
    typed: PasswordField<'_>,
) -> ApiResult<()> {
    if typed.password.is_some() {
        return confirm(app, parts, caller, typed).await;
    }
    if auth::is_proven(app, caller) {
        return Ok(());
    }
    let message = "This needs a sign-in within the last ten minutes. Enter your password or sign \
                   in again.";
    Err(ApiError::new(Code::SignInAgain, message))
}

/// Checks that the `typed` password is the password of the caller's account. A session that was left open or stolen is not enough to take an account over. An account without
/// a password needs a sign-in in the last ten minutes instead.
pub(crate) async fn confirm(
    app: &App,
    parts: &Parts,
    caller: &Caller,
    typed: PasswordField<'_>,
) -> ApiResult<()> {
    let PasswordField { param, password } = typed;
    let account = &caller.account;
    let hash = app.store.find_password_hash(&account.id).await?;
    let password = match (&hash, password) {
        (Some(_), Some(password)) => password,
        (Some(_), None) => {
            let message = format!("`{param}` is missing.");
            return Err(ApiError::about(Code::MissingField, param, message));
        }
        (None, _) if auth::is_proven(app, caller) => return Ok(()),
        (None, _) => {
            let message = "Your account has no password to confirm this with. Sign in again, then \
                           come back within ten minutes.";
            return Err(ApiError::new(Code::SignInAgain, message));
        }
    };
    let guesser = match caller.session_hash() {
        Some(token_hash) => Guesser::Known(token_hash),
        None => guesser(app, parts, &account.email).await?,
    };
    let guess = PasswordGuess { email: &account.email, guesser, password };
    if prove(app, guess, hash).await? {
        if let Some(token_hash) = caller.session_hash() {
            app.store.prove_session(&account.id, &token_hash).await?;
        }
        return Ok(());
    }
    Err(ApiError::about(Code::InvalidCredentials, param, "The password is wrong."))
}

/// A password that was typed for the account of an address.
pub(crate) struct PasswordGuess<'a> {
    pub(crate) email: &'a Email,
    /// Who typed it.
    pub(crate) guesser: Guesser,
    pub(crate) password: String,
}

/// Whether the password of `guess` matches `hash`. A wrong one counts as a guess at the password of
/// the address. It is counted before it is checked, so that simultaneous guesses count too.
pub(crate) async fn prove(
    app: &App,
    guess: PasswordGuess<'_>,
    hash: Option<String>,
) -> ApiResult<bool> {
    let PasswordGuess { email, guesser, password } = guess;
    let guess = app.throttles.guess(email, guesser).await?;
    let verdict = app.passwords.verify(password, hash).await;
    if !matches!(verdict, Ok(false)) {
        app.throttles.forgive(guess).await?;
    }
    Ok(verdict?)
}

/// Begins a session for a user who signed in as `how` says.
pub(crate) async fn begin(
    app: &App,
    parts: &Parts,
    account: Account,
    how: How,
) -> ApiResult<Entered> {
    let token = SessionToken::new(&app.ids);
    let lifetime_ms = app.settings.auth.session_age_ms_max;
    let now = app.clock.now();
    let user_agent = client::user_agent(&parts.headers);
    let (browser_hash, browser) = cookie::browser(&parts.headers, app.cookies(), &app.ids);
    let told_as = (!how.is_new).then(|| client::browser::recognized(user_agent.as_deref()));
    let session = NewSession {
        token_hash: token.hash(),
        expires_at: now.plus_ms(lifetime_ms),
        user_agent,
        proven_at: how.proven_at,
        second_factor_at: how.is_strong.then_some(now),
        browser: Some(NewBrowser { token_hash: browser_hash, told_as }),
    };
    app.store.create_session(&account.id, session).await?;
    app.emails_queued();
    let cookies = [cookie::setting(app.cookies(), &token, lifetime_ms), browser];
    Ok(Entered { account, cookies })
}

pub(crate) async fn answer(app: &App, entered: Entered, status: StatusCode) -> ApiResult<Response> {
    let view = account::view(app, entered.account.clone()).await?;
    let mut response = (status, Json(view)).into_response();
    entered.remember(response.headers_mut());
    Ok(response)
}

pub(crate) fn email(text: &str) -> ApiResult<Email> {
    text.parse()
        .map_err(|error| ApiError::about(Code::InvalidEmail, "email", format!("`email`: {error}.")))
}

/// The error with `message` if the address belongs to another account.
pub(crate) fn taken(error: retouch_store::Error, message: &str) -> ApiError {
    match error {
        retouch_store::Error::EmailTaken => ApiError::about(Code::EmailTaken, "email", message),
        other => other.into(),
    }
}
