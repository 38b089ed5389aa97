//! Edits as their owners find, list and delete them.

use retouch_core::{AccountId, EditId, KeyId, Kind};

use super::{EditRecord, EditStatus, row};
use crate::page::Place;
use crate::prune::IDEMPOTENCY_MS;
use crate::rows::{Rows, all, params};
use crate::unit::Unit;
use crate::work::Touches;
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

/// Which edits of an account are wanted; the default: all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditFilter {
    /// Words that the instruction contains, in this order, without regard to the case of ASCII.
    pub words: Option<String>,
    /// What was made.
    pub kind: Option<Kind>,
    /// How far it has come.
    pub status: Option<EditStatus>,
    /// Which API key made it.
    pub made_by: Option<KeyId>,
}

impl EditFilter {
    /// The words as a pattern in which they alone have a meaning.
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
    /// An account's edit by its name, unless it is deleted.
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

    /// An account's edit by its name, unless it is deleted or another key than `made_by` made it.
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
        self.read(move |rows| seen(rows, &account, (made_by.as_ref(), edit))).await
    }

    /// Those of an account's edits that `filter` asks for, newest first, without the deleted ones.
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
        // Written out, so that the index of a key's edits is used where one is asked for.
        let whose = if made_by.is_some() { "key_id = ?7" } else { "?7 IS NULL" };
        self.read(move |rows| {
            // Searched in an index that holds all that is looked at; only what is found is read.
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

    /// Deletes an edit for its owner. The record stays for the books and, for a day, for its idempotency
    /// key; what was asked, understood and answered is taken out of it.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn delete_edit(&self, account: &AccountId, edit: &EditId) -> Result<Deleted, Error> {
        self.delete_edit_by(account, None, edit).await
    }

    /// Deletes an edit as [`Store::delete_edit`] does, unless another key than `made_by` made it.
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
        self.write(Touches::account(&account), move |unit| {
            delete(unit, &account, (made_by.as_ref(), edit))
        })
        .await
    }
}

/// An account's edit that is not deleted, where `made_by` names a key only if that key made it.
fn seen(
    rows: &Rows,
    account: &AccountId,
    (made_by, edit): (Option<&KeyId>, EditId),
) -> Result<Option<EditRecord>, Error> {
    let found = row::find(rows, account, edit)?;
    Ok(found.filter(|record| {
        record.deleted_at.is_none() && made_by.is_none_or(|key| record.key.as_ref() == Some(key))
    }))
}

fn delete(
    unit: &Unit<'_>,
    account: &AccountId,
    (made_by, edit): (Option<&KeyId>, EditId),
) -> Result<Deleted, Error> {
    let Some(record) = seen(unit.rows(), account, (made_by, edit))? else {
        return Ok(Deleted::Unknown);
    };
    if record.status == EditStatus::Processing {
        return Ok(Deleted::Running);
    }
    let sql = format!(
        "UPDATE edit SET deleted_at = ?3, {} WHERE account_id = ?1 AND id = ?2",
        row::FORGOTTEN
    );
    let (name, now) = (edit.to_string(), unit.now());
    unit.rows().execute(&sql, params![account.as_str(), name, now.0])?;
    // A younger one goes when it is old enough.
    let sql = "DELETE FROM idempotency WHERE account_id = ?1 AND edit_id = ?2 AND created_at <= ?3";
    let old = now.plus_ms(-IDEMPOTENCY_MS);
    unit.rows().execute(sql, params![account.as_str(), name, old.0])?;
    Ok(Deleted::Gone { blobs: vec![record.blob] })
}
