//! `POST /oauth/register`: a program describes itself and gets a client ID (RFC 7591). Nothing is
//! stored, because the ID contains the description.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::client::Description;
use super::{OAuthError, SCOPES, scope_text};
use crate::app::App;
use crate::auth::client;
use crate::error::ApiError;
use crate::http::intake::{self, SMALL_BODY_BYTES_MAX, Who};

/// Registers a program. All programs are public clients, whatever they ask for.
pub(super) async fn register(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Response, OAuthError> {
    let received = intake::receive(&app, request, Who::Anyone, SMALL_BODY_BYTES_MAX).await?;
    let throttled = app.throttles.oauth(client::of_call(&app, &received.parts)).await;
    throttled.map_err(ApiError::from)?;
    let described = received.json::<Description>();
    let invalid = |error: ApiError| OAuthError::new("invalid_client_metadata", error.message);
    let description = described.map_err(invalid)?.checked()?;
    let mut answer = json!({
        "client_id": description.to_id()?,
        "client_id_issued_at": app.clock.now().0 / 1_000,
        "redirect_uris": description.redirect_uris,
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        "scope": scope_text(SCOPES.into_iter()),
    });
    // Some programs do not accept null.
    if let Some(name) = description.client_name {
        answer["client_name"] = name.into();
    }
    Ok((StatusCode::CREATED, Json(answer)).into_response())
}
