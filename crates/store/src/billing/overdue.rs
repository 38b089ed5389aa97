//! What was to be taken back while edits held it, taken when it is free again.

use retouch_core::AccountId;

use super::paid::{booked, standing};
use crate::rows::{Rows, all, column, params};
use crate::unit::Unit;
use crate::work::Touches;
use crate::{Error, Store};

/// Invoices whose rest one transaction takes back.
const OVERDUE_ROWS_MAX: i64 = 100;

impl Store {
    /// Takes back what was to be taken back of invoices and was held by edits at that moment, where
    /// the edits have given it back since; of at most a hundred invoices. How many there were.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn take_overdue(&self) -> Result<usize, Error> {
        if self.read(overdue).await?.is_empty() {
            return Ok(0);
        }
        self.write(Touches::House(None), |unit| {
            let due = overdue(unit.rows())?;
            unit.lock(&due.iter().map(|(account, _)| account).collect::<Vec<_>>())?;
            for (account, id) in &due {
                take_rest(unit, account, id)?;
            }
            Ok(due.len())
        })
        .await
    }
}

/// Invoices of which something is to be taken back and is there by now, and whose they are.
fn overdue(rows: &Rows) -> Result<Vec<(AccountId, String)>, Error> {
    let sql = "SELECT account_id, id FROM invoice WHERE taken < asked AND EXISTS (
                   SELECT 1 FROM bucket WHERE bucket.account_id = invoice.account_id
                       AND remaining > 0
                       AND (source_key = 'stripe:' || invoice.id
                           OR source_key LIKE 'stripe:' || invoice.id || ':%'))
               ORDER BY id LIMIT ?1";
    all(rows, sql, [OVERDUE_ROWS_MAX], |row| Ok((column(row, "account_id")?, row.get("id")?)))
}

fn take_rest(unit: &mut Unit<'_>, account: &AccountId, id: &str) -> Result<(), Error> {
    let (standing, _) = standing(unit.rows(), account, id)?;
    let Some(settling) = standing.overdue(id) else { return Ok(()) };
    let after = booked(unit, account, (&standing, &settling))?;
    let sql = "UPDATE invoice SET taken = ?2, steps = ?3 WHERE id = ?1";
    unit.rows().execute(sql, params![id, after.taken.get(), after.steps])?;
    Ok(())
}
