//! The first administrator. Only the holder of the operator's link can become one, not simply the
//! first person who signs up.

use retouch_core::{AccountId, Timestamp};

use super::audit::{self, AuditAct};
use super::{Deed, roles};
use crate::queue::Touches;
use crate::rows::{Rows, one, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

/// How long a link is valid, in milliseconds.
const LINK_MS: i64 = 30 * 60_000;

/// The result of using a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// The account is now an administrator.
    New,
    /// The link is invalid, expired or used, or there already is an administrator.
    Refused,
}

impl Store {
    /// Whether an account is an administrator and not suspended.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn is_administrator(&self, account: &AccountId) -> Result<bool, Error> {
        let account = account.clone();
        self.read(move |rows| roles::administers(rows, &account)).await
    }

    /// Stores the hash of a new link's token and invalidates earlier links. Returns when the link
    /// expires, or nothing if there already is an administrator.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn create_admin_link(
        &self,
        token_hash: [u8; 32],
    ) -> Result<Option<Timestamp>, Error> {
        self.write(Touches::Global(None), move |tx| {
            let rows = tx.rows();
            if has_administrator(rows)? {
                return Ok(None);
            }
            let expires_at = tx.now().plus_ms(LINK_MS);
            rows.execute("DELETE FROM admin_link", params![])?;
            let sql = "INSERT INTO admin_link (token_hash, expires_at) VALUES (?1, ?2)";
            rows.execute(sql, params![token_hash, expires_at.0])?;
            Ok(Some(expires_at))
        })
        .await
    }

    /// Whether a link with this token is valid now.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn admin_link_is_open(&self, token_hash: &[u8; 32]) -> Result<bool, Error> {
        let (token_hash, now) = (*token_hash, self.clock.now());
        self.read(move |rows| is_open(rows, &token_hash, now)).await
    }

    /// Makes an account the first administrator and uses up the link.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`].
    pub async fn claim_administration(
        &self,
        account: &AccountId,
        token_hash: [u8; 32],
        request_id: Option<String>,
    ) -> Result<Claimed, Error> {
        let reason = "Became the first administrator through the operator's link".to_owned();
        let deed = Deed { by: Some(account.clone()), reason, request_id };
        let account = account.clone();
        self.write(Touches::global(&account), move |tx| claim(tx, &account, &token_hash, &deed))
            .await
    }
}

fn claim(
    tx: &Transaction<'_>,
    account: &AccountId,
    token_hash: &[u8; 32],
    deed: &Deed,
) -> Result<Claimed, Error> {
    let rows = tx.rows();
    if !is_open(rows, token_hash, tx.now())? {
        return Ok(Claimed::Refused);
    }
    let sql = "UPDATE account SET role = 'administrator'
               WHERE id = ?1 AND deleted_at IS NULL AND suspended_at IS NULL";
    if rows.execute(sql, [account.as_str()])? == 0 {
        return Err(Error::AccountUnknown);
    }
    rows.execute("DELETE FROM admin_link", params![])?;
    audit::note(tx, deed, AuditAct::Claim, Some(account))?;
    Ok(Claimed::New)
}

fn is_open(rows: &Rows, token_hash: &[u8; 32], now: Timestamp) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM admin_link WHERE token_hash = ?1 AND expires_at > ?2";
    let found = one(rows, sql, params![token_hash, now.0], |_| Ok(()))?;
    Ok(found.is_some() && !has_administrator(rows)?)
}

/// Whether any administrator is not suspended. A suspended one could not reinstate anyone.
fn has_administrator(rows: &Rows) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM account WHERE role = 'administrator' AND suspended_at IS NULL";
    Ok(one(rows, sql, params![], |_| Ok(()))?.is_some())
}
