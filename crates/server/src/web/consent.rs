//! `/oauth/authorize`: asks whether a program may use the account. See `oauth`.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::IntoResponse;
use retouch_core::Credits;
use retouch_store::{Scope, Scopes};

use super::form::Form;
use super::html;
use super::problem::{Mistake, PageResult, Problem, status_of_mistake};
use super::redirect::RedirectPage;
use super::shell::{Here, Shell};
use crate::api::authentication::{self, PasswordField};
use crate::app::App;
use crate::auth::{self, client, connecting};
use crate::error::{ApiError, ApiResult, Code};
use crate::oauth::code::{self, Consent};
use crate::oauth::request::{Asked, AuthorizationRequest};
use crate::oauth::{AUTHORIZE_PATH, OAuthError, SCOPES};

/// The field with the limit.
const LIMIT: &str = "credit_limit_per_day";

#[derive(Template)]
#[template(path = "web/consent.html")]
struct ConsentPage {
    shell: Shell,
    email: String,
    /// The name of the program.
    name: String,
    /// The host that vouches for the name, if there is one.
    vouched_by: Option<String>,
    /// The host that the user is sent back to. None: a program on their own machine.
    host: Option<String>,
    /// What the program may do.
    scopes: Scopes,
    /// The program's request.
    query: String,
    asks_password: bool,
    has_password: bool,
    /// The limit that was typed.
    limit: String,
    mistake: Mistake,
}

impl ConsentPage {
    /// What the program may do, in words.
    fn permissions(&self) -> impl Iterator<Item = &'static str> {
        let granted = SCOPES.into_iter().filter(|scope| self.scopes.contains(*scope));
        granted.map(|scope| match scope {
            Scope::Edit => "Create and edit images with your credits",
            Scope::Read => "See your history, your account and your transactions",
            Scope::Delete => "Delete generations",
        })
    }
}

/// Asks the user, who may have to sign in first.
pub(super) async fn ask(State(app): State<Arc<App>>, parts: Parts) -> PageResult {
    app.throttles.oauth(client::of_call(&app, &parts)).await?;
    let query = parts.uri.query().unwrap_or_default();
    let shell = Shell::of(&app, &parts, Here::Elsewhere).await?;
    if shell.member.is_none() {
        return sign_in_first(&app, query);
    }
    if query.is_empty()
        && let Some(kept) = connecting::kept(&parts.headers, app.cookies())
    {
        let mut response = html::see_other(&format!("{AUTHORIZE_PATH}?{kept}"))?;
        let clearing = connecting::clearing(app.cookies());
        response.headers_mut().append(header::SET_COOKIE, clearing);
        return Ok(response);
    }
    let request = AuthorizationRequest::of(&app, query).await?;
    match request.asked(&app) {
        Ok(asked) => Ok(html::page(&page(&app, &parts, shell, (&request, &asked)).await?)?),
        Err(error) => Ok(html::see_other(&request.refusal(&app, &error))?),
    }
}

/// Takes the user's decision back to the program.
pub(super) async fn decide(State(app): State<Arc<App>>, request: Request) -> PageResult {
    let form = Form::receive(&app, request).await?;
    let (shell, _) = Shell::for_member(&app, &form.parts, Here::Elsewhere).await?;
    app.throttles.oauth(client::of_call(&app, &form.parts)).await?;
    let request = AuthorizationRequest::of(&app, form.text("query")).await?;
    let asked = match request.asked(&app) {
        Ok(asked) if form.text("decision") == "allow" => asked,
        Ok(_) => {
            let error = OAuthError::new("access_denied", "The user did not agree.");
            return leave(shell, &request, request.refusal(&app, &error));
        }
        Err(error) => return leave(shell, &request, request.refusal(&app, &error)),
    };
    match agree(&app, &form, (&request, &asked)).await {
        Ok(address) => leave(shell, &request, address),
        Err(error) => {
            let status = status_of_mistake(&error)?;
            let empty = page(&app, &form.parts, shell, (&request, &asked)).await?;
            let (limit, mistake) = (form.text(LIMIT).to_owned(), Mistake::of(&error));
            Ok(html::page_with(status, &ConsentPage { limit, mistake, ..empty })?)
        }
    }
}

/// Sends a visitor to the sign-in page. Their browser keeps the request.
fn sign_in_first(app: &App, query: &str) -> PageResult {
    let mut response = Problem::SignIn(AUTHORIZE_PATH.to_owned()).into_response();
    if !query.is_empty() {
        let too_long = || {
            let message = "Your assistant’s request is too long to be kept while you sign in. Sign \
                           in first, then connect it again.";
            ApiError::new(Code::InvalidValue, message)
        };
        let cookie = connecting::setting(app.cookies(), query).ok_or_else(too_long)?;
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Creates a code for the program. Returns the address that takes it there.
async fn agree(
    app: &App,
    form: &Form,
    (request, asked): (&AuthorizationRequest, &Asked),
) -> ApiResult<String> {
    let caller = auth::session(app, &form.parts).await?;
    // A program that finds no room for its key could not say why.
    app.store.check_key_room(&caller.account.id).await?;
    let credit_limit_per_day = limit(form)?;
    let typed = PasswordField::current(form.filled("current_password"));
    authentication::confirm_lately(app, &form.parts, &caller, typed).await?;
    let scopes: Vec<_> = asked.scopes.iter().map(Scope::as_str).collect();
    let consent = Consent {
        client_id: request.client.id.clone(),
        client_name: request.client.name.clone(),
        redirect_uri: request.redirect_uri.clone(),
        challenge: asked.challenge.clone(),
        scopes: scopes.join(" "),
        credit_limit_per_day,
    };
    let code = code::create(app, &caller.account.id, &consent).await?;
    Ok(request.answer(app, &[("code", code.reveal())]))
}

/// The typed limit, if there is one.
fn limit(form: &Form) -> ApiResult<Option<i64>> {
    let text = form.text(LIMIT).trim();
    if text.is_empty() {
        return Ok(None);
    }
    let limit = text.parse().ok().and_then(Credits::new).filter(|limit| !limit.is_zero());
    limit.map(|limit| Some(limit.get())).ok_or_else(|| {
        let message = "Enter a whole number of credits, at least 1.";
        ApiError::about(Code::InvalidValue, LIMIT, message)
    })
}

/// Leads the browser to the program.
fn leave(shell: Shell, request: &AuthorizationRequest, address: String) -> PageResult {
    let page = RedirectPage {
        shell,
        name: request.client.name.clone(),
        lead: "You’re being sent back to your assistant.",
        address,
        back: ("/keys", "See what is connected"),
    };
    Ok(page.page()?)
}

async fn page(
    app: &App,
    parts: &Parts,
    shell: Shell,
    (request, asked): (&AuthorizationRequest, &Asked),
) -> ApiResult<ConsentPage> {
    let caller = auth::session(app, parts).await?;
    let account = &caller.account;
    let room = app.store.check_key_room(&account.id).await.map_err(ApiError::from);
    let mistake = match room {
        Err(error) if status_of_mistake(&error).is_ok() => Mistake::of(&error),
        room => room.map(|()| Mistake::default())?,
    };
    Ok(ConsentPage {
        shell,
        email: account.email.to_string(),
        name: request.client.name.clone(),
        vouched_by: request.client.host.clone(),
        host: request.host().map(ToOwned::to_owned),
        scopes: asked.scopes,
        query: request.query.clone(),
        asks_password: !auth::is_proven(app, &caller),
        has_password: app.store.find_password_hash(&account.id).await?.is_some(),
        limit: String::new(),
        mistake,
    })
}
