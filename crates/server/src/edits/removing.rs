//! How the removal of many files goes: one that cannot be removed keeps none of the others, and what
//! went wrong is said once.

use retouch_store::Error;

use crate::app::App;

/// After so many files in a row that could not be removed, it is asked whether any can.
const FAILED_IN_A_ROW: usize = 4;
/// After so many that could not be removed, the rest is left to the next sweep.
const FAILED_MAX: usize = 1_000;

/// What a sweep has removed so far, and what it could not.
#[derive(Debug, Default)]
pub(super) struct Removing {
    pub(super) removed: usize,
    failed: usize,
    failed_in_a_row: usize,
    latest: Option<Error>,
}

impl Removing {
    /// Notes how the removal of one file went; whether to go on with the others.
    pub(super) async fn goes_on(&mut self, app: &App, done: Result<(), Error>) -> bool {
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
        // Where nothing can be reached, each further file would be waited for in vain.
        let is_doubtful = self.failed_in_a_row % FAILED_IN_A_ROW == FAILED_IN_A_ROW - 1;
        !is_doubtful || app.store.blobs().ready().await.is_ok()
    }

    /// Says how many could not be removed, and why the last of them could not.
    pub(super) fn tell(&self) {
        if let Some(error) = &self.latest {
            let files = self.failed;
            tracing::error!(files, %error, "could not delete stored files");
        }
    }
}
