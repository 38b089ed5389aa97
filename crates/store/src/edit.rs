//! Edits: the record of each (the API calls it a generation), opened with its hold and closed
//! with its charge.

mod claim;
mod close;
mod day;
mod expiry;
mod family;
mod lease;
mod open;
mod read;
mod removal;
mod row;
mod task;
mod usage;

use retouch_core::{AccountId, Credits, EditId, KeyId, Kind, Timestamp};

pub(crate) use self::claim::results_after;
pub(crate) use self::day::oldest_day;
pub(crate) use self::expiry::LEFT_PLAN_MS;
pub(crate) use self::row::FORGOTTEN;

pub use self::close::{CloseError, Outcome};
pub use self::day::DayOfRoute;
pub use self::expiry::{Expired, ExpiryPlace};
pub use self::lease::{Adoption, OpenEditRow, OpenEdits};
pub use self::open::{IdempotencyKey, OpenEdit, OpenError, Opened};
pub use self::read::{Deleted, EditFilter};
pub use self::removal::Removal;
pub use self::task::TaskRecord;
pub use self::usage::DayOfModel;

/// How far an edit has come; it ends once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditStatus {
    /// Its credits are held.
    Processing,
    /// Its result is stored and charged.
    Succeeded,
    /// Nothing was charged.
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

/// Why an edit failed, as its caller was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The stable code.
    pub code: String,
    /// The sentence.
    pub message: String,
    /// Whether the provider may have carried the edit out all the same, and nobody can tell.
    pub in_doubt: bool,
}

/// The record of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditRecord {
    /// Its name, and its hold's.
    pub id: EditId,
    /// Whose it is.
    pub account: AccountId,
    /// What it makes.
    pub kind: Kind,
    /// How far it has come.
    pub status: EditStatus,
    /// The model that was asked for.
    pub model: String,
    /// Who performs it.
    pub provider: String,
    /// What was asked.
    pub instruction: String,
    /// What is held while it runs, what was charged when it succeeded, zero when it failed.
    pub cost: Credits,
    /// The API key that asked, where one did.
    pub key: Option<KeyId>,
    /// The name that the result's blob has, or gets from whoever is at the edit.
    pub blob: String,
    /// The stored results, as the caller was given them; none once they have become too old.
    pub stored: Vec<String>,
    /// The provider's figures, as JSON.
    pub usage: Option<String>,
    /// The warnings, as JSON.
    pub warnings: String,
    /// What was understood and done, as JSON.
    pub plan: Option<String>,
    /// Why it failed.
    pub failure: Option<Failure>,
    /// The earlier edit of the same `Idempotency-Key` that its provider may have carried out although
    /// it failed here.
    pub repeats: Option<EditId>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it ended.
    pub completed_at: Option<Timestamp>,
    /// When its owner deleted it: it is in no list then, and its results are gone.
    pub deleted_at: Option<Timestamp>,
    /// When its results went because of their age.
    pub expired_at: Option<Timestamp>,
    /// What was asked beside the words, as JSON.
    pub request: Option<String>,
    /// The edit of the same account whose result it was made from.
    pub parent: Option<EditId>,
}
