//! The schema, brought up to date when a store is opened.

use rusqlite::{Connection, TransactionBehavior};

use crate::Error;
use crate::migrations::STEPS;

/// Brings the schema up to date, in one transaction, so that two processes that start together
/// do it once.
///
/// # Errors
/// [`Error::TooNew`] for a database of a later version.
pub(crate) fn migrate(connection: &mut Connection) -> Result<(), Error> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    if found > known {
        return Err(Error::TooNew { found, known });
    }
    for step in STEPS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute_batch(step.sqlite)?;
    }
    if found < known {
        transaction.pragma_update(None, "user_version", known)?;
    }
    Ok(transaction.commit()?)
}
