//! Ledger commands a second, durable: `cargo run --release -p retouch-store --example ledger`.
//! Holds and captures alternate; each command is one call that waits for its commit.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a tool for the developer's own machine"
)]

use std::sync::Arc;
use std::time::Instant;

use retouch_core::credits::{BucketKind, Command, Grant, NewHold};
use retouch_core::{AccountId, Credits, Ids, OsEntropy, SystemClock};
use retouch_store::{Context, NewAccount, Settings, Store};

const SECONDS: f64 = 5.0;

#[tokio::main]
async fn main() {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "target/ledger-bench".into());
    for accounts in [1, 1_000] {
        for callers in [1, 32, 256] {
            run(&folder, accounts, callers).await;
        }
    }
}

async fn run(folder: &str, accounts: usize, callers: usize) {
    let _ = std::fs::remove_dir_all(folder);
    let settings = Settings::new(format!("{folder}/db.sqlite"), format!("{folder}/blobs"));
    let context = Context { clock: Arc::new(SystemClock), entropy: Arc::new(OsEntropy) };
    let store = Store::open(&settings, context).await.unwrap();
    let names: Arc<Vec<AccountId>> = Arc::new(make_accounts(&store, accounts).await);
    let begin = Instant::now();
    let tasks: Vec<_> = (0..callers)
        .map(|caller| tokio::spawn(call(store.clone(), Arc::clone(&names), (caller, begin))))
        .collect();
    let (mut done, mut waits) = (0, Vec::new());
    for task in tasks {
        let mine = task.await.unwrap();
        done += mine.len();
        waits.extend(mine);
    }
    let took = begin.elapsed().as_secs_f64();
    waits.sort_unstable();
    let at = |share: f64| waits[((waits.len() - 1) as f64 * share) as usize];
    println!(
        "{accounts:>5} accounts {callers:>4} callers: {:>8.0}/s  p50 {} us  p99 {} us",
        done as f64 / took,
        at(0.5),
        at(0.99)
    );
    let begin = Instant::now();
    let report = store.verify().await.unwrap();
    assert_eq!(report.found, 0, "{report:?}");
    let took = begin.elapsed().as_secs_f64();
    println!("      {} entries proved in {took:.1} s", report.entries);
    store.close().await.unwrap();
}

async fn make_accounts(store: &Store, accounts: usize) -> Vec<AccountId> {
    let mut names = Vec::new();
    for number in 0..accounts {
        let new = NewAccount {
            email: format!("{number}@example.com").parse().unwrap(),
            password_hash: None,
            sign_up_credits: Credits::from(15),
        };
        let account = store.create_account(new).await.unwrap().id;
        let grant = Grant {
            kind: BucketKind::Purchase,
            credits: Credits::from(u32::MAX),
            source_key: format!("bench:{account}"),
            expires_at: None,
            priority: None,
            description: "bench".into(),
        };
        store.grant(&account, grant).await.unwrap();
        names.push(account);
    }
    names
}

async fn call(
    store: Store,
    accounts: Arc<Vec<AccountId>>,
    (caller, begin): (usize, Instant),
) -> Vec<u64> {
    let ids = Ids::new(Arc::new(SystemClock), Arc::new(OsEntropy));
    let mut waits = Vec::new();
    let mut turn = caller;
    while begin.elapsed().as_secs_f64() < SECONDS {
        let account = &accounts[turn * 7919 % accounts.len()];
        turn += 1;
        let id = ids.edit();
        let credits = Credits::from(6);
        let hold = NewHold { id, credits, key: None, description: "Edit".into() };
        for command in [Command::Hold(hold), Command::Capture { hold: id, credits }] {
            let began = Instant::now();
            store.ledger(account, command).await.unwrap();
            waits.push(u64::try_from(began.elapsed().as_micros()).unwrap());
        }
    }
    waits
}
