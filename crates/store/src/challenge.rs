//! What a browser has been asked and may answer once: the way back from a provider of identities,
//! or what a passkey is to sign. The store sees only the SHA-256 of the token that the browser keeps.

use retouch_core::{AccountId, Timestamp};

use crate::rows::{one, params};
use crate::work::Touches;
use crate::{Error, Store};

/// Something that a browser is asked.
#[derive(Clone, Debug)]
pub struct NewChallenge {
    /// SHA-256 of the token that the browser keeps.
    pub token_hash: [u8; 32],
    /// What kind of question it is: an answer to another kind is none.
    pub kind: &'static str,
    /// Who is asked; none: whoever answers.
    pub account: Option<AccountId>,
    /// What has to be known when the answer comes.
    pub content: String,
    /// Until when it may be answered.
    pub expires_at: Timestamp,
}

/// What a browser was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// Who was asked; none: whoever answers.
    pub account: Option<AccountId>,
    /// What has to be known when the answer comes.
    pub content: String,
}

impl Store {
    /// Notes what a browser is asked.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn create_challenge(&self, new: NewChallenge) -> Result<(), Error> {
        self.write(Touches::Rows, move |unit| {
            let sql = "INSERT INTO challenge (token_hash, kind, account_id, content, expires_at)
                       VALUES (?1, ?2, ?3, ?4, ?5)";
            unit.rows().execute(
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

    /// Takes what a browser was asked, so that nobody answers it again; none where it was taken, is
    /// of another kind or too old.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn take_challenge(
        &self,
        token_hash: &[u8; 32],
        kind: &'static str,
    ) -> Result<Option<Challenge>, Error> {
        let token_hash = *token_hash;
        self.write(Touches::House(None), move |unit| {
            let (rows, now) = (unit.rows(), unit.now().0);
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
