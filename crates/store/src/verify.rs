//! Verifies the ledger: replays the entries of every account and compares the result with what is
//! stored.

mod compare;
mod replay;

use retouch_core::AccountId;

use crate::rows::{Rows, all, params};
use crate::{Error, Store};

/// The maximum number of inconsistencies that are listed. Further ones are only counted.
const LISTED_MAX: usize = 1_000;

/// How many rows are in memory at a time.
const ROWS_AT_ONCE: i64 = 1_000;

/// The result of verifying the ledger.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// How many accounts were checked.
    pub accounts: u64,
    /// How many entries were replayed.
    pub entries: u64,
    /// How many holds those entries began.
    pub holds: u64,
    /// How many inconsistencies there are. 0: the ledger is correct.
    pub found: u64,
    /// The first thousand of them.
    pub disagreements: Vec<Disagreement>,
}

/// An inconsistency in the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The account, as the row has it.
    pub account: String,
    /// What is wrong.
    pub what: String,
}

impl VerifyReport {
    /// Adds the inconsistencies of another part.
    fn with(mut self, other: Self) -> Self {
        self.found += other.found;
        self.disagreements.extend(other.disagreements);
        self.disagreements.truncate(LISTED_MAX);
        self
    }

    fn note(&mut self, account: &str, what: impl Into<String>) {
        self.found += 1;
        if self.disagreements.len() < LISTED_MAX {
            self.disagreements.push(Disagreement { account: account.into(), what: what.into() });
        }
    }
}

impl Store {
    /// Replays every account's entries and checks the numbering, the balance, the buckets, the
    /// holds and the use of the keys, and beside that the edits and the invoices. Each of the two
    /// reads a single snapshot, even while others write, and keeps at most one account's open holds
    /// and buckets in memory.
    ///
    /// # Errors
    /// Faults of the database. Inconsistencies are in the report.
    pub async fn verify(&self) -> Result<VerifyReport, Error> {
        let (ledger, ends) = tokio::try_join!(self.report(ledger), self.report(ends))?;
        Ok(ledger.with(ends))
    }
}

/// Verifies the ledger in these rows.
///
/// # Errors
/// Faults of the database. Inconsistencies are in the report.
pub(crate) fn verify(rows: &Rows) -> Result<VerifyReport, Error> {
    Ok(ledger(rows)?.with(ends(rows)?))
}

/// Compares the entries with everything that is calculated from them.
fn ledger(rows: &Rows) -> Result<VerifyReport, Error> {
    let mut report = VerifyReport::default();
    let mut after = String::new();
    loop {
        let sql = "SELECT account_id FROM balance WHERE account_id > ?1
                   ORDER BY account_id LIMIT ?2";
        let accounts: Vec<String> = all(rows, sql, params![after, ROWS_AT_ONCE], |row| row.get(0))?;
        for account in &accounts {
            self::account(rows, account, &mut report)?;
        }
        match accounts.into_iter().next_back() {
            Some(last) => after = last,
            None => break,
        }
    }
    compare::strays(rows, &mut report)?;
    // Every hold of an entry has been found, so there are others only if there are more. Comparing
    // the numbers is much faster than looking for them.
    if report.found > 0 || compare::count_holds(rows)? != report.holds {
        compare::stray_holds(rows, &mut report)?;
        compare::hold_counts(rows, &mut report)?;
    }
    Ok(report)
}

/// Compares edits and invoices with what the ledger has of them.
fn ends(rows: &Rows) -> Result<VerifyReport, Error> {
    let mut report = VerifyReport::default();
    compare::edits(rows, &mut report)?;
    compare::invoices(rows, &mut report)?;
    Ok(report)
}

fn account(rows: &Rows, account: &str, report: &mut VerifyReport) -> Result<(), Error> {
    report.accounts += 1;
    if account.parse::<AccountId>().is_err() {
        report.note(account, "this is not the id of an account");
    }
    match replay::account(rows, account, report)? {
        Some(book) => compare::account(rows, account, &book, report),
        None => Ok(()),
    }
}
