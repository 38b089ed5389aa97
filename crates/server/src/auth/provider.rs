//! Sign-in through an OpenID Connect provider. A user is sent there with a request and must return
//! to the same browser with the response, once and within ten minutes.
//!
//! The browser keeps a token, and the store keeps the request under the token's hash. A response
//! that another browser obtained, or that is used twice, therefore matches no request.

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use retouch_core::{AccountId, Timestamp};
use retouch_outbound::identity::{
    AuthorizationRequest, AuthorizationResponse, IdentityError, Oidc, VerifiedIdentity,
};
use retouch_store::NewChallenge;
use serde::{Deserialize, Serialize};

use super::cookie;
use super::secret::SessionToken;
use crate::app::App;
use crate::config::Secret;
use crate::error::{ApiError, ApiResult, Code};

/// The path that users return to. The provider must have its URL registered.
pub const RETURN_PATH: &str = "/sign-in/provider/return";
/// How long a user may take at the provider, in milliseconds: ten minutes.
const AWAY_MS_MAX: i64 = 10 * 60_000;
/// The store's name for challenges of this kind.
const KIND: &str = "provider";

/// The configured identity provider.
pub struct IdentityProvider {
    /// The OpenID Connect client.
    pub oidc: Oidc,
    /// Its name on pages.
    pub name: String,
}

/// What a user goes to the provider for.
pub(crate) struct SignInPurpose {
    /// The page to open afterwards.
    pub(crate) next: String,
    /// The account to link the identity to; none to sign in.
    pub(crate) link: Option<AccountId>,
    /// Whether they must prove their identity again.
    pub(crate) anew: bool,
    /// The hash of the secret of the invitation that they sign up with.
    pub(crate) invitation: Option<[u8; 32]>,
}

/// A redirect to the provider.
pub(crate) struct ProviderRedirect {
    pub(crate) address: String,
    /// The cookie that the browser keeps until the user returns.
    pub(crate) cookie: HeaderValue,
}

/// What a user has returned with.
pub(crate) enum Arrival {
    /// They declined at the provider.
    Declined,
    /// The provider confirms their identity.
    Verified(VerifiedUser),
}

/// A user whose identity the provider confirms.
pub(crate) struct VerifiedUser {
    pub(crate) identity: VerifiedIdentity,
    /// When they last proved their identity, if known.
    pub(crate) proven_at: Option<Timestamp>,
}

/// The request, as stored.
#[derive(Serialize, Deserialize)]
struct Question {
    state: String,
    nonce: String,
    verifier: String,
    next: String,
    anew_since: Option<Timestamp>,
    #[serde(default)]
    invitation: Option<[u8; 32]>,
}

/// The provider, if the operator has configured one.
///
/// # Errors
/// 404 if there is none.
pub(crate) fn configured(app: &App) -> ApiResult<&IdentityProvider> {
    app.identity_provider.as_ref().ok_or_else(|| ApiError::not_found("page"))
}

/// Sends a user to the provider.
///
/// # Errors
/// 503 if it does not respond.
pub(crate) async fn depart(app: &App, purpose: SignInPurpose) -> ApiResult<ProviderRedirect> {
    let provider = configured(app)?;
    let now = app.clock.now();
    let question = Question {
        state: random(app),
        nonce: random(app),
        verifier: random(app),
        next: purpose.next,
        anew_since: purpose.anew.then_some(now),
        invitation: purpose.invitation,
    };
    let redirect_uri = return_address(app);
    let address = provider.oidc.authorization_url(&question.request(&redirect_uri), now).await?;
    let token = SessionToken::new(&app.ids);
    let new = NewChallenge {
        token_hash: token.hash(),
        kind: KIND,
        account: purpose.link,
        content: serde_json::to_string(&question).map_err(ApiError::internal)?,
        expires_at: now.plus_ms(AWAY_MS_MAX),
    };
    app.store.create_challenge(new).await?;
    let cookie = cookie::away_setting(app.cookies(), &token, AWAY_MS_MAX);
    Ok(ProviderRedirect { address: address.into(), cookie })
}

/// What a user went to the provider for, and what they have returned with.
///
/// # Errors
/// 400 if this browser has not started the sign-in or the response is invalid; 503 if the provider
/// does not respond.
pub(crate) async fn arrive(app: &App, parts: &Parts) -> ApiResult<(SignInPurpose, Arrival)> {
    let provider = configured(app)?;
    let (link, question) = asked_before(app, &parts.headers).await?;
    let query = parts.uri.query().unwrap_or_default();
    let field = |name: &str| single(query, name);
    let state = field("state").unwrap_or_default();
    if !Secret::new(question.state.as_str()).is(&state) {
        return Err(unasked());
    }
    let anew = question.anew_since.is_some();
    let (next, invitation) = (question.next.clone(), question.invitation);
    let purpose = SignInPurpose { next, link, anew, invitation };
    let Some(code) = field("code") else {
        return match field("error").as_deref() {
            Some("access_denied") => Ok((purpose, Arrival::Declined)),
            _ => Err(failed("the provider returned an error")),
        };
    };
    let (redirect_uri, issuer) = (return_address(app), field("iss"));
    let response = AuthorizationResponse { code: &code, issuer: issuer.as_deref() };
    let now = app.clock.now();
    let identity = provider.oidc.identity(&question.request(&redirect_uri), &response, now).await?;
    let proven_at = match identity.proven_at {
        None if anew => Some(believed(app, now)?),
        known => known,
    };
    Ok((purpose, Arrival::Verified(VerifiedUser { identity, proven_at })))
}

/// When a user proved their identity, if a new proof was requested but the provider does not report
/// `auth_time`, which OpenID Connect Core requires with `max_age`. Such a provider may have
/// accepted an existing session instead of a new proof, so the operator must allow it explicitly.
fn believed(app: &App, now: Timestamp) -> ApiResult<Timestamp> {
    if app.settings.oidc.as_ref().is_some_and(|it| it.accepts_missing_auth_time) {
        return Ok(now);
    }
    tracing::warn!(
        "the identity provider did not report when the user signed in (auth_time); \
         oidc.missing_auth_time can allow that"
    );
    let message = "The provider did not confirm that you signed in again. Use a password or a \
                   passkey instead, or ask the operator of this service.";
    Err(ApiError::new(Code::SignInNotCompleted, message))
}

/// The redirect URI to register at the provider.
pub(crate) fn return_address(app: &App) -> String {
    format!("{}{RETURN_PATH}", app.public_url.as_str().trim_end_matches('/'))
}

impl Question {
    fn request<'a>(&'a self, redirect_uri: &'a str) -> AuthorizationRequest<'a> {
        AuthorizationRequest {
            redirect_uri,
            state: &self.state,
            nonce: &self.nonce,
            verifier: &self.verifier,
            reauthenticate_since: self.anew_since,
        }
    }
}

async fn asked_before(app: &App, headers: &HeaderMap) -> ApiResult<(Option<AccountId>, Question)> {
    let hash = cookie::away_hash(headers, app.cookies()).ok_or_else(unasked)?;
    let challenge = app.store.take_challenge(&hash, KIND).await?.ok_or_else(unasked)?;
    let question = serde_json::from_str(&challenge.content).map_err(ApiError::internal)?;
    Ok((challenge.account, question))
}

/// The value of a parameter that occurs exactly once.
pub(crate) fn single(query: &str, name: &str) -> Option<String> {
    let mut all = form_urlencoded::parse(query.as_bytes()).filter(|(known, _)| known == name);
    let only = all.next().filter(|_| all.next().is_none());
    only.map(|(_, value)| value.into_owned())
}

/// A random value with as many bits as a session's token, and long enough for RFC 7636, 4.1.
fn random(app: &App) -> String {
    SessionToken::new(&app.ids).reveal().to_owned()
}

fn unasked() -> ApiError {
    let message = "This sign-in was not started in this browser, is already complete, or took \
                   longer than ten minutes. Sign in again.";
    ApiError::new(Code::SignInNotCompleted, message)
}

fn failed(cause: &str) -> ApiError {
    tracing::warn!(cause, "a sign-in through the identity provider failed");
    let message = "The sign-in could not be completed because the provider's response was not \
                   valid. Sign in again.";
    ApiError::new(Code::SignInNotCompleted, message)
}

impl From<IdentityError> for ApiError {
    fn from(error: IdentityError) -> Self {
        match error {
            IdentityError::Unavailable(cause) => {
                tracing::warn!(cause, "the identity provider is not responding");
                let message = "The identity provider is not responding. Try again, or use \
                               another sign-in method.";
                Self::new(Code::IdentityProviderUnavailable, message)
            }
            other => failed(&other.to_string()),
        }
    }
}
