//! `/second-factor`: setting up and removing an authenticator app, and entering its code, which
//! makes a session strong. Administrators come here before `/admin` opens.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::response::Response;
use form_urlencoded::byte_serialize;
use qrcode::{Color, QrCode};
use retouch_store::{ConfirmedApp, SECRET_BYTES};

use super::form::{self, Form};
use super::problem::{Mistake, PageResult, Problem, status_of_mistake};
use super::shell::{Here, Shell};
use super::{html, local};
use crate::api::authentication::{self, PasswordField};
use crate::app::App;
use crate::auth::passkey::RelyingParty;
use crate::auth::second_factor;
pub(super) use crate::auth::second_factor::PATH;
use crate::auth::totp::{self, RECOVERY_BYTES};
use crate::auth::{self, Caller};
use crate::error::{ApiError, ApiResult, Code};

/// Recovery codes that an account gets.
const RECOVERY_CODES: usize = 10;

/// How far the setup of the account is.
enum Stage {
    /// No app is set up.
    Off,
    /// The user adds this secret to an app, then enters a code from it.
    Begun { secret: String, address: String, qr: Qr },
    /// An app is set up, and this session still has to enter a code.
    Asked,
    /// The app was just set up: the recovery codes, shown only now.
    Done { codes: Vec<String> },
    /// An app is set up, and this session is strong.
    On { codes_left: usize },
}

/// A QR code as the path of an SVG.
struct Qr {
    path: String,
    side: usize,
}

#[derive(Template)]
#[template(path = "web/second_factor.html")]
struct SecondFactorPage {
    shell: Shell,
    stage: Stage,
    next: String,
    /// Whether the next page is an admin page, which requires a second factor.
    is_needed: bool,
    is_strong: bool,
    asks_password: bool,
    has_password: bool,
    has_passkey: bool,
    takes_passkeys: bool,
    mistake: Mistake,
}

pub(super) async fn show(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    let next = local::path(&form::query(&parts, "next").unwrap_or_default());
    Ok(html::page(&page(&app, &parts, next).await?)?)
}

/// Starts the setup of an app by creating its secret.
pub(super) async fn begin(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let caller = member(&app, &form.parts).await?;
    let typed = PasswordField::current(form.filled("current_password"));
    if let Err(error) = authentication::confirm_lately(&app, &form.parts, &caller, typed).await {
        return refused(&app, &form, &error).await;
    }
    let secret: [u8; SECRET_BYTES] = app.ids.secret();
    app.store.begin_second_factor(&caller.account.id, secret).await?;
    Ok(html::see_other(&address(&next(&form)))?)
}

/// Confirms the app with its first code and shows the recovery codes.
pub(super) async fn confirm(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let caller = member(&app, &form.parts).await?;
    let account = &caller.account.id;
    let guess = app.throttles.code(account).await.map_err(ApiError::from)?;
    let found = app.store.find_second_factor(account).await?.filter(|one| !one.is_confirmed);
    let factor = found.ok_or_else(|| ApiError::not_found("app to confirm"))?;
    let Some(step) = totp::step(&factor.secret, form.text("code"), app.clock.now()) else {
        let message =
            "This code isn’t valid. Enter the current code, and check the clock of your phone.";
        return refused(&app, &form, &ApiError::about(Code::InvalidCode, "code", message)).await;
    };
    app.throttles.forgive(guess).await.map_err(ApiError::from)?;
    let codes: Vec<String> = (0..RECOVERY_CODES)
        .map(|_| totp::recovery_code(&app.ids.secret::<RECOVERY_BYTES>()))
        .collect();
    let hashes = codes.iter().map(|code| totp::recovery_hash(code)).collect();
    let session =
        caller.session_hash().ok_or_else(|| ApiError::internal("a page has a session"))?;
    let confirmed = ConfirmedApp { step, session, codes: hashes };
    if !app.store.confirm_second_factor(account, confirmed).await? {
        return Err(ApiError::not_found("app to confirm").into());
    }
    app.emails_queued();
    let mut page = page(&app, &form.parts, next(&form)).await?;
    page.stage = Stage::Done { codes };
    Ok(html::page(&page)?)
}

/// Makes the session strong with a code.
pub(super) async fn enter(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let caller = member(&app, &form.parts).await?;
    match prove(&app, &caller, &form).await {
        Ok(()) => Ok(html::see_other(&next(&form))?),
        Err(error) => refused(&app, &form, &error).await,
    }
}

/// Removes the app if the user enters a code from it.
pub(super) async fn remove(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let caller = member(&app, &form.parts).await?;
    if let Err(error) = prove(&app, &caller, &form).await {
        return refused(&app, &form, &error).await;
    }
    app.store.remove_second_factor(&caller.account.id).await?;
    app.emails_queued();
    Ok(html::see_other(PATH)?)
}

/// The URL of the page, which leads to `next` afterwards.
pub(super) fn address(next: &str) -> String {
    form::address(PATH, &[("next", next)])
}

async fn prove(app: &App, caller: &Caller, form: &Form) -> ApiResult<()> {
    let account = &caller.account.id;
    let factor = second_factor::app_of(app, account).await?;
    let factor = factor.ok_or_else(|| ApiError::not_found("authenticator app"))?;
    second_factor::check(app, account, &factor, form.text("code")).await?;
    if let Some(session) = caller.session_hash() {
        app.store.strengthen_session(account, &session).await?;
    }
    Ok(())
}

async fn member(app: &App, parts: &Parts) -> Result<Caller, Problem> {
    Shell::for_member(app, parts, Here::Account).await?;
    Ok(auth::session(app, parts).await?)
}

async fn refused(app: &App, form: &Form, error: &ApiError) -> PageResult {
    let status = status_of_mistake(error)?;
    let page = page(app, &form.parts, next(form)).await?;
    Ok(html::page_with(status, &SecondFactorPage { mistake: Mistake::of(error), ..page })?)
}

async fn page(app: &App, parts: &Parts, next: String) -> Result<SecondFactorPage, Problem> {
    let (shell, account) = Shell::for_member(app, parts, Here::Account).await?;
    let caller = auth::session(app, parts).await?;
    let stage = match app.store.find_second_factor(&account.id).await? {
        None => Stage::Off,
        Some(found) if !found.is_confirmed => begun(account.email.as_str(), &found.secret)?,
        Some(_) if !caller.is_strong => Stage::Asked,
        Some(found) => Stage::On { codes_left: found.codes_left },
    };
    Ok(SecondFactorPage {
        shell,
        stage,
        is_needed: next.starts_with("/admin") && !second_factor::may_administer(app, &caller),
        next,
        is_strong: caller.is_strong,
        asks_password: !auth::is_proven(app, &caller),
        has_password: app.store.find_password_hash(&account.id).await?.is_some(),
        has_passkey: !app.store.list_passkeys(&account.id).await?.is_empty(),
        takes_passkeys: RelyingParty::of(&app.public_url).is_some(),
        mistake: Mistake::default(),
    })
}

fn next(form: &Form) -> String {
    local::path(form.text("next"))
}

/// The setup page with the key URI, a format that all authenticator apps read.
fn begun(email: &str, secret: &[u8]) -> ApiResult<Stage> {
    let name: String = byte_serialize(email.as_bytes()).collect();
    let secret = totp::base32(secret);
    let address = format!("otpauth://totp/Retouch:{name}?secret={secret}&issuer=Retouch");
    let code = QrCode::new(&address).map_err(ApiError::internal)?;
    Ok(Stage::Begun { secret, qr: Qr::of(&code), address })
}

impl Qr {
    /// The dark squares of each row, as rectangles of one height.
    fn of(code: &QrCode) -> Self {
        let side = code.width();
        let colors = code.to_colors();
        let squares = colors.chunks(side).enumerate().flat_map(|(y, row)| {
            let dark = row.iter().enumerate().filter(|(_, color)| **color == Color::Dark);
            dark.map(move |(x, _)| format!("M{x} {y}h1v1h-1z"))
        });
        Self { path: squares.collect(), side }
    }
}

/// Redirects to this page, because `path` requires a strong session.
pub(super) fn detour(path: &str) -> ApiResult<Response> {
    html::see_other(&address(path))
}
