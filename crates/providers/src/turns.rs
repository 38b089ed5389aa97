//! Fair scheduling: if not all edits can run at the same time, accounts take turns. An account with
//! a hundred edits does not delay an account with one. The server uses this for its own work, and
//! each provider's gate for its calls.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use retouch_core::AccountId;
use tokio::sync::oneshot;

/// The account has its maximum number of edits in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the account has {under_way} edits in progress")]
pub struct AccountFull {
    /// How many edits it has.
    pub under_way: usize,
}

/// A limited number of turns to work. Clones share them.
#[derive(Clone, Debug)]
pub struct Turns {
    at_once_max: usize,
    lines: Arc<Mutex<Lines>>,
    /// How many edits each account has in progress: running, waiting, or about to.
    places: Arc<Mutex<HashMap<AccountId, usize>>>,
}

/// One of an account's edits in progress, running or waiting. Dropping it frees the place.
#[derive(Debug)]
pub struct Place {
    turns: Turns,
    account: AccountId,
}

/// The right to work. Dropping it passes it on.
#[derive(Debug)]
pub struct Turn {
    turns: Turns,
    account: AccountId,
}

/// A waiting edit, and how many turns its account may have at the same time.
#[derive(Debug)]
struct Waiting {
    turn: oneshot::Sender<Turn>,
    own_at_once_max: usize,
}

/// How many edits may wait for a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// All accounts together.
    pub all_max: usize,
    /// One account.
    pub per_account_max: usize,
}

/// No more edits may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{waiting} edits are already waiting")]
pub struct NoRoom {
    /// How many edits wait: those of the account if its share is used up, otherwise all.
    pub waiting: usize,
}

#[derive(Debug, Default)]
struct Lines {
    working: usize,
    /// How many turns each account holds. Accounts without turns are not listed.
    own: HashMap<AccountId, usize>,
    /// The waiting edits of each account, in the order in which they arrived.
    waiting: HashMap<AccountId, VecDeque<Waiting>>,
    /// The accounts with waiting edits, the next one first, without duplicates.
    order: VecDeque<AccountId>,
}

impl Turns {
    /// Allows this many turns at the same time. Further edits wait.
    pub fn new(at_once_max: usize) -> Self {
        Self { at_once_max, lines: Arc::default(), places: Arc::default() }
    }

    /// A separate set of turns for other work, whose edits count toward the same places of each
    /// account.
    #[must_use]
    pub fn beside(&self, at_once_max: usize) -> Self {
        Self { at_once_max, lines: Arc::default(), places: Arc::clone(&self.places) }
    }

    /// Takes one of the account's `places_max` places. Call this before doing anything for the edit
    /// that would have to be undone.
    ///
    /// # Errors
    /// When the account has its maximum number of edits in progress.
    pub fn enter(&self, account: &AccountId, places_max: usize) -> Result<Place, AccountFull> {
        let mut places = self.places();
        let under_way = places.get(account).copied().unwrap_or(0);
        if under_way >= places_max {
            return Err(AccountFull { under_way });
        }
        places.insert(account.clone(), under_way + 1);
        Ok(Place { turns: self.clone(), account: account.clone() })
    }

    /// Waits for a turn of `account` without taking one of its places, if there is `room` to wait.
    ///
    /// # Errors
    /// Immediately, when there is no room.
    pub async fn take(&self, account: &AccountId, room: Room) -> Result<Turn, NoRoom> {
        let next = self.next_within(account, room)?;
        Ok(next.turn(self, account).await)
    }

    /// Waits for a turn of `account`, which may hold at most `own_at_once_max`.
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

    /// Takes a turn if one is free, or else a place in the account's line.
    fn join(&self, lines: &mut Lines, account: &AccountId, own_at_once_max: usize) -> Next {
        if lines.working < self.at_once_max && lines.own(account) < own_at_once_max {
            lines.begin(account);
            return Next::Now(Turn { turns: self.clone(), account: account.clone() });
        }
        Next::Later(lines.wait(account, own_at_once_max))
    }

    /// How many edits are waiting now.
    pub fn waiting(&self) -> usize {
        self.lock().waiting.values().map(VecDeque::len).sum()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Lines> {
        // A panic elsewhere cannot leave the lines in an inconsistent state.
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn places(&self) -> std::sync::MutexGuard<'_, HashMap<AccountId, usize>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Waits for a turn. Waiting accounts are served one after the other, and the edits of each in
    /// the order in which they arrived. Dropping the future gives up the turn but not the place.
    pub async fn turn(&self) -> Turn {
        self.turns.next(&self.account).turn(&self.turns, &self.account).await
    }
}

/// How to get a turn.
enum Next {
    Now(Turn),
    Later(oneshot::Receiver<Turn>),
}

impl Next {
    async fn turn(self, turns: &Turns, account: &AccountId) -> Turn {
        match self {
            Self::Now(turn) => turn,
            // This never fails: the sender stays in its line until it hands over a turn.
            Self::Later(handed) => handed.await.unwrap_or_else(|_| Turn::extra(turns, account)),
        }
    }
}

impl Turn {
    /// One turn more than allowed. This is better than a caller who waits forever.
    fn extra(turns: &Turns, account: &AccountId) -> Self {
        turns.lock().begin(account);
        Self { turns: turns.clone(), account: account.clone() }
    }
}

impl Lines {
    /// How many turns `account` holds now.
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

    /// Removes edits whose callers no longer wait.
    fn forget_gone(&mut self) {
        self.waiting.retain(|_, line| {
            line.retain(|waiting| !waiting.turn.is_closed());
            !line.is_empty()
        });
        let waiting = &self.waiting;
        self.order.retain(|account| waiting.contains_key(account));
    }

    /// Ends a turn of `account` and returns who gets the next one, if any.
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

    /// The first edit still waiting of the account whose turn it is. An account that already holds
    /// its maximum number of turns keeps its position.
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
            // If the receiver has just stopped waiting, the turn comes back here and is dropped,
            // which passes it on.
            drop(next.send(Turn { turns: self.turns.clone(), account }));
        }
    }
}
