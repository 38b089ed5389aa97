//! One process at a time, across all nodes, may open a checkout for an account.

use retouch_core::{AccountId, Timestamp};

use crate::queue::Touches;
use crate::rows::params;
use crate::{Error, Store};

/// Turns are stored as challenges of this kind, because those expire and are cleaned up
/// automatically.
const KIND: &str = "checkout";

impl Store {
    /// Takes the account's turn until `until`, identified by `taker`. Returns whether it was free.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn take_turn(
        &self,
        account: &AccountId,
        taker: &str,
        until: Timestamp,
    ) -> Result<bool, Error> {
        let (account, taker) = (account.clone(), taker.to_owned());
        self.write(Touches::Rows, move |tx| {
            let sql = "INSERT INTO challenge (token_hash, kind, account_id, content, expires_at)
                       VALUES (?1, ?2, ?3, ?4, ?5)
                       ON CONFLICT (token_hash) DO UPDATE SET
                           content = excluded.content, expires_at = excluded.expires_at
                       WHERE challenge.expires_at <= ?6";
            let now = tx.now().0;
            let values = params![name(&account), KIND, account.as_str(), taker, until.0, now];
            Ok(tx.rows().execute(sql, values)? == 1)
        })
        .await
    }

    /// Ends the turn of `taker`, unless someone else has it by now.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn end_turn(&self, account: &AccountId, taker: &str) -> Result<(), Error> {
        let (account, taker) = (account.clone(), taker.to_owned());
        self.write(Touches::Rows, move |tx| {
            let sql = "DELETE FROM challenge WHERE token_hash = ?1 AND kind = ?2 AND content = ?3";
            tx.rows().put(sql, params![name(&account), KIND, taker])
        })
        .await
    }
}

/// What the row has in place of a token's hash. It is longer than a SHA-256, so it never equals
/// one.
fn name(account: &AccountId) -> Vec<u8> {
    format!("{KIND}:{account}").into_bytes()
}
