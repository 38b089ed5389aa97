//! Migrates the schema when a store is opened.

use std::path::Path;

use rusqlite::{Transaction, TransactionBehavior};

use crate::migrations::{self, Migration, Step};
use crate::rows::Rows;
use crate::{Error, Settings};

/// Creates the folder of the database if it does not exist.
pub(crate) fn make_folder(database: &Path) -> Result<(), Error> {
    match database.parent().filter(|it| *it != Path::new("")) {
        Some(folder) => crate::make_folder(folder).map_err(|error| Error::files(&error)),
        None => Ok(()),
    }
}

/// Migrates the schema to this program's version, if the settings say so.
///
/// # Errors
/// [`Error::TooOld`], and the errors of [`Migration::find`].
pub(crate) fn prepare(rows: &Rows, settings: &Settings) -> Result<(), Error> {
    if Migration::find(rows, settings.steps)?.is_wanted(settings.schema)? {
        migrate(rows, settings.steps)?;
    }
    Ok(())
}

/// Migrates the schema in one transaction, so that two processes that start together do it only
/// once.
///
/// # Errors
/// The errors of [`Migration::find`].
pub(crate) fn migrate(rows: &Rows, steps: &'static [Step]) -> Result<Migration, Error> {
    let Rows::Sqlite(connection) = rows else { return Err(Error::Closed) };
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    migrations::create_table(rows)?;
    let migration = Migration::find(rows, steps)?;
    for (number, step) in migrations::numbered(steps, migration.found) {
        step.run(rows, number)?;
    }
    transaction.commit()?;
    Ok(migration)
}
