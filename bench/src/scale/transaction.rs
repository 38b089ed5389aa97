//! The transaction of a writer on PostgreSQL, as steps: two round trips, the second with the
//! commit.

use super::chance::Time;
use super::lane::Lane;
use super::network::{Database, Step};

/// The most commands of one transaction (`BATCH_MAX` in `crates/store/src/queue.rs`).
pub(crate) const BATCH_MAX: usize = 256;
/// How long a transaction accepts commands, in microseconds (`TAKING_MS_MAX` in
/// `crates/store/src/postgres/writer/connection.rs`).
const TAKING_US_MAX: f64 = 100_000.0;

/// The cost of a writer's transaction, in microseconds of processor time except for the trips.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LaneCosts {
    /// A caller: putting a command into the queue, and receiving its answer.
    pub(crate) caller_us: f64,
    /// The writer's thread, per transaction.
    pub(crate) node_batch_us: f64,
    /// The writer's thread, per command: deciding it, and its rows.
    pub(crate) node_command_us: f64,
    /// PostgreSQL, per transaction.
    pub(crate) server_batch_us: f64,
    /// PostgreSQL, per command: an entry, and a hold that begins or ends.
    pub(crate) server_command_us: f64,
    /// PostgreSQL, per account of a transaction: the lock, the balance, the bucket.
    pub(crate) server_account_us: f64,
    /// The node and PostgreSQL, half each, per account whose state is read because another writer
    /// has changed it.
    pub(crate) book_us: f64,
    /// The node and PostgreSQL, half each, per row of that state: a bucket, or an open hold.
    pub(crate) row_us: f64,
    /// The round trip to the server.
    pub(crate) trip_us: f64,
    /// Additional round trips per command for its queries before it writes. None for ledger
    /// commands.
    pub(crate) command_trips: f64,
    /// Additional round trips per account that was read: the first command needs the usage of its
    /// API key, which is not read with the account. None for ledger commands, which have no key.
    pub(crate) book_trips: f64,
    /// A relay between the node and the server: its station, and its work per round trip in
    /// microseconds.
    pub(crate) relay: (usize, f64),
}

impl LaneCosts {
    /// The time of a transaction per command, in microseconds.
    pub(crate) fn command_us(&self) -> f64 {
        self.node_command_us + self.server_command_us + self.trip_us * self.command_trips
    }

    /// How many commands a transaction accepts before its time is over, including the command
    /// during which it ends.
    pub(crate) fn taken_max(&self) -> usize {
        (1..BATCH_MAX)
            .find(|taken| *taken as f64 * self.command_us() > TAKING_US_MAX)
            .unwrap_or(BATCH_MAX)
    }

    /// One direction between node and server.
    fn way(&self) -> [Step; 2] {
        let (station, us) = self.relay;
        [Step::Wait(Time::Fixed(self.trip_us / 2.0)), Step::Work(station, Time::Usual(us / 2.0))]
    }
}

/// The first round trip: requests the locks, with the accounts that others have probably changed.
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

/// The rest, once the accounts are locked: reading accounts whose state in memory is outdated,
/// deciding what there is time for, writing, the commit.
pub(crate) fn look(costs: &LaneCosts, lane: &mut Lane, database: &Database) -> Vec<Step> {
    let accounts = lane.accounts();
    lane.cut(costs.taken_max());
    let (mut at_once_us, mut after_us) = (0.0, 0.0);
    let (mut read, mut read_after) = (0.0, 0.0);
    for account in &accounts {
        let (version, holds) = database.accounts.get(account).copied().unwrap_or_default();
        let asked = lane.reads_at_once(*account);
        let is_stale = lane.sees(*account, version);
        let read_us = costs.book_us + costs.row_us * f64::from(holds + 1);
        at_once_us += if asked { read_us } else { 0.0 };
        read += f64::from(u8::from(is_stale));
        if is_stale && !asked {
            after_us += read_us;
            read_after += 1.0;
        }
    }
    let server = |us: f64| Step::Work(database.station, Time::Usual(us));
    let mut steps = vec![server(at_once_us / 2.0)];
    steps.extend(costs.way());
    if read_after > 0.0 {
        steps.extend(costs.way());
        steps.push(server(after_us / 2.0));
        steps.extend(costs.way());
    }
    let commands = lane.batch.len() as f64;
    let node_us = costs.node_batch_us / 2.0
        + costs.node_command_us * commands
        + (at_once_us + after_us) / 2.0;
    steps.push(Step::Work(lane.node, Time::Usual(node_us)));
    let trips = costs.command_trips * commands + costs.book_trips * read;
    steps.push(Step::Wait(Time::Fixed(costs.trip_us * trips)));
    steps.extend(costs.way());
    steps.push(server(costs.server_batch_us / 2.0 + costs.server_command_us * commands));
    steps.extend([Step::Sync(lane.database), Step::Committed(lane.number)]);
    steps.extend(accounts.iter().map(|account| Step::Unlock(lane.database, *account)));
    steps.extend(costs.way());
    steps.push(Step::Answer(lane.number));
    steps
}

/// Applies the commands of a committed transaction to the accounts.
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

#[cfg(test)]
mod tests {
    use super::super::lane::Command;
    use super::*;

    #[test]
    fn a_book_that_another_lane_has_changed_is_read_in_one_more_trip_and_then_with_the_lock() {
        let costs = LaneCosts { trip_us: 100.0, ..LaneCosts::default() };
        let (mut lane, mut database) = (Lane::new((0, 0), 0, 0), Database::default());
        // Counts the steps from one side to the other, each of which is half a round trip.
        let mut ways = |version: u64| {
            database.accounts.insert(1, (version, 0));
            let _ = lane.come(Command { walk: 1, account: 1, opens: true }, 0);
            let steps = look(&costs, &mut lane, &database);
            committed(&mut lane, &mut database);
            let _ = lane.ended(0);
            let is_way = |step: &&Step| matches!(step, Step::Wait(Time::Fixed(us)) if *us > 0.0);
            steps.iter().filter(is_way).count()
        };
        assert_eq!(ways(0), 3, "an account that is not in memory is read with the lock");
        assert_eq!(ways(1), 3, "unchanged since this writer's last transaction");
        assert_eq!(ways(7), 5, "another writer has changed it");
        assert_eq!(ways(9), 3, "now it is read with the lock");
    }

    #[test]
    fn a_transaction_takes_up_commands_for_a_tenth_of_a_second() {
        let far = |trip_us| LaneCosts { trip_us, command_trips: 2.0, ..LaneCosts::default() };
        assert_eq!(far(0.0).taken_max(), 256);
        assert_eq!(far(500.0).taken_max(), 101);
        assert_eq!(far(100_000.0).taken_max(), 1);
    }
}
