//! Memory for the bodies of requests, of which nobody has more than a share at once: whoever sends many
//! large ones slowly keeps nobody else out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retouch_core::AccountId;
use retouch_providers::stock::{Memory, Stock};
use thiserror::Error;

use crate::auth::throttle::AddressKey;
use crate::config::ServerSettings;

/// The memory for bodies; clones share it.
#[derive(Clone, Debug)]
pub struct Bodies {
    stock: Stock,
    share_bytes_max: u64,
    shares: Arc<Mutex<HashMap<Whose, u64>>>,
}

/// Whose share a body's memory is of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Whose {
    /// An account's.
    Account(AccountId),
    /// That of a client of whom nothing else is known yet.
    Address(AddressKey),
}

/// Why there is no memory for a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoRoom {
    /// Whoever sends it has too much of it.
    #[error("{share_bytes_max} bytes of bodies at once are allowed to one caller")]
    OfShare {
        /// Whether it is an account's share, and not a client address's.
        is_account: bool,
        /// What the bodies of one caller may take at once, in bytes.
        share_bytes_max: u64,
    },
    /// All of it is taken.
    #[error("all memory for bodies is taken")]
    AtAll,
}

/// Memory for a body; it goes back when this is dropped.
#[derive(Debug)]
pub struct BodyMemory {
    bodies: Bodies,
    whose: Whose,
    bytes: u64,
    memory: Memory,
}

impl Bodies {
    /// As much as the operator has set.
    pub fn new(settings: &ServerSettings) -> Self {
        Self {
            stock: Stock::new(settings.bodies_bytes_max as u64),
            share_bytes_max: settings.bodies_bytes_per_account_max as u64,
            shares: Arc::default(),
        }
    }

    /// Memory for a body of which nothing has come yet.
    ///
    /// # Errors
    /// When there is none at all.
    pub fn begin(&self, whose: Whose) -> Result<BodyMemory, NoRoom> {
        let memory = self.stock.try_take(0).ok_or(NoRoom::AtAll)?;
        Ok(BodyMemory { bodies: self.clone(), whose, bytes: 0, memory })
    }

    /// Memory for something that stands in it as a whole and is nobody's.
    pub fn try_take(&self, bytes: u64) -> Option<Memory> {
        self.stock.try_take(bytes)
    }

    fn shares(&self) -> MutexGuard<'_, HashMap<Whose, u64>> {
        // A panic elsewhere cannot leave a sum half changed.
        self.shares.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BodyMemory {
    /// Sees to it that this covers `bytes`.
    ///
    /// # Errors
    /// When the caller's share, or all memory, does not reach.
    pub fn cover(&mut self, bytes: u64) -> Result<(), NoRoom> {
        let more = bytes.saturating_sub(self.bytes);
        let mut shares = self.bodies.shares();
        let taken = shares.get(&self.whose).copied().unwrap_or(0).saturating_add(more);
        let share_bytes_max = self.bodies.share_bytes_max;
        if taken > share_bytes_max {
            let is_account = matches!(self.whose, Whose::Account(_));
            return Err(NoRoom::OfShare { is_account, share_bytes_max });
        }
        if !self.bodies.stock.try_cover(&mut self.memory, bytes) {
            return Err(NoRoom::AtAll);
        }
        if taken > 0 {
            shares.insert(self.whose.clone(), taken);
        }
        self.bytes += more;
        Ok(())
    }
}

impl Drop for BodyMemory {
    fn drop(&mut self) {
        let mut shares = self.bodies.shares();
        let Some(taken) = shares.get_mut(&self.whose) else { return };
        *taken = taken.saturating_sub(self.bytes);
        if *taken == 0 {
            shares.remove(&self.whose);
        }
    }
}
