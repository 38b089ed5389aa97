//! Who is worked for next when there is more to do than is done at once: the accounts in turn, so
//! that an account with a hundred edits does not delay an account with one. The server uses it for its own
//! work, and the gate of each provider for the provider's.

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
    account: AccountId,
}

/// One that waits, and how many turns its account may have at once.
#[derive(Debug)]
struct Waiting {
    turn: oneshot::Sender<Turn>,
    own_at_once_max: usize,
}

/// How many edits may wait for a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Of all accounts together.
    pub all_max: usize,
    /// Of one account.
    pub per_account_max: usize,
}

/// As many edits wait as may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{waiting} edits wait already")]
pub struct NoRoom {
    /// How many wait: of the account where its share is taken, else of all.
    pub waiting: usize,
}

#[derive(Debug, Default)]
struct Lines {
    working: usize,
    /// How many turns each account has that has any.
    own: HashMap<AccountId, usize>,
    /// The edits of each account that wait, in the order in which they came.
    waiting: HashMap<AccountId, VecDeque<Waiting>>,
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

    /// Waits for a turn of `account`, without one of its places, as long as there is `room` to wait in.
    ///
    /// # Errors
    /// Immediately, when there is no room.
    pub async fn take(&self, account: &AccountId, room: Room) -> Result<Turn, NoRoom> {
        let next = self.next_within(account, room)?;
        Ok(next.turn(self, account).await)
    }

    /// Waits for a turn of `account`, which has at most so many at once.
    pub async fn turn(&self, account: &AccountId, own_at_once_max: usize) -> Turn {
        let next = self.join(&mut self.lock(), account, own_at_once_max);
        next.turn(self, account).await
    }

    fn next_within(&self, account: &AccountId, room: Room) -> Result<Next, NoRoom> {
        let mut lines = self.lock();
        if lines.working >= self.at_once_max {
            lines.check(account, room)?;
        }
        Ok(self.join(&mut lines, account, usize::MAX))
    }

    fn next(&self, account: &AccountId) -> Next {
        self.join(&mut self.lock(), account, usize::MAX)
    }

    /// A turn where one is free, else a place in the line of `account`.
    fn join(&self, lines: &mut Lines, account: &AccountId, own_at_once_max: usize) -> Next {
        if lines.working < self.at_once_max && lines.own(account) < own_at_once_max {
            lines.begin(account);
            return Next::Now(Turn { turns: self.clone(), account: account.clone() });
        }
        Next::Later(lines.wait(account, own_at_once_max))
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
        self.turns.next(&self.account).turn(&self.turns, &self.account).await
    }
}

/// How a turn is had.
enum Next {
    Now(Turn),
    Later(oneshot::Receiver<Turn>),
}

impl Next {
    async fn turn(self, turns: &Turns, account: &AccountId) -> Turn {
        match self {
            Self::Now(turn) => turn,
            // The error never comes: the other end stays in its line until it hands over a turn.
            Self::Later(handed) => handed.await.unwrap_or_else(|_| Turn::extra(turns, account)),
        }
    }
}

impl Turn {
    /// One more than there should be, rather than a caller who waits for ever.
    fn extra(turns: &Turns, account: &AccountId) -> Self {
        turns.lock().begin(account);
        Self { turns: turns.clone(), account: account.clone() }
    }
}

impl Lines {
    /// Turns that `account` has at this moment.
    fn own(&self, account: &AccountId) -> usize {
        self.own.get(account).copied().unwrap_or(0)
    }

    fn begin(&mut self, account: &AccountId) {
        self.working += 1;
        *self.own.entry(account.clone()).or_default() += 1;
    }

    fn wait(&mut self, account: &AccountId, own_at_once_max: usize) -> oneshot::Receiver<Turn> {
        let (turn, waiting) = oneshot::channel();
        let line = self.waiting.entry(account.clone()).or_default();
        if line.is_empty() {
            self.order.push_back(account.clone());
        }
        line.push_back(Waiting { turn, own_at_once_max });
        waiting
    }

    /// Whether one more edit of `account` may wait.
    fn check(&mut self, account: &AccountId, room: Room) -> Result<(), NoRoom> {
        if self.has_room(account, room).is_err() {
            self.forget_gone();
        }
        self.has_room(account, room)
    }

    fn has_room(&self, account: &AccountId, room: Room) -> Result<(), NoRoom> {
        let own = self.waiting.get(account).map_or(0, VecDeque::len);
        if own >= room.per_account_max {
            return Err(NoRoom { waiting: own });
        }
        let waiting = self.waiting.values().map(VecDeque::len).sum();
        if waiting >= room.all_max { Err(NoRoom { waiting }) } else { Ok(()) }
    }

    /// Removes the edits that no longer wait.
    fn forget_gone(&mut self) {
        self.waiting.retain(|_, line| {
            line.retain(|waiting| !waiting.turn.is_closed());
            !line.is_empty()
        });
        let waiting = &self.waiting;
        self.order.retain(|account| waiting.contains_key(account));
    }

    /// Ends a turn of `account`; who has the next one, if anybody waits who may.
    fn end(&mut self, account: &AccountId) -> Option<(AccountId, oneshot::Sender<Turn>)> {
        self.working = self.working.saturating_sub(1);
        match self.own(account) {
            0 | 1 => drop(self.own.remove(account)),
            more => drop(self.own.insert(account.clone(), more - 1)),
        }
        let next = self.next();
        if let Some((account, _)) = &next {
            self.begin(account);
        }
        next
    }

    /// The first who still waits of the account whose turn it is; an account that has as many turns as it
    /// may keeps its place in the order.
    fn next(&mut self) -> Option<(AccountId, oneshot::Sender<Turn>)> {
        let mut at = 0;
        while let Some(account) = self.order.get(at).cloned() {
            let own = self.own(&account);
            let line = self.waiting.entry(account.clone()).or_default();
            line.retain(|waiting| !waiting.turn.is_closed());
            if line.front().is_some_and(|first| own >= first.own_at_once_max) {
                at += 1;
                continue;
            }
            let next = line.pop_front();
            let is_empty = line.is_empty();
            self.order.remove(at);
            if is_empty {
                self.waiting.remove(&account);
            } else {
                self.order.push_back(account.clone());
            }
            if let Some(next) = next {
                return Some((account, next.turn));
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
        let next = self.turns.lock().end(&self.account);
        if let Some((account, next)) = next {
            // A caller who has stopped waiting in this moment gives the turn on: it comes back here.
            drop(next.send(Turn { turns: self.turns.clone(), account }));
        }
    }
}
