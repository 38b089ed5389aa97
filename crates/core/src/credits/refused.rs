//! Why a command changes nothing.

use thiserror::Error;

use super::{Credits, HoldState};

/// Why a command changes nothing.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Refused {
    /// Fewer credits are available than the hold needs.
    #[error("{needed} credits are needed and {available} are available")]
    Insufficient {
        /// What the hold needs.
        needed: Credits,
        /// What is available.
        available: Credits,
    },
    /// The API key would go over its own limit.
    #[error("the key may use {limit} credits, has used {used}, and {needed} are needed")]
    KeyLimit {
        /// What the key may use over its life.
        limit: Credits,
        /// What it has used or holds.
        used: Credits,
        /// What the hold needs.
        needed: Credits,
    },
    /// This source key has had its effect before.
    #[error("already booked: {source_key}")]
    AlreadyGranted {
        /// The key of the source.
        source_key: String,
    },
    /// A grant or a taking back of nothing.
    #[error("0 credits cannot be granted or taken back")]
    Nothing,
    /// More credits than an account can have.
    #[error("an account can have at most {max} credits", max = Credits::MAX)]
    TooMany,
    /// A grant whose credits could never be used.
    #[error("the credits would expire before they are granted")]
    ExpiresInThePast,
    /// The account has no such hold.
    #[error("the account has no such hold")]
    HoldUnknown,
    /// The hold has ended before: a hold ends once.
    #[error("the hold has already ended: it was {}", .state.as_str())]
    HoldEnded {
        /// How it ended.
        state: HoldState,
    },
    /// A hold of that name exists: a name is used once.
    #[error("a hold with this ID already exists")]
    HoldIdTaken,
    /// More is to be charged than is held.
    #[error("cannot charge {asked} credits: only {held} are held")]
    CaptureTooMuch {
        /// What is to be charged.
        asked: Credits,
        /// What is held.
        held: Credits,
    },
}
