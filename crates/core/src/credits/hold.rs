//! Credits reserved for a running edit.

use super::Credits;
use crate::KeyId;

/// How far a hold has come; it ends exactly once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HoldState {
    /// The credits are set aside.
    Held,
    /// The edit's result is stored and was charged.
    Captured,
    /// Nothing was charged.
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
    /// The credits out of it.
    pub credits: Credits,
}

/// Credits set aside for one edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// What was set aside.
    pub amount: Credits,
    /// What of it was charged; at most the amount.
    pub captured: Credits,
    /// How far it has come.
    pub state: HoldState,
    /// The buckets it was taken from, in the order in which they were used. When the hold ends, the
    /// credits return by this order, even if the buckets would now be used in another one.
    pub allocation: Vec<Allotment>,
    /// The API key whose limit it counts against.
    pub key: Option<KeyId>,
}

impl Hold {
    /// What it counts for against its key's limit: all while it is held, then what was charged.
    pub fn counted(&self) -> Credits {
        match self.state {
            HoldState::Held => self.amount,
            HoldState::Captured | HoldState::Released => self.captured,
        }
    }
}
