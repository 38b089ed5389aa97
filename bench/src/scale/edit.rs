//! Whole edits in simulation: callers that arrive at random, nodes, one primary, an image store,
//! and providers.

use super::chance::{Chance, Time};
use super::costs::EditCost;
use super::model::{self, Demand, Machines};
use super::network::{Calls, Database, Network, Route, Step};
use super::place::Pool;
use super::seen::Seen;
use super::transaction::LaneCosts;

/// The time between two calls of an account, in seconds: there are this many accounts for each edit
/// per second.
const ACCOUNT_S: f64 = 10.0;
/// The share of a node's work that comes before the result.
const BEFORE: f64 = 0.6;
/// How long one account's edits are simulated, in seconds.
const HOT_S: f64 = 5.0;

/// The node that handles an account's edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Balanced {
    /// Any node, as balancers usually choose.
    Anywhere,
    /// Always the same node.
    ByAccount,
}

/// Simulates a demand on that many nodes with one primary, for `seconds` after it has become
/// steady. The nodes' stations come first, the primary's last.
pub(crate) fn simulate(
    machines: &Machines,
    demand: &Demand,
    (nodes, balanced): (usize, Balanced),
    seconds: f64,
) -> Seen {
    // By then, nearly all of the first calls have ended.
    let warm_s = 1.0 + 2.5 * demand.performing_s;
    let edit = Edit::new(machines, demand, nodes);
    let accounts = whole(demand.per_s * ACCOUNT_S) as u64;
    let route: Route = Box::new(move |_, chance: &mut Chance| {
        let account = chance.below(accounts);
        let any = if balanced == Balanced::ByAccount { account } else { chance.below(u64::MAX) };
        edit.steps((any, account))
    });
    network(machines, &edit, (Calls::Open(demand.per_s), route)).run_after(warm_s, seconds)
}

/// Simulates edits of one account, that many at a time, with the nodes in turn.
pub(crate) fn hot(machines: &Machines, demand: &Demand, (nodes, at_once): (usize, usize)) -> Seen {
    let edit = Edit::new(machines, demand, nodes);
    let route: Route = Box::new(move |(caller, _), _| edit.steps((caller as u64, 0)));
    let calls = Calls::Closed(at_once);
    network(machines, &edit, (calls, route)).run(HOT_S)
}

fn network(machines: &Machines, edit: &Edit, (calls, route): (Calls, Route)) -> Network {
    let mut network = Network::new(11, calls, route);
    for _ in 0..edit.nodes {
        network.station(machines.node_cores);
        network.pools.push(Pool::new(whole(machines.turns)));
    }
    let station = network.station(machines.primary_cores);
    let sync_us = machines.sync_us;
    network.databases.push(Database { station, sync_us, ..Database::default() });
    (0..edit.nodes * machines.lanes).for_each(|lane| network.lane(lane / machines.lanes, 0));
    network.costs = edit.costs;
    network
}

/// The parts of an edit's steps.
#[derive(Clone, Copy)]
struct Edit {
    nodes: usize,
    lanes: usize,
    /// The node's work outside its writers, in microseconds.
    node_us: f64,
    /// PostgreSQL's work to find the caller's key, in microseconds.
    read_us: f64,
    trip_us: f64,
    put_us: f64,
    performing_us: f64,
    costs: LaneCosts,
}

impl Edit {
    fn new(machines: &Machines, demand: &Demand, nodes: usize) -> Self {
        let EditCost { node_ms, .. } = demand.cost;
        let costs = model::lane_costs(machines, &demand.cost);
        Self {
            nodes,
            lanes: machines.lanes,
            node_us: (node_ms * 1e3 - model::lanes_us(&demand.cost)).max(0.0),
            read_us: model::READ_US,
            trip_us: machines.trip_us,
            put_us: machines.put_ms * 1e3,
            performing_us: demand.performing_s * 1e6,
            costs,
        }
    }

    /// An edit of an account, by the node whose turn it is.
    fn steps(&self, (turn, account): (u64, u64)) -> Vec<Step> {
        let node = whole((turn % self.nodes as u64) as f64);
        let account = u32::try_from(account).unwrap_or(0);
        // Uses other digits than those that choose the node.
        let lane = node * self.lanes + account as usize / self.nodes % self.lanes;
        let command = |opens| Step::Command { lane, account, opens };
        let far = |us| Step::Wait(Time::Usual(us));
        vec![
            Step::Work(node, Time::Usual(self.node_us * BEFORE)),
            far(self.trip_us),
            Step::Work(self.nodes, Time::Usual(self.read_us)),
            command(true),
            Step::Take(node),
            far(self.performing_us),
            Step::Give(node),
            Step::Work(node, Time::Usual(self.node_us * (1.0 - BEFORE))),
            far(self.put_us),
            command(false),
        ]
    }
}

/// A number that counts something.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of machines and of turns are small and not negative"
)]
fn whole(number: f64) -> usize {
    number as usize
}
