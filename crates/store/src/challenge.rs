//! Questions that a browser may answer once: the redirect back from an identity provider, or what a
//! passkey has to sign. The store only sees the SHA-256 of the token that the browser keeps.

use retouch_core::{AccountId, Timestamp};

use crate::queue::Touches;
use crate::rows::{one, params};
use crate::{Error, Store};

/// A question to a browser.
#[derive(Clone, Debug)]
pub struct NewChallenge {
    /// SHA-256 of the token that the browser keeps.
    pub token_hash: [u8; 32],
    /// Its kind. A challenge of one kind cannot be answered as another.
    pub kind: &'static str,
    /// The account concerned. `None`: whichever account answers.
    pub account: Option<AccountId>,
    /// What must be known when the answer arrives.
    pub content: String,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// A question that was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// The account concerned. `None`: whichever account answers.
    pub account: Option<AccountId>,
    /// What must be known when the answer arrives.
    pub content: String,
}

impl Store {
    /// Stores a question to a browser.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn create_challenge(&self, new: NewChallenge) -> Result<(), Error> {
        self.write(Touches::Rows, move |tx| {
            let sql = "INSERT INTO challenge (token_hash, kind, account_id, content, expires_at)
                       VALUES (?1, ?2, ?3, ?4, ?5)";
            tx.rows().execute(
                sql,
                params![
                    new.token_hash,
                    new.kind,
                    new.account.as_ref().map(AccountId::as_str),
                    new.content,
                    new.expires_at.0,
                ],
            )?;
            Ok(())
        })
        .await
    }

    /// Takes a challenge, so that it cannot be answered again. `None` if it was taken already, is
    /// of another kind, or has expired.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn take_challenge(
        &self,
        token_hash: &[u8; 32],
        kind: &'static str,
    ) -> Result<Option<Challenge>, Error> {
        let token_hash = *token_hash;
        self.write(Touches::Global(None), move |tx| {
            let (rows, now) = (tx.rows(), tx.now().0);
            let sql = "SELECT account_id, content FROM challenge
                       WHERE token_hash = ?1 AND kind = ?2 AND expires_at > ?3";
            let found = one(rows, sql, params![token_hash, kind, now], |row| {
                let account: Option<String> = row.get("account_id")?;
                let account = account.map(|id| id.parse()).transpose();
                let account = account.map_err(|_| Error::Corrupt { what: "challenge".into() })?;
                Ok(Challenge { account, content: row.get("content")? })
            })?;
            if found.is_some() {
                rows.execute("DELETE FROM challenge WHERE token_hash = ?1", [token_hash])?;
            }
            Ok(found)
        })
        .await
    }
}
