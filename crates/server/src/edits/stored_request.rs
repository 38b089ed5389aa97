//! The stored request of background work: its body and the images that were fetched for it. It is
//! stored while the work is being done, so that after a restart no one has to send or serve them
//! again.
//!
//! It is a file next to the results, named after the result's unguessable name with a suffix,
//! which `GET /files` never serves. It contains a line of JSON, the body, and the images that are not
//! part of it: those that were attached to it, then those that were fetched.

use std::sync::Arc;

use bytes::Bytes;
use retouch_core::edit::{Body, Edit, Origin, PictureSource, Rewording, Supplement};
use retouch_core::{Kind, Warning};
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

/// The head of the file.
#[derive(Serialize, Deserialize)]
struct Head {
    /// The length of the body in bytes.
    body: usize,
    /// What the request has besides.
    attached: Attached,
    /// The length of each fetched image in bytes, in the order of the request.
    fetched: Vec<usize>,
    /// How a language model reworded the instruction, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rewording: Option<Rewording>,
}

/// What a request has besides its body.
#[derive(Serialize, Deserialize)]
struct Attached {
    /// The field that names each image, and its length in bytes.
    pictures: Vec<(String, usize)>,
    /// The same of the mask.
    mask: Option<(String, usize)>,
    instruction_chars_max: usize,
    warnings: Vec<Warning>,
}

/// A request as a caller has sent it.
pub(super) struct Request {
    pub(super) body: Bytes,
    pub(super) supplement: Supplement,
}

/// Stores the `request` of `call` with its images, `sources`. It is durable when this returns.
pub(super) async fn put(call: &Call, request: &Request, sources: &[Source]) -> ApiResult<()> {
    let Request { body, supplement } = request;
    let edit = &call.assignment.edit;
    let in_body = edit.pictures.len().saturating_sub(supplement.pictures.len());
    let (of_body, attached) = sources.split_at_checked(in_body).unwrap_or((sources, &[]));
    let pairs = edit.pictures.iter().zip(of_body);
    let fetched = pairs.filter(|(named, _)| matches!(named.origin, Origin::Address(_)));
    let fetched: Vec<&Source> = fetched.map(|(_, source)| source).collect();
    let head = Head {
        body: body.len(),
        attached: described(supplement, attached),
        fetched: fetched.iter().map(|source| source.bytes.len()).collect(),
        rewording: edit.rewording.as_deref().cloned(),
    };
    let mut head = serde_json::to_vec(&head).map_err(ApiError::internal)?;
    head.push(b'\n');
    let files = || attached.iter().chain(fetched.iter().copied()).map(|source| &source.bytes);
    // The whole file is in memory at the same time as the data it is made from.
    let file_bytes = head.len() + body.len() + files().map(Bytes::len).sum::<usize>();
    if !call.memory.take(file_bytes as u64) {
        return Err(overloaded());
    }
    take_disk(&call.run, file_bytes as u64)?;
    let mut file = Vec::with_capacity(file_bytes);
    file.extend_from_slice(&head);
    file.extend_from_slice(body);
    files().for_each(|picture| file.extend_from_slice(picture));
    Ok(call.run.app.store.blobs().put(&name(&call.run), file).await?)
}

/// What the request has besides its body, whose images are `sources`: first those of `pictures`, then
/// the mask.
fn described(supplement: &Supplement, sources: &[Source]) -> Attached {
    let mut lengths = sources.iter().map(|source| source.bytes.len());
    let mut with_length =
        |named: &PictureSource| (named.param.clone(), lengths.next().unwrap_or_default());
    Attached {
        pictures: supplement.pictures.iter().map(&mut with_length).collect(),
        mask: supplement.mask.as_ref().map(&mut with_length),
        instruction_chars_max: supplement.instruction_chars_max,
        warnings: supplement.warnings.clone(),
    }
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
    let (head, body, files) =
        parts(bytes).ok_or_else(|| ApiError::internal("a stored request is corrupt"))?;
    let mut files = Files(files);
    let supplement = restored(head.attached, &mut files)?;
    let body = Body::parse(body)?.with(&supplement);
    let mut edit = app.catalogue.accept(kind, &body, request_limits(app))?;
    edit.rewording = head.rewording.map(Arc::new);
    let mut lengths = head.fetched.into_iter();
    for picture in &mut edit.pictures {
        if matches!(picture.origin, Origin::Address(_)) {
            picture.origin = Origin::Inline(files.take(lengths.next())?);
        }
    }
    Ok(edit)
}

fn restored(attached: Attached, files: &mut Files<'_>) -> ApiResult<Supplement> {
    let mut source = |(param, length)| {
        let file = files.take(Some(length))?;
        Ok::<_, ApiError>(PictureSource { param, origin: Origin::Inline(file) })
    };
    Ok(Supplement {
        pictures: attached.pictures.into_iter().map(&mut source).collect::<ApiResult<_>>()?,
        mask: attached.mask.map(&mut source).transpose()?,
        instruction_chars_max: attached.instruction_chars_max,
        warnings: attached.warnings,
    })
}

/// The images in a file, one after another.
struct Files<'a>(&'a [u8]);

impl Files<'_> {
    /// A copy of the next image, which has this length.
    fn take(&mut self, length: Option<usize>) -> ApiResult<Bytes> {
        let taken = length.and_then(|length| self.0.split_at_checked(length));
        let (file, rest) =
            taken.ok_or_else(|| ApiError::internal("a stored request is missing an image"))?;
        self.0 = rest;
        Ok(Bytes::copy_from_slice(file))
    }
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
