//! Links that show the result of an edit to anyone. An edit has at most one. It ends with the edit,
//! with its result, and while its owner is suspended.

use retouch_core::{AccountId, EditId, KeyId};

use super::read::seen;
use super::{EditRecord, row};
use crate::queue::Touches;
use crate::rows::{one, params};
use crate::{Error, Store};

/// The length of the secret in a link, in bytes.
const TOKEN_BYTES: usize = 16;

/// The result of sharing an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shared {
    /// It has a link now.
    New {
        /// The secret in the link.
        token: String,
    },
    /// It already had a link.
    Already {
        /// The secret in the link.
        token: String,
    },
    /// It has no stored result.
    NoResult,
    /// The account has no such edit, or has deleted it.
    Unknown,
}

impl Store {
    /// Creates a link to the result of an edit, unless it has one already or was made with another
    /// key than `made_by`.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn share_edit(
        &self,
        account: &AccountId,
        made_by: Option<&KeyId>,
        edit: &EditId,
    ) -> Result<Shared, Error> {
        let (account, made_by, edit) = (account.clone(), made_by.cloned(), *edit);
        let secret: [u8; TOKEN_BYTES] = self.ids.secret();
        let token = base64_simd::URL_SAFE_NO_PAD.encode_to_string(secret);
        self.write(Touches::account(&account), move |tx| {
            let Some(record) = seen(tx.rows(), &account, made_by.as_ref(), edit)? else {
                return Ok(Shared::Unknown);
            };
            if let Some(token) = record.share_token {
                return Ok(Shared::Already { token });
            }
            if record.stored.is_empty() {
                return Ok(Shared::NoResult);
            }
            let sql = "UPDATE edit SET share_token = ?3 WHERE account_id = ?1 AND id = ?2";
            tx.rows().execute(sql, params![account.as_str(), edit.to_string(), token])?;
            Ok(Shared::New { token: token.clone() })
        })
        .await
    }

    /// Ends the link to an edit, if there is one. Returns whether the account has such an edit,
    /// made with `made_by` if that is given.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn unshare_edit(
        &self,
        account: &AccountId,
        made_by: Option<&KeyId>,
        edit: &EditId,
    ) -> Result<bool, Error> {
        let (account, made_by, edit) = (account.clone(), made_by.cloned(), *edit);
        self.write(Touches::account(&account), move |tx| {
            if seen(tx.rows(), &account, made_by.as_ref(), edit)?.is_none() {
                return Ok(false);
            }
            let sql = "UPDATE edit SET share_token = NULL WHERE account_id = ?1 AND id = ?2";
            tx.rows().execute(sql, params![account.as_str(), edit.to_string()])?;
            Ok(true)
        })
        .await
    }

    /// Finds the edit that a link leads to, for anyone who has the link. Nothing of a suspended
    /// account is found.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_shared(&self, token: &str) -> Result<Option<EditRecord>, Error> {
        let token = token.to_owned();
        let sql = format!(
            "SELECT {} FROM edit WHERE share_token = ?1 AND deleted_at IS NULL
                 AND EXISTS (SELECT 1 FROM account
                     WHERE account.id = edit.account_id AND suspended_at IS NULL)",
            row::COLUMNS
        );
        self.read(move |rows| one(rows, &sql, [token.as_str()], row::from_row)).await
    }
}
