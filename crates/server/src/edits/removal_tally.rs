//! Bookkeeping for the removal of many files: one failure does not stop the others, and errors are
//! logged once.

use retouch_store::Error;

use crate::app::App;

/// After this many failures in a row, check whether the store can be reached at all.
const FAILED_IN_A_ROW: usize = 4;
/// After this many failures, leave the rest to the next sweep.
const FAILED_MAX: usize = 1_000;

/// What a sweep has removed so far, and what it could not.
#[derive(Debug, Default)]
pub(super) struct RemovalTally {
    pub(super) removed: usize,
    failed: usize,
    failed_in_a_row: usize,
    latest: Option<Error>,
}

impl RemovalTally {
    /// Records the result of one removal and returns whether to continue.
    pub(super) async fn add(&mut self, app: &App, done: Result<(), Error>) -> bool {
        match done {
            Ok(()) => (self.removed, self.failed_in_a_row) = (self.removed + 1, 0),
            Err(error) => {
                self.failed += 1;
                self.failed_in_a_row += 1;
                self.latest = Some(error);
            }
        }
        if app.ending.is_cancelled() || self.failed >= FAILED_MAX {
            return false;
        }
        // If the store cannot be reached, every further file would only take time to fail.
        let is_doubtful = self.failed_in_a_row % FAILED_IN_A_ROW == FAILED_IN_A_ROW - 1;
        !is_doubtful || app.store.blobs().ready().await.is_ok()
    }

    /// Logs how many files could not be removed, with the latest error.
    pub(super) fn log(&self) {
        if let Some(error) = &self.latest {
            let files = self.failed;
            tracing::error!(files, %error, "could not delete stored files");
        }
    }
}
