//! The parts in which the ledger is verified, on several threads.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Error;
use crate::rows::{Rows, all, params};

/// How many accounts a part has.
const PART_ACCOUNTS: usize = 64;

/// A part of the work.
pub(super) enum Part {
    /// How edits and invoices ended, and rows without an account.
    Ends,
    /// Some accounts.
    Accounts(Vec<String>),
}

/// What is left to do, shared by all threads. Each reads a snapshot of its own, so the accounts of a
/// part come from the snapshot in which they are verified.
#[derive(Default)]
pub(super) struct Parts(Mutex<Left>);

#[derive(Default)]
struct Left {
    has_begun: bool,
    /// The last account that a part has. `None`: no account is left.
    after: Option<String>,
}

impl Parts {
    /// The next part for a thread that reads `rows`. `None` if no part is left.
    pub(super) fn next(&self, rows: &Rows) -> Result<Option<Part>, Error> {
        let mut left = self.left();
        if !left.has_begun {
            left.has_begun = true;
            left.after = Some(String::new());
            return Ok(Some(Part::Ends));
        }
        let Some(after) = left.after.take() else { return Ok(None) };
        let sql = "SELECT account_id FROM balance WHERE account_id > ?1
                   ORDER BY account_id LIMIT ?2";
        let most = PART_ACCOUNTS as i64;
        let accounts: Vec<String> = all(rows, sql, params![after, most], |row| row.get(0))?;
        left.after = accounts.last().filter(|_| accounts.len() == PART_ACCOUNTS).cloned();
        Ok(Some(Part::Accounts(accounts)))
    }

    /// Lets no thread begin another part.
    pub(super) fn stop(&self) {
        *self.left() = Left { has_begun: true, after: None };
    }

    fn left(&self) -> MutexGuard<'_, Left> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
