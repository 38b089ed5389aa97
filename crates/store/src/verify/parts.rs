//! The parts in which the ledger is verified, on several threads.

use std::sync::{Mutex, PoisonError};

use crate::Error;
use crate::rows::{Rows, all, one, params};

/// How many accounts a part has.
const PART_ACCOUNTS: i64 = 64;

/// A part of the work.
pub(super) enum Part {
    /// How edits and invoices ended, and rows without an account.
    Ends,
    /// Some accounts.
    Accounts(Range),
}

/// The accounts whose IDs come after `after`, up to and including `last`.
pub(super) struct Range {
    after: String,
    /// `None`: there is no end.
    last: Option<String>,
}

/// What is left to do. Workers read snapshots of their own, in which there may be different
/// accounts, so they share ranges of IDs and not lists of accounts.
#[derive(Default)]
pub(super) struct Parts(Mutex<Left>);

#[derive(Default)]
struct Left {
    has_begun: bool,
    after: Option<String>,
}

impl Parts {
    /// The next part for a worker that reads `rows`. `None` if no part is left.
    pub(super) fn next(&self, rows: &Rows) -> Result<Option<Part>, Error> {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !left.has_begun {
            *left = Left { has_begun: true, after: Some(String::new()) };
            return Ok(Some(Part::Ends));
        }
        let Some(after) = left.after.take() else { return Ok(None) };
        let sql = "SELECT account_id FROM balance WHERE account_id > ?1
                   ORDER BY account_id LIMIT 1 OFFSET ?2";
        let last: Option<String> =
            one(rows, sql, params![after, PART_ACCOUNTS - 1], |row| row.get(0))?;
        left.after.clone_from(&last);
        Ok(Some(Part::Accounts(Range { after, last })))
    }
}

impl Range {
    /// Calls `verify` with each account in the range.
    pub(super) fn each(
        &self,
        rows: &Rows,
        mut verify: impl FnMut(&str) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut after = self.after.clone();
        loop {
            let sql = "SELECT account_id FROM balance
                       WHERE account_id > ?1 AND (?2 IS NULL OR account_id <= ?2)
                       ORDER BY account_id LIMIT ?3";
            let values = params![after, self.last, PART_ACCOUNTS];
            let accounts: Vec<String> = all(rows, sql, values, |row| row.get(0))?;
            accounts.iter().try_for_each(|account| verify(account))?;
            match accounts.into_iter().next_back() {
                Some(last) => after = last,
                None => return Ok(()),
            }
        }
    }
}
