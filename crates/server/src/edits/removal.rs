//! The files of edits that were deleted or have become too old. The record says first that one has to go, and last that it is gone:
//! whatever happens in between, a sweep finds it.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retouch_core::EditId;
use retouch_store::Removal;

use super::removing::Removing;
use crate::app::App;

/// What ends the name of a small picture.
pub(super) const SMALL: &str = ".small";

/// What the small picture of the stored file `name` is called.
pub(crate) fn thumbnail_name(name: &str) -> String {
    format!("{name}{SMALL}")
}

/// Removes the files of a deleted edit, and notes that it is gone.
///
/// # Errors
/// When the file cannot be removed or that cannot be noted; a sweep will do it.
pub(crate) async fn remove(app: &App, removal: &Removal) -> Result<(), retouch_store::Error> {
    // In this order: whoever makes the small one meanwhile looks whether the large one is there yet.
    app.store.blobs().delete(&removal.blob).await?;
    app.store.blobs().delete(&thumbnail_name(&removal.blob)).await?;
    app.store.confirm_removal(&removal.account, &removal.id).await
}

/// Begins to remove the files of edits that have just been deleted, however many they are, beside
/// all other work.
pub(crate) fn begin_removal(app: &Arc<App>) {
    let task_app = Arc::clone(app);
    app.tasks.spawn(async move { sweep_files(&task_app).await });
}

/// Removes all files of deleted edits; what cannot be removed now, or before the service ends, is
/// tried again by the next sweep. Nobody waits for it: there may be thousands, on a slow disk.
pub async fn sweep_files(app: &App) {
    if let Err(error) = remove_all(app).await {
        tracing::error!(%error, "could not look for files of deleted edits");
    }
}

/// Edits whose files the latest sweeps could not remove, before they came to the end of the list: the next
/// one begins behind them, so that the others go too, however many these are.
#[derive(Debug, Default)]
pub struct Unremovable(Mutex<HashSet<EditId>>);

impl Unremovable {
    /// At most so many are remembered; where there are more, the next sweep begins at the first of them
    /// again, and what lies behind them all stays.
    const MAX: usize = 50_000;

    fn known(&self) -> HashSet<EditId> {
        self.lock().clone()
    }

    /// Several sweeps may be on their way: what one of them has seen, all know.
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
        // No panic can leave a set of ids half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn remove_all(app: &App) -> Result<(), retouch_store::Error> {
    let mut removing = Removing::default();
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
        if !remove_some(app, rest, (&mut removing, &mut passed)).await {
            app.unremovable.add(passed);
            break Ok(());
        }
    };
    removing.tell();
    done
}

/// Removes the files of these edits, and notes whose are passed by; whether to go on with others.
async fn remove_some(
    app: &App,
    removals: Vec<Removal>,
    (removing, passed): (&mut Removing, &mut HashSet<EditId>),
) -> bool {
    for removal in removals {
        let done = remove(app, &removal).await;
        if done.is_err() {
            passed.insert(removal.id);
        }
        if !removing.goes_on(app, done).await {
            return false;
        }
    }
    true
}
