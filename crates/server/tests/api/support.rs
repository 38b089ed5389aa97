//! A service for one test, with its own folder, clock and randomness. A test ends with
//! `TestApp::check`, which checks that the ledger is correct and nothing is left over.

#[path = "support/authenticator.rs"]
pub mod authenticator;
#[path = "support/device.rs"]
pub mod device;
#[path = "support/door.rs"]
pub mod door;
#[path = "support/language_model.rs"]
pub mod language_model;
#[path = "support/log.rs"]
pub mod log;
#[path = "support/persona.rs"]
pub mod persona;
#[path = "support/pictures.rs"]
pub mod pictures;
#[path = "support/plan_watcher.rs"]
pub mod plan_watcher;
#[path = "support/post.rs"]
pub mod post;
#[path = "support/receiver.rs"]
pub mod receiver;
#[path = "support/scripted.rs"]
pub mod scripted;
#[path = "support/till.rs"]
pub mod till;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use axum::Router;
use retouch_core::credits::{BucketKind, Grant};
use retouch_core::{Credits, SeededEntropy, TestClock, Timestamp};
use retouch_providers::Media;
use retouch_server::api;
use retouch_server::app::{App, Parts};
use retouch_server::config::{Settings, Sources};
use retouch_server::edits::sweep;
use retouch_store::Context;
use tempfile::TempDir;
use tokio::time::Instant;

use persona::Persona;
use scripted::{Scripted, Unwilling};

/// The moment at which every test begins: 2026-11-20T12:00:00Z.
pub const START: Timestamp = Timestamp(1_795_176_000_000);

/// The address that the test service is configured to listen on.
pub const ADDRESS: ([u8; 4], u16) = ([127, 0, 0, 1], 8080);

/// The limits on calls that are on by default. Tests make as many calls as they need, so these
/// limits are off unless a test sets them.
pub const LIMITS_ON_CALLS: [&str; 5] = [
    "RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ACCOUNT",
    "RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ADDRESS",
    "RETOUCH_EDITS__FAILURES_PER_MINUTE_PER_ACCOUNT",
    "RETOUCH_SERVER__READS_PER_MINUTE_PER_ACCOUNT",
    "RETOUCH_SERVER__READS_PER_MINUTE_PER_ADDRESS",
];

/// A service for one test.
pub struct TestApp {
    pub app: Arc<App>,
    pub clock: Arc<TestClock>,
    pub provider: Arc<Scripted>,
    router: Router,
    folder: TempDir,
    checked: AtomicBool,
}

/// A test that forgets [`TestApp::check`] fails.
impl Drop for TestApp {
    fn drop(&mut self) {
        let checked = *self.checked.get_mut();
        assert!(checked || thread::panicking(), "call `check` at the end of the test");
    }
}

impl TestApp {
    /// A service with the default settings. The provider `scripted` serves gamma-2, and the
    /// built-in editor most of the rest.
    pub async fn new() -> Self {
        Self::with(&[]).await
    }

    /// Like `new`, with settings such as `("RETOUCH_FETCH__TOTAL_TIME_MAX", "200 ms")`.
    pub async fn with(environment: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(TestClock::new(START));
        let provider = Arc::new(Scripted::default());
        let app = build(&folder, &clock, &provider, environment).await;
        let router = api::router(Arc::clone(&app));
        Self { app, clock, provider, router, folder, checked: AtomicBool::new(false) }
    }

    /// A new service on the same folder, as after a restart.
    pub async fn restarted(&self) -> Arc<App> {
        let app = self.second().await;
        retouch_server::edits::recover(&app).await.unwrap();
        app
    }

    /// A second service on the same folder, at the same time as this one.
    pub async fn second(&self) -> Arc<App> {
        self.second_with(&[]).await
    }

    /// Like `second`, with settings.
    pub async fn second_with(&self, environment: &[(&str, &str)]) -> Arc<App> {
        build(&self.folder, &self.clock, &self.provider, environment).await
    }

    /// A caller without an account.
    pub fn anon(&self) -> Persona {
        Persona::new(self.router.clone())
    }

    /// A caller who has signed up and has a session.
    pub async fn member(&self, email: &str) -> Persona {
        self.anon().signed_up(email).await
    }

    /// A caller who has signed up and uses an API key.
    pub async fn caller(&self, email: &str) -> Persona {
        self.member(email).await.with_key().await
    }

    /// A caller with an API key and 1,000 credits more than sign-up gives.
    pub async fn rich_caller(&self, email: &str) -> Persona {
        self.rich_member(email).await.with_key().await
    }

    /// Like `rich_caller`, with a session.
    pub async fn rich_member(&self, email: &str) -> Persona {
        let member = self.member(email).await;
        let account = member.get("/api/account").await.ok();
        let grant = Grant {
            kind: BucketKind::Operator,
            credits: Credits::from(1_000_u32),
            source_key: format!("test:{email}"),
            expires_at: None,
            priority: None,
            description: "for a test".into(),
        };
        let id = account["id"].as_str().unwrap().parse().unwrap();
        self.app.store.grant(&id, grant).await.unwrap();
        member
    }

    /// The names of the stored files that are not results.
    pub fn other_files(&self) -> Vec<String> {
        self.files().filter(|name| Media::of_name(name).is_none()).collect()
    }

    /// The names of the stored results.
    pub fn results(&self) -> Vec<String> {
        self.files().filter(|name| Media::of_name(name).is_some()).collect()
    }

    /// The names of all files, including those that are rows of the database.
    fn files(&self) -> impl Iterator<Item = String> {
        let store = &self.app.settings.store;
        // A test may have removed the folder.
        let folder = store.blobs.folder();
        let files = folder.and_then(|folder| std::fs::read_dir(folder.join("files")).ok());
        let files = files.into_iter().flatten();
        let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let rows = store.database.file().map(|path| rusqlite::Connection::open(path).unwrap());
        let small = rows.map(|rows| {
            let mut query = rows.prepare("SELECT name FROM small_file").unwrap();
            let names = query.query_map([], |row| row.get(0)).unwrap();
            names.map(Result::unwrap).collect::<Vec<String>>()
        });
        files.chain(small.unwrap_or_default())
    }

    /// Waits until no task is running.
    pub async fn settled(&self) {
        self.app.tasks.close();
        self.app.tasks.wait().await;
        self.app.tasks.reopen();
    }

    /// Ends a test whose service cannot pass `check`, for the stated reason.
    pub fn skip_check(&self, _because: &str) {
        self.checked.store(true, Ordering::Relaxed);
    }

    /// Checks that the ledger is correct, no edit is open and no file but results is left. Every
    /// test has to call it at its end.
    pub async fn check(&self) {
        self.checked.store(true, Ordering::Relaxed);
        self.settled().await;
        let report = self.app.store.verify().await.unwrap();
        assert!(report.disagreements.is_empty(), "{:?}", report.disagreements);
        let open = self.app.store.list_open_edits().await.unwrap();
        assert!(open.is_empty(), "edits left open: {open:?}");
        assert_eq!(self.other_files(), [] as [&str; 0], "files left behind");
    }
}

/// How many edits `app` settles or resumes when it sweeps twice, far enough apart, while their
/// processes show no sign of life.
pub async fn swept(app: &Arc<App>) -> usize {
    let (first, second) = looks(app);
    let settled = sweep(app, first).await.unwrap();
    settled + sweep(app, second).await.unwrap()
}

/// Two times for a sweep, as far apart as it has to wait for signs of life.
pub fn looks(app: &App) -> (Instant, Instant) {
    let between = Duration::from_millis(app.settings.edits.lease_renew_every_ms).mul_f64(1.5);
    let now = Instant::now();
    (now, now + between)
}

async fn build(
    folder: &TempDir,
    clock: &Arc<TestClock>,
    provider: &Arc<Scripted>,
    environment: &[(&str, &str)],
) -> Arc<App> {
    let catalogue = folder.path().join("models.toml");
    std::fs::write(&catalogue, scripted::catalogue()).unwrap();
    let data = folder.path().join("data");
    let places = [
        ("RETOUCH_STORE__DATA_DIR", data.to_str().unwrap()),
        ("RETOUCH_CATALOGUE__FILE", catalogue.to_str().unwrap()),
        // Tests create many accounts from one address.
        ("RETOUCH_AUTH__SIGN_UP_PER_HOUR_PER_ADDRESS", "1000"),
        ("RETOUCH_AUTH__FREE_CREDITS_PER_DAY_MAX", "1000000"),
    ];
    let usual: Vec<_> = places.into_iter().chain(LIMITS_ON_CALLS.map(|name| (name, "0"))).collect();
    // A variable can be set only once.
    let usual = usual.iter().filter(|(name, _)| environment.iter().all(|(own, _)| own != name));
    let all = usual.chain(environment);
    let sources = all.fold(Sources::none(), |sources, (name, value)| sources.with(name, value));
    let settings = Settings::load(&sources).unwrap();
    let context = Context {
        clock: Arc::clone(clock) as _,
        entropy: Arc::new(SeededEntropy::new(u64::from(rand_seed(folder)))),
    };
    let parts = Parts {
        settings,
        context,
        providers: vec![Arc::new(Unwilling), Arc::clone(provider) as _],
    };
    App::build(parts, SocketAddr::from(ADDRESS)).await.unwrap()
}

/// A seed that differs between two services on one folder, so that their IDs differ.
fn rand_seed(folder: &TempDir) -> u32 {
    let services = folder.path().join("services");
    let before = std::fs::read(&services).unwrap_or_default().len();
    std::fs::write(&services, vec![0; before + 1]).unwrap();
    u32::try_from(before).unwrap()
}
