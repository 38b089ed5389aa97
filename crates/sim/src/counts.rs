//! How often each prompt was submitted: the proof that nothing was asked for twice.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

/// How many prompts are counted; later ones are not.
const PROMPTS_MAX: usize = 100_000;

/// Submissions per vendor and prompt.
#[derive(Debug, Default)]
pub(crate) struct Counts(Mutex<BTreeMap<(String, String), Count>>);

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    received: u64,
    worked: u64,
}

/// One row of `GET /_sim/counts`.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    vendor: String,
    prompt: String,
    /// Submissions that were right.
    received: u64,
    /// Those of them for which the vendor would ask money: the work was done, or may have been.
    worked: u64,
}

impl Counts {
    /// Counts a submission.
    pub(crate) fn add(&self, vendor: &str, prompt: &str, worked: bool) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (vendor.to_owned(), prompt.to_owned());
        if counts.len() < PROMPTS_MAX || counts.contains_key(&key) {
            let count = counts.entry(key).or_default();
            count.received += 1;
            count.worked += u64::from(worked);
        }
    }

    /// Every count.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let row = |((vendor, prompt), count): (&(String, String), &Count)| Row {
            vendor: vendor.clone(),
            prompt: prompt.clone(),
            received: count.received,
            worked: count.worked,
        };
        counts.iter().map(row).collect()
    }

    /// Begins at zero.
    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
