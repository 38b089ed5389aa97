//! A service whose database is large: its start, the first pages of its lists, and proving its ledger.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Instant;

use bytes::Bytes;
use retouch_core::{Ids, Timestamp};
use retouch_server::auth::cookie::CookieKind;
use retouch_server::auth::secret::{ApiKeySecret, SessionToken};
use retouch_store::{Deed, NewSession, Settings, Store};

use crate::Fallible;
use crate::arguments::{LargeArguments, Plan};
use crate::client::{Load, drive, once};
use crate::compare::median;
use crate::figure::{Figure, Mark};
use crate::folder::Folder;
use crate::running::{Service, Shape};
use crate::service::{context, create_key, email};
use crate::start::{Started, binary, start};

/// Accounts. The first one makes all edits, so that its own lists are as long as those of the
/// administrator.
const ACCOUNTS: usize = 1_000;
/// The size of a result in bytes. It hardly matters here.
const RESULT_BYTES: u32 = 500;
/// The database in the data folder.
const DATABASE: &str = "retouch.db";
/// Callers while the database is filled, and the seconds between two looks at how full it is.
const CALLERS: usize = 16;
const ROUND_S: f64 = 5.0;
/// How many times each kind of start is measured.
const STARTS: usize = 5;
/// The part of a case's time that each list takes.
const LIST_TURNS: f64 = 5.0;
/// How long a session lasts, in milliseconds.
const SESSION_MS: i64 = 3_600_000;
/// Target: time until calls are answered, in seconds.
const READY_S_MAX: f64 = 0.05;
/// Target: time of the first page of a list, in milliseconds.
const LIST_MS_MAX: f64 = 5.0;
/// Target: entries that are proved in a second.
const ENTRIES_PER_S_MIN: f64 = 500_000.0;

/// Lists that a program asks for.
const FOR_PROGRAMS: [&str; 4] =
    ["/api/generations", "/api/generations?status=failed", "/api/credits", "/api/credits/entries"];
/// Pages that a person opens, most of which are lists.
const FOR_PEOPLE: [&str; 11] = [
    "/history",
    "/history?q=warmer",
    "/history?q=nowhere",
    "/credits",
    "/keys",
    "/admin",
    "/admin/users",
    "/admin/generations",
    "/admin/generations?status=failed",
    "/admin/payments",
    "/admin/log",
];

/// Fills a database with edits, then measures what may grow with it.
///
/// # Errors
/// If a call fails, or the ledger is wrong.
pub(crate) fn measure(
    asked: &LargeArguments,
    (plan, folder): (&Plan, &Folder),
) -> Fallible<Vec<Figure>> {
    let title = format!("{} edits", asked.edits);
    let figure = |case: &str, name, value, unit| {
        Figure::new(("large", &format!("{title}, {case}")), name, value, unit)
    };
    let data = asked.kept.clone().map_or_else(|| folder.case(), Ok)?;
    let mut figures = Vec::new();
    if !data.join(DATABASE).exists() {
        let [first, last] = fill(asked.edits, &data)?;
        figures.push(figure("while it is empty", "edits", first, "1/s"));
        figures.push(figure("while it is full", "edits", last, "1/s"));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (key, session) = runtime.block_on(sign_in(&data))?;
    let binary = binary(plan)?;
    for (case, took_s) in runtime.block_on(starts(&binary, &data))? {
        figures.push(figure(case, "ready", took_s, "s").against(Some(Mark::AtMost(READY_S_MAX))));
    }
    let Started { process, address, .. } = start(&binary, &data)?;
    let authorization = format!("authorization: Bearer {}", key.reveal());
    let cookie = format!("cookie: {}={}", CookieKind::Plain.name(), session.reveal());
    let programs = FOR_PROGRAMS.iter().map(|path| (path, &authorization));
    let people = FOR_PEOPLE.iter().map(|path| (path, &cookie));
    for (path, field) in programs.chain(people) {
        let load = get(address, path, field);
        once(&load).map_err(|error| format!("{path}: {error}"))?;
        let waits = drive(&Load { seconds: plan.seconds / LIST_TURNS, ..load })?.waits;
        let mark = Some(Mark::AtMost(LIST_MS_MAX));
        figures.push(figure(path, "p50", waits.at_ms(0.5), "ms").against(mark));
    }
    figures.push(figure("after these", "memory", process.memory_mb("VmRSS")?, "MB"));
    drop(process);
    let rate = runtime.block_on(prove(&data))?;
    let mark = Some(Mark::AtLeast(ENTRIES_PER_S_MIN));
    figures.push(figure("the ledger", "entries proved", rate, "1/s").against(mark));
    Ok(figures)
}

/// Makes edits over HTTP until there are enough. Returns how many were made in a second in the first
/// and in the last round.
fn fill(edits: usize, data: &Path) -> Fallible<[f64; 2]> {
    let shape = Shape { bytes: RESULT_BYTES, nodes: 1, accounts: ACCOUNTS };
    let service = Service::start_in(data, shape)?;
    let load = service.load(CALLERS, ROUND_S)?;
    let (mut rates, mut made) = (Vec::new(), 0);
    while made < edits {
        let round = drive(&load)?;
        made += round.waits.count();
        rates.push(round.waits.count() as f64 / round.took_s);
    }
    service.finish(made)?;
    let ends = [rates.first(), rates.last()];
    Ok(ends.map(|rate| rate.copied().unwrap_or_default()))
}

async fn open(data: &Path) -> Fallible<Store> {
    let settings = Settings::new(data.join(DATABASE), data.join("blobs"));
    Ok(Store::open(&settings, context()).await?)
}

/// Signs in the account that made the edits, and makes it an administrator. Returns a key and a
/// session.
async fn sign_in(data: &Path) -> Fallible<(ApiKeySecret, SessionToken)> {
    let store = open(data).await?;
    let account = store.find_account_by_email(&email(0)?).await?.ok_or("no account")?.0.id;
    let deed = Deed { by: None, reason: "To measure the pages".into(), request_id: None };
    store.appoint_administrator(&account, deed).await?;
    let key = create_key(&store, &account).await?;
    let session = SessionToken::new(&Ids::new(context().clock, context().entropy));
    let now = context().clock.now();
    let new = NewSession {
        token_hash: session.hash(),
        expires_at: Timestamp(now.0 + SESSION_MS),
        user_agent: None,
        proven_at: Some(now),
        second_factor_at: Some(now),
        browser: None,
    };
    store.create_session(&account, new).await?;
    store.close().await?;
    Ok((key, session))
}

/// The entries of the ledger that are proved in a second.
async fn prove(data: &Path) -> Fallible<f64> {
    let store = open(data).await?;
    let began = Instant::now();
    let report = store.verify().await?;
    let rate = report.entries as f64 / began.elapsed().as_secs_f64();
    store.close().await?;
    if report.found == 0 { Ok(rate) } else { Err("the ledger is wrong".into()) }
}

/// The median time until the program is ready, after it was stopped and after it was killed, in
/// seconds.
async fn starts(binary: &Path, data: &Path) -> Fallible<[(&'static str, f64); 2]> {
    let (mut stopped, mut killed) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        // What is dropped is killed. Closing the store leaves what a stop leaves.
        open(data).await?.close().await?;
        stopped.push(start(binary, data)?.took_s);
        killed.push(start(binary, data)?.took_s);
    }
    Ok([("after a stop", median(stopped)), ("after a crash", median(killed))])
}

fn get(address: SocketAddr, path: &str, field: &str) -> Load {
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n{field}\r\n\r\n");
    Load { address, request: Bytes::from(request), connections: 1, seconds: 0.0 }
}
