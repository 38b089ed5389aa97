//! Edits that go back to the same image.

use bytes::Bytes;
use retouch_core::{AccountId, EditId, KeyId};

use super::read::seen;
use super::{EditRecord, row};
use crate::page::Place;
use crate::pseudonym::hex;
use crate::rows::{all, params};
use crate::{Error, Page, PageRequest, Store};

/// The length of a root in bytes, before it is written in hexadecimal.
const ROOT_BYTES: usize = 16;

/// Up to this size, in bytes, hashing an image takes less time than handing it to another thread.
const HASHED_HERE_BYTES_MAX: usize = 32 * 1024;

/// Which tree to list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeRequest {
    /// An edit in it.
    pub edit: EditId,
    /// Which page.
    pub page: PageRequest,
}

impl Store {
    /// What identifies an input image of `account`: a keyed hash of its bytes. It is the same for
    /// the same bytes, on any device, and says nothing about the image or other accounts.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn original(&self, account: &AccountId, bytes: Bytes) -> Result<String, Error> {
        let (names, account) = (self.pseudonyms().await?, account.clone());
        let is_small = bytes.len() <= HASHED_HERE_BYTES_MAX;
        let hash = move || {
            let hash = names.hash_parts("original", &[account.as_str().as_bytes(), &bytes]);
            hex(hash.get(..ROOT_BYTES).unwrap_or_default())
        };
        if is_small {
            return Ok(hash());
        }
        tokio::task::spawn_blocking(hash).await.map_err(|_panic| Error::Panicked)
    }

    /// Lists the edits that go back to the same image as an edit, oldest first, without deleted and
    /// failed ones, and without those that were made with another key than `made_by`. `None` if the
    /// account has no such edit.
    ///
    /// # Errors
    /// [`Error::BadCursor`], [`Error::BadLimit`].
    pub async fn list_tree(
        &self,
        account: &AccountId,
        made_by: Option<&KeyId>,
        asked: TreeRequest,
    ) -> Result<Option<Page<EditRecord>>, Error> {
        let (account, made_by) = (account.clone(), made_by.cloned());
        let place = Place::read("tree", &asked.page)?;
        self.read(move |rows| {
            let Some(found) = seen(rows, &account, made_by.as_ref(), asked.edit)? else {
                return Ok(None);
            };
            let sql = format!(
                "SELECT {} FROM edit
                 WHERE account_id = ?1 AND root = ?2 AND id > ?3
                     AND deleted_at IS NULL AND status <> 'failed'
                     AND (?5 IS NULL OR key_id = ?5)
                 ORDER BY id LIMIT ?4",
                row::COLUMNS
            );
            let made_by = made_by.as_ref().map(KeyId::as_str);
            let after = place.after.as_deref().unwrap_or_default();
            let values = params![account.as_str(), found.root, after, place.rows(), made_by];
            let found = all(rows, &sql, values, row::from_row)?;
            Ok(Some(place.page(found, |edit| edit.id.to_string())))
        })
        .await
    }

    /// Finds those of an account's edits with these ids, in no order, without deleted ones.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_edits_named(
        &self,
        account: &AccountId,
        names: Vec<EditId>,
    ) -> Result<Vec<EditRecord>, Error> {
        let account = account.clone();
        self.read(move |rows| {
            let found = names.iter().map(|name| row::find(rows, &account, *name));
            let found = found.collect::<Result<Vec<_>, _>>()?.into_iter().flatten();
            Ok(found.filter(|record| record.deleted_at.is_none()).collect())
        })
        .await
    }
}
