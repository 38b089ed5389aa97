//! Migrates the schema when a store is opened.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::Error;
use crate::migrations::Migration;
use crate::settings::Schema;

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
/// [`Error::TooNew`] and [`Error::TooOld`].
pub(crate) fn prepare(connection: &mut Connection, schema: Schema) -> Result<(), Error> {
    if missing_steps(connection)?.is_wanted(schema)? {
        migrate(connection)?;
    }
    Ok(())
}

/// Migrates the schema in one transaction, so that two processes that start together do it only
/// once.
///
/// # Errors
/// [`Error::TooNew`] if a later version created the database.
pub(crate) fn migrate(connection: &mut Connection) -> Result<Migration, Error> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let migration = missing_steps(&transaction)?;
    for (_, step) in Migration::numbered(migration.found) {
        transaction.execute_batch(step.sqlite)?;
    }
    if migration.found < migration.known {
        transaction.pragma_update(None, "user_version", migration.known)?;
    }
    transaction.commit()?;
    Ok(migration)
}

/// The missing migrations.
///
/// # Errors
/// [`Error::TooNew`] if a later version created the database.
pub(crate) fn missing_steps(connection: &Connection) -> Result<Migration, Error> {
    Migration::from(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}
