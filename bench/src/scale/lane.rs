//! A lane as in `crates/store/src/postgres/lane.rs`: one transaction at a time for all commands that have
//! queued, and a moment's wait for those who were answered together and come back together.

use std::collections::{HashMap, VecDeque};

use super::place::Walk;

/// The most commands of one transaction (`BATCH_MAX` in `crates/store/src/work.rs`).
const BATCH_MAX: usize = 256;
/// What share of the last transaction's time it is waited for more (`GATHER_SHARE`).
const GATHER_SHARE: u64 = 8;
/// How long at most, in nanoseconds (`GATHER_MAX`).
const GATHER_NS_MAX: u64 = 2_000_000;

/// A command that waits in a lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Command {
    /// Who waits for its answer.
    pub(crate) walk: Walk,
    /// Whose credits it moves.
    pub(crate) account: u32,
    /// Whether it opens a hold; else it ends one.
    pub(crate) opens: bool,
}

/// What a lane does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Nothing: it is at work, or nobody calls.
    Nothing,
    /// It waits so many nanoseconds for more commands.
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

/// A book in the memory of a lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    /// Which state of the account it is.
    version: u64,
    /// Whether others had changed it when it was last looked at.
    is_shared: bool,
}

/// One connection that writes, and who waits for it.
#[derive(Debug)]
pub(crate) struct Lane {
    /// Its number.
    pub(crate) number: usize,
    /// The walk of its transactions.
    pub(crate) walk: Walk,
    /// The station at which its thread works.
    pub(crate) node: usize,
    /// The database that it writes to.
    pub(crate) database: usize,
    /// The commands of the transaction under way.
    pub(crate) batch: Vec<Command>,
    /// Counts transactions, so that the end of a wait is known from that of an earlier one.
    pub(crate) turn: u64,
    queue: VecDeque<Command>,
    state: State,
    expected: usize,
    within_ns: u64,
    began_ns: u64,
    kept: HashMap<u32, Kept>,
}

impl Lane {
    /// A lane that has not done anything.
    pub(crate) fn new((number, walk): (usize, Walk), node: usize, database: usize) -> Self {
        Self {
            number,
            walk,
            node,
            database,
            batch: Vec::new(),
            turn: 0,
            queue: VecDeque::new(),
            state: State::Idle,
            expected: 0,
            within_ns: 0,
            began_ns: 0,
            kept: HashMap::new(),
        }
    }

    /// A command comes.
    pub(crate) fn come(&mut self, command: Command, now_ns: u64) -> Next {
        self.queue.push_back(command);
        if self.state == State::Busy { Next::Nothing } else { self.look(now_ns) }
    }

    /// The wait for more commands is over, if it is still that of `turn`.
    pub(crate) fn gathered(&mut self, turn: u64, now_ns: u64) -> Next {
        let is_now = self.state == State::Gathering && self.turn == turn;
        if is_now { self.begin(now_ns) } else { Next::Nothing }
    }

    /// The transaction is done: whose commands were in it, and what comes next.
    pub(crate) fn ended(&mut self, now_ns: u64) -> (Vec<Command>, Next) {
        let done = std::mem::take(&mut self.batch);
        self.expected = done.len();
        self.within_ns = ((now_ns - self.began_ns) / GATHER_SHARE).min(GATHER_NS_MAX);
        self.state = State::Idle;
        let next = if self.queue.is_empty() { Next::Nothing } else { self.look(now_ns) };
        (done, next)
    }

    /// The accounts of the transaction, in the order in which they are locked.
    pub(crate) fn accounts(&self) -> Vec<u32> {
        let mut accounts: Vec<u32> = self.batch.iter().map(|command| command.account).collect();
        accounts.sort_unstable();
        accounts.dedup();
        accounts
    }

    /// Whether the account's book is read with the lock, since it is not kept or others were at it.
    pub(crate) fn reads_at_once(&self, account: u32) -> bool {
        self.kept.get(&account).is_none_or(|kept| kept.is_shared)
    }

    /// Sees the account as it is, locked; whether the book that is kept is another one.
    pub(crate) fn sees(&mut self, account: u32, version: u64) -> bool {
        let known = self.kept.get(&account).copied();
        let is_stale = known.is_none_or(|kept| kept.version != version);
        self.kept.insert(account, Kept { version, is_shared: is_stale && known.is_some() });
        is_stale
    }

    /// Has changed the account, which is at `version` now.
    pub(crate) fn wrote(&mut self, account: u32, version: u64) {
        if let Some(kept) = self.kept.get_mut(&account) {
            kept.version = version;
        }
    }

    /// Takes what has queued; begins when there is as much as came the last time.
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
        self.began_ns = now_ns;
        Next::Begin
    }
}
