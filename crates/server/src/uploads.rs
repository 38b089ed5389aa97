//! Uploads: images that an account sends once and then uses as inputs of any number of edits, for a
//! day.

use bytes::Bytes;
use retouch_core::{AccountId, UploadId};
use retouch_engine::codec::{self, DecodeError};
use retouch_store::{Blob, Error, ExpiredUpload, Upload, UploadLimits};

use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};

/// How long an upload is kept, in milliseconds: 24 hours.
pub const KEPT_MS: i64 = 24 * 3_600_000;

/// The suffix of the name of an upload's file. `GET /files` never serves it.
const EXTENSION: &str = ".upload";

/// Stores an image of `account` and records it.
///
/// # Errors
/// 400 if it is not an image that edits can use, 409 if the account has uploaded too much, 500 if it
/// could not be stored.
pub async fn create(app: &App, account: &AccountId, file: Bytes) -> ApiResult<Upload> {
    let header = codec::probe(&file, &limits(app)).map_err(|error| unusable(&error))?;
    let (width, height) = header.size();
    let upload = Upload {
        id: app.ids.upload(),
        blob: app.file_name(EXTENSION),
        media_type: header.format.media_type().to_owned(),
        width,
        height,
        bytes: file.len() as u64,
        expires_at: app.clock.now().plus_ms(KEPT_MS),
    };
    let settings = &app.settings.uploads;
    let most = UploadLimits {
        count_max: settings.per_account_max,
        bytes_max: settings.bytes_per_account_max,
    };
    app.store.create_upload(account, upload.clone(), most).await?;
    if let Err(error) = app.store.blobs().put(&upload.blob, file).await {
        tracing::error!(%error, "could not store an upload");
        remove(app, account, &upload).await?;
        let message = "The image could not be stored. Try again.";
        return Err(ApiError::new(Code::StorageFailed, message));
    }
    // If the account was deleted meanwhile, a sweep may have removed the record before the file
    // existed.
    if app.store.find_upload(account, &upload.id).await?.is_none() {
        remove(app, account, &upload).await?;
        return Err(ApiError::not_found("upload"));
    }
    Ok(upload)
}

/// The upload of `account` that `id` names, and its file.
///
/// # Errors
/// 404 if there is none, or it has expired.
pub async fn open(app: &App, account: &AccountId, id: &str) -> ApiResult<(Upload, Blob)> {
    let missing = || ApiError::not_found("upload");
    let upload = find(app, account, id).await?;
    let blob = app.store.blobs().read(&upload.blob).await?.ok_or_else(missing)?;
    Ok((upload, blob))
}

/// The upload of `account` that `id` names.
///
/// # Errors
/// 404 if there is none, or it has expired.
pub async fn find(app: &App, account: &AccountId, id: &str) -> ApiResult<Upload> {
    let missing = || ApiError::not_found("upload");
    let id: UploadId = id.parse().map_err(|_| missing())?;
    app.store.find_upload(account, &id).await?.ok_or_else(missing)
}

/// Deletes an upload: first its file, then its record, so that no file is forgotten.
///
/// # Errors
/// If one of them cannot be removed. It then expires, and a sweep tries again.
pub async fn remove(app: &App, account: &AccountId, upload: &Upload) -> Result<(), Error> {
    app.store.blobs().delete(&upload.blob).await?;
    app.store.remove_upload(account, &upload.id).await
}

/// Removes all expired uploads. The next sweep retries what fails now.
pub async fn sweep(app: &App) {
    if let Err(error) = remove_expired(app).await {
        tracing::error!(%error, "could not remove expired uploads");
    }
}

async fn remove_expired(app: &App) -> Result<(), Error> {
    let mut failed = 0;
    while !app.ending.is_cancelled() {
        let expired = app.store.list_expired_uploads(failed).await?;
        if expired.is_empty() {
            break;
        }
        for ExpiredUpload { account, id, blob } in expired {
            if let Err(error) = app.store.blobs().delete(&blob).await {
                failed += 1;
                tracing::error!(%error, "could not delete the file of an expired upload");
            } else {
                app.store.remove_upload(&account, &id).await?;
            }
        }
    }
    Ok(())
}

/// The limits on input images.
fn limits(app: &App) -> codec::Limits {
    let edits = &app.settings.edits;
    codec::Limits {
        bytes_max: edits.image_bytes_max,
        pixels_max: edits.image_pixels_max,
        ..codec::Limits::default()
    }
}

fn unusable(error: &DecodeError) -> ApiError {
    let code = match error {
        DecodeError::TooLarge(_) => Code::ImageTooLarge,
        _ => Code::InvalidImage,
    };
    ApiError::about(code, "file", error.to_string())
}
