//! Ledger commands: holds and captures in turn, each a call that waits until it is on disk.

pub(crate) mod delay;
pub(crate) mod nodes;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use retouch_core::credits::{Command, NewHold};
use retouch_core::{AccountId, Credits, Ids};
use retouch_store::{NewAccount, Settings, Store};
use tokio::task::JoinSet;

use crate::Fallible;
use crate::arguments::Plan;
use crate::figure::{Figure, Mark};
use crate::folder::Folder;
use crate::service::{context, plenty};
use crate::waits::{Waits, nanoseconds};

/// Accounts, callers, and the target in commands per second.
const CASES: [(usize, usize, Option<f64>); 6] = [
    (1, 1, Some(3_500.0)),
    (1, 32, None),
    (1, 256, Some(80_000.0)),
    (1_000, 1, Some(3_500.0)),
    (1_000, 32, None),
    (1_000, 256, Some(22_000.0)),
];
/// A prime, so that callers go through the accounts in an order without a pattern.
const STRIDE: usize = 7_919;

/// Measures one and a thousand accounts with one and many callers.
///
/// # Errors
/// If a command is refused, or the ledger is wrong afterwards.
pub(crate) fn measure(plan: &Plan, folder: &Folder) -> Fallible<Vec<Figure>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut figures = Vec::new();
    for (accounts, callers, least) in CASES {
        let title = format!("{accounts} accounts, {callers} callers");
        if !title.contains(&plan.case) {
            continue;
        }
        let (waits, took_s) =
            runtime.block_on(run(&folder.case()?, (accounts, callers), plan.seconds))?;
        let figure = |name, value, unit| Figure::new(("ledger", &title), name, value, unit);
        let rate = figure("commands", waits.count() as f64 / took_s, "1/s");
        figures.push(rate.against(least.map(Mark::AtLeast)));
        figures.push(figure("p50", waits.at_ms(0.5), "ms"));
        figures.push(figure("p99", waits.at_ms(0.99), "ms"));
    }
    Ok(figures)
}

async fn run(
    folder: &Path,
    (accounts, callers): (usize, usize),
    seconds: f64,
) -> Fallible<(Waits, f64)> {
    let settings = Settings::new(folder.join("db.sqlite"), folder.join("blobs"));
    let store = Store::open(&settings, context()).await?;
    call_all(&[store], (accounts, callers), seconds).await
}

/// Runs that many callers on these nodes of one database, verifies the ledger and closes the nodes.
/// Returns the times of the calls and the total time.
async fn call_all(
    nodes: &[Store],
    (accounts, callers): (usize, usize),
    seconds: f64,
) -> Fallible<(Waits, f64)> {
    let first = nodes.first().ok_or("no node")?;
    let names = make_accounts(first, accounts).await?;
    let begin = Instant::now();
    let mut tasks = JoinSet::new();
    for (caller, node) in nodes.iter().cycle().take(callers).enumerate() {
        // Callers start evenly spread over the accounts, so that none follows another.
        let first = caller * accounts / callers;
        tasks.spawn(call(node.clone(), Arc::clone(&names), (first, begin, seconds)));
    }
    let mut waits = Vec::new();
    while let Some(done) = tasks.join_next().await {
        waits.extend(done??);
    }
    let took_s = begin.elapsed().as_secs_f64();
    let wrong = first.verify().await?.found;
    for node in nodes {
        node.close().await?;
    }
    if wrong == 0 { Ok((Waits::new(waits), took_s)) } else { Err("the ledger is wrong".into()) }
}

async fn make_accounts(store: &Store, count: usize) -> Fallible<Arc<Vec<AccountId>>> {
    let mut tasks = JoinSet::new();
    for number in 0..count {
        let store = store.clone();
        tasks.spawn(async move {
            let (email, password_hash) = (format!("{number}@example.com").parse()?, None);
            let new = NewAccount {
                email,
                password_hash,
                sign_up_credits: Credits::from(15),
                invitation: None,
            };
            let account = store.create_account(new).await?.id;
            store.grant(&account, plenty(&account)).await?;
            Fallible::Ok(account)
        });
    }
    let made: Fallible<Vec<_>> = tasks.join_all().await.into_iter().collect();
    Ok(Arc::new(made?))
}

async fn call(
    store: Store,
    accounts: Arc<Vec<AccountId>>,
    (first, begin, seconds): (usize, Instant, f64),
) -> Fallible<Vec<u64>> {
    let ids = Ids::new(context().clock, context().entropy);
    let mut waits = Vec::new();
    let mut turn = first;
    while begin.elapsed().as_secs_f64() < seconds {
        let account = accounts.get(turn * STRIDE % accounts.len()).ok_or("no account")?;
        turn += 1;
        let (id, credits) = (ids.edit(), Credits::from(6));
        let hold = NewHold { id, credits, key: None, description: "Edit".into() };
        for command in [Command::Hold(hold), Command::Capture { hold: id, credits }] {
            let began = Instant::now();
            store.ledger(account, command).await?;
            waits.push(nanoseconds(began.elapsed()));
        }
    }
    Ok(waits)
}
