//! The migrations of the schema. Most of their SQL is the same for both databases.

use crate::rows::{Row, Rows, all, one, params};
use crate::settings::Schema;
use crate::{Database, Error, Settings, postgres, sqlite};

/// A migration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its number and a few words. The name of its folder.
    pub name: &'static str,
    /// The SQL for both databases, in the dialect of SQLite.
    pub shared: &'static str,
    /// What SQLite needs besides, after the shared part.
    pub sqlite: &'static str,
    /// What PostgreSQL needs besides, after the shared part.
    pub postgres: &'static str,
}

/// All migrations in order. The number of the last one is the schema version.
///
/// On PostgreSQL, nodes of the previous version are still serving while a migration runs. So it only
/// adds things, and drops nothing but indexes that they do not need.
pub const STEPS: &[Step] = &[
    Step {
        name: "0001_initial",
        shared: concat!(
            include_str!("../migrations/0001_initial/accounts.sql"),
            include_str!("../migrations/0001_initial/service.sql"),
        ),
        sqlite: include_str!("../migrations/0001_initial/sqlite.sql"),
        postgres: include_str!("../migrations/0001_initial/postgres.sql"),
    },
    Step {
        name: "0002_small_files",
        shared: "",
        sqlite: include_str!("../migrations/0002_small_files/sqlite.sql"),
        postgres: "",
    },
    Step {
        name: "0003_daily_sums",
        shared: include_str!("../migrations/0003_daily_sums/tables.sql"),
        sqlite: include_str!("../migrations/0003_daily_sums/sqlite.sql"),
        postgres: include_str!("../migrations/0003_daily_sums/postgres.sql"),
    },
    Step {
        name: "0004_fewer_indexes",
        shared: include_str!("../migrations/0004_fewer_indexes/tables.sql"),
        sqlite: "",
        postgres: include_str!("../migrations/0004_fewer_indexes/postgres.sql"),
    },
];

/// The table of the migrations that ran.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS schema_step (
    number   BIGINT PRIMARY KEY,
    name     TEXT NOT NULL,
    checksum BIGINT NOT NULL
)";

/// The number that is recorded in a database while another one is being moved into it. Every version
/// of this program refuses to open such a database.
pub(crate) const UNFINISHED: i64 = 1_000_000;

/// The schema version of a database, and the migrations that it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migration {
    /// The version that was found; 0 if there was none.
    pub found: i64,
    /// The version that this program needs.
    pub known: i64,
    /// The names of the missing migrations.
    pub steps: Vec<&'static str>,
}

impl Migration {
    /// The migrations that a database needs, for a program that knows `steps`.
    ///
    /// # Errors
    /// [`Error::TooNew`], [`Error::Unfinished`], [`Error::StepChanged`], faults of the database.
    pub(crate) fn find(rows: &Rows, steps: &'static [Step]) -> Result<Self, Error> {
        let ran = if has_table(rows)? { recorded(rows)? } else { Vec::new() };
        let found = ran.last().map_or(0, |(number, _)| *number);
        let migration = Self::after(found, steps)?;
        for ((_, checksum), step) in ran.into_iter().zip(steps) {
            if checksum != step.checksum(rows) {
                return Err(Error::StepChanged { name: step.name });
            }
        }
        Ok(migration)
    }

    /// The migrations that a database with the version `found` needs.
    fn after(found: i64, steps: &'static [Step]) -> Result<Self, Error> {
        let known = i64::try_from(steps.len()).unwrap_or(i64::MAX);
        if found == UNFINISHED {
            return Err(Error::Unfinished);
        }
        if found > known {
            return Err(Error::TooNew { found, known });
        }
        let missing = numbered(steps, found).map(|(_, step)| step.name).collect();
        Ok(Self { found, known, steps: missing })
    }

    /// Whether opening a store should run the migrations. `Ok(false)` if there are none.
    ///
    /// # Errors
    /// [`Error::TooOld`] or [`Error::Empty`] if the settings forbid running them.
    pub(crate) fn is_wanted(&self, schema: Schema) -> Result<bool, Error> {
        let (found, known) = (self.found, self.known);
        match schema {
            _ if found == known => Ok(false),
            Schema::AsIs if found > 0 => Err(Error::TooOld { found, known }),
            Schema::AsIs => Err(Error::Empty),
            Schema::Migrate => Ok(true),
        }
    }
}

impl Step {
    /// Runs the migration and records it, in the transaction of the caller.
    pub(crate) fn run(&self, rows: &Rows, number: i64) -> Result<(), Error> {
        rows.batch(&self.sql(rows))?;
        record(rows, number, self.name, self.checksum(rows))
    }

    /// The SQL for this database.
    fn sql(&self, rows: &Rows) -> String {
        match rows {
            Rows::Sqlite(_) => [self.shared, self.sqlite].join("\n"),
            Rows::Postgres(_) => for_postgres(&[self.shared, self.postgres].join("\n")),
        }
    }

    /// A number that changes with the SQL, but not with its comments and spaces.
    fn checksum(&self, rows: &Rows) -> i64 {
        let sql = self.sql(rows);
        let code = sql.lines().filter_map(|line| line.split("--").next());
        let mut hasher = crc32fast::Hasher::new();
        for word in code.flat_map(str::split_whitespace) {
            hasher.update(word.as_bytes());
            hasher.update(b" ");
        }
        i64::from(hasher.finalize())
    }
}

/// Translates from the dialect of SQLite. There, text is compared byte by byte by default, and
/// tables have to ask for being stored by their primary key.
fn for_postgres(sql: &str) -> String {
    let sql = sql.replace(" TEXT", " TEXT COLLATE \"C\"").replace(" BLOB", " BYTEA");
    sql.replace(" WITHOUT ROWID", "")
}

/// Creates the table of the migrations that ran.
pub(crate) fn create_table(rows: &Rows) -> Result<(), Error> {
    match rows {
        Rows::Sqlite(_) => rows.batch(TABLE),
        Rows::Postgres(_) => rows.batch(&for_postgres(TABLE)),
    }
}

/// The migrations after version `found`, with their numbers.
pub(crate) fn numbered(
    steps: &'static [Step],
    found: i64,
) -> impl Iterator<Item = (i64, &'static Step)> {
    (1_i64..).zip(steps).skip(usize::try_from(found).unwrap_or(0))
}

/// Marks a database as the target of a move that is not finished.
pub(crate) fn mark_unfinished(rows: &Rows) -> Result<(), Error> {
    record(rows, UNFINISHED, "a move starts", 0)
}

/// Removes that mark.
pub(crate) fn mark_finished(rows: &Rows) -> Result<(), Error> {
    rows.execute("DELETE FROM schema_step WHERE number = ?1", [UNFINISHED]).map(drop)
}

fn record(rows: &Rows, number: i64, name: &str, checksum: i64) -> Result<(), Error> {
    let sql = "INSERT INTO schema_step (number, name, checksum) VALUES (?1, ?2, ?3)";
    rows.execute(sql, params![number, name, checksum]).map(drop)
}

/// The numbers and checksums of the migrations that ran, in order.
fn recorded(rows: &Rows) -> Result<Vec<(i64, i64)>, Error> {
    let sql = "SELECT number, checksum FROM schema_step ORDER BY number";
    let read = |row: &Row<'_>| Ok((row.get("number")?, row.get("checksum")?));
    all(rows, sql, params![], read)
}

fn has_table(rows: &Rows) -> Result<bool, Error> {
    let sql = match rows {
        Rows::Sqlite(_) => {
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_step'"
        }
        Rows::Postgres(_) => {
            "SELECT 1 FROM pg_tables
             WHERE schemaname = current_schema() AND tablename = 'schema_step'"
        }
    };
    Ok(one(rows, sql, params![], |_| Ok(()))?.is_some())
}

/// Migrates the schema of the database to the current version. Returns what was done.
///
/// # Errors
/// [`Error::TooNew`], [`Error::StepChanged`], and the errors of [`crate::Store::open`].
pub async fn migrate(settings: &Settings) -> Result<Migration, Error> {
    blocking(settings, |settings| match &settings.database {
        Database::File(path) => {
            sqlite::make_folder(path)?;
            sqlite::migrate(&Rows::Sqlite(sqlite::connect(settings, path)?), settings.steps)
        }
        Database::Server(address) => postgres::migrate(address, settings.steps),
    })
    .await
}

/// Says what [`migrate`] would do. Changes and creates nothing.
///
/// # Errors
/// The same as [`migrate`].
pub async fn missing_steps(settings: &Settings) -> Result<Migration, Error> {
    blocking(settings, |settings| match &settings.database {
        Database::File(path) if !path.exists() => Migration::after(0, settings.steps),
        Database::File(path) => {
            Migration::find(&Rows::Sqlite(sqlite::connect(settings, path)?), settings.steps)
        }
        Database::Server(address) => Migration::find(&postgres::connect(address)?, settings.steps),
    })
    .await
}

async fn blocking(
    settings: &Settings,
    work: impl FnOnce(&Settings) -> Result<Migration, Error> + Send + 'static,
) -> Result<Migration, Error> {
    let settings = settings.clone();
    let working = tokio::task::spawn_blocking(move || work(&settings));
    working.await.map_err(|_| Error::Panicked)?
}
