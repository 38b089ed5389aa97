//! Authentication: a caller shows an API key or a session cookie.

pub(crate) mod admission;
pub mod client;
pub(crate) mod connecting;
pub mod cookie;
pub mod invitation;
pub mod link;
pub mod origin;
pub mod passkey;
pub mod password;
pub mod provider;
pub mod sealing;
pub(crate) mod second_factor;
pub mod secret;
pub mod sign_up;
pub mod throttle;
pub mod totp;

use axum::http::HeaderMap;
use axum::http::header;
use axum::http::request::Parts;
use retouch_core::{KeyId, Timestamp};
use retouch_store::{Account, KeyFound, Scope, Scopes, Session};

use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};
use crate::http::rates;

/// An authenticated caller.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The account that pays.
    pub account: Account,
    /// The account's plan, which may have its own limits.
    pub plan: Option<String>,
    /// How they authenticated.
    pub proof: Proof,
    /// What they may do. A session may do everything.
    pub scopes: Scopes,
    /// When the user of the session last proved their identity, if known.
    pub proven_at: Option<Timestamp>,
    /// Whether a second factor was used in the session.
    pub is_strong: bool,
}

/// How a caller authenticated.
#[derive(Clone, Debug)]
pub enum Proof {
    /// An API key.
    Key(KeyId),
    /// A session, identified by the hash of its token.
    Session([u8; 32]),
}

impl Caller {
    /// Checks that the caller has `scope`.
    ///
    /// # Errors
    /// 403 if an API key does not have the scope.
    pub fn require(&self, scope: Scope) -> ApiResult<()> {
        if self.scopes.contains(scope) {
            return Ok(());
        }
        let name = scope.as_str();
        let message = format!(
            "This API key does not have the `{name}` scope. Create a key that has it at /keys."
        );
        Err(ApiError::new(Code::MissingScope, message))
    }

    /// The key to whose generations the caller is limited; none if the caller may see all
    /// generations of the account.
    ///
    /// # Errors
    /// 403 if the caller may see no generations.
    pub fn sees_only(&self) -> ApiResult<Option<&KeyId>> {
        if self.scopes.contains(Scope::Read) {
            return Ok(None);
        }
        self.require_any([Scope::Edit, Scope::Read])?;
        Ok(self.key_id())
    }

    /// Checks that the caller has at least one of two scopes.
    ///
    /// # Errors
    /// 403, naming the second scope.
    pub fn require_any(&self, [either, or]: [Scope; 2]) -> ApiResult<()> {
        if self.scopes.contains(either) { Ok(()) } else { self.require(or) }
    }

    /// The API key, if the caller used one.
    pub fn key_id(&self) -> Option<&KeyId> {
        match &self.proof {
            Proof::Key(id) => Some(id),
            Proof::Session(_) => None,
        }
    }

    /// The hash of the session's token, if the caller used a session.
    pub fn session_hash(&self) -> Option<[u8; 32]> {
        match self.proof {
            Proof::Session(token_hash) => Some(token_hash),
            Proof::Key(_) => None,
        }
    }
}

/// How long after a sign-in a user without a password can make sensitive changes, in milliseconds:
/// ten minutes.
const PROOF_MS: i64 = 10 * 60_000;

/// Whether the user of the session has proved their identity recently.
pub(crate) fn is_proven(app: &App, caller: &Caller) -> bool {
    caller.proven_at.is_some_and(|at| at.plus_ms(PROOF_MS) > app.clock.now())
}

/// Authenticates the caller by API key or session.
///
/// # Errors
/// 401 if neither is valid; 403 if the cookie came from another site's page; 429 if the account has
/// reached its limit on calls that read.
pub async fn caller(app: &App, parts: &Parts) -> ApiResult<Caller> {
    let caller = match by_key(app, &parts.headers).await? {
        Some(caller) => Some(caller),
        None => by_session(app, parts).await?,
    };
    let caller = caller.ok_or_else(|| unauthenticated(&parts.headers))?;
    rates::count_read(app, parts, &caller)?;
    Ok(caller)
}

/// Authenticates the caller by session only, for calls that API keys may not make.
///
/// # Errors
/// As [`caller`]; 403 if the caller used an API key.
pub async fn session(app: &App, parts: &Parts) -> ApiResult<Caller> {
    if let Some(caller) = by_session(app, parts).await? {
        rates::count_read(app, parts, &caller)?;
        return Ok(caller);
    }
    if by_key(app, &parts.headers).await?.is_some() {
        let message = "This call needs a signed-in session; an API key is not enough.";
        return Err(ApiError::new(Code::SessionRequired, message));
    }
    Err(unauthenticated(&parts.headers))
}

/// Authenticates an assistant, by API key or by an access token of OAuth. Such tokens are valid
/// nowhere else.
///
/// # Errors
/// 401 if there is neither; 429 if the account has reached its limit on calls that read.
pub(crate) async fn assistant(app: &App, parts: &Parts) -> ApiResult<Caller> {
    let caller = match by_key(app, &parts.headers).await? {
        Some(caller) => Some(caller),
        None => by_token(app, &parts.headers).await?,
    };
    let caller = caller.ok_or_else(|| unauthenticated(&parts.headers))?;
    rates::count_read(app, parts, &caller)?;
    Ok(caller)
}

async fn by_key(app: &App, headers: &HeaderMap) -> ApiResult<Option<Caller>> {
    let Some(hash) = bearer(headers).and_then(secret::ApiKeySecret::check) else {
        // The checksum is wrong, so this cannot be a key: skip the database.
        return Ok(None);
    };
    Ok(app.store.find_key(&hash).await?.map(|found| holder(app, found)))
}

/// Authenticates the caller by an access token, which belongs to a key.
async fn by_token(app: &App, headers: &HeaderMap) -> ApiResult<Option<Caller>> {
    let Some(hash) = bearer(headers).and_then(secret::SessionToken::check) else {
        return Ok(None);
    };
    Ok(app.store.find_key_of_token(&hash).await?.map(|found| holder(app, found)))
}

/// The caller who holds a key.
fn holder(app: &App, found: KeyFound) -> Caller {
    let KeyFound { key, account, plan } = found;
    app.store.touch_key(&key);
    let (scopes, proof) = (key.scopes, Proof::Key(key.id));
    Caller { account, plan, proof, scopes, proven_at: None, is_strong: false }
}

/// Authenticates the caller by the session cookie, if there is one.
///
/// # Errors
/// 403 if the cookie came from another site's page.
pub(crate) async fn by_session(app: &App, parts: &Parts) -> ApiResult<Option<Caller>> {
    let Some(hash) = cookie::session_hash(&parts.headers, app.cookies()) else { return Ok(None) };
    let Some(session) = app.store.find_session(&hash).await? else { return Ok(None) };
    check_origin(parts)?;
    let Session { account, plan, proven_at, second_factor_at, .. } = session;
    let is_strong = second_factor_at.is_some();
    let (scopes, proof) = (Scopes::ALL, Proof::Session(hash));
    Ok(Some(Caller { account, plan, proof, scopes, proven_at, is_strong }))
}

/// Checks that a call that changes something comes from one of our own pages.
///
/// # Errors
/// 403 if it comes from elsewhere or its origin is unknown.
pub(crate) fn check_origin(parts: &Parts) -> ApiResult<()> {
    origin::check(&parts.method, &parts.headers, &parts.uri)
        .map_err(|refusal| ApiError::new(Code::CrossSiteRequest, refusal.to_string()))
}

/// The token of an `Authorization: Bearer` header. If there are several such headers, all are
/// ignored, because a proxy may have checked a different one than we would use.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut all = headers.get_all(header::AUTHORIZATION).iter();
    let only = all.next().filter(|_| all.next().is_none());
    let value = only?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

fn unauthenticated(headers: &HeaderMap) -> ApiError {
    let message = if headers.contains_key(header::AUTHORIZATION) {
        "The API key is not valid: it is mistyped, revoked or expired, or its account is suspended."
    } else {
        "Send an API key as `Authorization: Bearer <API_KEY>`, or sign in."
    };
    ApiError::new(Code::Unauthenticated, message)
}
