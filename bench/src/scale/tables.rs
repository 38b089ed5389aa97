//! The tables of `bench/results/scale.md`, as the program prints them.

use std::fmt::Write;

use super::costs::{self, EditCost, Kept};
use super::edit::{self, Balanced};
use super::ledger::{self, CALIBRATED};
use super::model::{self, Demand, MACHINES, Machines, Part, Resource, USED_MAX};
use crate::Fallible;

/// Edits per second at the three scales.
const SCALES: [f64; 3] = [10.0, 1_000.0, 100_000.0];
/// How long a ledger case is simulated, in seconds: as long as it was measured.
pub(crate) const LEDGER_S: f64 = 3.0;
/// How long an image server on the same machine takes for a small image, in milliseconds: a guess.
const NEAR_PUT_MS: f64 = 3.0;
/// How many whole edits are simulated.
const EDITS: f64 = 20_000.0;
/// The simulated demands: the size of the result, the provider's time, the utilization of the
/// primary, and how edits are spread over nodes.
const CHECKS: [(&str, f64, f64, Balanced); 4] = [
    ("8 KB", 0.0, 0.1, Balanced::Anywhere),
    ("8 KB", 0.0, USED_MAX, Balanced::Anywhere),
    ("8 KB", 0.0, USED_MAX, Balanced::ByAccount),
    ("1.5 MB", 10.0, 0.2, Balanced::Anywhere),
];

/// Every table, with its name in the document.
///
/// # Errors
/// If a result cannot be read.
pub(crate) fn all() -> Fallible<Vec<(&'static str, String)>> {
    Ok(vec![
        ("costs", costs_table()?),
        ("ledger", ledger_table()?),
        ("small", capacity_table("8 KB", 0.0)?),
        ("large", capacity_table("1.5 MB", 10.0)?),
        ("checks", checks_table()?),
        ("account", account_table()?),
    ])
}

fn costs_table() -> Fallible<String> {
    let columns = [
        (Kept::Embedded, "8 KB"),
        (Kept::Embedded, "1.5 MB"),
        (Kept::Together, "8 KB"),
        (Kept::Together, "1.5 MB"),
        (Kept::Spread, "8 KB"),
        (Kept::Spread, "1.5 MB"),
    ];
    let found: Fallible<Vec<EditCost>> =
        columns.iter().map(|(kept, result)| costs::of(*kept, result)).collect();
    let found = found?;
    let mut text = String::from(
        "| cost of one edit | embedded, 8 KB | 1.5 MB | one account, 8 KB | 1.5 MB | spread, 8 KB | 1.5 MB |\n\
         |---|--:|--:|--:|--:|--:|--:|\n",
    );
    type Of = fn(&EditCost) -> f64;
    let rows: [(&str, Of); 9] = [
        ("node CPU, ms", |it| it.node_ms),
        ("PostgreSQL CPU, ms", |it| it.database_ms),
        ("s3s-fs CPU, ms", |it| it.images_ms),
        ("write transactions", |it| it.transactions),
        ("other queries", |it| it.reads),
        ("WAL syncs", |it| it.syncs),
        ("WAL, bytes", |it| it.log_bytes),
        ("table and index growth, bytes", |it| it.rows_bytes),
        ("image store calls", |it| it.image_calls),
    ];
    for (name, of) in rows {
        let cells: Vec<String> = found.iter().map(|cost| known(of(cost))).collect();
        // Writing to a string does not fail.
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    }
    let _ = write!(
        text,
        "\nEmbedded: {}. PostgreSQL and S3: {}.\n",
        costs::source(Kept::Embedded)?,
        costs::source(Kept::Spread)?
    );
    Ok(text)
}

fn ledger_table() -> Fallible<String> {
    let mut text = String::from(
        "| case | commands/s: measured | simulated | ratio | p50, ms: measured | simulated | ratio | p99, ms: measured | simulated | commands per transaction |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for case in ledger::cases()? {
        let seen = ledger::simulate(&case.title, LEDGER_S)?;
        let (per_s, times) = (seen.per_s(), seen.times());
        let fitted = if CALIBRATED.contains(&case.title.as_str()) { " (fitted)" } else { "" };
        let cells = [
            format!("{}{fitted}", case.title),
            number(case.per_s),
            number(per_s),
            number(per_s / case.per_s),
            number(case.p50_ms),
            number(times.at_ms(0.5)),
            number(times.at_ms(0.5) / case.p50_ms),
            number(case.p99_ms),
            number(times.at_ms(0.99)),
            number(seen.batch()),
        ];
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    Ok(text)
}

/// The demand on each resource, if a provider takes that many seconds per edit.
fn capacity_table(result: &str, performing_s: f64) -> Fallible<String> {
    let rows_bytes = costs::rows_bytes()?;
    let cost = EditCost { rows_bytes, ..costs::of(Kept::Spread, result)? };
    let at = |per_s| model::resources(&MACHINES, &Demand { per_s, cost, performing_s });
    let scales = SCALES.map(at);
    let mut text = String::from(
        "| resource | one has | 10 edits/s | 1,000 | 100,000 |\n|---|--:|--:|--:|--:|\n",
    );
    let [first, ..] = &scales;
    for (place, resource) in first.iter().enumerate() {
        let cell = |scale: &Vec<Resource>| scale.get(place).map(used).unwrap_or_default();
        let cells: Vec<String> = scales.iter().map(cell).collect();
        let _ = writeln!(
            text,
            "| {} | {} | {} |",
            resource.name,
            number(resource.one),
            cells.join(" | ")
        );
    }
    for (name, part) in [
        ("**nodes**", Part::Node),
        ("**databases**", Part::Primary),
        ("**bucket partitions**", Part::Bucket),
    ] {
        let cells: Vec<String> = scales
            .iter()
            .map(|scale| format!("**{}**", number(model::most(scale, part))))
            .collect();
        let _ = writeln!(text, "| {name} | | {} |", cells.join(" | "));
    }
    let cells: Vec<&str> = scales.iter().map(|scale| saturates(scale)).collect();
    let _ = writeln!(text, "| fullest resource | | {} |", cells.join(" | "));
    let days = |(scale, per_s): (&Vec<Resource>, f64)| {
        let demand = Demand { per_s, cost, performing_s };
        two_digits(model::room_days(&MACHINES, &demand, model::most(scale, Part::Primary)))
    };
    let cells: Vec<String> = scales.iter().zip(SCALES).map(days).collect();
    let _ = writeln!(
        text,
        "| days until the database is full | {} bytes each | {} |",
        number(MACHINES.primary_room),
        cells.join(" | ")
    );
    Ok(text)
}

/// The utilization of one unit, and how many are needed if one is not enough.
fn used(resource: &Resource) -> String {
    let (share, needed) = (resource.share(), resource.needed());
    if needed > 1.0 { format!("{} ({})", number(share), number(needed)) } else { number(share) }
}

/// The resource with the highest utilization.
fn saturates(resources: &[Resource]) -> &'static str {
    let most = resources.iter().max_by(|one, other| one.share().total_cmp(&other.share()));
    most.map_or("", |it| it.name)
}

/// Demands at a low utilization of the primary and at the highest intended one, in closed form and
/// simulated.
fn checks_table() -> Fallible<String> {
    let mut text = String::from(
        "| edits/s | nodes, routing | node cores: model | simulated | database cores: model | simulated | running edits: model | simulated | mean, ms | p50 | p99 |\n\
         |--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for (result, performing_s, share, balanced) in CHECKS {
        let cost = costs::of(Kept::Spread, result)?;
        let per_s = (share * MACHINES.primary_cores as f64 / (cost.database_ms / 1e3)).floor();
        let demand = Demand { per_s, cost, performing_s };
        let _ = writeln!(text, "| {} |", check_row(&demand, balanced).join(" | "));
    }
    Ok(text)
}

fn check_row(demand: &Demand, balanced: Balanced) -> Vec<String> {
    let nodes = model::nodes(&model::resources(&MACHINES, demand));
    let count = (1..).take_while(|count| f64::from(*count) <= nodes).count();
    let seconds = EDITS / demand.per_s;
    let seen = edit::simulate(&MACHINES, demand, (count, balanced), seconds);
    let (primary, of_nodes) = seen.working.split_last().unwrap_or((&0.0, &[]));
    let node_cores = nodes * MACHINES.node_cores as f64;
    let primary_cores = MACHINES.primary_cores as f64;
    let times = seen.times();
    let place = if balanced == Balanced::Anywhere { "any node" } else { "one node per account" };
    vec![
        number(demand.per_s),
        format!("{}, {place}", number(nodes)),
        number(demand.per_s * demand.cost.node_ms / 1e3 / node_cores),
        number(of_nodes.iter().sum::<f64>() / node_cores),
        number(demand.per_s * demand.cost.database_ms / 1e3 / primary_cores),
        number(primary / primary_cores),
        number(model::under_way(&MACHINES, demand)),
        number(seen.calls()),
        number(seen.mean_ms()),
        number(times.at_ms(0.5)),
        number(times.at_ms(0.99)),
    ]
}

/// The most small edits of one account: by the model on one node, and simulated.
fn account_table() -> Fallible<String> {
    let mut text = String::from(
        "| database round trip, ms | edits/s of one account: model | simulated, one node | p50, ms | simulated, four nodes | p50, ms |\n\
         |--:|--:|--:|--:|--:|--:|\n",
    );
    let cost = costs::of(Kept::Together, "8 KB")?;
    for trip_us in [20.0, 200.0, 500.0, 1_000.0] {
        let machines = Machines { trip_us, ..MACHINES };
        let costs = model::lane_costs(&machines, &cost);
        let most = model::lane_per_s(&machines, &costs, true) / model::COMMANDS;
        let demand = Demand { per_s: most, cost, performing_s: 0.0 };
        let [one, four] =
            [1, 4].map(|nodes| edit::hot(&machines, &demand, (nodes, model::ACCOUNT_EDITS)));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            trip_us / 1e3,
            number(most),
            number(one.per_s()),
            number(one.times().at_ms(0.5)),
            number(four.per_s()),
            number(four.times().at_ms(0.5))
        );
    }
    text.push_str(&account_measured(cost)?);
    Ok(text)
}

/// The measurements of one account on one node and on four, and the simulation's results, as a
/// sentence.
fn account_measured(cost: EditCost) -> Fallible<String> {
    let ([one, four], sync_ms) = costs::one_account()?;
    let machines = Machines {
        node_cores: ledger::CORES,
        primary_cores: ledger::CORES,
        sync_us: sync_ms * 1e3,
        trip_us: ledger::COSTS.trip_us,
        put_ms: NEAR_PUT_MS,
        ..MACHINES
    };
    let demand = Demand { per_s: one, cost, performing_s: 0.0 };
    let [with_one, with_four] =
        [1, 4].map(|nodes| edit::hot(&machines, &demand, (nodes, costs::CALLERS)).per_s());
    let cases = ledger::cases()?;
    let commands = |nodes: usize| {
        let title = format!("{nodes} nodes, 1 accounts, 256 callers");
        cases.iter().find(|case| case.title == title).map_or(0.0, |case| case.per_s)
    };
    Ok(format!(
        "\nNear the server, {} callers got {} edits/s through one node and {} through four (measured, \
         `fdatasync` {sync_ms:.2} ms); the simulation gives {} and {}. 256 callers got {} and {} ledger \
         commands/s (measured).\n",
        costs::CALLERS,
        number(one),
        number(four),
        number(with_one),
        number(with_four),
        number(commands(1)),
        number(commands(4))
    ))
}

/// A measured value, if there is one.
fn known(value: f64) -> String {
    if value == 0.0 { "–".to_owned() } else { number(value) }
}

/// A number rounded to two digits, because more would be chance.
fn two_digits(value: f64) -> String {
    let scale = 10_f64.powf(value.log10().floor() - 1.0);
    number((value / scale).round() * scale)
}

/// A number for people: three digits, or whole with thousands separators.
fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if value < 10.0 {
        return format!("{value:.*}", if value < 0.1 { 4 } else { 2 })
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned();
    }
    for (scale, unit) in [(1e12, " T"), (1e9, " G"), (1e6, " M")] {
        if value >= scale {
            return format!("{:.1}{unit}", value / scale);
        }
    }
    let digits = format!("{value:.0}");
    let split = digits.len().saturating_sub(3);
    match digits.split_at_checked(split) {
        Some((thousands, rest)) if !thousands.is_empty() => format!("{thousands},{rest}"),
        _ => digits,
    }
}
