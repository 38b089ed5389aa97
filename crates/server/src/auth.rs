//! Who calls: an API key or a session, either of which is enough.

pub(crate) mod admission;
pub mod client;
pub mod cookie;
pub mod invitation;
pub mod link;
pub mod origin;
pub mod passkey;
pub mod password;
pub mod provider;
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

/// Somebody whose right to call has been checked.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Who pays.
    pub account: Account,
    /// The plan that they have, whose limits are theirs.
    pub plan: Option<String>,
    /// What they showed.
    pub proof: Proof,
    /// What they may do; a session may do everything.
    pub scopes: Scopes,
    /// When the holder of the session proved who they are, as far as that is known.
    pub proven_at: Option<Timestamp>,
    /// Whether the holder of the session has shown a second factor.
    pub is_strong: bool,
}

/// What a caller showed.
#[derive(Clone, Debug)]
pub enum Proof {
    /// An API key.
    Key(KeyId),
    /// A session, by the hash of its token.
    Session([u8; 32]),
}

impl Caller {
    /// Checks that the caller may do what `scope` is for.
    ///
    /// # Errors
    /// 403 where an API key lacks the scope.
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

    /// The key whose generations alone the caller may see; none where the caller may see all of the
    /// account's.
    ///
    /// # Errors
    /// 403 where the caller may see none.
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
    /// 403 that names the second one.
    pub fn require_any(&self, [either, or]: [Scope; 2]) -> ApiResult<()> {
        if self.scopes.contains(either) { Ok(()) } else { self.require(or) }
    }

    /// The API key that was shown, if it was one.
    pub fn key_id(&self) -> Option<&KeyId> {
        match &self.proof {
            Proof::Key(id) => Some(id),
            Proof::Session(_) => None,
        }
    }

    /// The hash of the session's token that was shown, if it was one.
    pub fn session_hash(&self) -> Option<[u8; 32]> {
        match self.proof {
            Proof::Session(token_hash) => Some(token_hash),
            Proof::Key(_) => None,
        }
    }
}

/// How long a sign-in confirms what somebody without a password does, in milliseconds: ten minutes.
const PROOF_MS: i64 = 10 * 60_000;

/// Whether whoever holds the caller's session has proved lately who they are.
pub(crate) fn is_proven(app: &App, caller: &Caller) -> bool {
    caller.proven_at.is_some_and(|at| at.plus_ms(PROOF_MS) > app.clock.now())
}

/// The caller, by API key or by session.
///
/// # Errors
/// 401 when neither is valid; 403 when a cookie came from another site's page; 429 when the call is one
/// that reads, and the account has made as many as it may.
pub async fn caller(app: &App, parts: &Parts) -> ApiResult<Caller> {
    let caller = match by_key(app, &parts.headers).await? {
        Some(caller) => Some(caller),
        None => by_session(app, parts).await?,
    };
    let caller = caller.ok_or_else(|| unauthenticated(&parts.headers))?;
    rates::count_read(app, parts, &caller)?;
    Ok(caller)
}

/// The caller, by session alone: for calls that an API key may not make.
///
/// # Errors
/// As [`caller`]; 403 when an API key was shown instead.
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

async fn by_key(app: &App, headers: &HeaderMap) -> ApiResult<Option<Caller>> {
    let Some(hash) = bearer(headers).and_then(secret::ApiKeySecret::check) else {
        // Not even the checksum is right: no look-up is owed.
        return Ok(None);
    };
    let Some(found) = app.store.find_key(&hash).await? else { return Ok(None) };
    let KeyFound { key, account, plan } = found;
    app.store.touch_key(&key);
    let (scopes, proof) = (key.scopes, Proof::Key(key.id));
    Ok(Some(Caller { account, plan, proof, scopes, proven_at: None, is_strong: false }))
}

/// The caller by session, where a cookie names one.
///
/// # Errors
/// 403 when the cookie came from another site's page.
pub(crate) async fn by_session(app: &App, parts: &Parts) -> ApiResult<Option<Caller>> {
    let Some(hash) = cookie::session_hash(&parts.headers, app.cookies()) else { return Ok(None) };
    let Some(session) = app.store.find_session(&hash).await? else { return Ok(None) };
    check_origin(parts)?;
    let Session { account, plan, proven_at, second_factor_at, .. } = session;
    let is_strong = second_factor_at.is_some();
    let (scopes, proof) = (Scopes::ALL, Proof::Session(hash));
    Ok(Some(Caller { account, plan, proof, scopes, proven_at, is_strong }))
}

/// Whether a call that changes something comes from a page of our own.
///
/// # Errors
/// 403 when it does not, or does not say.
pub(crate) fn check_origin(parts: &Parts) -> ApiResult<()> {
    origin::check(&parts.method, &parts.headers, &parts.uri)
        .map_err(|refusal| ApiError::new(Code::CrossSiteRequest, refusal.to_string()))
}

/// The token of an `Authorization: Bearer` header. Of several headers none counts: somebody on the
/// way may have believed another one than we would.
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
