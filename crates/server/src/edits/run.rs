//! An edit whose credits are held: what any process needs to perform and end it.

use retouch_core::{AccountId, Credits, EditId, Kind, Timestamp, Warning};
use retouch_store::OpenEditRow;
use tokio_util::sync::CancellationToken;
use tracing::{Span, info_span};

use crate::app::App;
use crate::telemetry::spans;

/// The minimum time for an edit that another process has begun, in milliseconds, because its result
/// may already be waiting at the provider.
const TAKEN_OVER_MS_MIN: u64 = 60_000;

/// An open edit.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub(super) account: AccountId,
    pub(super) id: EditId,
    pub(super) kind: Kind,
    /// The id of the requested model.
    pub(super) model: String,
    /// The credits that are held, and charged when there is a result.
    pub(super) price: Credits,
    /// The file name for the result.
    pub(super) blob: String,
    /// The process that is working on it.
    pub(super) owner: String,
    /// Cancelled when another process has taken over.
    pub(super) lost: CancellationToken,
    /// Warnings from before the work began.
    pub(super) warnings: Vec<Warning>,
    pub(super) created_at: Timestamp,
}

impl Held {
    /// An open edit from the store.
    pub(super) fn of(row: &OpenEditRow) -> Result<Self, serde_json::Error> {
        Ok(Self {
            account: row.account.clone(),
            id: row.id,
            kind: row.kind,
            model: row.model.clone(),
            price: row.price,
            blob: row.blob.clone(),
            owner: row.owner.clone(),
            lost: CancellationToken::new(),
            warnings: serde_json::from_str(&row.warnings)?,
            created_at: row.created_at,
        })
    }

    /// The trace span for work on it in a task of its own.
    pub(super) fn span(&self) -> Span {
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
    pub(super) fn time_left_ms(&self, app: &App) -> u64 {
        let ms_max = self.ms_max(app);
        let passed = app.clock.now().0.saturating_sub(self.created_at.0);
        let passed = u64::try_from(passed).unwrap_or(0);
        ms_max.saturating_sub(passed).max(TAKEN_OVER_MS_MIN).min(ms_max)
    }

    /// Whether its time is over.
    pub(super) fn is_late(&self, app: &App) -> bool {
        let ms_max = i64::try_from(self.ms_max(app)).unwrap_or(i64::MAX);
        app.clock.now() >= self.created_at.plus_ms(ms_max)
    }

    fn ms_max(&self, app: &App) -> u64 {
        match self.kind {
            Kind::ImageEdit | Kind::TextToImage => app.settings.edits.provider_ms_max,
            Kind::Video => app.settings.edits.video_provider_ms_max,
        }
    }
}
