//! `/.well-known/*`: how programs get tokens here.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use retouch_store::Scope;
use serde_json::{Value, json};

use super::{AUTHORIZE_PATH, SCOPES, issuer};
use crate::app::App;

/// What `/mcp` says about itself (RFC 9728).
pub(super) async fn resource(State(app): State<Arc<App>>) -> Json<Value> {
    Json(json!({
        "resource": super::resource(&app),
        "resource_name": app.live().site().name,
        "resource_documentation": app.url_of("/docs"),
        "authorization_servers": [issuer(&app)],
        "bearer_methods_supported": ["header"],
        "scopes_supported": SCOPES.map(Scope::as_str),
    }))
}

/// What this server offers to programs (RFC 8414).
pub(super) async fn server(State(app): State<Arc<App>>) -> Json<Value> {
    Json(json!({
        "issuer": issuer(&app),
        "authorization_endpoint": app.url_of(AUTHORIZE_PATH),
        "token_endpoint": app.url_of("/oauth/token"),
        "registration_endpoint": app.url_of("/oauth/register"),
        "revocation_endpoint": app.url_of("/oauth/revoke"),
        "service_documentation": app.url_of("/docs"),
        "scopes_supported": SCOPES.map(Scope::as_str),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": true,
        "client_id_metadata_document_supported": true,
    }))
}
