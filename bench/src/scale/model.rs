//! The model of capacity in closed form: what each resource has to give for so many edits a second, beside
//! what one of it has.

use super::costs::EditCost;
use super::ledger;
use super::transaction::LaneCosts;

/// How far a resource is used on purpose: beyond it waiting grows quickly, and nothing is left for a
/// node that has failed.
pub(crate) const USED_MAX: f64 = 0.7;
/// Edits that an account may have under way (`edits.per_account_max`).
pub(crate) const ACCOUNT_EDITS: usize = 256;
/// Seconds of a day.
const DAY_S: f64 = 86_400.0;
/// Commands of an edit: one that opens, one that closes.
pub(crate) const COMMANDS: f64 = 2.0;
/// What a verb asks at least within its transaction, one after the other: `open_edit` whether the account may
/// act and what it has under way, and its key; `close_edit` the record, and that it was changed
/// (`crates/store/src/edit`). An idempotency key is one more, which was not measured.
const COMMAND_TRIPS: f64 = 2.0;
/// What it asks after a book was read anew: how much of its limit the API key has used (`load_key` in
/// `crates/store/src/unit.rs`).
const BOOK_TRIPS: f64 = 1.0;
/// Calls that remove a picture from the bucket later: itself and its small one.
const DELETIONS: f64 = 2.0;
/// What PostgreSQL takes to find a caller's key and account, in microseconds: a statement by an index, of
/// which a transaction of the ledger has about six.
pub(crate) const READ_US: f64 = 50.0;
/// Memory of a call in progress, as a multiple of the bytes of its images (bench/README.md, "Compared with
/// LiteLLM's proxy").
const MEMORY_TIMES: f64 = 2.9;
/// How much longer a picture is as base64 in an answer.
const BASE64_TIMES: f64 = 4.0 / 3.0;

/// The machines that are assumed, and the settings that are theirs by default.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machines {
    /// Cores of a node, of the kind that was measured.
    pub(crate) node_cores: usize,
    /// Memory of a node for pictures, in bytes.
    pub(crate) node_bytes: f64,
    /// What the bodies of a node's requests may take in memory, in bytes (`server.bodies_bytes_max`).
    pub(crate) bodies_bytes: f64,
    /// What a node sends or takes, each way, in bytes a second.
    pub(crate) node_network: f64,
    /// Edits that vendors work on at once for a node (`edits.at_vendors_max`).
    pub(crate) turns: f64,
    /// Calls to one vendor at once from a node (`concurrent_max`).
    pub(crate) vendor_calls: f64,
    /// Lanes of a node (`store.writers_max`).
    pub(crate) lanes: usize,
    /// Connections of a node to its database.
    pub(crate) connections: f64,
    /// Cores of a primary.
    pub(crate) primary_cores: usize,
    /// What its log's disk takes, in bytes a second.
    pub(crate) primary_log: f64,
    /// How long a sync of it takes, in microseconds.
    pub(crate) sync_us: f64,
    /// Connections that it takes.
    pub(crate) primary_connections: f64,
    /// Its room, in bytes.
    pub(crate) primary_room: f64,
    /// The way from a node to it and back, in microseconds.
    pub(crate) trip_us: f64,
    /// Images that a partition of a bucket takes or removes a second.
    pub(crate) puts: f64,
    /// How long storing an image takes, in milliseconds.
    pub(crate) put_ms: f64,
}

/// Those that the document speaks of.
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

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand {
    /// Edits a second.
    pub(crate) per_s: f64,
    /// What each costs.
    pub(crate) cost: EditCost,
    /// How long whoever performs it takes, in seconds; as good as nothing for a small edit of our own.
    pub(crate) performing_s: f64,
}

/// Of what there is more when one is not enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Another node.
    Node,
    /// Another primary, with the accounts divided.
    Primary,
    /// Another partition of a bucket, or bucket.
    Bucket,
}

/// One resource.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resource {
    /// What it is called.
    pub(crate) name: &'static str,
    /// Of which part.
    pub(crate) part: Part,
    /// What is asked of all of it.
    pub(crate) asked: f64,
    /// What one has.
    pub(crate) one: f64,
}

impl Resource {
    /// How many times one would be used.
    pub(crate) fn share(&self) -> f64 {
        self.asked / self.one
    }

    /// How many are needed, none used more than [`USED_MAX`].
    pub(crate) fn needed(&self) -> f64 {
        (self.share() / USED_MAX).ceil().max(1.0)
    }
}

/// Every resource under a demand; those of nodes first.
pub(crate) fn resources(machines: &Machines, demand: &Demand) -> Vec<Resource> {
    let Demand { per_s, cost, performing_s } = *demand;
    let resource = |name, part, asked, one| Resource { name, part, asked, one };
    let node = |name, asked, one| resource(name, Part::Node, asked, one);
    let primary = |name, asked, one| resource(name, Part::Primary, asked, one);
    let lane = lane_per_s(machines, &lane_costs(machines, &cost), false);
    // To the bucket, as base64 to the caller, and where somebody else performs it to that vendor before.
    let to_vendor = if performing_s > 0.0 { BASE64_TIMES } else { 0.0 };
    let sent = per_s * cost.image_bytes * (1.0 + BASE64_TIMES + to_vendor);
    let pictures = under_way(machines, demand) * cost.image_bytes;
    // A body's memory is held until its edit has ended.
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

/// How many edits are being performed or stored at any moment, at the least: by Little's law.
pub(crate) fn under_way(machines: &Machines, demand: &Demand) -> f64 {
    demand.per_s * (demand.performing_s + machines.put_ms / 1e3)
}

/// How many nodes the resources of nodes need, but for the calls to one vendor, which is a setting.
pub(crate) fn nodes(resources: &[Resource]) -> f64 {
    most(resources, Part::Node)
}

/// How many of a part are needed.
pub(crate) fn most(resources: &[Resource], part: Part) -> f64 {
    let of_part = resources.iter().filter(|it| it.part == part && !it.is_setting());
    of_part.map(Resource::needed).fold(1.0, f64::max)
}

impl Resource {
    /// Whether it is a number that is set, and no thing that is bought.
    fn is_setting(&self) -> bool {
        self.name == "node: calls to one provider"
    }
}

/// For how many days rows fit into the room of so many primaries.
pub(crate) fn room_days(machines: &Machines, demand: &Demand, primaries: f64) -> f64 {
    let day = demand.per_s * demand.cost.rows_bytes * DAY_S;
    machines.primary_room * USED_MAX * primaries / day
}

/// What is known of a lane's transaction from the ledger, with the rest of what an edit was measured to
/// cost as the cost of its commands. Reading a book anew is none of it: in the cases that were measured each
/// account stays with one lane.
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

/// What the lanes of a node take of its processor for an edit, in microseconds.
pub(crate) fn lanes_us(cost: &EditCost) -> f64 {
    let ledger = ledger::COSTS;
    cost.transactions * ledger.node_batch_us + COMMANDS * ledger.node_command_us
}

/// The commands a second that one lane does when it never waits, its transactions as long as they may be:
/// all of one account, or each of another one whose last command came to another node.
pub(crate) fn lane_per_s(machines: &Machines, costs: &LaneCosts, of_one_account: bool) -> f64 {
    // The account's lock, and its book with one bucket or hold.
    let account_us =
        costs.server_account_us + costs.book_us + costs.row_us + costs.trip_us * costs.book_trips;
    let command_us = costs.command_us() + if of_one_account { 0.0 } else { account_us };
    let commands = costs.taken_max() as f64;
    let batch_us =
        costs.node_batch_us + costs.server_batch_us + 2.0 * costs.trip_us + machines.sync_us;
    commands * 1e6 / (batch_us + commands * command_us)
}
