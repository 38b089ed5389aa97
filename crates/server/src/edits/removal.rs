//! Removes the files of deleted and expired edits. The record is marked before the files are
//! deleted, and again afterward, so that a sweep finds whatever was interrupted.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retouch_core::EditId;
use retouch_store::Removal;

use super::removal_tally::RemovalTally;
use super::stored_copy::StoredCopy;
use crate::app::App;
use crate::uploads;

/// Removes the files of a deleted edit and records that they are gone.
///
/// # Errors
/// If a file cannot be removed or that cannot be recorded; a sweep will try again.
pub(crate) async fn remove(app: &App, removal: &Removal) -> Result<(), retouch_store::Error> {
    // Delete the original first: a task that makes a copy in the meantime then checks whether the
    // original still exists.
    app.store.blobs().delete(&removal.blob).await?;
    for copy in StoredCopy::ALL {
        app.store.blobs().delete(&copy.name_of(&removal.blob)).await?;
    }
    app.store.confirm_removal(&removal.account, &removal.id).await
}

/// Removes the files of edits that have just been deleted, and expired uploads, in a background
/// task.
pub(crate) fn begin_removal(app: &Arc<App>) {
    let task_app = Arc::clone(app);
    app.tasks.spawn(async move {
        sweep_files(&task_app).await;
        uploads::sweep(&task_app).await;
    });
}

/// Removes all files of deleted edits. The next sweep retries what fails now or is left when the
/// service stops. No call waits for this, because there may be thousands of files on a slow disk.
pub async fn sweep_files(app: &App) {
    if let Err(error) = remove_all(app).await {
        tracing::error!(%error, "could not look for files of deleted edits");
    }
}

/// Edits whose files recent sweeps could not remove, since the last sweep that reached the end of
/// the list. The next sweep skips them, so that they do not keep it from the others.
#[derive(Debug, Default)]
pub struct Unremovable(Mutex<HashSet<EditId>>);

impl Unremovable {
    /// The maximum number to remember. If there are more, the next sweep starts with the first of
    /// them again, and the files after them stay.
    const MAX: usize = 50_000;

    fn known(&self) -> HashSet<EditId> {
        self.lock().clone()
    }

    /// Several sweeps may run at the same time; they share what they have found.
    fn add(&self, passed: HashSet<EditId>) {
        let mut known = self.lock();
        known.extend(passed);
        if known.len() > Self::MAX {
            known.clear();
        }
    }

    fn forget(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<EditId>> {
        // A panic elsewhere cannot leave the set inconsistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn remove_all(app: &App) -> Result<(), retouch_store::Error> {
    let mut tally = RemovalTally::default();
    let mut passed = app.unremovable.known();
    let done = loop {
        // The list has a bound; each round makes room for the rest.
        let mut rest = match app.store.list_removals(passed.len()).await {
            Ok(rest) => rest,
            Err(error) => {
                app.unremovable.add(passed);
                break Err(error);
            }
        };
        rest.retain(|removal| !passed.contains(&removal.id));
        if rest.is_empty() {
            app.unremovable.forget();
            break Ok(());
        }
        if !remove_some(app, rest, &mut tally, &mut passed).await {
            app.unremovable.add(passed);
            break Ok(());
        }
    };
    tally.log();
    done
}

/// Removes the files of these edits and adds failures to `passed`. Returns whether to continue.
async fn remove_some(
    app: &App,
    removals: Vec<Removal>,
    tally: &mut RemovalTally,
    passed: &mut HashSet<EditId>,
) -> bool {
    for removal in removals {
        let done = remove(app, &removal).await;
        if done.is_err() {
            passed.insert(removal.id);
        }
        if !tally.add(app, done).await {
            return false;
        }
    }
    true
}
