//! What must be true of every book, after every entry.

use thiserror::Error;

use super::{Book, Credits, HoldState};
use crate::EditId;

/// Where books contradict themselves.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Broken {
    /// The entries of an account are numbered without gaps.
    #[error("expected entry {expected}, found entry {found}")]
    Gap {
        /// The number that comes next.
        expected: i64,
        /// The number that is there.
        found: i64,
    },
    /// Time does not go back in a book.
    #[error("entry {seq} is earlier than the one before it")]
    TimeGoesBack {
        /// The entry.
        seq: i64,
    },
    /// What an entry changes in the balance is what it changes in the buckets.
    #[error("entry {seq} changes the balance by a different amount than its buckets")]
    LegsDisagree {
        /// The entry.
        seq: i64,
    },
    /// An entry carries the balance after it.
    #[error("entry {seq} shows a different balance than the entries up to it add up to")]
    AfterDisagrees {
        /// The entry.
        seq: i64,
    },
    /// No part is ever negative, or more than an account can have.
    #[error("entry {seq} takes the {part} below zero or above the maximum")]
    OutOfRange {
        /// The entry.
        seq: i64,
        /// What it takes there.
        part: String,
    },
    /// An entry opens a bucket under another number than the next.
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
    /// An entry about a hold does not name it.
    #[error("entry {seq} does not name a hold")]
    HoldMissing {
        /// The entry.
        seq: i64,
    },
    /// A hold ends once, as a whole, and is charged with at most what it holds.
    #[error("entry {seq} does not match hold {hold}")]
    HoldDisagrees {
        /// The entry.
        seq: i64,
        /// The hold.
        hold: EditId,
    },
    /// An account that has a debt has nothing available.
    #[error("{debt} credits are owed while {available} are available")]
    DebtUnpaid {
        /// What is owed.
        debt: Credits,
        /// What is available.
        available: Credits,
    },
    /// The parts do not add up.
    #[error("{whole} is {is}, but its parts add up to {parts}")]
    Sum {
        /// What was added up.
        whole: String,
        /// What it says.
        is: Credits,
        /// What its parts say.
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
