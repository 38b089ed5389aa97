//! The measured service: the real router, server loop and store, in a process of its own. Only the
//! provider of the edits is simulated.

mod scripted;

use std::io::{Read, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use retouch_core::catalogue::EMBEDDED;
use retouch_core::credits::{BucketKind, Grant, KeyLimits};
use retouch_core::{AccountId, Credits, Email, Ids, OsEntropy, SystemClock};
use retouch_providers::Provider;
use retouch_server::app::Parts;
use retouch_server::auth::secret::ApiKeySecret;
use retouch_server::config::{Settings, Sources};
use retouch_server::{serve, telemetry};
use retouch_store::{Context, NewAccount, NewKey, Scopes, Store};
use serde::{Deserialize, Serialize};

use crate::Fallible;
use crate::arguments::ServiceArguments;
use scripted::Scripted;

/// The catalogue's model that is routed to the scripted provider.
pub(crate) const MODEL: &str = "gamma-2";
/// The instruction that returns the large image, and the one at which the provider fails.
pub(crate) const LARGE: &str = "make it large";
pub(crate) const FAILING: &str = "fail at it";
/// Warnings, except for those about a provider that fails on purpose.
const LOG: &str = "warn,retouch_server::error::from=error";
/// The price of an edit with that model, and with the default model of the built-in editor, in
/// credits.
pub(crate) const PRICE: i64 = 6;

/// What the service prints once it is ready.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Ready {
    /// Its address.
    pub(crate) address: SocketAddr,
    /// The keys to the accounts that it has created.
    pub(crate) keys: Vec<String>,
    /// Its memory before the first call, in MB of 10^6 bytes.
    pub(crate) rest_mb: f64,
}

/// The ledger at the end.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Books {
    /// Credits charged to each account.
    pub(crate) charged: Vec<i64>,
    /// Credits still held, of all accounts.
    pub(crate) held: i64,
    /// Disagreements between the entries and the balances.
    pub(crate) wrong: u64,
}

/// Serves until standard input ends, then verifies the ledger.
///
/// # Errors
/// If the service does not start or the store cannot be read.
pub(crate) fn run(asked: &ServiceArguments) -> Fallible<()> {
    let settings = settings(asked)?;
    let mut providers: Vec<Arc<dyn Provider>> = Vec::new();
    if let Some(result) = &asked.result {
        let large = std::fs::read(asked.large.as_ref().unwrap_or(result))?;
        providers.push(Arc::new(Scripted::new(std::fs::read(result)?.into(), large.into())));
    }
    // As `retouch serve` builds it.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let _traces = telemetry::start(&settings, runtime.handle())?;
    runtime.block_on(async {
        let prepared = prepare(&settings, asked.accounts).await?;
        let parts = Parts { settings: settings.clone(), context: context(), providers };
        let ready = async |app: &retouch_server::app::App| {
            let said = app.public_url.socket_addrs(|| None).ok();
            let address = said.and_then(|addresses| addresses.first().copied());
            // If this fails, the process that started this one notices the missing output.
            let keys = prepared.iter().map(|one| one.key.clone()).collect();
            let rest_mb = crate::process::own_memory_mb().unwrap_or(0.0);
            let _ = address.map(|address| say(&Ready { address, keys, rest_mb }));
        };
        serve::serve(parts, input_ends(), ready).await?;
        say(&books(&settings, &prepared).await?)
    })
}

/// An account with credits, and its key.
struct Prepared {
    account: AccountId,
    available: Credits,
    key: String,
}

async fn prepare(settings: &Settings, accounts: usize) -> Fallible<Vec<Prepared>> {
    let store = Store::open(&settings.store_settings(), context()).await?;
    let mut prepared = Vec::new();
    for number in 0..accounts {
        prepared.push(prepare_account(&store, number).await?);
    }
    store.close().await?;
    Ok(prepared)
}

async fn prepare_account(store: &Store, number: usize) -> Fallible<Prepared> {
    let (email, password_hash) = (email(number)?, None);
    let new =
        NewAccount { email, password_hash, sign_up_credits: Credits::from(15), invitation: None };
    let account = store.create_account(new).await?.id;
    store.grant(&account, plenty(&account)).await?;
    let secret = create_key(store, &account).await?;
    let available = store.balance(&account).await?.available;
    Ok(Prepared { account, available, key: secret.reveal().into() })
}

/// A new key to an account.
pub(crate) async fn create_key(store: &Store, account: &AccountId) -> Fallible<ApiKeySecret> {
    let secret = ApiKeySecret::new(&Ids::new(context().clock, context().entropy));
    let new = NewKey {
        scopes: Scopes::ALL,
        name: "bench".into(),
        hash: secret.hash(),
        start: secret.start().into(),
        expires_at: None,
        limits: KeyLimits::default(),
    };
    store.create_key(account, new).await?;
    Ok(secret)
}

/// The address of an account.
pub(crate) fn email(number: usize) -> Fallible<Email> {
    Ok(format!("bench-{number}@example.com").parse()?)
}

/// More credits than any run can spend.
pub(crate) fn plenty(account: &AccountId) -> Grant {
    Grant {
        kind: BucketKind::Purchase,
        credits: Credits::from(u32::MAX),
        source_key: format!("bench:{account}"),
        expires_at: None,
        priority: None,
        description: "For measuring".into(),
    }
}

/// The real time and randomness.
pub(crate) fn context() -> Context {
    Context { clock: Arc::new(SystemClock), entropy: Arc::new(OsEntropy) }
}

async fn books(settings: &Settings, prepared: &[Prepared]) -> Fallible<Books> {
    let store = Store::open(&settings.store_settings(), context()).await?;
    let (mut charged, mut held) = (Vec::new(), 0);
    for Prepared { account, available, .. } in prepared {
        let balance = store.balance(account).await?;
        charged.push(available.get() - balance.available.get() - balance.held.get());
        held += balance.held.get();
    }
    let wrong = store.verify().await?.found;
    store.close().await?;
    Ok(Books { charged, held, wrong })
}

/// The limits on calls that are on by default.
pub(crate) const LIMITS_ON_CALLS: [&str; 5] = [
    "RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ACCOUNT",
    "RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ADDRESS",
    "RETOUCH_EDITS__FAILURES_PER_MINUTE_PER_ACCOUNT",
    "RETOUCH_SERVER__READS_PER_MINUTE_PER_ACCOUNT",
    "RETOUCH_SERVER__READS_PER_MINUTE_PER_ADDRESS",
];

/// Default settings, except that logs are quiet, limits on calls are off, data is kept in the given
/// places, and the catalogue routes [`MODEL`] to the provider of the edits.
fn settings(asked: &ServiceArguments) -> Fallible<Settings> {
    let data = asked.data.as_path();
    std::fs::create_dir_all(data)?;
    let catalogue = data.join("models.toml");
    let route = if asked.upstream.is_some() {
        r#"{ provider = "openai", model = "gpt-image-2" }"#
    } else {
        r#"{ provider = "scripted", model = "script" }"#
    };
    std::fs::write(&catalogue, routed(route)?)?;
    let text = |path: &Path| path.to_str().map(ToOwned::to_owned).ok_or("a folder that is no text");
    let environment = std::env::vars_os().collect();
    // The goal is to measure how fast the service can be, not the limits of one account.
    let none = |sources: Sources, name: &&str| sources.with(name, "0");
    let sources = LIMITS_ON_CALLS.iter().fold(Sources { file: None, environment }, none);
    let sources = sources
        .with("RETOUCH_SERVER__LISTEN", "127.0.0.1:0")
        // All callers use one address.
        .with("RETOUCH_SERVER__CONNECTIONS_PER_ADDRESS_MAX", "0")
        .with("RETOUCH_LOG__LEVEL", LOG)
        .with("RETOUCH_STORE__DATA_DIR", &text(data)?)
        .with("RETOUCH_CATALOGUE__FILE", &text(&catalogue)?);
    let sources = match &asked.upstream {
        None => sources,
        Some(url) => sources
            .with("RETOUCH_PROVIDERS__OPENAI__BASE_URL", url)
            .with("RETOUCH_PROVIDERS__OPENAI__API_KEY", "sim-key")
            .with("RETOUCH_PROVIDERS__OPENAI__CONCURRENT_MAX", "64"),
    };
    Settings::load(&sources).map_err(|error| error.to_string().into())
}

/// The catalogue of the repository with the routes of [`MODEL`] replaced by `route`.
fn routed(route: &str) -> Fallible<String> {
    let mut catalogue: toml::Table = EMBEDDED.parse()?;
    let models = catalogue.get_mut("models").and_then(toml::Value::as_array_mut);
    let is_ours =
        |model: &&mut toml::Value| model.get("id").and_then(toml::Value::as_str) == Some(MODEL);
    let model = models.and_then(|models| models.iter_mut().find(is_ours));
    let model = model.and_then(toml::Value::as_table_mut).ok_or("no such model")?;
    let routes: toml::Table = format!("routes = [{route}]").parse()?;
    model.extend(routes);
    Ok(toml::to_string(&catalogue)?)
}

/// Completes when standard input ends: when the process that started this one closes it or ends.
async fn input_ends() {
    let read = || std::io::stdin().read_to_end(&mut Vec::new());
    let _ = tokio::task::spawn_blocking(read).await;
}

fn say<T: Serialize>(what: &T) -> Fallible<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(what)?)?;
    Ok(out.flush()?)
}
