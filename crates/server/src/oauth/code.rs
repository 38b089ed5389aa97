//! Authorization codes: proof that a person has agreed, which a program redeems once, soon.

use retouch_core::AccountId;
use retouch_store::{Challenge, NewChallenge};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::auth::secret::{SessionToken, sha256};
use crate::error::{ApiError, ApiResult};

/// How long a program may take to redeem a code, in milliseconds: a minute.
const CODE_MS: i64 = 60_000;
/// The store's name for codes.
const KIND: &str = "oauth_code";

/// What a person has agreed to.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Consent {
    /// The client ID of the program.
    pub(crate) client_id: String,
    /// What the program calls itself.
    pub(crate) client_name: String,
    /// Where the code was sent.
    pub(crate) redirect_uri: String,
    /// The PKCE challenge.
    pub(crate) challenge: String,
    /// What the program may do: names of scopes, separated by spaces.
    pub(crate) scopes: String,
    /// The most credits that it may spend in a day.
    pub(crate) credit_limit_per_day: Option<i64>,
}

impl Consent {
    /// Whether a program that shows `verifier` is the one that has sent the challenge (RFC 7636,
    /// 4.6).
    pub(super) fn is_proved_by(&self, verifier: &str) -> bool {
        base64_simd::URL_SAFE_NO_PAD.encode_to_string(sha256(verifier)) == self.challenge
    }
}

/// A new code for what the owner of `account` has agreed to.
///
/// # Errors
/// Errors of the store.
pub(crate) async fn create(
    app: &App,
    account: &AccountId,
    consent: &Consent,
) -> ApiResult<SessionToken> {
    let code = SessionToken::new(&app.ids);
    let new = NewChallenge {
        token_hash: code.hash(),
        kind: KIND,
        account: Some(account.clone()),
        content: serde_json::to_string(consent).map_err(ApiError::internal)?,
        expires_at: app.clock.now().plus_ms(CODE_MS),
    };
    app.store.create_challenge(new).await?;
    Ok(code)
}

/// Takes the code with this hash, and returns who has agreed to what. None if it is unknown, expired
/// or has been taken.
///
/// # Errors
/// Errors of the store.
pub(super) async fn take(app: &App, hash: &[u8; 32]) -> ApiResult<Option<(AccountId, Consent)>> {
    let taken = app.store.take_challenge(hash, KIND).await?;
    let Some(Challenge { account: Some(account), content }) = taken else { return Ok(None) };
    let consent = serde_json::from_str(&content).map_err(ApiError::internal)?;
    Ok(Some((account, consent)))
}
