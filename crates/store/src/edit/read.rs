//! Edits as their owners find, list and delete them.

use retouch_core::{AccountId, EditId};
use rusqlite::params;

use super::{EditRecord, EditStatus, row};
use crate::page::Place;
use crate::sqlite::{Unit, all};
use crate::{Error, Page, PageRequest, Store};

/// What deleting an edit came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deleted {
    /// It is in no list any more; these are the names of the blobs to delete.
    Gone {
        /// The blobs.
        blobs: Vec<String>,
    },
    /// It still runs: it can be deleted when it has ended.
    Running,
    /// The account has no such edit, or has deleted it before.
    Unknown,
}

impl Store {
    /// An account's edit by its name, unless it is deleted.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_edit(
        &self,
        account: &AccountId,
        edit: &EditId,
    ) -> Result<Option<EditRecord>, Error> {
        let (account, edit) = (account.clone(), *edit);
        let found = self.read(move |rows| row::find(rows, &account, edit)).await?;
        Ok(found.filter(|record| record.deleted_at.is_none()))
    }

    /// An account's edits, newest first, without the deleted ones.
    ///
    /// # Errors
    /// [`Error::BadCursor`], [`Error::BadLimit`].
    pub async fn list_edits(
        &self,
        account: &AccountId,
        page: &PageRequest,
    ) -> Result<Page<EditRecord>, Error> {
        let (account, place) = (account.clone(), Place::read("edits", page)?);
        self.read(move |rows| {
            let sql = format!(
                "SELECT {} FROM edit
                 WHERE account_id = ?1 AND deleted_at IS NULL AND (?2 IS NULL OR id < ?2)
                 ORDER BY id DESC LIMIT ?3",
                row::COLUMNS
            );
            let values = params![account.as_str(), place.after, place.rows()];
            let found = all(rows, &sql, values, row::from_row)?;
            Ok(place.page(found, |edit| edit.id.to_string()))
        })
        .await
    }

    /// Deletes an edit for its owner. The record stays for the books and for its idempotency
    /// key; what was asked and understood is taken out of it.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn delete_edit(&self, account: &AccountId, edit: &EditId) -> Result<Deleted, Error> {
        let (account, edit) = (account.clone(), *edit);
        self.write(move |unit| delete(unit, &account, edit)).await
    }
}

fn delete(unit: &Unit<'_>, account: &AccountId, edit: EditId) -> Result<Deleted, Error> {
    let found = row::find(unit.rows(), account, edit)?;
    let Some(record) = found.filter(|record| record.deleted_at.is_none()) else {
        return Ok(Deleted::Unknown);
    };
    if record.status == EditStatus::Processing {
        return Ok(Deleted::Running);
    }
    let sql = "UPDATE edit SET deleted_at = ?3, instruction = '', plan = NULL
               WHERE account_id = ?1 AND id = ?2";
    let values = params![account.as_str(), edit.to_string(), unit.now().0];
    unit.rows().prepare_cached(sql)?.execute(values)?;
    Ok(Deleted::Gone { blobs: vec![record.blob] })
}
