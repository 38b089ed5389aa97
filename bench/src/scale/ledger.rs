//! `retouch-bench nodes` in simulation: its results for the measured cases.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::chance::Time;
use super::network::{Calls, Database, Network, Route, Step};
use super::seen::Seen;
use super::transaction::LaneCosts;
use crate::Fallible;

/// The measurement that the simulation is compared with.
const MEASURED: &str = include_str!("../../results/2026-11-22-nodes.json");
/// Writers of a node (`store.writers_max`).
const LANES: usize = 4;
/// The step in which callers go through the accounts, as in the measurement's `ledger.rs`.
const STRIDE: usize = 7_919;
/// Cores of the machine, which callers, nodes and the server share, apart from what the operating
/// system and other processes use.
pub(crate) const CORES: usize = 2;
/// The median time of a sync on that machine, in microseconds (`fdatasync_ms` of the result).
const SYNC_US: f64 = 143.0;
/// The extra round-trip time through the proxy, in microseconds.
const FAR_TRIP_US: f64 = 1_000.0;

/// The simulation's parameters in microseconds, found by coordinate descent from a first guess
/// until the sum of squared logarithms of the ratios of throughput and median over the
/// [`CALIBRATED`] cases no longer decreased. Callers, nodes and the server share two cores there,
/// so only sums matter: the cost of a transaction was divided about 4 : 6 between node and server,
/// and that of a command in halves, so that seven of the nine numbers were fitted, to eight
/// measured ones. The trips are counted in the code. The relay is the proxy's own work per round
/// trip (bench/README.md, "Nodes on PostgreSQL").
pub(crate) const COSTS: LaneCosts = LaneCosts {
    caller_us: 6.0,
    node_batch_us: 170.0,
    node_command_us: 6.0,
    server_batch_us: 250.0,
    server_command_us: 6.0,
    server_account_us: 32.0,
    book_us: 68.0,
    row_us: 11.0,
    trip_us: 20.0,
    command_trips: 0.0,
    book_trips: 0.0,
    relay: (0, 300.0),
};

/// The titles of the cases that the costs were fitted to. The others are predicted.
pub(crate) const CALIBRATED: [&str; 4] = [
    "1 nodes, 1 accounts, 1 callers",
    "1 nodes, 1 accounts, 256 callers",
    "1 nodes, 1000 accounts, 256 callers",
    "4 nodes, 1000 accounts, 256 callers",
];

/// A measured case.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Its title.
    pub(crate) title: String,
    /// Commands per second.
    pub(crate) per_s: f64,
    /// The median time of a command, in milliseconds.
    pub(crate) p50_ms: f64,
    /// The 99th percentile, in milliseconds.
    pub(crate) p99_ms: f64,
}

#[derive(Deserialize)]
struct Measured {
    figures: Vec<MeasuredFigure>,
}

#[derive(Deserialize)]
struct MeasuredFigure {
    case: String,
    name: String,
    value: f64,
}

/// The measured cases.
///
/// # Errors
/// If the file has another form.
pub(crate) fn cases() -> Fallible<Vec<Case>> {
    let measured: Measured = serde_json::from_str(MEASURED)?;
    let mut titles: Vec<&str> = measured.figures.iter().map(|it| it.case.as_str()).collect();
    titles.dedup();
    let values: BTreeMap<(&str, &str), f64> = measured
        .figures
        .iter()
        .map(|it| ((it.case.as_str(), it.name.as_str()), it.value))
        .collect();
    let value = |title: &str, name: &str| {
        values.get(&(title, name)).copied().ok_or_else(|| format!("{title} has no {name}"))
    };
    titles
        .into_iter()
        .map(|title| {
            Ok(Case {
                title: title.to_owned(),
                per_s: value(title, "commands")?,
                p50_ms: value(title, "p50")?,
                p99_ms: value(title, "p99")?,
            })
        })
        .collect()
}

/// The load that a title names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Load {
    nodes: usize,
    accounts: usize,
    callers: usize,
    is_far: bool,
}

impl Load {
    /// Reads `4 nodes, 1 accounts, 32 callers, 1 ms away`.
    fn read(title: &str) -> Fallible<Self> {
        let number = |part: Option<&str>| -> Fallible<usize> {
            let word =
                part.and_then(|part| part.split(' ').next()).ok_or("a title is too short")?;
            Ok(word.parse()?)
        };
        let mut parts = title.split(", ");
        Ok(Self {
            nodes: number(parts.next())?,
            accounts: number(parts.next())?,
            callers: number(parts.next())?,
            is_far: parts.next().is_some(),
        })
    }
}

/// Simulates the case with this title for that many seconds.
///
/// # Errors
/// If the title has another form.
pub(crate) fn simulate(title: &str, seconds: f64) -> Fallible<Seen> {
    let (costs, load) = (COSTS, Load::read(title)?);
    let mut network = Network::new(1, Calls::Closed(load.callers), route(load, costs.caller_us));
    let machine = network.station(CORES);
    network.databases.push(Database { station: machine, sync_us: SYNC_US, ..Database::default() });
    for _ in 0..load.nodes * LANES {
        network.lane(machine, 0);
    }
    let (far_us, relay_us) = if load.is_far { (FAR_TRIP_US, costs.relay.1) } else { (0.0, 0.0) };
    let trip_us = costs.trip_us + far_us;
    network.costs = LaneCosts { trip_us, relay: (machine, relay_us), ..costs };
    Ok(network.run(seconds))
}

/// Each caller holds and captures in turn, on one account after another, through one node.
fn route(load: Load, caller_us: f64) -> Route {
    let Load { nodes, accounts, callers, .. } = load;
    Box::new(move |(caller, turn), _| {
        let pair = usize::try_from(turn / 2).unwrap_or(0) + caller * accounts / callers;
        let account = pair * STRIDE % accounts;
        let lane = caller % nodes * LANES + lane_of(account);
        let account = u32::try_from(account).unwrap_or(0);
        vec![
            Step::Work(0, Time::Usual(caller_us)),
            Step::Command { lane, account, opens: turn % 2 == 0 },
        ]
    })
}

/// The writer of an account. Real names are spread by a hash, and so are the numbers here.
fn lane_of(account: usize) -> usize {
    (account as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(8) as usize % LANES
}
