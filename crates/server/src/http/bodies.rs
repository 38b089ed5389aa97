//! Memory for what calls make the process hold: their bodies, the pictures that are fetched for them, and
//! their answers. Nobody has more than a share of it at once, so that an account with many large calls
//! leaves room for the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retouch_core::AccountId;
use retouch_providers::stock::{Allowance, Memory, Stock};
use thiserror::Error;

use crate::auth::throttle::AddressKey;
use crate::config::ServerSettings;

/// Bytes that an answer takes while it is sent: what is read of a stored result, its base64, and
/// what the connection has yet to send.
pub const ANSWER_BYTES: u64 = 256 * 1024;

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

/// Memory for what a call makes the process hold, of its caller's share: its body, the pictures that are
/// fetched for it, its answer until that is sent. It goes back when this is dropped.
#[derive(Debug)]
pub struct BodyMemory {
    bodies: Bodies,
    whose: Whose,
    taken: Mutex<Taken>,
}

#[derive(Debug)]
struct Taken {
    bytes: u64,
    memory: Memory,
    /// Why there was no more of it.
    refused: Option<NoRoom>,
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
        let taken = Taken { bytes: 0, memory, refused: None };
        Ok(BodyMemory { bodies: self.clone(), whose, taken: Mutex::new(taken) })
    }

    /// Bytes that are taken at this moment, of all callers.
    pub fn used_bytes(&self) -> u64 {
        self.stock.used_bytes()
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
    /// Makes sure that this covers `bytes`.
    ///
    /// # Errors
    /// When the caller's share, or all memory, does not suffice.
    pub fn cover(&self, bytes: u64) -> Result<(), NoRoom> {
        let mut taken = self.taken();
        let more = bytes.saturating_sub(taken.bytes);
        self.add(&mut taken, more)
    }

    /// Gives back what is more than `bytes`.
    pub fn keep(&self, bytes: u64) {
        let mut taken = self.taken();
        let surplus = taken.bytes.saturating_sub(bytes);
        taken.memory.keep(bytes);
        taken.bytes -= surplus;
        self.bodies.give_back(&self.whose, surplus);
    }

    /// Why there was no more memory, where some was asked for in vain.
    pub fn refused(&self) -> Option<NoRoom> {
        self.taken().refused
    }

    fn add(&self, taken: &mut Taken, more: u64) -> Result<(), NoRoom> {
        let added = self.bodies.add(&self.whose, taken, more);
        taken.refused = added.err().or(taken.refused);
        added
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        // A panic elsewhere cannot leave a sum half changed.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Allowance for BodyMemory {
    fn take(&self, bytes: u64) -> bool {
        self.add(&mut self.taken(), bytes).is_ok()
    }
}

impl Bodies {
    fn add(&self, whose: &Whose, taken: &mut Taken, more: u64) -> Result<(), NoRoom> {
        let mut shares = self.shares();
        let of_share = shares.get(whose).copied().unwrap_or(0).saturating_add(more);
        let share_bytes_max = self.share_bytes_max;
        if of_share > share_bytes_max {
            let is_account = matches!(whose, Whose::Account(_));
            return Err(NoRoom::OfShare { is_account, share_bytes_max });
        }
        let bytes = taken.bytes.saturating_add(more);
        if !self.stock.try_cover(&mut taken.memory, bytes) {
            return Err(NoRoom::AtAll);
        }
        if of_share > 0 {
            shares.insert(whose.clone(), of_share);
        }
        taken.bytes = bytes;
        Ok(())
    }

    fn give_back(&self, whose: &Whose, bytes: u64) {
        let mut shares = self.shares();
        let Some(taken) = shares.get_mut(whose) else { return };
        *taken = taken.saturating_sub(bytes);
        if *taken == 0 {
            shares.remove(whose);
        }
    }
}

impl Drop for BodyMemory {
    fn drop(&mut self) {
        let bytes = self.taken().bytes;
        self.bodies.give_back(&self.whose, bytes);
    }
}
