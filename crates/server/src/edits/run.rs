//! An edit in progress.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use retouch_core::catalogue::MicroDollars;
use retouch_core::{AccountId, Credits, EditId, Kind, Timestamp, Warning};
use retouch_providers::Media;
use retouch_providers::inputs::Source;
use retouch_providers::routes::Attempt;
use retouch_store::{Adoption, Begun, Error, OpenEditRow};
use serde_json::Value;
use tracing::{Span, info_span};

use super::accept::Assignment;
use super::account_shares::AccountShare;
use super::running::{BackgroundLimits, RunningEdit};
use super::shape::Shape;
use super::{blob_names, request_fields};
use crate::app::App;
use crate::telemetry::spans;

/// The minimum time for an edit that another process has begun, in milliseconds, because its result
/// may already be waiting at the provider.
const TAKEN_OVER_MS_MIN: u64 = 60_000;

/// An edit that this process works on, from the moment it is accepted, or taken over from another
/// process, until it has ended. This is what every step needs: to reserve the credits, to perform
/// the edit, to store its result and to charge for it.
pub(super) struct EditRun {
    pub(super) app: Arc<App>,
    pub(super) account: AccountId,
    pub(super) id: EditId,
    pub(super) kind: Kind,
    /// The id of the requested model.
    pub(super) model: String,
    /// The credits to reserve, and to charge when there is a result.
    pub(super) price: Credits,
    /// The file name for the result. Its extension is the format that was asked for.
    pub(super) blob: String,
    /// The quality of the result that was asked for, from 1 to 100.
    pub(super) compression: Option<u8>,
    /// The shape of the result that was asked for.
    pub(super) shape: Shape,
    /// The process that is working on it.
    pub(super) owner: String,
    /// Warnings from before the work began.
    pub(super) warnings: Vec<Warning>,
    /// What identifies its first input image, once that has been read.
    pub(super) original: OnceLock<String>,
    /// What the provider charges for the result, once there is one and if that is known.
    pub(super) provider_cost: OnceLock<MicroDollars>,
    /// A file that has arrived and is being written, but may not be the result.
    begun: Mutex<Option<Begun>>,
    /// When its credits were reserved.
    pub(super) created_at: Timestamp,
    /// Whether it is background work: it is performed from its stored request, by any process, and
    /// every attempt at a provider is recorded before it is sent.
    pub(super) is_background: bool,
    /// The disk space of its stored request, if this process has stored it.
    pub(super) disk: OnceLock<AccountShare>,
    /// Counts it among the running edits of this process.
    pub(super) guard: RunningEdit,
}

impl EditRun {
    /// A new edit of `account`.
    pub(super) fn new(app: &Arc<App>, account: &AccountId, assignment: &Assignment) -> Self {
        let (edit, id) = (&assignment.edit, app.ids.edit());
        let mut warnings = edit.warnings.clone();
        warnings.extend(assignment.reading.warnings.iter().cloned());
        Self {
            account: account.clone(),
            id,
            kind: edit.kind,
            model: edit.model.id.clone(),
            price: edit.price,
            blob: app.blob_name(Media::asked(edit)),
            compression: edit.encoding.compression,
            shape: Shape::of(edit),
            owner: app.owner.clone(),
            warnings,
            original: OnceLock::new(),
            provider_cost: OnceLock::new(),
            begun: Mutex::default(),
            created_at: app.clock.now(),
            is_background: false,
            disk: OnceLock::new(),
            guard: app.running.begin(account, id),
            app: Arc::clone(app),
        }
    }

    /// An open edit from the store, which `guard` counts as running.
    ///
    /// # Errors
    /// If the warnings in its record cannot be read.
    pub(super) fn of_row(
        app: &Arc<App>,
        row: &OpenEditRow,
        guard: RunningEdit,
    ) -> Result<Self, serde_json::Error> {
        Ok(Self {
            app: Arc::clone(app),
            account: row.account.clone(),
            id: row.id,
            kind: row.kind,
            model: row.model.clone(),
            price: row.price,
            blob: row.blob.clone(),
            compression: None,
            shape: Shape::default(),
            owner: row.owner.clone(),
            warnings: serde_json::from_str(&row.warnings)?,
            original: OnceLock::new(),
            provider_cost: OnceLock::new(),
            begun: Mutex::default(),
            created_at: row.created_at,
            is_background: row.is_background,
            disk: OnceLock::new(),
            guard,
        })
    }

    /// Notes that the edit is open: it has a record, and its time begins.
    pub(super) fn opened(&mut self) {
        self.created_at = self.app.clock.now();
        self.guard.opened();
    }

    /// Notes which image the edit starts from, so that everything made from it can be found
    /// together. The edit goes on without, if that cannot be done.
    pub(super) async fn begins_from(&self, sources: &[Source]) {
        let Some(first) = sources.first().filter(|_| self.original.get().is_none()) else { return };
        match self.app.store.original(&self.account, first.bytes.clone()).await {
            Ok(original) => drop(self.original.set(original)),
            Err(error) => tracing::warn!(%error, "could not note which image an edit starts from"),
        }
    }

    /// Notes what the provider charges, if `attempt` was the one that succeeded.
    pub(super) fn note_cost(&self, attempt: &Attempt<'_>) {
        if let Some(cost) = attempt.cost.filter(|_| attempt.is_done()) {
            // One attempt succeeds at most, so it is not set yet.
            let _ = self.provider_cost.set(cost);
        }
    }

    /// Starts to write a file that has arrived, if it can be the result as it is: providers' JPEG and
    /// WebP files are always made anew. It replaces a file that arrived earlier.
    pub(super) fn arrived(&self, file: &Bytes) {
        let media = self.media();
        let begun = match matches!(media, Media::Png | Media::Mp4) && media.is_of(file) {
            true => self.app.store.blobs().begin(file),
            false => None,
        };
        *self.begun.lock().unwrap_or_else(PoisonError::into_inner) = begun;
    }

    /// The file that has arrived, if it is being written. Dropping it removes that file.
    pub(super) fn take_arrived(&self) -> Option<Begun> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Stores the result durably, which may be the file that has arrived.
    pub(super) async fn store(&self, arrived: Option<Begun>, result: &Bytes) -> Result<(), Error> {
        let blobs = self.app.store.blobs();
        match arrived.filter(|arrived| arrived.is(result)) {
            Some(arrived) => blobs.put_begun(&self.blob, arrived).await,
            None => blobs.put(&self.blob, result.clone()).await,
        }
    }

    /// Takes the edit in `row` over from its process. Returns false if another process was quicker
    /// or its own process is alive.
    pub(super) async fn take_over(&mut self, row: &OpenEditRow) -> Result<bool, Error> {
        if self.is_background {
            // It was admitted before, so it has no limit here; it only counts toward later ones.
            let _ = self.guard.count_in_background(self.kind, BackgroundLimits::UNLIMITED);
        }
        self.adopt(row, self.app.owner.clone(), blob_names::next(&row.blob)).await
    }

    /// Makes `owner` the one who performs the edit in `row` and stores its result as `blob`, unless
    /// it is no longer as in `row`.
    pub(super) async fn adopt(
        &mut self,
        row: &OpenEditRow,
        owner: String,
        blob: String,
    ) -> Result<bool, Error> {
        let until = self.app.clock.now().plus_ms(self.app.settings.edits.lease_ms);
        let adoption = Adoption { owner: owner.clone(), until, blob: blob.clone() };
        if !self.app.store.adopt_edit(row, adoption).await? {
            return Ok(false);
        }
        (self.owner, self.blob) = (owner, blob);
        self.guard.opened();
        Ok(true)
    }

    /// Reads from its record what [`Self::of_row`] does not know.
    pub(super) async fn recall(&mut self) -> Result<(), Error> {
        let record = self.app.store.find_edit(&self.account, &self.id).await?;
        let request = record.and_then(|record| record.request);
        let request = request.and_then(|text| serde_json::from_str(&text).ok());
        let request: Value = request.unwrap_or_default();
        self.compression = request_fields::compression(&request);
        self.shape = request_fields::shape(&request);
        Ok(())
    }

    /// Leaves the edit to the next process.
    pub(super) fn leave(self) {
        self.guard.leave();
    }

    /// The type of its result.
    pub(super) fn media(&self) -> Media {
        Media::of_name(&self.blob).unwrap_or(Media::of(self.kind))
    }

    /// The trace span for the work on it, as part of its call.
    pub(super) fn span(&self) -> Span {
        info_span!(
            "edit",
            retouch.generation = %self.id,
            retouch.kind = self.kind.as_str(),
            retouch.model = self.model,
        )
    }

    /// The trace span for work on it in a task of its own.
    pub(super) fn span_apart(&self) -> Span {
        let apart = info_span!(
            parent: None,
            "edit",
            otel.kind = "consumer",
            retouch.generation = %self.id,
            retouch.kind = self.kind.as_str(),
            retouch.model = self.model,
        );
        spans::continued(apart)
    }

    /// The time left for the work, in milliseconds.
    pub(super) fn time_left_ms(&self) -> u64 {
        let ms_max = self.ms_max();
        let passed = self.app.clock.now().0.saturating_sub(self.created_at.0);
        let passed = u64::try_from(passed).unwrap_or(0);
        ms_max.saturating_sub(passed).max(TAKEN_OVER_MS_MIN).min(ms_max)
    }

    /// Whether its time is over.
    pub(super) fn is_late(&self) -> bool {
        let ms_max = i64::try_from(self.ms_max()).unwrap_or(i64::MAX);
        self.app.clock.now() >= self.created_at.plus_ms(ms_max)
    }

    fn ms_max(&self) -> u64 {
        match self.is_background {
            false => self.app.settings.edits.provider_ms_max,
            true => self.app.settings.edits.background_ms_max,
        }
    }
}
