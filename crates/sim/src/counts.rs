//! Counts how many times each prompt was submitted, to prove that no work was requested twice.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

/// Maximum number of prompts that are counted. Later ones are ignored.
const PROMPTS_MAX: usize = 100_000;

/// Submissions per provider and prompt.
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
    provider: String,
    prompt: String,
    /// Valid submissions.
    received: u64,
    /// Valid submissions that the provider would bill, because the work was done or may have been.
    worked: u64,
}

impl Counts {
    /// Counts a submission.
    pub(crate) fn add(&self, provider: &str, prompt: &str, worked: bool) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (provider.to_owned(), prompt.to_owned());
        if counts.len() < PROMPTS_MAX || counts.contains_key(&key) {
            let count = counts.entry(key).or_default();
            count.received += 1;
            count.worked += u64::from(worked);
        }
    }

    /// All counts.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let row = |((provider, prompt), count): (&(String, String), &Count)| Row {
            provider: provider.clone(),
            prompt: prompt.clone(),
            received: count.received,
            worked: count.worked,
        };
        counts.iter().map(row).collect()
    }

    /// Resets all counts.
    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
