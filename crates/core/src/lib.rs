//! What an edit is and what it costs. No I/O, no async, no HTTP, no SQL: everything here is a
//! pure function of its arguments, with time and randomness among them.
//!
//! Reading order: [`edit`] (what a caller asks), [`catalogue`] (what the models allow and cost),
//! [`credits`] (who pays, and the one function that decides it), [`billing`] (what adds credits
//! every month), [`rate`] (how often somebody may come).

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
pub use id::{AccountId, EditId, Ids, InvitationId, KeyId, LetterId, SubscriptionId};
pub use kind::Kind;
pub use rate::Rate;
pub use warning::Warning;
