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

/// How many times as much as is left for others a caller may hold, unless nobody else holds anything. So there is
/// always something left, however many callers take all that they can: with n of them, whose calls come and go, a
/// part in 1 + 3n (dynamic thresholds, Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2), 1998).
const TIMES_LEFT: u64 = 3;

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
        let held = shares.get(whose).copied().unwrap_or(0);
        let of_share = held.saturating_add(more);
        let share_bytes_max = self.share_bytes_max;
        if of_share > share_bytes_max {
            let is_account = matches!(whose, Whose::Account(_));
            return Err(NoRoom::OfShare { is_account, share_bytes_max });
        }
        let left = self.stock.free_bytes().saturating_sub(more);
        let is_alone = shares.len() == usize::from(held > 0);
        if !is_alone && of_share > left.saturating_mul(TIMES_LEFT) {
            return Err(NoRoom::AtAll);
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

#[cfg(test)]
mod tests {
    use super::*;

    const ALL_BYTES: u64 = 64 << 20;
    const SHARE_BYTES: u64 = 24 << 20;
    const PIECE_BYTES: u64 = 64 << 10;

    fn memory() -> Bodies {
        Bodies {
            stock: Stock::new(ALL_BYTES),
            share_bytes_max: SHARE_BYTES,
            shares: Arc::default(),
        }
    }

    fn account(number: usize) -> Whose {
        Whose::Account(format!("acct_{number:0>26}").parse().unwrap())
    }

    /// Bytes that a caller gets who takes all that it can.
    fn greedy(body: &BodyMemory) -> u64 {
        std::iter::repeat(PIECE_BYTES).take_while(|piece| body.take(*piece)).sum()
    }

    #[test]
    fn callers_who_take_all_they_can_leave_something_for_the_next() {
        for callers in [1, 2, 3, 6] {
            let memory = memory();
            let bodies: Vec<_> =
                (0..callers).map(|number| memory.begin(account(number)).unwrap()).collect();
            // Calls come and go: what one gives back the others take.
            for _ in 0..20 {
                bodies.iter().for_each(|body| {
                    body.keep(0);
                    greedy(body);
                });
            }
            let next = memory.begin(account(callers)).unwrap();
            let got = greedy(&next);
            let least = ALL_BYTES / (1 + TIMES_LEFT * (callers as u64 + 1)) / 2;
            assert!(got > least.min(SHARE_BYTES), "{got} after {callers}, at least {least}");
        }
    }

    #[test]
    fn who_is_alone_has_a_whole_share_of_a_stock_that_is_no_larger() {
        let memory = Bodies { stock: Stock::new(SHARE_BYTES), ..memory() };
        let body = memory.begin(account(1)).unwrap();
        assert_eq!(greedy(&body), SHARE_BYTES);
        assert_eq!(memory.begin(account(2)).unwrap().cover(PIECE_BYTES), Err(NoRoom::AtAll));
        drop(body);
        assert_eq!(memory.used_bytes(), 0);
    }
}
