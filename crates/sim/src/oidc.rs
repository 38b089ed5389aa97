//! An OpenID Connect provider: discovery, keys, the sign-in page and the exchange of codes, with
//! strict checks of client, redirect URI, PKCE and single use. Tokens have real signatures, or
//! faults that are chosen below `_sim`.

mod claims;
mod keys;
mod page;
mod people;
mod state;
mod token;

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use http::StatusCode;
use serde_json::{Value, json};

use crate::arrived::Arrived;
use crate::fault::{Call, Fault};
use crate::world::{Turn, World};
use state::Provider;

/// The provider's name in faults, records and counts.
const NAME: &str = "oidc";
/// The only known client. Its secret is the key of all providers.
const CLIENT: &str = "retouch";

/// What the handlers share.
#[derive(Clone)]
struct Shared {
    world: Arc<World>,
    provider: Arc<Provider>,
}

/// The routes of the protocol.
pub(crate) fn router(world: Arc<World>) -> Router {
    let shared = Shared { world, provider: Arc::new(Provider::default()) };
    Router::new()
        .route("/.well-known/openid-configuration", get(discovery))
        .route("/jwks", get(jwks))
        .route("/authorize", get(page::show).post(page::consent))
        .route("/token", post(token::exchange))
        .route("/userinfo", get(token::userinfo))
        .route("/_sim/person", post(people::person))
        .route("/_sim/token_fault", post(people::token_fault))
        .route("/_sim/clock", post(people::clock))
        .route("/_sim/key", post(people::key))
        .with_state(shared)
}

/// The issuer, as seen by the client that sent `arrived`.
fn issuer(arrived: &Arrived) -> String {
    format!("{}/{NAME}", arrived.origin())
}

async fn discovery(State(shared): State<Shared>, arrived: Arrived) -> Response {
    let issuer = issuer(&arrived);
    let said = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "userinfo_endpoint": format!("{issuer}/userinfo"),
        "jwks_uri": format!("{issuer}/jwks"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256", "ES256", "EdDSA"],
        "scopes_supported": ["openid", "email", "profile"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
    });
    told(&shared, Call::Probe, said).await
}

async fn jwks(State(shared): State<Shared>) -> Response {
    let shown = shared.provider.lock().keys.shown();
    told(&shared, Call::Probe, shown).await
}

async fn told(shared: &Shared, call: Call, said: Value) -> Response {
    let answer = |fault: Option<Fault>| fault.map_or_else(|| Json(said).into_response(), failed);
    shared.world.answer(Turn { provider: NAME, call, prompt: "" }, answer).await
}

fn failed(_: Fault) -> Response {
    trouble(StatusCode::INTERNAL_SERVER_ERROR, "server_error", "Something is wrong here.")
}

/// An error according to RFC 6749, 5.2.
fn trouble(status: StatusCode, error: &str, description: &str) -> Response {
    (status, Json(json!({ "error": error, "error_description": description }))).into_response()
}
