//! Ledger commands on a server: one node and several, near and far away.

use std::time::Duration;

use retouch_store::{Address, BlobsPlace, Database, Settings, Store};
use tokio::task::JoinSet;
use tokio_postgres::{Client, NoTls};

use super::{call_all, delay};
use crate::Fallible;
use crate::arguments::Plan;
use crate::figure::{Figure, Mark};
use crate::folder::Folder;
use crate::service::context;

/// The cases: nodes, accounts, callers of all nodes together, extra round-trip time to the server
/// in milliseconds, and the target in commands per second.
const CASES: [(Load, Option<f64>); 9] = [
    (Load { nodes: 1, accounts: 1, callers: 1, late_ms: 0 }, None),
    (Load { nodes: 1, accounts: 1, callers: 256, late_ms: 0 }, Some(30_000.0)),
    (Load { nodes: 1, accounts: 1_000, callers: 256, late_ms: 0 }, Some(20_000.0)),
    (Load { nodes: 4, accounts: 1, callers: 256, late_ms: 0 }, Some(15_000.0)),
    (Load { nodes: 4, accounts: 1_000, callers: 256, late_ms: 0 }, None),
    (Load { nodes: 4, accounts: 1, callers: 32, late_ms: 1 }, Some(2_000.0)),
    (Load { nodes: 4, accounts: 1_000, callers: 32, late_ms: 1 }, Some(2_000.0)),
    (Load { nodes: 4, accounts: 1, callers: 256, late_ms: 1 }, None),
    (Load { nodes: 4, accounts: 1_000, callers: 256, late_ms: 1 }, None),
];

/// How often the server has had to roll something back so far.
const UNDONE: &str = "SELECT deadlocks, xact_rollback FROM pg_stat_database
                      WHERE datname = current_database()";

/// Nodes, accounts and callers.
#[derive(Clone, Copy)]
struct Load {
    nodes: usize,
    accounts: usize,
    callers: usize,
    late_ms: u64,
}

impl Load {
    fn title(self) -> String {
        let Self { nodes, accounts, callers, late_ms } = self;
        let far = if late_ms > 0 { format!(", {late_ms} ms away") } else { String::new() };
        format!("{nodes} nodes, {accounts} accounts, {callers} callers{far}")
    }
}

/// Measures on the server that `--postgres` names, each case in its own schema.
///
/// # Errors
/// Without such a server, if a command is refused, or if the ledger is wrong afterwards.
pub(crate) fn measure(plan: &Plan, _: &Folder) -> Fallible<Vec<Figure>> {
    let server = plan.postgres.as_deref().ok_or("name a server: --postgres postgres://…")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut figures = Vec::new();
    let asked = |(_, (load, _)): &(usize, (Load, _))| load.title().contains(&plan.case);
    for (number, (load, least)) in CASES.into_iter().enumerate().filter(asked) {
        let name = format!("bench_{}_{number}", std::process::id());
        let measured = runtime.block_on(run((server, &name), load, plan.seconds))?;
        figures.extend(measured.into_iter().map(|figure| match figure.name {
            "commands" => figure.against(least.map(Mark::AtLeast)),
            "deadlocks" => figure.against(Some(Mark::AtMost(0.0))),
            _ => figure,
        }));
    }
    Ok(figures)
}

async fn run((server, name): (&str, &str), load: Load, seconds: f64) -> Fallible<Vec<Figure>> {
    let Load { nodes, accounts, callers, late_ms } = load;
    let (client, connection) = tokio_postgres::connect(server, NoTls).await?;
    let mut driven = JoinSet::new();
    driven.spawn(connection);
    client.batch_execute(&format!("CREATE SCHEMA {name}")).await?;
    let address = further(&format!("{server}?options=-csearch_path%3D{name}"), late_ms)?;
    let mut stores = Vec::new();
    for _ in 0..nodes {
        let database = Database::Server(Address::parse(&address)?);
        let settings = Settings::of(database, BlobsPlace::Memory);
        stores.push(Store::open(&settings, context()).await?);
    }
    let before = undone(&client).await?;
    let (waits, took_s) = call_all(&stores, (accounts, callers), seconds).await?;
    let after = undone(&client).await?;
    client.batch_execute(&format!("DROP SCHEMA {name} CASCADE")).await?;
    let title = load.title();
    let figure = |name, value, unit| Figure::new(("nodes", &title), name, value, unit);
    Ok(vec![
        figure("commands", waits.count() as f64 / took_s, "1/s"),
        figure("p50", waits.at_ms(0.5), "ms"),
        figure("p99", waits.at_ms(0.99), "ms"),
        figure("deadlocks", (after.0 - before.0) as f64, ""),
        figure("undone", (after.1 - before.1) as f64, ""),
    ])
}

/// The address of a proxy to the same server that adds that delay.
fn further(address: &str, late_ms: u64) -> Fallible<String> {
    if late_ms == 0 {
        return Ok(address.to_owned());
    }
    let (user, behind) = address.split_once('@').ok_or("the address has no user")?;
    let (host, database) = behind.split_once('/').ok_or("the address has no database")?;
    let way = delay::start(host.to_owned(), Duration::from_millis(late_ms))?;
    Ok(format!("{user}@{way}/{database}"))
}

async fn undone(client: &Client) -> Fallible<(i64, i64)> {
    let row = client.query_one(UNDONE, &[]).await?;
    Ok((row.try_get(0)?, row.try_get(1)?))
}
