//! The migrations of the schema. Each database has a SQL file of the same name.

use crate::settings::Schema;
use crate::{Database, Error, Settings, postgres, sqlite};

/// The schema version of a database that another one is being moved into. Every version of this
/// program takes it for a later version's, and refuses to open the database.
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
    /// The migrations that a database with this schema version needs.
    ///
    /// # Errors
    /// [`Error::TooNew`], [`Error::Unfinished`].
    pub(crate) fn from(found: i64) -> Result<Self, Error> {
        let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
        if found == UNFINISHED {
            return Err(Error::Unfinished);
        }
        if found > known {
            return Err(Error::TooNew { found, known });
        }
        let steps = Self::numbered(found).map(|(_, step)| step.name).collect();
        Ok(Self { found, known, steps })
    }

    /// Whether opening a store should run the migrations. `Ok(false)` if there are none.
    ///
    /// # Errors
    /// [`Error::TooOld`] if the settings forbid running them.
    pub(crate) fn is_wanted(&self, schema: Schema) -> Result<bool, Error> {
        let (found, known) = (self.found, self.known);
        match schema {
            _ if found == known => Ok(false),
            Schema::AsIs if found > 0 => Err(Error::TooOld { found, known }),
            Schema::AsIs | Schema::Migrate => Ok(true),
        }
    }

    /// The migrations after version `found`, with their numbers.
    pub(crate) fn numbered(found: i64) -> impl Iterator<Item = (i64, &'static Step)> {
        (1_i64..).zip(STEPS).skip(usize::try_from(found).unwrap_or(0))
    }
}

/// Migrates the schema of the database to the current version. Returns what was done.
///
/// # Errors
/// [`Error::TooNew`], and the errors of [`crate::Store::open`].
pub async fn migrate(settings: &Settings) -> Result<Migration, Error> {
    blocking(settings, |settings| match &settings.database {
        Database::File(path) => {
            sqlite::make_folder(path)?;
            sqlite::migrate(&mut sqlite::connect(settings, path)?)
        }
        Database::Server(address) => postgres::migrate(address),
    })
    .await
}

/// Says what [`migrate`] would do. Changes and creates nothing.
///
/// # Errors
/// The same as [`migrate`].
pub async fn missing_steps(settings: &Settings) -> Result<Migration, Error> {
    blocking(settings, |settings| match &settings.database {
        Database::File(path) if !path.exists() => Migration::from(0),
        Database::File(path) => sqlite::missing_steps(&sqlite::connect(settings, path)?),
        Database::Server(address) => postgres::missing_steps(address),
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

/// A migration.
pub(crate) struct Step {
    /// The name of its files.
    pub(crate) name: &'static str,
    /// Its SQL for SQLite.
    pub(crate) sqlite: &'static str,
    /// Its SQL for PostgreSQL. Nodes of the previous version are still serving while it runs, so it
    /// only adds things and removes nothing that they use.
    pub(crate) postgres: &'static str,
}

macro_rules! steps {
    ($($name:literal),+ $(,)?) => {
        &[$(Step {
            name: $name,
            sqlite: include_str!(concat!("../migrations/sqlite/", $name, ".sql")),
            postgres: include_str!(concat!("../migrations/postgres/", $name, ".sql")),
        }),+]
    };
}

/// All migrations in order. The number of the last one is the schema version.
pub(crate) const STEPS: &[Step] = steps![
    "0001_begin",
    "0002_task",
    "0003_lineage",
    "0004_billing",
    "0005_admin",
    "0006_account",
    "0007_mail",
    "0008_identity",
    "0009_payments",
    "0010_admin",
    "0011_claim",
    "0012_expiry",
    "0013_plan_left",
    "0014_limits",
    "0015_key_of_edit",
    "0016_one_key_of_an_edit",
    "0017_session_seen",
    "0018_failed",
    "0019_provider_day",
    "0020_debt",
    "0021_sign_up",
    "0022_scopes_and_browsers",
    "0023_second_factor",
    "0024_doubt",
];
