//! The stored request of background work: its body and the images that were fetched for it. It is
//! stored while the work is being done, so that after a restart no one has to send or serve them
//! again.
//!
//! It is a file next to the results, named after the result's unguessable name with a suffix,
//! which `GET /files` never serves. It contains a line of JSON with lengths, the body, and the
//! images.

use std::sync::Arc;

use bytes::Bytes;
use retouch_core::Kind;
use retouch_core::edit::{Body, Edit, Origin};
use retouch_outbound::stock::Allowance;
use retouch_providers::inputs::Source;
use retouch_store::{Blob, Error};
use serde::{Deserialize, Serialize};

use super::accept::{Call, request_limits};
use super::blob_names;
use super::run::EditRun;
use crate::app::App;
use crate::error::{ApiError, ApiResult, Code, overloaded};

/// The suffix of a stored request's name.
pub(super) const EXTENSION: &str = ".request";

/// The suggested delay before a call is repeated for which there was no disk space, in seconds.
const DISK_RETRY_S: u64 = 15;
/// An upper bound for the head of a file, in bytes. It contains five numbers.
const HEAD_BYTES_MAX: usize = 256;

/// The head of the file.
#[derive(Serialize, Deserialize)]
struct Head {
    /// The length of the body in bytes.
    body: usize,
    /// The length of each fetched image in bytes, in the order of the request.
    fetched: Vec<usize>,
}

/// Stores the request of `call`: `body`, and those of `sources` that were fetched. It is durable when
/// this returns.
pub(super) async fn put(call: &Call, body: &Bytes, sources: &[Source]) -> ApiResult<()> {
    let pairs = call.assignment.edit.pictures.iter().zip(sources);
    let fetched = pairs.filter(|(named, _)| matches!(named.origin, Origin::Address(_)));
    let fetched: Vec<&Bytes> = fetched.map(|(_, source)| &source.bytes).collect();
    let lengths: Vec<usize> = fetched.iter().map(|file| file.len()).collect();
    // The whole file is in memory at the same time as the data it is made from.
    let file_bytes = HEAD_BYTES_MAX + body.len() + lengths.iter().sum::<usize>();
    if !call.memory.take(file_bytes as u64) {
        return Err(overloaded());
    }
    take_disk(&call.run, file_bytes as u64)?;
    let head = Head { body: body.len(), fetched: lengths };
    let mut file = Vec::with_capacity(file_bytes);
    serde_json::to_writer(&mut file, &head).map_err(ApiError::internal)?;
    file.push(b'\n');
    file.extend_from_slice(body);
    fetched.iter().for_each(|picture| file.extend_from_slice(picture));
    Ok(call.run.app.store.blobs().put(&name(&call.run), file).await?)
}

/// Counts the disk space for a stored request.
fn take_disk(run: &EditRun, bytes: u64) -> ApiResult<()> {
    let share = run.app.background.disk.try_take(&run.account, bytes).ok_or_else(|| {
        let message = "There is too little disk space for the requests of asynchronous calls, or \
                       the account has used up its share. Nothing was charged; try again when some \
                       have finished.";
        ApiError::new(Code::Overloaded, message).retry_after_s(DISK_RETRY_S)
    })?;
    // A request is stored only once.
    let _ = run.disk.set(share);
    Ok(())
}

/// Opens the stored request of `run`; none if there is none.
pub(super) async fn find(run: &EditRun) -> Result<Option<Blob>, Error> {
    run.app.store.blobs().read(&name(run)).await
}

/// Whether the request of `run` is durably stored.
pub(super) async fn confirm(run: &EditRun) -> Result<bool, Error> {
    run.app.store.blobs().confirm(&name(run)).await
}

/// Removes the stored request of `run`, if there is one.
pub(super) async fn remove(run: &EditRun) -> Result<(), Error> {
    run.app.store.blobs().delete(&name(run)).await
}

/// The request of `run` in `file`, with its images inline, checked against the current catalogue.
///
/// # Errors
/// If it cannot be read, or the catalogue no longer offers what it asks for.
pub(super) async fn read(run: &EditRun, file: Blob) -> ApiResult<Edit> {
    let bytes = file.into_bytes().await?;
    let (app, kind) = (Arc::clone(&run.app), run.kind);
    let restored = tokio::task::spawn_blocking(move || restore(&app, kind, &bytes));
    restored.await.map_err(ApiError::internal)?
}

fn restore(app: &App, kind: Kind, bytes: &[u8]) -> ApiResult<Edit> {
    let (head, body, mut files) =
        parts(bytes).ok_or_else(|| ApiError::internal("a stored request is corrupt"))?;
    let body = Body::parse(body)?;
    let mut edit = app.catalogue.accept(kind, &body, request_limits(app))?;
    let mut lengths = head.fetched.into_iter();
    for picture in &mut edit.pictures {
        if matches!(picture.origin, Origin::Address(_)) {
            let taken = lengths.next().and_then(|length| files.split_at_checked(length));
            let (file, rest) =
                taken.ok_or_else(|| ApiError::internal("a stored request is missing an image"))?;
            (picture.origin, files) = (Origin::Inline(Bytes::copy_from_slice(file)), rest);
        }
    }
    Ok(edit)
}

fn parts(bytes: &[u8]) -> Option<(Head, &[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let head: Head = serde_json::from_slice(bytes.get(..end)?).ok()?;
    let (body, files) = bytes.get(end + 1..)?.split_at_checked(head.body)?;
    Some((head, body, files))
}

/// The name of the stored request, which stays the same when another process takes over the edit.
fn name(run: &EditRun) -> String {
    let (token, extension) = (blob_names::token(&run.blob), run.media().extension());
    format!("{token}{extension}{EXTENSION}")
}
