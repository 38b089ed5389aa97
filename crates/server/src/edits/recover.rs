//! Edits that a crash or a refusing disk has left open, settled by what is known.
//!
//! A result that is stored completely is captured; anything else is released. Both are decided
//! by looking at the store, never by guessing.

use retouch_store::{CloseError, OpenEditRow, Outcome, Removal};

use crate::app::App;
use crate::error::Code;

/// Settles every open edit of earlier processes. For the start, when this process is known to be
/// the only one on its data folder.
///
/// # Errors
/// When the store cannot be read.
pub async fn recover(app: &App) -> Result<usize, retouch_store::Error> {
    let mut settled = 0;
    loop {
        // The list has a bound; each round makes room for the rest.
        match settle_all(app, |_| true).await? {
            0 => break,
            more => settled += more,
        }
    }
    remove_all(app).await?;
    Ok(settled)
}

/// Settles the open edits whose lease has run out and that this process is not working on.
///
/// # Errors
/// When the store cannot be read.
pub async fn sweep(app: &App) -> Result<usize, retouch_store::Error> {
    let now = app.clock.now();
    remove_all(app).await?;
    settle_all(app, |row| row.owner == app.owner || row.lease_until <= now).await
}

/// Removes the files of deleted edits that a crash or a refusing disk has left; what cannot be
/// removed now is tried again by the next sweep.
async fn remove_all(app: &App) -> Result<(), retouch_store::Error> {
    for removal in app.store.list_removals().await? {
        if let Err(error) = remove(app, &removal).await {
            tracing::error!(edit = %removal.id, %error, "a deleted picture could not be removed");
        }
    }
    Ok(())
}

/// Removes the file of a deleted edit, and notes that it is gone.
///
/// # Errors
/// When the file cannot be removed or that cannot be noted; a sweep will do it.
pub(crate) async fn remove(app: &App, removal: &Removal) -> Result<(), retouch_store::Error> {
    app.store.blobs().delete(&removal.blob).await?;
    app.store.confirm_removal(&removal.account, &removal.id).await
}

async fn settle_all(
    app: &App,
    due: impl Fn(&OpenEditRow) -> bool,
) -> Result<usize, retouch_store::Error> {
    let mut settled = 0;
    for row in app.store.list_open_edits().await? {
        if app.running.contains(&row.id) || !due(&row) {
            continue;
        }
        match settle_one(app, &row).await {
            Ok(()) => settled += 1,
            Err(error) => {
                tracing::error!(edit = %row.id, error, "an open edit could not be settled");
            }
        }
    }
    Ok(settled)
}

async fn settle_one(app: &App, row: &OpenEditRow) -> Result<(), String> {
    let stored = app.store.blobs().confirm(&row.blob).await.map_err(|error| error.to_string())?;
    let outcome = if stored { found(row) } else { lost() };
    tracing::warn!(edit = %row.id, captured = stored, "settled an edit that was left open");
    match app.store.close_edit(&row.account, &row.id, outcome).await {
        // It ended between the look and this: whoever ended it knew how.
        Ok(_) | Err(CloseError::Ended(_)) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

fn found(row: &OpenEditRow) -> Outcome {
    Outcome::Succeeded {
        cost: row.price,
        usage: None,
        warnings: row.warnings.clone(),
        plan: None,
        stored: vec![row.blob.clone()],
    }
}

fn lost() -> Outcome {
    Outcome::Failed {
        code: Code::ServerError.row().name.to_owned(),
        message: "The server stopped while the edit was running. Nothing was charged.".into(),
    }
}
