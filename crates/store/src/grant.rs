//! API keys that programs received through OAuth, with their owner's consent. Such a key has the
//! limits of any other. Instead of its secret, the program shows short-lived access tokens, and renews
//! them with refresh tokens. The store only sees the SHA-256 of each.

use retouch_core::{AccountId, KeyId, Timestamp};

use crate::account;
use crate::api_key::{self, ApiKey, KeyFound, NewKey, Scopes};
use crate::mail::{self, EmailKind};
use crate::queue::Touches;
use crate::rows::{Row, Rows, column, one, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

/// How long a refresh token still works after it was exchanged, in milliseconds: a minute. Programs
/// with several processes exchange the same token at once, and answers get lost.
const OVERLAP_MS: i64 = 60_000;

/// The maximum number of tokens that are kept per key: the latest ones.
const TOKENS_MAX: i64 = 300;

/// The condition for a key by the hash of an access token and the time.
const BY_TOKEN: &str = "api_key.id = (SELECT key_id FROM oauth_token
    WHERE oauth_token.hash = ?1 AND kind = 'access' AND oauth_token.expires_at > ?2)";

/// What a token is for.
#[derive(Clone, Copy)]
enum Kind {
    /// An authorization code that was redeemed.
    Code,
    Access,
    Refresh,
}

impl Kind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Access => "access",
            Self::Refresh => "refresh",
        }
    }
}

/// An access token and the refresh token that renews it, by their hashes.
#[derive(Clone, Copy, Debug)]
pub struct TokenPair {
    /// SHA-256 of the access token.
    pub access: [u8; 32],
    /// When the access token expires.
    pub access_until: Timestamp,
    /// SHA-256 of the refresh token.
    pub refresh: [u8; 32],
    /// When the refresh token expires, and the key with it.
    pub refresh_until: Timestamp,
}

/// A key for a program.
#[derive(Clone, Debug)]
pub struct NewGrant {
    /// The key. No one may know its secret.
    pub key: NewKey,
    /// SHA-256 of the program's client ID.
    pub client: [u8; 32],
    /// SHA-256 of the authorization code that the program redeems.
    pub code: [u8; 32],
    /// The first tokens.
    pub tokens: TokenPair,
}

/// An exchange of a refresh token.
#[derive(Clone, Copy, Debug)]
pub struct Refresh {
    /// SHA-256 of the refresh token.
    pub token: [u8; 32],
    /// SHA-256 of the client ID of the program that shows it.
    pub client: [u8; 32],
    /// The next tokens.
    pub tokens: TokenPair,
}

/// The outcome of an exchange of a refresh token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refreshed {
    /// The next tokens are valid, for a key with these scopes.
    Done(Scopes),
    /// The token is unknown or expired, belongs to another program, or its key no longer works.
    Refused,
    /// The token was exchanged before, so someone has copied it. The key has been revoked.
    Reused,
}

impl Store {
    /// Creates a key for a program and emails the owner.
    ///
    /// # Errors
    /// As [`Store::create_key`]; [`Error::Suspended`].
    pub async fn create_grant(&self, account: &AccountId, new: NewGrant) -> Result<ApiKey, Error> {
        let NewGrant { key, client, code, tokens } = new;
        let (key, hash) = self.new_key(account, key);
        let notice = self.notice();
        self.write(Touches::global(&key.account), move |tx| {
            account::may_act(tx.rows(), &key.account)?;
            let made = api_key::insert(tx, &key, hash)?;
            let sql = "UPDATE api_key SET client_hash = ?2 WHERE id = ?1";
            tx.rows().execute(sql, params![key.id.as_str(), client])?;
            add(tx, &key.id, (Kind::Code, code, tokens.refresh_until))?;
            add_pair(tx, &key.id, &tokens)?;
            let owner = account::find(tx.rows(), &key.account)?.ok_or(Error::AccountUnknown)?;
            mail::tell(tx, notice.as_ref(), EmailKind::AssistantConnected, &owner)?;
            Ok(made)
        })
        .await
    }

    /// Finds the active key of an access token, and its account, like [`Store::find_key`].
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_key_of_token(&self, hash: &[u8; 32]) -> Result<Option<KeyFound>, Error> {
        self.find_key_where(BY_TOKEN, hash).await
    }

    /// Exchanges a refresh token for the next tokens. The key then works for as long as they do. An
    /// exchanged token works for one more minute; shown after that, it revokes the key.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn refresh_grant(&self, refresh: Refresh) -> Result<Refreshed, Error> {
        self.write(Touches::Global(None), move |tx| exchange(tx, &refresh)).await
    }

    /// Revokes the key to which a token or a redeemed code of this program belongs. Returns whether
    /// there was one.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn revoke_grant(&self, token: [u8; 32], client: [u8; 32]) -> Result<bool, Error> {
        self.write(Touches::Global(None), move |tx| {
            let Some(found) = find(tx.rows(), (&token, &client))? else { return Ok(false) };
            tx.lock(&[&found.account])?;
            api_key::revoke(tx, &found.account, &found.key)
        })
        .await
    }
}

/// Removes the tokens of all keys of an account.
pub(crate) fn forget(rows: &Rows, account: &AccountId) -> Result<(), Error> {
    let sql = "DELETE FROM oauth_token
               WHERE key_id IN (SELECT id FROM api_key WHERE account_id = ?1)";
    rows.execute(sql, [account.as_str()]).map(drop)
}

/// A token, and the key that it belongs to.
struct Found {
    key: KeyId,
    account: AccountId,
    kind: String,
    expires_at: Timestamp,
    used_at: Option<Timestamp>,
}

/// Finds a token of a program by the two hashes.
fn find(rows: &Rows, (token, client): (&[u8; 32], &[u8; 32])) -> Result<Option<Found>, Error> {
    let sql = "SELECT key_id, account_id, kind, oauth_token.expires_at, used_at
               FROM oauth_token JOIN api_key ON api_key.id = key_id
               WHERE oauth_token.hash = ?1 AND client_hash = ?2";
    let read = |row: &Row<'_>| {
        Ok(Found {
            key: column(row, "key_id")?,
            account: column(row, "account_id")?,
            kind: row.get("kind")?,
            expires_at: Timestamp(row.get("expires_at")?),
            used_at: row.get::<_, Option<i64>>("used_at")?.map(Timestamp),
        })
    };
    one(rows, sql, params![*token, *client], read)
}

fn exchange(tx: &mut Transaction<'_>, refresh: &Refresh) -> Result<Refreshed, Error> {
    let now = tx.now();
    let found = find(tx.rows(), (&refresh.token, &refresh.client))?;
    let found = found.filter(|it| it.kind == Kind::Refresh.as_str() && it.expires_at > now);
    let Some(found) = found else { return Ok(Refreshed::Refused) };
    tx.lock(&[&found.account])?;
    let Some(key) = api_key::find(tx.rows(), &found.account, &found.key)? else {
        return Ok(Refreshed::Refused);
    };
    match account::may_act(tx.rows(), &found.account) {
        Ok(()) if key.is_usable(now) => {}
        Ok(()) | Err(Error::Suspended | Error::AccountUnknown) => return Ok(Refreshed::Refused),
        Err(fault) => return Err(fault),
    }
    if found.used_at.is_some_and(|at| at.plus_ms(OVERLAP_MS) <= now) {
        api_key::revoke(tx, &found.account, &found.key)?;
        return Ok(Refreshed::Reused);
    }
    let sql = "UPDATE oauth_token SET used_at = COALESCE(used_at, ?2) WHERE hash = ?1";
    tx.rows().execute(sql, params![refresh.token, now.0])?;
    let sql = "UPDATE api_key SET expires_at = ?2 WHERE id = ?1";
    tx.rows().execute(sql, params![found.key.as_str(), refresh.tokens.refresh_until.0])?;
    add_pair(tx, &found.key, &refresh.tokens)?;
    let sql = "DELETE FROM oauth_token WHERE hash IN (
                   SELECT hash FROM oauth_token WHERE key_id = ?1
                   ORDER BY created_at DESC, hash LIMIT 1000 OFFSET ?2)";
    tx.rows().execute(sql, params![found.key.as_str(), TOKENS_MAX])?;
    Ok(Refreshed::Done(key.scopes))
}

fn add_pair(tx: &Transaction<'_>, key: &KeyId, tokens: &TokenPair) -> Result<(), Error> {
    let TokenPair { access, access_until, refresh, refresh_until } = *tokens;
    add(tx, key, (Kind::Access, access, access_until))?;
    add(tx, key, (Kind::Refresh, refresh, refresh_until))
}

/// Adds a token of `key`: its kind, its hash and when it expires.
fn add(
    tx: &Transaction<'_>,
    key: &KeyId,
    (kind, hash, expires_at): (Kind, [u8; 32], Timestamp),
) -> Result<(), Error> {
    let sql = "INSERT INTO oauth_token (hash, key_id, kind, created_at, expires_at)
               VALUES (?1, ?2, ?3, ?4, ?5)";
    let values = params![hash, key.as_str(), kind.as_str(), tx.now().0, expires_at.0];
    tx.rows().execute(sql, values).map(drop)
}
