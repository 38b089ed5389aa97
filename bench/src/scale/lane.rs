//! A writer as in `crates/store/src/postgres/writer.rs`: one transaction at a time for all queued
//! commands, and a short wait for callers that were answered together and come back together.

use std::collections::{HashMap, VecDeque};

use super::place::Walk;
use super::transaction::BATCH_MAX;

/// How much longer a writer waits for commands, as a share of the last transaction's time
/// (`GATHER_SHARE`).
const GATHER_SHARE: u64 = 8;
/// The longest wait, in nanoseconds (`GATHER_MAX`).
const GATHER_NS_MAX: u64 = 2_000_000;

/// A command that waits for a writer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Command {
    /// The walk that waits for its answer.
    pub(crate) walk: Walk,
    /// The account whose credits it moves.
    pub(crate) account: u32,
    /// Whether it opens a hold; otherwise it ends one.
    pub(crate) opens: bool,
}

/// What a writer does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Nothing: it is busy, or no command waits.
    Nothing,
    /// It waits that many nanoseconds for more commands.
    Gather(u64),
    /// It begins its transaction.
    Begin,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Idle,
    Gathering,
    Busy,
}

/// An account's state in the memory of a writer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    /// The version of the account's state.
    version: u64,
    /// Whether another writer had changed it the last time it was read.
    is_shared: bool,
}

/// A connection that writes, and the commands that wait for it.
#[derive(Debug)]
pub(crate) struct Lane {
    /// The writer's number.
    pub(crate) number: usize,
    /// The walk of its transactions.
    pub(crate) walk: Walk,
    /// The station of its thread.
    pub(crate) node: usize,
    /// The database that the writer uses.
    pub(crate) database: usize,
    /// The commands of the current transaction.
    pub(crate) batch: Vec<Command>,
    /// The number of its transactions, which distinguishes the end of a wait from that of an
    /// earlier one.
    pub(crate) turn: u64,
    queue: VecDeque<Command>,
    /// Commands that the current transaction has no time for. The next transaction has only these.
    rest: Vec<Command>,
    state: State,
    /// How many commands had arrived when the last transaction began.
    together: usize,
    expected: usize,
    within_ns: u64,
    began_ns: u64,
    kept: HashMap<u32, Kept>,
}

impl Lane {
    /// A new writer.
    pub(crate) fn new((number, walk): (usize, Walk), node: usize, database: usize) -> Self {
        Self {
            number,
            walk,
            node,
            database,
            batch: Vec::new(),
            turn: 0,
            queue: VecDeque::new(),
            rest: Vec::new(),
            state: State::Idle,
            together: 0,
            expected: 0,
            within_ns: 0,
            began_ns: 0,
            kept: HashMap::new(),
        }
    }

    /// Queues a command and returns what the writer does next.
    pub(crate) fn come(&mut self, command: Command, now_ns: u64) -> Next {
        self.queue.push_back(command);
        if self.state == State::Busy { Next::Nothing } else { self.look(now_ns) }
    }

    /// Ends the wait for more commands, unless it belonged to an earlier turn than `turn`.
    pub(crate) fn gathered(&mut self, turn: u64, now_ns: u64) -> Next {
        let is_now = self.state == State::Gathering && self.turn == turn;
        if is_now { self.begin(now_ns) } else { Next::Nothing }
    }

    /// Ends the transaction. Returns its commands and what the writer does next.
    pub(crate) fn ended(&mut self, now_ns: u64) -> (Vec<Command>, Next) {
        let done = std::mem::replace(&mut self.batch, std::mem::take(&mut self.rest));
        if !self.batch.is_empty() {
            self.turn += 1;
            return (done, Next::Begin);
        }
        self.expected = self.together;
        self.within_ns = ((now_ns - self.began_ns) / GATHER_SHARE).min(GATHER_NS_MAX);
        self.state = State::Idle;
        let next = if self.queue.is_empty() { Next::Nothing } else { self.look(now_ns) };
        (done, next)
    }

    /// Leaves only this many commands in the transaction, because it has no time for more.
    pub(crate) fn cut(&mut self, most: usize) {
        self.rest = self.batch.split_off(most.min(self.batch.len()));
    }

    /// The accounts of the transaction, in locking order.
    pub(crate) fn accounts(&self) -> Vec<u32> {
        let mut accounts: Vec<u32> = self.batch.iter().map(|command| command.account).collect();
        accounts.sort_unstable();
        accounts.dedup();
        accounts
    }

    /// Whether the account's state is read with the lock, because it is not in memory or others
    /// have changed it.
    pub(crate) fn reads_at_once(&self, account: u32) -> bool {
        self.kept.get(&account).is_none_or(|kept| kept.is_shared)
    }

    /// Reads the version of the locked account. Returns whether the state in memory is outdated.
    pub(crate) fn sees(&mut self, account: u32, version: u64) -> bool {
        let known = self.kept.get(&account).copied();
        let is_stale = known.is_none_or(|kept| kept.version != version);
        self.kept.insert(account, Kept { version, is_shared: is_stale && known.is_some() });
        is_stale
    }

    /// Notes that this writer has changed the account, which now has this `version`.
    pub(crate) fn wrote(&mut self, account: u32, version: u64) {
        if let Some(kept) = self.kept.get_mut(&account) {
            kept.version = version;
        }
    }

    /// Takes the queued commands, and begins if there are as many as the last time or no time to
    /// wait.
    fn look(&mut self, now_ns: u64) -> Next {
        let is_first = self.state == State::Idle;
        let room = BATCH_MAX - self.batch.len();
        let taken = self.queue.len().min(room);
        self.batch.extend(self.queue.drain(..taken));
        if self.batch.len() >= self.expected.min(BATCH_MAX) || self.within_ns == 0 {
            return self.begin(now_ns);
        }
        self.state = State::Gathering;
        if is_first { Next::Gather(self.within_ns) } else { Next::Nothing }
    }

    fn begin(&mut self, now_ns: u64) -> Next {
        self.state = State::Busy;
        self.turn += 1;
        self.together = self.batch.len();
        self.began_ns = now_ns;
        Next::Begin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_transaction_has_no_time_for_is_the_next_one() {
        let mut lane = Lane::new((0, 0), 0, 0);
        let command = |walk| Command { walk, account: 1, opens: true };
        assert_eq!(lane.come(command(1), 0), Next::Begin);
        assert_eq!([2, 3, 4].map(|walk| lane.come(command(walk), 1)), [Next::Nothing; 3]);
        assert!(matches!(lane.ended(0), (done, Next::Begin) if done.len() == 1));
        lane.cut(2);
        assert_eq!(lane.come(command(5), 2), Next::Nothing);
        let walks = |done: Vec<Command>| -> Vec<Walk> { done.iter().map(|it| it.walk).collect() };
        let (done, next) = lane.ended(8_000);
        assert_eq!((walks(done), next), (vec![2, 3], Next::Begin));
        lane.cut(2);
        // The writer waits for as many as arrived together, not for as many as the last transaction
        // had.
        let (done, next) = lane.ended(16_000);
        assert_eq!((walks(done), next), (vec![4], Next::Gather(2_000)));
        assert_eq!((lane.expected, lane.batch.len()), (3, 1));
    }
}
