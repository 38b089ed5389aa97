//! The capacity model in closed form: the demand on each resource at a number of edits per second,
//! and what one unit of it can provide.

use super::costs::EditCost;
use super::ledger;
use super::transaction::LaneCosts;

/// The intended utilization of a resource. Beyond it, waits grow quickly and nothing is left for
/// the load of a failed node.
pub(crate) const USED_MAX: f64 = 0.7;
/// Concurrent edits of an account (`edits.per_account_max`).
pub(crate) const ACCOUNT_EDITS: usize = 256;
/// Seconds in a day.
const DAY_S: f64 = 86_400.0;
/// Commands of an edit: one that opens it, one that closes it.
pub(crate) const COMMANDS: f64 = 2.0;
/// The fewest queries within the transaction of a command, one after another: for `open_edit`, the
/// account's rights with its running edits, and its key; for `close_edit`, the record and its
/// update (`crates/store/src/edit`). An idempotency key needs one more, which was not measured.
const COMMAND_TRIPS: f64 = 2.0;
/// Queries after an account's state was read again: the use of the API key's limit (`load_key` in
/// `crates/store/src/transaction.rs`).
const BOOK_TRIPS: f64 = 1.0;
/// Calls that later remove an image from the bucket: the image and its thumbnail.
const DELETIONS: f64 = 2.0;
/// PostgreSQL's time to find a caller's key and account, in microseconds: one indexed statement, of
/// which a ledger transaction has about six.
pub(crate) const READ_US: f64 = 50.0;
/// Memory of a running call, as a multiple of the bytes of its images (bench/README.md, "Compared
/// with LiteLLM's proxy").
const MEMORY_TIMES: f64 = 2.9;
/// The growth of an image as base64.
const BASE64_TIMES: f64 = 4.0 / 3.0;

/// The assumed machines, and their default settings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machines {
    /// Cores of a node, of the measured kind.
    pub(crate) node_cores: usize,
    /// Memory of a node for images, in bytes.
    pub(crate) node_bytes: f64,
    /// The memory for the bodies of a node's requests, in bytes (`server.bodies_memory_max`).
    pub(crate) bodies_bytes: f64,
    /// What a node can send or receive, in bytes per second each way.
    pub(crate) node_network: f64,
    /// Edits of a node that providers work on at a time (`edits.at_providers_max`).
    pub(crate) turns: f64,
    /// Concurrent calls of a node to one provider (`concurrent_max`).
    pub(crate) vendor_calls: f64,
    /// Writers of a node (`store.writers_max`).
    pub(crate) lanes: usize,
    /// Connections of a node to its database.
    pub(crate) connections: f64,
    /// Cores of a primary.
    pub(crate) primary_cores: usize,
    /// The write rate of the disk with its WAL, in bytes per second.
    pub(crate) primary_log: f64,
    /// The time of a sync of that disk, in microseconds.
    pub(crate) sync_us: f64,
    /// Connections that it accepts.
    pub(crate) primary_connections: f64,
    /// Its disk space, in bytes.
    pub(crate) primary_room: f64,
    /// The round trip between a node and the primary, in microseconds.
    pub(crate) trip_us: f64,
    /// Images that a partition of a bucket can store or remove per second.
    pub(crate) puts: f64,
    /// The time to store an image, in milliseconds.
    pub(crate) put_ms: f64,
}

/// The machines that the document assumes.
pub(crate) const MACHINES: Machines = Machines {
    node_cores: 4,
    node_bytes: 4e9,
    bodies_bytes: 536_870_912.0,
    node_network: 1.25e9,
    turns: 512.0,
    vendor_calls: 8.0,
    lanes: 4,
    connections: 11.0,
    primary_cores: 16,
    primary_log: 400e6,
    sync_us: 200.0,
    primary_connections: 500.0,
    primary_room: 10e12,
    trip_us: 500.0,
    puts: 3_500.0,
    put_ms: 30.0,
};

/// The demand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand {
    /// Edits per second.
    pub(crate) per_s: f64,
    /// The cost of each edit.
    pub(crate) cost: EditCost,
    /// How long the provider takes, in seconds; almost nothing for a small edit of the built-in
    /// editor.
    pub(crate) performing_s: f64,
}

/// What to add when one is not enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Another node.
    Node,
    /// Another primary, with the accounts divided.
    Primary,
    /// Another partition of a bucket, or another bucket.
    Bucket,
}

/// One resource.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resource {
    /// Its name.
    pub(crate) name: &'static str,
    /// The part that it belongs to.
    pub(crate) part: Part,
    /// The total demand on it.
    pub(crate) asked: f64,
    /// What one unit provides.
    pub(crate) one: f64,
}

impl Resource {
    /// The demand as a multiple of what one unit provides.
    pub(crate) fn share(&self) -> f64 {
        self.asked / self.one
    }

    /// How many are needed, with none used more than [`USED_MAX`].
    pub(crate) fn needed(&self) -> f64 {
        (self.share() / USED_MAX).ceil().max(1.0)
    }
}

/// Every resource under a demand, those of nodes first.
pub(crate) fn resources(machines: &Machines, demand: &Demand) -> Vec<Resource> {
    let Demand { per_s, cost, performing_s } = *demand;
    let resource = |name, part, asked, one| Resource { name, part, asked, one };
    let node = |name, asked, one| resource(name, Part::Node, asked, one);
    let primary = |name, asked, one| resource(name, Part::Primary, asked, one);
    let lane = lane_per_s(machines, &lane_costs(machines, &cost), false);
    // To the bucket, as base64 to the caller, and first to the provider if there is one.
    let to_vendor = if performing_s > 0.0 { BASE64_TIMES } else { 0.0 };
    let sent = per_s * cost.image_bytes * (1.0 + BASE64_TIMES + to_vendor);
    let pictures = under_way(machines, demand) * cost.image_bytes;
    // The memory of a body is held until its edit has ended.
    let bodies = pictures * BASE64_TIMES;
    let stored = per_s * (cost.image_calls + DELETIONS);
    let mut all = vec![
        node("node: calls to one provider", per_s * performing_s, machines.vendor_calls),
        node("node: calls to all providers", per_s * performing_s, machines.turns),
        node("node: cores", per_s * cost.node_ms / 1e3, machines.node_cores as f64),
        node("node: memory for images", pictures * 2.0 * MEMORY_TIMES, machines.node_bytes),
        node("node: memory for request bodies", bodies, machines.bodies_bytes),
        node("node: network, bytes/s", sent, machines.node_network),
        node("node: writers", per_s * COMMANDS / lane, machines.lanes as f64),
    ];
    let connections = machines.connections * nodes(&all);
    all.extend([
        primary("database: cores", per_s * cost.database_ms / 1e3, machines.primary_cores as f64),
        primary("database: WAL, bytes/s", per_s * cost.log_bytes, machines.primary_log),
        primary("database: connections", connections, machines.primary_connections),
        resource("bucket: writes/s of a partition", Part::Bucket, stored, machines.puts),
    ]);
    all
}

/// The fewest edits that are performed or stored at any time, by Little's law.
pub(crate) fn under_way(machines: &Machines, demand: &Demand) -> f64 {
    demand.per_s * (demand.performing_s + machines.put_ms / 1e3)
}

/// How many nodes are needed, ignoring the calls to one provider, which are a setting.
pub(crate) fn nodes(resources: &[Resource]) -> f64 {
    most(resources, Part::Node)
}

/// How many of a part are needed.
pub(crate) fn most(resources: &[Resource], part: Part) -> f64 {
    let of_part = resources.iter().filter(|it| it.part == part && !it.is_setting());
    of_part.map(Resource::needed).fold(1.0, f64::max)
}

impl Resource {
    /// Whether it is a setting rather than something to buy.
    fn is_setting(&self) -> bool {
        self.name == "node: calls to one provider"
    }
}

/// For how many days the disk space of that many primaries is enough.
pub(crate) fn room_days(machines: &Machines, demand: &Demand, primaries: f64) -> f64 {
    let day = demand.per_s * demand.cost.rows_bytes * DAY_S;
    machines.primary_room * USED_MAX * primaries / day
}

/// The cost of a writer's transaction from the ledger measurements, with the rest of an edit's
/// measured cost as the cost of its commands. Reading an account's state again is not included: in
/// the measured cases, each account stays with one writer.
pub(crate) fn lane_costs(machines: &Machines, cost: &EditCost) -> LaneCosts {
    let ledger = ledger::COSTS;
    let batch_us = ledger.server_batch_us + ledger.server_account_us;
    let commands_us = cost.database_ms * 1e3 - READ_US - cost.transactions * batch_us;
    LaneCosts {
        server_command_us: (commands_us / COMMANDS).max(ledger.server_command_us),
        trip_us: machines.trip_us,
        command_trips: COMMAND_TRIPS,
        book_trips: BOOK_TRIPS,
        relay: (0, 0.0),
        ..ledger
    }
}

/// The processor time of a node's writers per edit, in microseconds.
pub(crate) fn lanes_us(cost: &EditCost) -> f64 {
    let ledger = ledger::COSTS;
    cost.transactions * ledger.node_batch_us + COMMANDS * ledger.node_command_us
}

/// The commands per second of one writer that never waits and whose transactions are as long as
/// possible: all of one account, or each of a different account whose last command went to another
/// node.
pub(crate) fn lane_per_s(machines: &Machines, costs: &LaneCosts, of_one_account: bool) -> f64 {
    // The account's lock, and its state with one bucket or hold.
    let account_us =
        costs.server_account_us + costs.book_us + costs.row_us + costs.trip_us * costs.book_trips;
    let command_us = costs.command_us() + if of_one_account { 0.0 } else { account_us };
    let commands = costs.taken_max() as f64;
    let batch_us =
        costs.node_batch_us + costs.server_batch_us + 2.0 * costs.trip_us + machines.sync_us;
    commands * 1e6 / (batch_us + commands * command_us)
}
