//! Who is worked for next when there is more to do than is done at once: the accounts in turn, so
//! that whoever sends a hundred edits keeps nobody waiting who sends one.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use retouch_core::AccountId;
use tokio::sync::oneshot;

/// How many may be worked on, and how many an account may have.
#[derive(Clone, Copy, Debug)]
pub struct TurnLimits {
    /// Edits that are worked on at once; further ones wait.
    pub at_once_max: usize,
    /// Edits of one account that are worked on or wait.
    pub per_account_max: usize,
}

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
    limits: TurnLimits,
    lines: Arc<Mutex<Lines>>,
}

/// A turn to work, which ends when this is dropped.
#[derive(Debug)]
pub struct Turn {
    turns: Turns,
    account: AccountId,
}

#[derive(Debug, Default)]
struct Lines {
    working: usize,
    accounts: HashMap<AccountId, Line>,
    /// Accounts of which edits wait, the next one first; each is here once.
    order: VecDeque<AccountId>,
}

/// The edits of one account.
#[derive(Debug, Default)]
struct Line {
    working: usize,
    waiting: VecDeque<oneshot::Sender<Turn>>,
}

impl Line {
    fn under_way(&self) -> usize {
        self.working + self.waiting.iter().filter(|place| !place.is_closed()).count()
    }

    fn is_idle(&self) -> bool {
        self.working == 0 && self.waiting.is_empty()
    }
}

impl Turns {
    /// As many turns at once as `limits` says.
    pub fn new(limits: TurnLimits) -> Self {
        Self { limits, lines: Arc::default() }
    }

    /// Whether `account` may have one more edit under way.
    ///
    /// # Errors
    /// When it has as many as it may.
    pub fn has_room(&self, account: &AccountId) -> Result<(), AccountFull> {
        self.room(&self.lock(), account)
    }

    /// Edits that wait for their turn at this moment.
    pub fn waiting(&self) -> usize {
        self.lock().accounts.values().map(|line| line.waiting.len()).sum()
    }

    /// Waits for a turn of `account`: the accounts that wait are served one after the other, and
    /// the edits of each in the order in which they came. Whoever stops waiting gives up the place.
    ///
    /// # Errors
    /// At once, when the account has as many edits under way as it may.
    pub async fn take(&self, account: &AccountId) -> Result<Turn, AccountFull> {
        let waiting = {
            let mut lines = self.lock();
            self.room(&lines, account)?;
            if lines.working < self.limits.at_once_max {
                lines.begin(account);
                return Ok(self.turn(account));
            }
            lines.wait(account)
        };
        let handed = waiting.await;
        Ok(handed.unwrap_or_else(|_| {
            // Never: the other end stays in its line until it hands over a turn.
            self.lock().begin(account);
            self.turn(account)
        }))
    }

    fn room(&self, lines: &Lines, account: &AccountId) -> Result<(), AccountFull> {
        let under_way = lines.accounts.get(account).map_or(0, Line::under_way);
        if under_way < self.limits.per_account_max {
            Ok(())
        } else {
            Err(AccountFull { under_way })
        }
    }

    fn turn(&self, account: &AccountId) -> Turn {
        Turn { turns: self.clone(), account: account.clone() }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Lines> {
        // No panic can leave the lines half changed.
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lines {
    fn begin(&mut self, account: &AccountId) {
        self.working += 1;
        self.accounts.entry(account.clone()).or_default().working += 1;
    }

    fn wait(&mut self, account: &AccountId) -> oneshot::Receiver<Turn> {
        let (place, waiting) = oneshot::channel();
        let line = self.accounts.entry(account.clone()).or_default();
        if line.waiting.is_empty() {
            self.order.push_back(account.clone());
        }
        line.waiting.push_back(place);
        waiting
    }

    /// Ends a turn of `account`; who is next, if anybody waits.
    fn end(&mut self, account: &AccountId) -> Option<(AccountId, oneshot::Sender<Turn>)> {
        self.working = self.working.saturating_sub(1);
        if let Some(line) = self.accounts.get_mut(account) {
            line.working = line.working.saturating_sub(1);
            if line.is_idle() {
                self.accounts.remove(account);
            }
        }
        let next = self.next();
        if let Some((account, _)) = &next {
            self.begin(account);
        }
        next
    }

    /// The first who still waits of the account whose turn it is.
    fn next(&mut self) -> Option<(AccountId, oneshot::Sender<Turn>)> {
        while let Some(account) = self.order.pop_front() {
            let Some(line) = self.accounts.get_mut(&account) else { continue };
            line.waiting.retain(|place| !place.is_closed());
            let place = line.waiting.pop_front();
            if !line.waiting.is_empty() {
                self.order.push_back(account.clone());
            } else if line.is_idle() && place.is_none() {
                self.accounts.remove(&account);
            }
            if let Some(place) = place {
                return Some((account, place));
            }
        }
        None
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let next = self.turns.lock().end(&self.account);
        if let Some((account, place)) = next {
            // Whoever has stopped waiting in this moment gives the turn on: it comes back here.
            drop(place.send(self.turns.turn(&account)));
        }
    }
}
