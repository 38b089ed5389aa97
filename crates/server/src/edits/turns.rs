//! Who is worked for next when there is more to do than is done at once: the accounts in turn, so
//! that whoever sends a hundred edits keeps nobody waiting who sends one.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use retouch_core::AccountId;
use tokio::sync::oneshot;

/// The account has as many edits under way as it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{under_way} edits of the account are under way")]
pub struct AccountFull {
    /// How many it has.
    pub under_way: usize,
}

/// The turns to work; clones share them.
#[derive(Clone, Debug)]
pub struct Turns {
    at_once_max: usize,
    lines: Arc<Mutex<Lines>>,
    /// How many edits each account has under way: worked on, waiting, or about to.
    places: Arc<Mutex<HashMap<AccountId, usize>>>,
}

/// A place among the edits of an account, worked on or not, which ends when this is dropped.
#[derive(Debug)]
pub struct Place {
    turns: Turns,
    account: AccountId,
}

/// A turn to work, which ends when this is dropped.
#[derive(Debug)]
pub struct Turn {
    turns: Turns,
}

#[derive(Debug, Default)]
struct Lines {
    working: usize,
    /// The edits of each account that wait, in the order in which they came.
    waiting: HashMap<AccountId, VecDeque<oneshot::Sender<Turn>>>,
    /// Accounts of which edits wait, the next one first; each is here once.
    order: VecDeque<AccountId>,
}

impl Turns {
    /// So many turns at once; further edits wait.
    pub fn new(at_once_max: usize) -> Self {
        Self { at_once_max, lines: Arc::default(), places: Arc::default() }
    }

    /// So many turns at once of other work, whose edits take the same places of an account.
    #[must_use]
    pub fn beside(&self, at_once_max: usize) -> Self {
        Self { at_once_max, lines: Arc::default(), places: Arc::clone(&self.places) }
    }

    /// Takes one of the places of `account`, of which it has so many, before anything is done for the
    /// edit that others would have to undo.
    ///
    /// # Errors
    /// When the account has as many edits under way as it may.
    pub fn enter(&self, account: &AccountId, places_max: usize) -> Result<Place, AccountFull> {
        let mut places = self.places();
        let under_way = places.get(account).copied().unwrap_or(0);
        if under_way >= places_max {
            return Err(AccountFull { under_way });
        }
        places.insert(account.clone(), under_way + 1);
        Ok(Place { turns: self.clone(), account: account.clone() })
    }

    /// Edits that wait for their turn at this moment.
    pub fn waiting(&self) -> usize {
        self.lock().waiting.values().map(VecDeque::len).sum()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Lines> {
        // No panic can leave the lines half changed.
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn places(&self) -> std::sync::MutexGuard<'_, HashMap<AccountId, usize>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Waits for a turn: the accounts that wait are served one after the other, and the edits of each
    /// in the order in which they came. Whoever stops waiting gives up the turn, and not the place.
    pub async fn turn(&self) -> Turn {
        let waiting = {
            let mut lines = self.turns.lock();
            if lines.working < self.turns.at_once_max {
                lines.working += 1;
                return Turn { turns: self.turns.clone() };
            }
            lines.wait(&self.account)
        };
        let handed = waiting.await;
        handed.unwrap_or_else(|_| {
            // Never: the other end stays in its line until it hands over a turn.
            self.turns.lock().working += 1;
            Turn { turns: self.turns.clone() }
        })
    }
}

impl Lines {
    fn wait(&mut self, account: &AccountId) -> oneshot::Receiver<Turn> {
        let (place, waiting) = oneshot::channel();
        let line = self.waiting.entry(account.clone()).or_default();
        if line.is_empty() {
            self.order.push_back(account.clone());
        }
        line.push_back(place);
        waiting
    }

    /// Ends a turn; who has the next one, if anybody waits.
    fn end(&mut self) -> Option<oneshot::Sender<Turn>> {
        self.working = self.working.saturating_sub(1);
        let next = self.next();
        self.working += usize::from(next.is_some());
        next
    }

    /// The first who still waits of the account whose turn it is.
    fn next(&mut self) -> Option<oneshot::Sender<Turn>> {
        while let Some(account) = self.order.pop_front() {
            let Some(line) = self.waiting.get_mut(&account) else { continue };
            line.retain(|place| !place.is_closed());
            let place = line.pop_front();
            if line.is_empty() {
                self.waiting.remove(&account);
            } else {
                self.order.push_back(account);
            }
            if place.is_some() {
                return place;
            }
        }
        None
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut places = self.turns.places();
        let left = places.get(&self.account).map_or(0, |under_way| under_way.saturating_sub(1));
        if left == 0 {
            places.remove(&self.account);
        } else {
            places.insert(self.account.clone(), left);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let next = self.turns.lock().end();
        if let Some(next) = next {
            // Whoever has stopped waiting in this moment gives the turn on: it comes back here.
            drop(next.send(Turn { turns: self.turns.clone() }));
        }
    }
}
