//! Edits: the record of each, which the API calls a generation. A record is opened together with
//! its hold and closed together with its charge.

mod change;
mod claim;
mod close;
mod day;
mod events;
mod expiry;
mod lease;
mod list;
mod open;
mod read;
mod removal;
mod row;
mod share;
mod standing;
mod task;
mod tree;
mod usage;

use retouch_core::{AccountId, Credits, EditId, KeyId, Kind, Timestamp};

pub(crate) use self::claim::results_after;
pub(crate) use self::day::oldest_day;
pub(crate) use self::expiry::LEFT_PLAN_MS;
pub(crate) use self::row::FORGOTTEN;

pub use self::change::EditChange;
pub use self::close::{CloseError, Closed, Outcome};
pub use self::day::DayOfRoute;
pub use self::expiry::{Expired, ExpiryPlace};
pub use self::lease::{Adoption, OpenEditRow, OpenEdits};
pub use self::list::EditFilter;
pub use self::open::{IdempotencyKey, OpenEdit, OpenError, Opened};
pub use self::read::Deleted;
pub use self::removal::Removal;
pub use self::share::Shared;
pub use self::task::TaskRecord;
pub use self::tree::TreeRequest;
pub use self::usage::DayOfModel;

/// The status of an edit, which ends exactly once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditStatus {
    /// Its credits are held.
    Processing,
    /// Its result is stored and was charged.
    Succeeded,
    /// It ended without a charge.
    Failed,
}

impl EditStatus {
    /// The stable name, as stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Processing => "processing",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }

    /// The status with this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Processing, Self::Succeeded, Self::Failed]
            .into_iter()
            .find(|status| status.as_str() == name)
    }
}

/// Why an edit failed, as the caller was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The stable code.
    pub code: String,
    /// The message.
    pub message: String,
    /// Whether the provider may have performed the edit anyway, which cannot be known.
    pub in_doubt: bool,
}

/// The record of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditRecord {
    /// Its id, which is also the hold's.
    pub id: EditId,
    /// The account that owns it.
    pub account: AccountId,
    /// What it produces.
    pub kind: Kind,
    /// Its status.
    pub status: EditStatus,
    /// The model that the caller asked for.
    pub model: String,
    /// The provider that performs it.
    pub provider: String,
    /// What the caller asked for.
    pub instruction: String,
    /// The credits that are held while it runs, or that were charged; 0 if it failed.
    pub cost: Credits,
    /// The API key of the call, if it was made with one.
    pub key: Option<KeyId>,
    /// The name of the result's blob, once the process that performs the edit has stored it.
    pub blob: String,
    /// The stored results, as callers see them. Empty once they have expired.
    pub stored: Vec<String>,
    /// Width and height of the result in pixels, if it is an image and they are known.
    pub size: Option<(u32, u32)>,
    /// The provider's usage figures, as JSON.
    pub usage: Option<String>,
    /// The warnings, as JSON.
    pub warnings: String,
    /// How the instruction was understood and what was done, as JSON.
    pub plan: Option<String>,
    /// Why it failed.
    pub failure: Option<Failure>,
    /// An earlier edit with the same `Idempotency-Key` that failed here, although the provider may
    /// have performed it.
    pub repeats: Option<EditId>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it ended.
    pub completed_at: Option<Timestamp>,
    /// When its owner deleted it. It is no longer listed, and its results are gone.
    pub deleted_at: Option<Timestamp>,
    /// When its results were removed because of their age.
    pub expired_at: Option<Timestamp>,
    /// The rest of the request, without the instruction, as JSON.
    pub request: Option<String>,
    /// The account's edit whose result this one started from.
    pub parent: Option<EditId>,
    /// The image that it goes back to: all edits of the account with the same root do. Empty once
    /// it is deleted.
    pub root: String,
    /// The file name of the first input, as the caller gave it.
    pub input_name: Option<String>,
    /// What its owner calls it.
    pub name: Option<String>,
    /// Whether its owner has marked it.
    pub is_starred: bool,
    /// The secret of the link that shows the result to anyone, if there is one.
    pub share_token: Option<String>,
}
