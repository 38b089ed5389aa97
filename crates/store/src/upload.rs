//! Uploads: images that accounts keep for a day, to use them as inputs of edits.
//!
//! The row is written before the file is stored and removed after the file is gone, so that every
//! file has a row, also after a crash.

use retouch_core::{AccountId, Timestamp, UploadId};

use crate::queue::Touches;
use crate::rows::{Row, Rows, all, column, one, params};
use crate::{Error, Store};

/// The maximum number of expired uploads that are listed.
const EXPIRED_MAX: i64 = 500;

/// An uploaded image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upload {
    /// Its id.
    pub id: UploadId,
    /// Its file.
    pub blob: String,
    /// The media type of the file.
    pub media_type: String,
    /// Width of the upright image in pixels.
    pub width: u32,
    /// Height of the upright image in pixels.
    pub height: u32,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// How much one account may have uploaded at a time.
#[derive(Clone, Copy, Debug)]
pub struct UploadLimits {
    /// The maximum number of uploads.
    pub count_max: usize,
    /// Their maximum total size in bytes.
    pub bytes_max: u64,
}

/// An upload whose file must be removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpiredUpload {
    /// The account that owned it.
    pub account: AccountId,
    /// Its id.
    pub id: UploadId,
    /// Its file, which may still exist.
    pub blob: String,
}

const COLUMNS: &str = "id, blob, media_type, width, height, bytes, expires_at";

impl Store {
    /// Records an upload whose file is about to be stored. Expired uploads count toward the limits
    /// until they are removed.
    ///
    /// # Errors
    /// [`Error::TooMany`], [`Error::UploadsFull`], [`Error::AccountUnknown`].
    pub async fn create_upload(
        &self,
        account: &AccountId,
        upload: Upload,
        limits: UploadLimits,
    ) -> Result<(), Error> {
        let account = account.clone();
        self.write(Touches::account(&account), move |tx| {
            let (rows, id) = (tx.rows(), account.as_str());
            crate::account::find(rows, &account)?.ok_or(Error::AccountUnknown)?;
            check_room(rows, &account, (upload.bytes, limits))?;
            let sql = "INSERT INTO upload (id, account_id, blob, media_type, width, height, bytes,
                       created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
            rows.execute(
                sql,
                params![
                    upload.id.as_str(),
                    id,
                    upload.blob,
                    upload.media_type,
                    upload.width,
                    upload.height,
                    signed(upload.bytes),
                    tx.now().0,
                    upload.expires_at.0
                ],
            )?;
            Ok(())
        })
        .await
    }

    /// Finds an upload of an account that has not expired.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_upload(
        &self,
        account: &AccountId,
        id: &UploadId,
    ) -> Result<Option<Upload>, Error> {
        let (account, id, now) = (account.clone(), id.clone(), self.clock.now());
        let sql = format!(
            "SELECT {COLUMNS} FROM upload WHERE id = ?1 AND account_id = ?2 AND expires_at > ?3"
        );
        let values = move |rows: &Rows| {
            one(rows, &sql, params![id.as_str(), account.as_str(), now.0], from_row)
        };
        self.read(values).await
    }

    /// Forgets an upload of an account, whose file is gone.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn remove_upload(&self, account: &AccountId, id: &UploadId) -> Result<(), Error> {
        let (account, id) = (account.clone(), id.clone());
        self.write(Touches::account(&account), move |tx| {
            let sql = "DELETE FROM upload WHERE id = ?1 AND account_id = ?2";
            tx.rows().execute(sql, params![id.as_str(), account.as_str()])?;
            Ok(())
        })
        .await
    }

    /// Lists up to 500 expired uploads, after skipping `passed` of them whose files cannot be
    /// removed now.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_expired_uploads(&self, passed: usize) -> Result<Vec<ExpiredUpload>, Error> {
        let now = self.clock.now().0;
        let passed = i64::try_from(passed).unwrap_or(i64::MAX);
        let sql = "SELECT account_id, id, blob FROM upload WHERE expires_at <= ?1
                   ORDER BY expires_at, id LIMIT ?2 OFFSET ?3";
        self.read(move |rows| {
            all(rows, sql, params![now, EXPIRED_MAX, passed], |row| {
                Ok(ExpiredUpload {
                    account: column(row, "account_id")?,
                    id: column(row, "id")?,
                    blob: row.get("blob")?,
                })
            })
        })
        .await
    }
}

/// Lets all uploads of an account expire, so that their files are removed.
pub(crate) fn expire_all(rows: &Rows, account: &AccountId) -> Result<(), Error> {
    rows.execute("UPDATE upload SET expires_at = 0 WHERE account_id = ?1", [account.as_str()])?;
    Ok(())
}

/// Checks that the account may upload `bytes` more.
fn check_room(
    rows: &Rows,
    account: &AccountId,
    (bytes, limits): (u64, UploadLimits),
) -> Result<(), Error> {
    let sql = "SELECT COUNT(*), CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM upload
               WHERE account_id = ?1";
    let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
    let (count, held) = one(rows, sql, [account.as_str()], read)?.unwrap_or((0, 0));
    if count >= i64::try_from(limits.count_max).unwrap_or(i64::MAX) {
        return Err(Error::TooMany { what: "uploads", most: limits.count_max });
    }
    if u64::try_from(held).unwrap_or(0).saturating_add(bytes) > limits.bytes_max {
        return Err(Error::UploadsFull { bytes_max: limits.bytes_max });
    }
    Ok(())
}

fn from_row(row: &Row<'_>) -> Result<Upload, Error> {
    let number = |value: i64| u32::try_from(value).unwrap_or(0);
    Ok(Upload {
        id: column(row, "id")?,
        blob: row.get("blob")?,
        media_type: row.get("media_type")?,
        width: number(row.get("width")?),
        height: number(row.get("height")?),
        bytes: u64::try_from(row.get::<_, i64>("bytes")?).unwrap_or(0),
        expires_at: Timestamp(row.get("expires_at")?),
    })
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
