//! Stored files that belong to no edit and no upload: left behind by a store that failed midway, or
//! by a deleted account whose files could not be reached.

use retouch_store::Error;

use super::removal_tally::RemovalTally;
use super::stored_copy::StoredCopy;
use super::stored_request;
use crate::app::App;

/// The maximum number of files to remove in one sweep; the next one continues.
const ORPHANS_MAX: usize = 10_000;
/// The length of the token that every name begins with ([`App::blob_name`]), in characters.
const TOKEN_CHARS: usize = 40;

/// Removes files that belong to no edit and are older than the operator's limit, which is far
/// longer than any edit takes. If that is most of the files, the database is probably not the one
/// that they belong to, so none is removed.
pub async fn sweep_orphans(app: &App) {
    let age_ms = app.settings.store.orphan_age_ms;
    if age_ms == 0 {
        return;
    }
    match sweep(app, age_ms).await {
        Ok(0) => {}
        Ok(removed) => tracing::warn!(removed, "deleted stored files that belong to no edit"),
        Err(error) => {
            tracing::error!(%error, "could not delete stored files that belong to no edit");
        }
    }
}

/// Runs a sweep and returns how many files it removed.
async fn sweep(app: &App, age_ms: i64) -> Result<usize, Error> {
    let (orphans, seen) = find(app, age_ms).await?;
    if orphans.len() > seen / 2 {
        tracing::error!(
            orphans = orphans.len(),
            seen,
            "most stored files belong to no edit, so none were deleted; check that this database \
             belongs to this image store"
        );
        return Ok(0);
    }
    let mut tally = RemovalTally::default();
    for name in orphans {
        let done = app.store.blobs().delete(&name).await;
        if !tally.add(app, done).await {
            break;
        }
    }
    tally.log();
    Ok(tally.removed)
}

/// Lists files that belong to no edit, and counts the files examined.
async fn find(app: &App, age_ms: i64) -> Result<(Vec<String>, usize), Error> {
    let before = app.clock.now().plus_ms(-age_ms);
    let mut walk = app.store.blobs().walk(before).await?;
    let (mut orphans, mut seen) = (Vec::new(), 0);
    while orphans.len() < ORPHANS_MAX && !app.ending.is_cancelled() {
        let mut names = walk.next().await?;
        if names.is_empty() {
            break;
        }
        names.retain(|name| is_ours(name));
        seen += names.len();
        let results = names.iter().map(|name| result_of(name)).collect();
        let claimed = app.store.claimed_blobs(results).await?;
        orphans.extend(names.into_iter().filter(|name| !claimed.contains(&result_of(name))));
    }
    Ok((orphans, seen))
}

/// Whether the service creates such names. Other files in the folder or bucket are not touched.
fn is_ours(name: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    name.len() > TOKEN_CHARS && name.bytes().take(TOKEN_CHARS).all(is_digit)
}

/// The name of the result that the file `name` is or belongs to.
fn result_of(name: &str) -> String {
    let result = name.strip_suffix(stored_request::EXTENSION).or(StoredCopy::original(name));
    result.unwrap_or(name).to_owned()
}
