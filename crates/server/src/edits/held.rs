//! An edit whose credits are held: what performing and ending it takes, whichever process does.

use retouch_core::{AccountId, Credits, EditId, Kind, Timestamp, Warning};
use retouch_store::OpenEditRow;
use tokio_util::sync::CancellationToken;
use tracing::{Span, info_span};

use crate::app::App;
use crate::telemetry::spans;

/// The least time that an edit gets which another process has begun, in milliseconds: its result
/// may long be waiting at the provider.
const TAKEN_OVER_MS_MIN: u64 = 60_000;

/// An open edit.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub(super) account: AccountId,
    pub(super) id: EditId,
    pub(super) kind: Kind,
    /// The id of the model that was asked for.
    pub(super) model: String,
    /// What is held, and charged when there is a result.
    pub(super) price: Credits,
    /// The name that the result gets.
    pub(super) blob: String,
    /// Names the process that is at it.
    pub(super) owner: String,
    /// Tells this process that it is at it no more.
    pub(super) lost: CancellationToken,
    /// What was known before the work began.
    pub(super) warnings: Vec<Warning>,
    pub(super) created_at: Timestamp,
}

impl Held {
    /// An edit that was left open, as the store lists it.
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

    /// Work on it that goes on in a task of its own, as a trace shows it.
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

    /// How long the work on it may take from now on, in milliseconds.
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
