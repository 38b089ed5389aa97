//! Why a command changes nothing.

use thiserror::Error;

use super::{Credits, HoldState, KeyPeriod};

/// Why a command was refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Refused {
    /// Fewer credits are available than the hold needs.
    #[error("this needs {needed} credits; {available} are available")]
    Insufficient {
        /// What the hold needs.
        needed: Credits,
        /// What is available.
        available: Credits,
    },
    /// The API key would exceed one of its own limits.
    #[error(
        "this needs {needed} credits; the key has used or reserved {used} of its limit of {limit}"
    )]
    KeyLimit {
        /// Which limit.
        period: KeyPeriod,
        /// The limit.
        limit: Credits,
        /// How many it has used or reserved in that period.
        used: Credits,
        /// What the hold needs.
        needed: Credits,
    },
    /// A grant or refund with this source key was already booked.
    #[error("already booked: {source_key}")]
    AlreadyGranted {
        /// The repeated source key.
        source_key: String,
    },
    /// The command would grant or take back 0 credits.
    #[error("0 credits cannot be granted or taken back")]
    Nothing,
    /// The account would exceed the maximum number of credits.
    #[error("an account can have at most {max} credits", max = Credits::MAX)]
    TooMany,
    /// The granted credits would already have expired.
    #[error("the credits would expire before they are granted")]
    ExpiresInThePast,
    /// The account has no such hold.
    #[error("the account has no such hold")]
    HoldUnknown,
    /// The hold has already ended.
    #[error("the hold has already ended: it was {}", .state.as_str())]
    HoldEnded {
        /// How it ended.
        state: HoldState,
    },
    /// A hold with this ID already exists.
    #[error("a hold with this ID already exists")]
    HoldIdTaken,
    /// The charge exceeds the hold.
    #[error("cannot charge {asked} credits: only {held} are held")]
    CaptureTooMuch {
        /// How much was to be charged.
        asked: Credits,
        /// How much is held.
        held: Credits,
    },
}
