//! The stored request of a video: its body and the images that were fetched for it. It is stored
//! while the video is being made, so that after a restart no one has to send or serve them again.
//!
//! It is a file next to the results, named after the result's unguessable name with another suffix,
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
use crate::error::{ApiError, ApiResult, overloaded};

/// The suffix of a stored request's name.
pub(super) const EXTENSION: &str = ".request";

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

/// Stores the request of a video: `body`, and those of `sources` that were fetched. It is durable
/// when this returns.
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
    let head = Head { body: body.len(), fetched: lengths };
    let mut file = Vec::with_capacity(file_bytes);
    serde_json::to_writer(&mut file, &head).map_err(ApiError::internal)?;
    file.push(b'\n');
    file.extend_from_slice(body);
    fetched.iter().for_each(|picture| file.extend_from_slice(picture));
    Ok(call.run.app.store.blobs().put(&name(&call.run), file).await?)
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

/// The request in `file`, with its images inline, checked against the current catalogue.
///
/// # Errors
/// If it cannot be read, or the catalogue no longer offers what it asks for.
pub(super) async fn read(app: &Arc<App>, file: Blob) -> ApiResult<Edit> {
    let bytes = file.into_bytes().await?;
    let app = Arc::clone(app);
    let restored = tokio::task::spawn_blocking(move || restore(&app, &bytes));
    restored.await.map_err(ApiError::internal)?
}

fn restore(app: &App, bytes: &[u8]) -> ApiResult<Edit> {
    let (head, body, mut files) =
        parts(bytes).ok_or_else(|| ApiError::internal("a stored request is corrupt"))?;
    let body = Body::parse(body)?;
    let mut edit = app.catalogue.accept(Kind::Video, &body, request_limits(app))?;
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
    format!("{}{EXTENSION}", blob_names::token(&run.blob))
}
