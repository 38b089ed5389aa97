//! The schema, brought up to date when a store is opened.

use rusqlite::{Connection, TransactionBehavior};

use crate::Error;

/// The steps of the schema, in order; the number of the last one is the schema's version.
const STEPS: [&str; 10] = [
    include_str!("../../migrations/sqlite/0001_begin.sql"),
    include_str!("../../migrations/sqlite/0002_task.sql"),
    include_str!("../../migrations/sqlite/0003_lineage.sql"),
    include_str!("../../migrations/sqlite/0004_billing.sql"),
    include_str!("../../migrations/sqlite/0005_admin.sql"),
    include_str!("../../migrations/sqlite/0006_account.sql"),
    include_str!("../../migrations/sqlite/0007_mail.sql"),
    include_str!("../../migrations/sqlite/0008_identity.sql"),
    include_str!("../../migrations/sqlite/0009_payments.sql"),
    include_str!("../../migrations/sqlite/0010_admin.sql"),
];

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
        transaction.execute_batch(step)?;
    }
    if found < known {
        transaction.pragma_update(None, "user_version", known)?;
    }
    Ok(transaction.commit()?)
}
