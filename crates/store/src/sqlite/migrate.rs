//! The schema, brought up to date when a store is opened.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::Error;
use crate::migrations::Migration;
use crate::settings::Schema;

/// Makes the folder that the database is in, where it is missing.
pub(crate) fn make_folder(database: &Path) -> Result<(), Error> {
    match database.parent().filter(|it| *it != Path::new("")) {
        Some(folder) => crate::make_folder(folder).map_err(|error| Error::files(&error)),
        None => Ok(()),
    }
}

/// Sees to it that the schema is this program's, as far as that is wanted.
///
/// # Errors
/// [`Error::TooNew`] and [`Error::TooOld`].
pub(crate) fn prepare(connection: &mut Connection, schema: Schema) -> Result<(), Error> {
    if missing_steps(connection)?.is_wanted(schema)? {
        migrate(connection)?;
    }
    Ok(())
}

/// Brings the schema up to date, in one transaction, so that two processes that start together
/// do it once.
///
/// # Errors
/// [`Error::TooNew`] for a database of a later version.
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

/// What the schema lacks.
///
/// # Errors
/// [`Error::TooNew`] for a database of a later version.
pub(crate) fn missing_steps(connection: &Connection) -> Result<Migration, Error> {
    Migration::from(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}
