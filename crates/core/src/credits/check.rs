//! Invariants of every book, after every entry.

use thiserror::Error;

use super::{Book, Credits, HoldState};
use crate::EditId;

/// How a book contradicts itself.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Broken {
    /// An entry number is missing or repeated.
    #[error("expected entry {expected}, found entry {found}")]
    Gap {
        /// The number that should come next.
        expected: i64,
        /// The number that was found.
        found: i64,
    },
    /// An entry is earlier than the one before it.
    #[error("entry {seq} is earlier than the one before it")]
    TimeGoesBack {
        /// The entry.
        seq: i64,
    },
    /// The entry's change of the balance differs from the sum of its changes of buckets.
    #[error("entry {seq} changes the balance by a different amount than its buckets")]
    LegsDisagree {
        /// The entry.
        seq: i64,
    },
    /// The balance recorded in the entry differs from the computed one.
    #[error("entry {seq} shows a different balance than the entries up to it add up to")]
    AfterDisagrees {
        /// The entry.
        seq: i64,
    },
    /// A part of the balance or of a bucket becomes negative or too large.
    #[error("entry {seq} takes the {part} below zero or above the maximum")]
    OutOfRange {
        /// The entry.
        seq: i64,
        /// The name of that part.
        part: String,
    },
    /// An entry opens a bucket whose number is not the next one.
    #[error("entry {seq} opens bucket {bucket} out of order")]
    BucketOutOfOrder {
        /// The entry.
        seq: i64,
        /// The bucket.
        bucket: u32,
    },
    /// An entry changes a bucket that was never opened.
    #[error("entry {seq} changes bucket {bucket}, which does not exist")]
    BucketUnknown {
        /// The entry.
        seq: i64,
        /// The bucket.
        bucket: u32,
    },
    /// An entry about a hold does not name the hold.
    #[error("entry {seq} does not name a hold")]
    HoldMissing {
        /// The entry.
        seq: i64,
    },
    /// A hold must end once, as a whole, and be charged at most what it holds.
    #[error("entry {seq} does not match hold {hold}")]
    HoldDisagrees {
        /// The entry.
        seq: i64,
        /// The hold.
        hold: EditId,
    },
    /// An account with a debt must have nothing available.
    #[error("{debt} credits are owed while {available} are available")]
    DebtUnpaid {
        /// What is owed.
        debt: Credits,
        /// What is available.
        available: Credits,
    },
    /// A total differs from the sum of its parts.
    #[error("{whole} is {is}, but its parts add up to {parts}")]
    Sum {
        /// The name of the total.
        whole: String,
        /// The recorded total.
        is: Credits,
        /// The sum of its parts.
        parts: i128,
    },
}

impl Book {
    /// Checks that the parts of the balance and of every bucket add up, that the open buckets and
    /// holds match the balance, and that available credits have paid any debt. Works for a trimmed
    /// book too, as long as it has all open buckets and holds.
    ///
    /// # Errors
    /// The first sum that is wrong.
    pub fn check(&self) -> Result<(), Broken> {
        let it = &self.balance;
        let parts = [it.available, it.held, it.spent, it.expired, it.taken_back];
        agree(|| "granted".into(), it.granted, parts)?;
        for bucket in self.buckets.values() {
            let parts =
                [bucket.remaining, bucket.held, bucket.spent, bucket.expired, bucket.taken_back];
            agree(|| format!("granted of bucket {}", bucket.number), bucket.granted, parts)?;
        }
        let remaining = self.buckets.values().map(|bucket| bucket.remaining);
        agree(|| "available".into(), it.available, remaining)?;
        agree(|| "held".into(), it.held, self.buckets.values().map(|bucket| bucket.held))?;
        let held = self.holds.values().filter(|hold| hold.state == HoldState::Held);
        agree(|| "held".into(), it.held, held.map(|hold| hold.amount))?;
        if !it.debt.is_zero() && !it.available.is_zero() {
            return Err(Broken::DebtUnpaid { debt: it.debt, available: it.available });
        }
        Ok(())
    }
}

fn agree(
    whole: impl Fn() -> String,
    is: Credits,
    parts: impl IntoIterator<Item = Credits>,
) -> Result<(), Broken> {
    let parts = parts.into_iter().map(|part| i128::from(part.get())).sum();
    if i128::from(is.get()) == parts {
        Ok(())
    } else {
        Err(Broken::Sum { whole: whole(), is, parts })
    }
}
