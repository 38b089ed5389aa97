//! Credits reserved for a running edit.

use super::Credits;
use crate::{KeyId, Timestamp};

/// The state of a hold. A hold ends exactly once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HoldState {
    /// The credits are reserved.
    Held,
    /// The edit's result is stored and was charged.
    Captured,
    /// Nothing was charged, and all credits were returned.
    Released,
}

impl HoldState {
    /// Every state, for reading one back from its name.
    pub const ALL: [Self; 3] = [Self::Held, Self::Captured, Self::Released];

    /// The stable name, as stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Captured => "captured",
            Self::Released => "released",
        }
    }

    /// The state with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

/// What a hold took out of one bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// The bucket's number.
    pub bucket: u32,
    /// How many credits were taken from it.
    pub credits: Credits,
}

/// Credits reserved for one edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// How many credits were reserved.
    pub amount: Credits,
    /// How many of them were charged.
    pub captured: Credits,
    /// Its state.
    pub state: HoldState,
    /// The buckets it was taken from, in the order in which they were used. When the hold ends,
    /// the credits return in this order, even if the buckets would be used in another order by
    /// then.
    pub allocation: Vec<Allotment>,
    /// The API key whose limits it counts against.
    pub key: Option<KeyId>,
    /// When it began.
    pub at: Timestamp,
}

impl Hold {
    /// How much it counts towards its key's limit: the whole amount while held, then what was
    /// charged.
    pub fn counted(&self) -> Credits {
        match self.state {
            HoldState::Held => self.amount,
            HoldState::Captured | HoldState::Released => self.captured,
        }
    }
}
