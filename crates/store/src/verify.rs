//! Verifies the ledger: replays the entries of every account and compares the result with what is
//! stored.

mod compare;
mod parts;
mod replay;

use std::sync::Arc;
use std::thread::available_parallelism;

use futures_util::future::try_join_all;
use retouch_core::AccountId;

use self::parts::{Part, Parts};
use crate::rows::Rows;
use crate::{Error, Store};

/// The maximum number of inconsistencies that are listed. Further ones are only counted.
const LISTED_MAX: usize = 1_000;

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
    /// Up to a thousand of them, by account.
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
    /// Adds another part.
    fn with(mut self, other: Self) -> Self {
        self.accounts += other.accounts;
        self.entries += other.entries;
        self.holds += other.holds;
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
    /// holds and the use of the keys, and beside that the edits and the invoices. Works on a thread
    /// for each processor, with up to half of the connections that read. Each reads a snapshot of its
    /// own, even while others write, and keeps at most one account's open holds and buckets in
    /// memory.
    ///
    /// # Errors
    /// Faults of the database. Inconsistencies are in the report.
    pub async fn verify(&self) -> Result<VerifyReport, Error> {
        let processors = available_parallelism().map_or(1, usize::from);
        let threads = (self.settings.readers_max / 2).clamp(1, processors);
        let parts = Arc::new(Parts::default());
        let works = (0..threads).map(|_| {
            let parts = Arc::clone(&parts);
            self.report(move |rows| work(rows, &parts))
        });
        let reports = try_join_all(works).await.inspect_err(|_| parts.stop())?;
        let report = reports.into_iter().fold(VerifyReport::default(), VerifyReport::with);
        self.report(move |rows| completed(rows, report)).await
    }
}

/// Verifies the ledger in these rows.
///
/// # Errors
/// Faults of the database. Inconsistencies are in the report.
pub(crate) fn verify(rows: &Rows) -> Result<VerifyReport, Error> {
    completed(rows, work(rows, &Parts::default())?)
}

/// Verifies one part after the other, until none is left.
fn work(rows: &Rows, parts: &Parts) -> Result<VerifyReport, Error> {
    let mut report = VerifyReport::default();
    while let Some(part) = parts.next(rows)? {
        match part {
            Part::Ends => ends(rows, &mut report)?,
            Part::Accounts(accounts) => {
                accounts.iter().try_for_each(|it| account(rows, it, &mut report))?;
            }
        }
    }
    Ok(report)
}

/// Compares edits and invoices with what the ledger has of them, and looks for rows without an
/// account.
fn ends(rows: &Rows, report: &mut VerifyReport) -> Result<(), Error> {
    compare::edits(rows, report)?;
    compare::invoices(rows, report)?;
    compare::strays(rows, report)
}

/// Adds the holds that have no entry. Every hold of an entry has been found, so there are others only
/// if there are more. Comparing the numbers is much faster than looking for them. They also differ if
/// holds have begun meanwhile, but never agree by chance, because these rows are read last.
fn completed(rows: &Rows, mut report: VerifyReport) -> Result<VerifyReport, Error> {
    if report.found > 0 || compare::count_holds(rows)? != report.holds {
        compare::stray_holds(rows, &mut report)?;
        compare::hold_counts(rows, &mut report)?;
    }
    report.disagreements.sort_by(|one, other| one.account.cmp(&other.account));
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
