//! The memory budget for calls: their bodies, the images fetched for them, and their responses.
//! Each caller can hold only a share of it, so that an account with many large calls leaves room
//! for others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retouch_core::AccountId;
use retouch_outbound::stock::{Allowance, Memory, Stock};
use thiserror::Error;

use crate::auth::throttle::AddressKey;
use crate::config::ServerSettings;

/// Bytes that a response takes while it is sent: what has been read of a stored result, its base64,
/// and what the connection has not sent yet.
pub const ANSWER_BYTES: u64 = 256 * 1024;

/// A caller may hold at most this many times the memory that is left, unless no one else holds any.
/// So some memory is always left: with n callers that take all they can, whose calls come and go,
/// it is 1/(1 + 3n) (dynamic thresholds, Choudhury and Hahne, IEEE/ACM Transactions on Networking
/// 6(2), 1998).
const TIMES_LEFT: u64 = 3;

/// The memory budget. Clones share it.
#[derive(Clone, Debug)]
pub struct Bodies {
    stock: Stock,
    share_bytes_max: u64,
    shares: Arc<Mutex<HashMap<Whose, u64>>>,
}

/// The caller whose share pays for the memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Whose {
    /// An account.
    Account(AccountId),
    /// A client address, while nothing else is known about the caller.
    Address(AddressKey),
}

/// Why there is no memory for a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoRoom {
    /// The caller has used up its share.
    #[error("one caller may use {share_bytes_max} bytes of memory at a time")]
    OfShare {
        /// Whether it is the share of an account, not of a client address.
        is_account: bool,
        /// The share of one caller, in bytes.
        share_bytes_max: u64,
    },
    /// All memory is in use.
    #[error("all memory for bodies is in use")]
    AtAll,
}

/// The memory of one call, from its caller's share: its body, the images fetched for it, and its
/// response until that is sent. Dropping this returns the memory.
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
    /// Why more memory was refused, if it was.
    refused: Option<NoRoom>,
}

impl Bodies {
    /// The budget in the settings.
    pub fn new(settings: &ServerSettings) -> Self {
        Self {
            stock: Stock::new(settings.bodies_bytes_max as u64),
            share_bytes_max: settings.bodies_bytes_per_account_max as u64,
            shares: Arc::default(),
        }
    }

    /// Memory for a body of which nothing has arrived yet.
    ///
    /// # Errors
    /// When there is no memory at all.
    pub fn begin(&self, whose: Whose) -> Result<BodyMemory, NoRoom> {
        let memory = self.stock.try_take(0).ok_or(NoRoom::AtAll)?;
        let taken = Taken { bytes: 0, memory, refused: None };
        Ok(BodyMemory { bodies: self.clone(), whose, taken: Mutex::new(taken) })
    }

    /// Bytes that all callers use now.
    pub fn used_bytes(&self) -> u64 {
        self.stock.used_bytes()
    }

    /// Memory that is charged to no caller, for something that is in memory as a whole.
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
    /// When the caller's share or the whole budget is too small.
    pub fn cover(&self, bytes: u64) -> Result<(), NoRoom> {
        let mut taken = self.taken();
        let more = bytes.saturating_sub(taken.bytes);
        self.add(&mut taken, more)
    }

    /// Returns all memory beyond `bytes`.
    pub fn keep(&self, bytes: u64) {
        let mut taken = self.taken();
        let surplus = taken.bytes.saturating_sub(bytes);
        taken.memory.keep(bytes);
        taken.bytes -= surplus;
        self.bodies.give_back(&self.whose, surplus);
    }

    /// Why more memory was refused, if it was.
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

    /// The bytes that a caller gets if it takes all it can.
    fn greedy(body: &BodyMemory) -> u64 {
        std::iter::repeat(PIECE_BYTES).take_while(|piece| body.take(*piece)).sum()
    }

    #[test]
    fn callers_who_take_all_they_can_leave_something_for_the_next() {
        for callers in [1, 2, 3, 6] {
            let memory = memory();
            let bodies: Vec<_> =
                (0..callers).map(|number| memory.begin(account(number)).unwrap()).collect();
            // Calls come and go: the others take what one returns.
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
