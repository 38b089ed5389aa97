//! Finding, listing and deleting edits, for their owners.

use retouch_core::{AccountId, EditId, KeyId, Kind};

use super::{EditRecord, EditStatus, row};
use crate::page::Place;
use crate::prune::IDEMPOTENCY_MS;
use crate::queue::Touches;
use crate::rows::{Rows, all, params};
use crate::transaction::Transaction;
use crate::{Error, Page, PageRequest, Store};

/// The result of deleting an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deleted {
    /// It is no longer listed. These blobs have to be deleted.
    Gone {
        /// The names of the blobs.
        blobs: Vec<String>,
    },
    /// It is in progress. It can be deleted when it has ended.
    Running,
    /// The account has no such edit, or has already deleted it.
    Unknown,
}

/// Which of an account's edits to list. By default, all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditFilter {
    /// Words that the instruction contains, in this order, ignoring ASCII case.
    pub words: Option<String>,
    /// What was produced.
    pub kind: Option<Kind>,
    /// The status.
    pub status: Option<EditStatus>,
    /// The API key that made the call.
    pub made_by: Option<KeyId>,
}

impl EditFilter {
    /// The words as a LIKE pattern, with special characters escaped.
    fn pattern(&self) -> Option<String> {
        let words = self.words.as_deref()?.trim().to_ascii_lowercase();
        let plain =
            |letter: char| if matches!(letter, '%' | '_' | '\\') { Some('\\') } else { None };
        let quoted: String =
            words.chars().flat_map(|letter| plain(letter).into_iter().chain([letter])).collect();
        (!words.is_empty()).then(|| format!("%{quoted}%"))
    }
}

impl Store {
    /// Finds an account's edit by its id, unless it is deleted.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_edit(
        &self,
        account: &AccountId,
        edit: &EditId,
    ) -> Result<Option<EditRecord>, Error> {
        self.find_edit_by(account, None, edit).await
    }

    /// Finds an account's edit by its id, unless it is deleted or was made with another key than
    /// `made_by`.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_edit_by(
        &self,
        account: &AccountId,
        made_by: Option<&KeyId>,
        edit: &EditId,
    ) -> Result<Option<EditRecord>, Error> {
        let (account, made_by, edit) = (account.clone(), made_by.cloned(), *edit);
        self.read(move |rows| seen(rows, &account, made_by.as_ref(), edit)).await
    }

    /// Lists the edits of an account that match `filter`, newest first, without deleted ones.
    ///
    /// # Errors
    /// [`Error::BadCursor`], [`Error::BadLimit`].
    pub async fn list_edits(
        &self,
        account: &AccountId,
        filter: &EditFilter,
        page: &PageRequest,
    ) -> Result<Page<EditRecord>, Error> {
        let (account, place) = (account.clone(), Place::read("edits", page)?);
        let (words, kind) = (filter.pattern(), filter.kind.map(Kind::as_str));
        let status = filter.status.map(EditStatus::as_str);
        let made_by = filter.made_by.as_ref().map(ToString::to_string);
        // Written literally, so that the index of a key's edits is used if one is given.
        let whose = if made_by.is_some() { "key_id = ?7" } else { "?7 IS NULL" };
        self.read(move |rows| {
            // Search in an index that covers the filter, and read only the rows that match.
            let sql = format!(
                "SELECT {} FROM edit WHERE account_id = ?1 AND id IN (
                     SELECT id FROM edit
                     WHERE account_id = ?1 AND deleted_at IS NULL AND id < ?2
                         AND (?4 IS NULL OR lower(instruction) LIKE ?4 ESCAPE '\\')
                         AND (?5 IS NULL OR kind = ?5) AND (?6 IS NULL OR status = ?6)
                         AND {whose}
                     ORDER BY id DESC LIMIT ?3)
                 ORDER BY id DESC",
                row::COLUMNS
            );
            let values = params![
                account.as_str(),
                place.before(),
                place.rows(),
                words,
                kind,
                status,
                made_by
            ];
            let found = all(rows, &sql, values, row::from_row)?;
            Ok(place.page(found, |edit| edit.id.to_string()))
        })
        .await
    }

    /// Deletes an edit for its owner. The record stays for the ledger and, for a day, for its
    /// idempotency key, but without the prompt, the plan and the response.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn delete_edit(&self, account: &AccountId, edit: &EditId) -> Result<Deleted, Error> {
        self.delete_edit_by(account, None, edit).await
    }

    /// Deletes an edit like [`Store::delete_edit`], unless it was made with another key than
    /// `made_by`.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn delete_edit_by(
        &self,
        account: &AccountId,
        made_by: Option<&KeyId>,
        edit: &EditId,
    ) -> Result<Deleted, Error> {
        let (account, made_by, edit) = (account.clone(), made_by.cloned(), *edit);
        self.write(Touches::account(&account), move |tx| {
            delete(tx, &account, made_by.as_ref(), edit)
        })
        .await
    }
}

/// Finds an account's edit that is not deleted and, if `made_by` is given, was made with that key.
fn seen(
    rows: &Rows,
    account: &AccountId,
    made_by: Option<&KeyId>,
    edit: EditId,
) -> Result<Option<EditRecord>, Error> {
    let found = row::find(rows, account, edit)?;
    Ok(found.filter(|record| {
        record.deleted_at.is_none() && made_by.is_none_or(|key| record.key.as_ref() == Some(key))
    }))
}

fn delete(
    tx: &Transaction<'_>,
    account: &AccountId,
    made_by: Option<&KeyId>,
    edit: EditId,
) -> Result<Deleted, Error> {
    let Some(record) = seen(tx.rows(), account, made_by, edit)? else {
        return Ok(Deleted::Unknown);
    };
    if record.status == EditStatus::Processing {
        return Ok(Deleted::Running);
    }
    let sql = format!(
        "UPDATE edit SET deleted_at = ?3, {} WHERE account_id = ?1 AND id = ?2",
        row::FORGOTTEN
    );
    let (name, now) = (edit.to_string(), tx.now());
    tx.rows().execute(&sql, params![account.as_str(), name, now.0])?;
    // Newer idempotency keys are cleared when they are old enough.
    let sql = "DELETE FROM idempotency WHERE account_id = ?1 AND edit_id = ?2 AND created_at <= ?3";
    let old = now.plus_ms(-IDEMPOTENCY_MS);
    tx.rows().execute(sql, params![account.as_str(), name, old.0])?;
    Ok(Deleted::Gone { blobs: vec![record.blob] })
}
