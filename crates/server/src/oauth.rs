//! OAuth: a person lets a program use their account at `/mcp` by signing in here and agreeing,
//! without giving it an API key.
//!
//! It follows the authorization of the Model Context Protocol, revisions 2025-11-25 and 2026-07-28:
//! OAuth 2.1 with PKCE, public clients, and tokens for `/mcp` only. The page that asks the person is
//! `web/consent.rs`. What a program receives is an API key with tokens instead of a secret
//! (`retouch_store::grant`), so its limits, its books and its revocation are those of any key.

pub(crate) mod client;
pub(crate) mod code;
mod documents;
mod error;
mod metadata;
mod register;
pub(crate) mod request;
mod tokens;

use std::sync::Arc;

use axum::Router;
use axum::http::HeaderValue;
use retouch_store::{Scope, Scopes};

use crate::app::App;
use crate::error::{ApiError, ApiResult};
use crate::http::route::{get, post};

pub(crate) use self::documents::Documents;
pub(crate) use self::error::OAuthError;

/// The path of the page that asks for consent.
pub(crate) const AUTHORIZE_PATH: &str = "/oauth/authorize";

const RESOURCE_METADATA_PATH: &str = "/.well-known/oauth-protected-resource/mcp";

/// What programs can be allowed to do. No tool deletes anything.
pub(crate) const SCOPES: [Scope; 2] = [Scope::Edit, Scope::Read];

/// The addresses that programs call.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/.well-known/oauth-protected-resource", get(metadata::resource))
        .route(RESOURCE_METADATA_PATH, get(metadata::resource))
        .route("/.well-known/oauth-authorization-server", get(metadata::server))
        .route("/oauth/register", post(register::register))
        .route("/oauth/token", post(tokens::token))
        .route("/oauth/revoke", post(tokens::revoke))
}

/// The name of this server in OAuth (RFC 8414).
pub(crate) fn issuer(app: &App) -> String {
    app.url_of("")
}

/// What tokens are for (RFC 8707).
pub(crate) fn resource(app: &App) -> String {
    app.url_of("/mcp")
}

/// What a call without valid credentials is told: where to read how to get them (RFC 9728, 5.1).
pub(crate) fn challenge(app: &App, showed_credentials: bool) -> ApiResult<HeaderValue> {
    let metadata = app.url_of(RESOURCE_METADATA_PATH);
    let scope = scope_text(SCOPES.into_iter());
    let error = if showed_credentials { ", error=\"invalid_token\"" } else { "" };
    let text = format!("Bearer resource_metadata=\"{metadata}\", scope=\"{scope}\"{error}");
    text.try_into().map_err(ApiError::internal)
}

/// The scopes among these names that programs can be allowed; all of those if there is none. Some
/// programs ask for scopes that other services have.
fn known_scopes(names: &str) -> Option<Scopes> {
    let known = names.split(' ').filter(|name| SCOPES.iter().any(|scope| scope.as_str() == *name));
    Scopes::named(known).or_else(|_| Scopes::named(SCOPES.map(Scope::as_str))).ok()
}

/// The names of scopes, separated by spaces.
fn scope_text(scopes: impl Iterator<Item = Scope>) -> String {
    scopes.map(Scope::as_str).collect::<Vec<_>>().join(" ")
}
