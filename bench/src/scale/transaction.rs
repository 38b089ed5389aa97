//! The transaction of a lane on PostgreSQL, as steps: two round trips, the second with the commit.

use super::chance::Time;
use super::lane::Lane;
use super::network::{Database, Step};

/// What a lane's transaction costs, in microseconds of a processor but for the trips.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LaneCosts {
    /// A caller: a command on its way into the queue, and its answer on the way out.
    pub(crate) caller_us: f64,
    /// A lane's thread, for each transaction.
    pub(crate) node_batch_us: f64,
    /// A lane's thread, for each command: deciding it, and its rows.
    pub(crate) node_command_us: f64,
    /// PostgreSQL, for each transaction.
    pub(crate) server_batch_us: f64,
    /// PostgreSQL, for each command: an entry, and a hold that begins or ends.
    pub(crate) server_command_us: f64,
    /// PostgreSQL, for each account of a transaction: the lock, the balance, the bucket.
    pub(crate) server_account_us: f64,
    /// Both, half each, for each book that is read since another lane has changed it.
    pub(crate) book_us: f64,
    /// Both, half each, for each row of it: a bucket, or a hold that is open.
    pub(crate) row_us: f64,
    /// The way to the server and back.
    pub(crate) trip_us: f64,
    /// How often that way is gone for each command, beside the trips of the transaction: what a verb asks
    /// before it writes. None for commands of the ledger.
    pub(crate) command_trips: f64,
    /// What stands in that way and works for each round trip, and at which station.
    pub(crate) relay: (usize, f64),
}

impl LaneCosts {
    /// One way between node and server.
    fn way(&self) -> [Step; 2] {
        let (station, us) = self.relay;
        [Step::Wait(Time::Fixed(self.trip_us / 2.0)), Step::Work(station, Time::Usual(us / 2.0))]
    }
}

/// The first round trip: the locks are asked for, with the books that others are likely to have changed.
pub(crate) fn begin(costs: &LaneCosts, lane: &Lane, server: usize) -> Vec<Step> {
    let accounts = lane.accounts();
    let server_us = costs.server_batch_us / 2.0 + costs.server_account_us * accounts.len() as f64;
    let mut steps = vec![Step::Work(lane.node, Time::Usual(costs.node_batch_us / 2.0))];
    steps.extend(costs.way());
    steps.push(Step::Work(server, Time::Usual(server_us)));
    steps.extend(accounts.iter().map(|account| Step::Lock(lane.database, *account)));
    steps.push(Step::Look(lane.number));
    steps
}

/// The rest, once the accounts are locked: reading what is not kept as it is stored, deciding, writing,
/// the commit.
pub(crate) fn look(costs: &LaneCosts, lane: &mut Lane, database: &Database) -> Vec<Step> {
    let accounts = lane.accounts();
    let (mut at_once_us, mut after_us) = (0.0, 0.0);
    for account in &accounts {
        let (version, holds) = database.accounts.get(account).copied().unwrap_or_default();
        let asked = lane.reads_at_once(*account);
        let is_stale = lane.sees(*account, version);
        let read_us = costs.book_us + costs.row_us * f64::from(holds + 1);
        at_once_us += if asked { read_us } else { 0.0 };
        after_us += if is_stale && !asked { read_us } else { 0.0 };
    }
    let server = |us: f64| Step::Work(database.station, Time::Usual(us));
    let mut steps = vec![server(at_once_us / 2.0)];
    steps.extend(costs.way());
    if after_us > 0.0 {
        steps.extend(costs.way());
        steps.push(server(after_us / 2.0));
        steps.extend(costs.way());
    }
    let commands = lane.batch.len() as f64;
    let node_us = costs.node_batch_us / 2.0
        + costs.node_command_us * commands
        + (at_once_us + after_us) / 2.0;
    steps.push(Step::Work(lane.node, Time::Usual(node_us)));
    steps.push(Step::Wait(Time::Fixed(costs.trip_us * costs.command_trips * commands)));
    steps.extend(costs.way());
    steps.push(server(costs.server_batch_us / 2.0 + costs.server_command_us * commands));
    steps.extend([Step::Sync(lane.database), Step::Committed(lane.number)]);
    steps.extend(accounts.iter().map(|account| Step::Unlock(lane.database, *account)));
    steps.extend(costs.way());
    steps.push(Step::Answer(lane.number));
    steps
}

/// The commit is on the disk: the accounts are as the commands have left them.
pub(crate) fn committed(lane: &mut Lane, database: &mut Database) {
    for command in &lane.batch {
        let (version, holds) = database.accounts.entry(command.account).or_default();
        *version += 1;
        *holds = if command.opens { *holds + 1 } else { holds.saturating_sub(1) };
    }
    for account in lane.accounts() {
        let version = database.accounts.get(&account).map_or(0, |(version, _)| *version);
        lane.wrote(account, version);
    }
}
