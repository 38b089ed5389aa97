//! The database of a test: an SQLite file in its folder or, if `RETOUCH_TEST_POSTGRES` has the
//! address of a server (`tests/postgres/run` starts one), a schema of its own on that server.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use retouch_store::{Address, BlobsPlace, Database, Settings};
use rusqlite::types::ValueRef;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

/// The database of a test, for inspecting and changing rows directly.
pub(crate) enum TestDatabase {
    Sqlite(PathBuf),
    Postgres(String),
}

impl TestDatabase {
    /// A new, empty database.
    pub(crate) fn new(folder: &Path) -> Self {
        match std::env::var("RETOUCH_TEST_POSTGRES") {
            Ok(server) => Self::on(&server),
            Err(_) => Self::Sqlite(folder.join("rows.db")),
        }
    }

    /// A new, empty schema on a server.
    pub(crate) fn on(server: &str) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{number}", std::process::id());
        ask(server, format!("CREATE SCHEMA {name}")).unwrap();
        Self::Postgres(format!("{server}?options=-csearch_path%3D{name}&application_name={name}"))
    }

    /// The settings of a store on it.
    pub(crate) fn settings(&self, blobs: &Path) -> Settings {
        let database = match self {
            Self::Sqlite(path) => Database::File(path.clone()),
            Self::Postgres(address) => Database::Server(Address::parse(address).unwrap()),
        };
        Settings::of(database, BlobsPlace::Folder(blobs.to_owned()))
    }

    /// Runs statements directly on the database.
    pub(crate) fn execute(&self, sql: &str) -> Result<(), String> {
        match self {
            Self::Sqlite(path) => {
                let rows = rusqlite::Connection::open(path).unwrap();
                rows.execute_batch(sql).map_err(|error| error.to_string())
            }
            Self::Postgres(address) => ask(address, sql.to_owned()).map(drop),
        }
    }

    /// The first column of all rows of a query, as texts.
    pub(crate) fn texts(&self, sql: &str) -> Vec<String> {
        match self {
            Self::Sqlite(path) => {
                let rows = rusqlite::Connection::open(path).unwrap();
                let mut query = rows.prepare(sql).unwrap();
                let found = query.query_map([], |row| Ok(text(row.get_ref(0)?))).unwrap();
                found.map(Result::unwrap).collect()
            }
            Self::Postgres(address) => ask(address, sql.to_owned()).unwrap(),
        }
    }
}

/// A value as text, with bytes in hexadecimal.
pub(crate) fn text(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        ValueRef::Blob(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

/// Runs a query on the server and returns the first column. Uses a thread of its own, because the
/// calling test may be inside an async runtime.
fn ask(address: &str, sql: String) -> Result<Vec<String>, String> {
    let address = address.to_owned();
    let asking = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            let (client, connection) = tokio_postgres::connect(&address, NoTls).await.unwrap();
            let answer = async { answer(&client, &sql).await };
            tokio::select! { answer = answer => answer, _ = connection => Err("lost".into()) }
        })
    });
    asking.join().unwrap()
}

async fn answer(client: &Client, sql: &str) -> Result<Vec<String>, String> {
    let said = |error: tokio_postgres::Error| match error.as_db_error() {
        Some(error) => error.message().to_owned(),
        None => error.to_string(),
    };
    let found = client.simple_query(sql).await.map_err(said)?;
    let text = |message: SimpleQueryMessage| match message {
        SimpleQueryMessage::Row(row) => Some(row.get(0).unwrap_or_default().to_owned()),
        _ => None,
    };
    Ok(found.into_iter().filter_map(text).collect())
}
