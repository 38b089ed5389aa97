//! Checks of the simulation against queueing theory and against measurements.

use std::path::Path;

use super::chance::Time;
use super::costs::{self, Kept};
use super::edit::{self, Balanced};
use super::ledger::{self, CALIBRATED};
use super::model::{self, Demand, MACHINES};
use super::network::{Calls, Network, Step};
use super::seen::Seen;
use super::tables::{self, LEDGER_S};

/// Calls in a run.
const CALLS: f64 = 250_000.0;

/// A station with that many servers, with `per_s` calls per second arriving at random and needing
/// `work`.
fn queue(servers: usize, per_s: f64, work: Time) -> Seen {
    let steps = move |_, _: &mut _| vec![Step::Work(0, work)];
    let mut network = Network::new(7, Calls::Open(per_s), Box::new(steps));
    network.station(servers);
    network.run(CALLS / per_s)
}

/// The mean time of a call in milliseconds, if service takes a millisecond on average, with that
/// many servers at this utilization and exponential times: Erlang's C.
fn erlang_ms(servers: u32, utilisation: f64) -> f64 {
    let offered = f64::from(servers) * utilisation;
    // Erlang's B by its recurrence, then C from B.
    let blocked = (1..=servers).fold(1.0, |b, n| offered * b / (f64::from(n) + offered * b));
    let waits = blocked / (1.0 - utilisation * (1.0 - blocked));
    1.0 + waits / (f64::from(servers) * (1.0 - utilisation))
}

/// The standard deviation of a run's mean wait, in milliseconds. It falls slowly with the length of
/// the run, because the waits in one queue are correlated (Daley, "The serial correlation
/// coefficients of waiting times in a stationary single server queue", 1968).
fn deviation_ms(utilisation: f64) -> f64 {
    let r = utilisation;
    let variance = r * (2.0 + 5.0 * r - 4.0 * r.powi(2) + r.powi(3)) / (1.0 - r).powi(4);
    (variance / CALLS).sqrt()
}

#[track_caller]
fn assert_near(found: f64, expected: f64, within: f64) {
    let off = (found / expected - 1.0).abs();
    assert!(off <= within, "{found} is not within {within} of {expected}");
}

#[test]
fn one_server_and_chance_give_what_theory_says() {
    for utilisation in [0.3, 0.7, 0.9] {
        let seen = queue(1, utilisation * 1e3, Time::Exponential(1e3));
        let mean_ms = 1.0 / (1.0 - utilisation);
        assert_near(seen.mean_ms(), mean_ms, 3.0 * deviation_ms(utilisation) / mean_ms);
        assert_near(seen.working[0], utilisation, 0.02);
        // With an exponential distribution, half of the calls take less than ln 2 times the mean.
        assert_near(seen.times().at_ms(0.5), seen.mean_ms() * 2_f64.ln(), 0.1);
    }
}

#[test]
fn several_servers_wait_as_erlang_says() {
    for (servers, utilisation) in [(2_u32, 0.7), (8, 0.8), (16, 0.9)] {
        let per_s = f64::from(servers) * utilisation * 1e3;
        let seen = queue(servers as usize, per_s, Time::Exponential(1e3));
        assert_near(seen.mean_ms(), erlang_ms(servers, utilisation), 0.05);
    }
}

#[test]
fn fixed_times_wait_half_as_long() {
    for utilisation in [0.5, 0.8] {
        let seen = queue(1, utilisation * 1e3, Time::Fixed(1e3));
        assert_near(seen.mean_ms(), 1.0 + utilisation / (2.0 * (1.0 - utilisation)), 0.03);
    }
}

#[test]
fn calls_under_way_are_their_rate_times_their_time() {
    let seen = queue(2, 1_600.0, Time::Usual(1e3));
    assert_near(seen.calls(), seen.per_s() * seen.mean_ms() / 1e3, 0.01);
    assert_near(seen.per_s(), 1_600.0, 0.02);
}

#[test]
fn a_sync_is_shared_by_whoever_waits_for_it() {
    let steps = |_, _: &mut _| vec![Step::Sync(0)];
    let mut network = Network::new(7, Calls::Closed(9), Box::new(steps));
    network.databases.push(super::network::Database { sync_us: 500.0, ..Default::default() });
    let seen = network.run(5.0);
    // Callers that a sync has answered come back after the next sync has begun, so it takes two
    // syncs to answer all nine.
    assert_near(seen.per_s(), 9.0 * 2_000.0 / 2.0, 0.02);
    assert_near(seen.syncs as f64 / seen.seconds, 2_000.0, 0.02);
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let title = "4 nodes, 1000 accounts, 32 callers, 1 ms away";
    let waits = || ledger::simulate(title, 0.2).unwrap().waits;
    assert_eq!(waits(), waits());
}

/// The simulation relative to each measured case: throughput and median, as ratios.
fn ratios() -> Vec<(String, f64, f64)> {
    let cases = ledger::cases().unwrap();
    let one = |case: ledger::Case| {
        let seen = ledger::simulate(&case.title, LEDGER_S).unwrap();
        (case.title, seen.per_s() / case.per_s, seen.times().at_ms(0.5) / case.p50_ms)
    };
    cases.into_iter().map(one).collect()
}

/// How far the simulation may be from the measurement.
const WITHIN: f64 = 0.25;

/// Cases that are known to be further away (`bench/results/scale.md`, "The simulation against
/// measurements").
const MISSED: [(&str, f64, f64); 2] = [
    ("4 nodes, 1000 accounts, 256 callers", WITHIN, 0.6),
    ("4 nodes, 1000 accounts, 32 callers, 1 ms away", 0.45, WITHIN),
];

#[test]
fn the_ledger_of_several_nodes_comes_out_as_it_was_measured() {
    let ratios = ratios();
    assert_eq!(ratios.len(), 9);
    assert!(CALIBRATED.iter().all(|title| ratios.iter().any(|(case, ..)| case == title)));
    for (title, per_s, p50) in &ratios {
        let missed = MISSED.iter().find(|(case, ..)| case == title);
        let (_, rate_within, time_within) = missed.copied().unwrap_or(("", WITHIN, WITHIN));
        assert!((per_s - 1.0).abs() <= rate_within, "{title}: {per_s} times the throughput");
        assert!((p50 - 1.0).abs() <= time_within, "{title}: {p50} times the median");
        let holds = (per_s - 1.0).abs() <= WITHIN && (p50 - 1.0).abs() <= WITHIN;
        assert!(
            !(holds && missed.is_some()),
            "{title} is met now: say so in bench/results/scale.md"
        );
    }
}

#[test]
fn cores_are_used_as_the_model_says_while_nobody_waits() {
    let cost = costs::of(Kept::Spread, "8 KB").unwrap();
    let demand = Demand { per_s: 500.0, cost, performing_s: 0.0 };
    let seen = edit::simulate(&MACHINES, &demand, (2, Balanced::Anywhere), 20.0);
    let (primary, nodes) = seen.working.split_last().unwrap();
    assert_near(*primary, demand.per_s * cost.database_ms / 1e3, 0.1);
    assert_near(nodes.iter().sum(), demand.per_s * cost.node_ms / 1e3, 0.1);
}

#[test]
fn the_model_has_the_settings_of_the_program() {
    let settings: toml::Table = include_str!("../../../config.default.toml").parse().unwrap();
    let number = |table: &str, key: &str| settings[table][key].as_integer().unwrap() as f64;
    assert_eq!(number("edits", "at_providers_max"), MACHINES.turns);
    assert_eq!(number("edits", "per_account_max"), model::ACCOUNT_EDITS as f64);
    let size = |key: &str| settings["server"][key].as_str().unwrap();
    assert_eq!(size("bodies_memory_max"), format!("{} MiB", MACHINES.bodies_bytes / 1048576.0));
    // 0 means a quarter of it, as docs/scale.md says.
    assert_eq!(size("bodies_memory_per_account_max"), "0 B");
    assert_eq!(number("store", "writers_max"), MACHINES.lanes as f64);
    let of_vendor = settings["providers"]["NAME"]["concurrent_max"].as_integer();
    assert_eq!(of_vendor.unwrap() as f64, MACHINES.vendor_calls);
    let connections = number("store", "writers_max") + number("store", "readers_max") + 3.0;
    assert_eq!(connections, MACHINES.connections);
}

/// With `RETOUCH_WRITE_DOCS=1`, the test writes them there.
#[test]
fn the_document_has_the_tables_that_the_program_prints() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/scale.md");
    let mut wanted = std::fs::read_to_string(&file).unwrap();
    for (name, table) in tables::all().unwrap() {
        let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
        let (before, rest) = wanted.split_once(&begin).unwrap_or_else(|| panic!("no {begin}"));
        let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("no {end}"));
        wanted = format!("{before}{begin}\n{table}\n{end}{after}");
    }
    if std::env::var_os("RETOUCH_WRITE_DOCS").is_some() {
        std::fs::write(&file, &wanted).unwrap();
    }
    let document = std::fs::read_to_string(&file).unwrap();
    assert!(
        document == wanted,
        "bench/results/scale.md differs from what `retouch-bench scale` prints: set RETOUCH_WRITE_DOCS=1"
    );
}
