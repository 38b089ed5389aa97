//! Whose turn it is to open a checkout for an account: one process's at a time, on all nodes.

use retouch_core::{AccountId, Timestamp};

use crate::rows::params;
use crate::work::Touches;
use crate::{Error, Store};

/// What kind of challenge a turn is kept as: those end by themselves, and are forgotten.
const KIND: &str = "checkout";

impl Store {
    /// Takes the account's turn until `until`, under a name of the taker's own; answers whether
    /// nobody else had it.
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
        self.write(Touches::Rows, move |unit| {
            let sql = "INSERT INTO challenge (token_hash, kind, account_id, content, expires_at)
                       VALUES (?1, ?2, ?3, ?4, ?5)
                       ON CONFLICT (token_hash) DO UPDATE SET
                           content = excluded.content, expires_at = excluded.expires_at
                       WHERE challenge.expires_at <= ?6";
            let now = unit.now().0;
            let values = params![name(&account), KIND, account.as_str(), taker, until.0, now];
            Ok(unit.rows().execute(sql, values)? == 1)
        })
        .await
    }

    /// Ends the turn that was taken under this name, if it has not passed to somebody else.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn end_turn(&self, account: &AccountId, taker: &str) -> Result<(), Error> {
        let (account, taker) = (account.clone(), taker.to_owned());
        self.write(Touches::Rows, move |unit| {
            let sql = "DELETE FROM challenge WHERE token_hash = ?1 AND kind = ?2 AND content = ?3";
            unit.rows().put(sql, params![name(&account), KIND, taker])
        })
        .await
    }
}

/// What the account's turn has in place of a hash, which is no longer than one: no browser's token
/// has this hash.
fn name(account: &AccountId) -> Vec<u8> {
    format!("{KIND}:{account}").into_bytes()
}
