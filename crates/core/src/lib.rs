//! What an edit is and what it costs. There is no I/O, async, HTTP or SQL here: everything is a
//! pure function of its arguments, including time and randomness.
//!
//! Suggested reading order: [`edit`] (what callers request), [`catalogue`] (what models allow and
//! cost), [`credits`] (how balances change), [`billing`] (plans that add credits every month) and
//! [`rate`] (how often a caller may make requests).

pub mod billing;
pub mod catalogue;
pub mod clock;
pub mod credits;
pub mod edit;
pub mod email;
pub mod entropy;
pub mod id;
pub mod image;
pub mod kind;
pub mod queue;
pub mod rate;
pub mod warning;

pub use clock::{Clock, SystemClock, TestClock, Timestamp};
pub use credits::Credits;
pub use email::Email;
pub use entropy::{Entropy, OsEntropy, SeededEntropy};
pub use id::{
    AccountId, EditId, EmailId, EventId, Ids, InvitationId, KeyId, SubscriptionId, UploadId,
    WebhookId,
};
pub use kind::Kind;
pub use rate::Rate;
pub use warning::Warning;
