//! `POST /oauth/token` and `POST /oauth/revoke`: a program redeems a code, renews its access token,
//! or gives it back.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use retouch_core::Credits;
use retouch_core::credits::KeyLimits;
use retouch_store::{NewGrant, NewKey, Refresh, Refreshed, Scopes, TokenPair};
use serde_json::json;

use super::code::{self, Consent};
use super::request::check_resource;
use super::{OAuthError, known_scopes, scope_text};
use crate::app::App;
use crate::auth::client;
use crate::auth::provider::single;
use crate::auth::secret::{SessionToken, sha256};
use crate::error::ApiError;
use crate::http::intake;

/// How long an access token works, in milliseconds: an hour.
const ACCESS_MS: i64 = 3_600_000;
/// How long a refresh token works, in milliseconds: 30 days, after which an unused connection ends.
const REFRESH_MS: i64 = 30 * 24 * 3_600_000;

/// Gives tokens to a program.
pub(super) async fn token(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Response, OAuthError> {
    let fields = Fields::receive(&app, request).await?;
    check_resource(&app, &fields.0)?;
    match fields.required("grant_type")?.as_str() {
        "authorization_code" => redeem(&app, &fields).await,
        "refresh_token" => refresh(&app, &fields).await,
        _ => {
            let description = "grant_type must be authorization_code or refresh_token.";
            Err(OAuthError::new("unsupported_grant_type", description))
        }
    }
}

/// Revokes the key that a token belongs to (RFC 7009).
pub(super) async fn revoke(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<StatusCode, OAuthError> {
    let fields = Fields::receive(&app, request).await?;
    let (token, client) = (fields.required("token")?, fields.client()?);
    if let Some(hash) = SessionToken::check(&token) {
        app.store.revoke_grant(hash, client).await?;
    }
    // Whether there was such a token is not revealed.
    Ok(StatusCode::OK)
}

/// Exchanges a code for the first tokens.
async fn redeem(app: &App, fields: &Fields) -> Result<Response, OAuthError> {
    let invalid = || {
        let description = "The code is unknown, expired or already used, or it is for another \
                           client, redirect_uri or code_verifier.";
        OAuthError::new("invalid_grant", description)
    };
    let (client, verifier) = (fields.client()?, fields.required("code_verifier")?);
    let code = SessionToken::check(&fields.required("code")?).ok_or_else(invalid)?;
    let Some((account, consent)) = code::take(app, &code).await? else {
        // If it was redeemed before, someone has copied it.
        app.store.revoke_grant(code, client).await?;
        return Err(invalid());
    };
    let redirect_uri = fields.optional("redirect_uri");
    let is_theirs = sha256(&consent.client_id) == client
        && redirect_uri.is_none_or(|uri| uri == consent.redirect_uri)
        && consent.is_proved_by(&verifier);
    if !is_theirs {
        return Err(invalid());
    }
    let tokens = Tokens::new(app);
    let key = new_key(app, consent, &tokens)?;
    let new = NewGrant { key, client, code, tokens: tokens.pair };
    match app.store.create_grant(&account, new).await {
        Ok(key) => {
            app.emails_queued();
            Ok(tokens.answer(key.scopes))
        }
        Err(retouch_store::Error::Suspended | retouch_store::Error::AccountUnknown) => {
            Err(invalid())
        }
        Err(error) => Err(error.into()),
    }
}

/// Exchanges a refresh token for the next tokens.
async fn refresh(app: &App, fields: &Fields) -> Result<Response, OAuthError> {
    let client = fields.client()?;
    let tokens = Tokens::new(app);
    let outcome = match SessionToken::check(&fields.required("refresh_token")?) {
        Some(token) => {
            app.store.refresh_grant(Refresh { token, client, tokens: tokens.pair }).await?
        }
        None => Refreshed::Refused,
    };
    let description = match outcome {
        Refreshed::Done(scopes) => return Ok(tokens.answer(scopes)),
        Refreshed::Refused => {
            "The refresh token is unknown, expired or revoked, or it is for another client. \
             Connect again."
        }
        Refreshed::Reused => {
            "The refresh token was used before, so someone may have copied it. The connection has \
             been revoked. Connect again."
        }
    };
    Err(OAuthError::new("invalid_grant", description))
}

/// The key for a program. Its secret is forgotten here.
fn new_key(app: &App, consent: Consent, tokens: &Tokens) -> Result<NewKey, OAuthError> {
    let scopes = known_scopes(&consent.scopes);
    Ok(NewKey {
        name: consent.client_name,
        hash: SessionToken::new(&app.ids).hash(),
        start: String::new(),
        expires_at: Some(tokens.pair.refresh_until),
        limits: KeyLimits {
            day: consent.credit_limit_per_day.and_then(Credits::new),
            ..KeyLimits::default()
        },
        scopes: scopes.ok_or_else(|| ApiError::internal("a consent without scopes"))?,
    })
}

/// An access token and a refresh token, for the one response that shows them.
struct Tokens {
    access: SessionToken,
    refresh: SessionToken,
    pair: TokenPair,
}

impl Tokens {
    fn new(app: &App) -> Self {
        let (access, refresh) = (SessionToken::new(&app.ids), SessionToken::new(&app.ids));
        let now = app.clock.now();
        let pair = TokenPair {
            access: access.hash(),
            access_until: now.plus_ms(ACCESS_MS),
            refresh: refresh.hash(),
            refresh_until: now.plus_ms(REFRESH_MS),
        };
        Self { access, refresh, pair }
    }

    fn answer(self, scopes: Scopes) -> Response {
        let body = json!({
            "access_token": self.access.reveal(),
            "token_type": "Bearer",
            "expires_in": ACCESS_MS / 1_000,
            "refresh_token": self.refresh.reveal(),
            "scope": scope_text(scopes.iter()),
        });
        Json(body).into_response()
    }
}

/// The form that a program sends.
struct Fields(String);

impl Fields {
    async fn receive(app: &App, request: Request) -> Result<Self, OAuthError> {
        let received = intake::receive_program_form(app, request).await?;
        let throttled = app.throttles.oauth(client::of_call(app, &received.parts)).await;
        throttled.map_err(ApiError::from)?;
        let text = String::from_utf8(received.body.to_vec());
        text.map(Self).map_err(|_| OAuthError::new("invalid_request", "The form is not UTF-8."))
    }

    /// The field `name`, unless it is missing or repeated.
    fn optional(&self, name: &str) -> Option<String> {
        single(&self.0, name)
    }

    fn required(&self, name: &str) -> Result<String, OAuthError> {
        let missing = || OAuthError::new("invalid_request", format!("{name} is missing."));
        self.optional(name).filter(|text| !text.is_empty()).ok_or_else(missing)
    }

    /// The hash of the client ID.
    fn client(&self) -> Result<[u8; 32], OAuthError> {
        Ok(sha256(&self.required("client_id")?))
    }
}
