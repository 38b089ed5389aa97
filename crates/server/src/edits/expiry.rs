//! Expiry of results that are older than their account's plan keeps them.

use retouch_core::catalogue::Retention;
use retouch_store::{Error, ExpiryPlace};

use crate::app::App;

/// How many accounts may fail in one round. More failures mean that the problem is not the
/// accounts.
const FAILURES_MAX: usize = 100;

/// Expires results that are older than their accounts keep them. The next file sweep deletes their
/// files. Any node may do this at any time.
pub async fn expire(app: &App) {
    let retention = app.retention();
    if retention.is_unlimited() {
        return;
    }
    match expire_all(app, &retention).await {
        Ok(0) => {}
        Ok(results) => tracing::info!(results, "deleted expired results"),
        Err(error) => tracing::error!(%error, "could not delete expired results"),
    }
}

async fn expire_all(app: &App, retention: &Retention) -> Result<usize, Error> {
    let (mut results, mut failures, mut next) = (0, 0, Some(ExpiryPlace::default()));
    while let Some(place) = next.filter(|_| !app.ending.is_cancelled()) {
        let expired = app.store.expire_results(retention, &place).await?;
        results += expired.results;
        failures += expired.failed.len();
        for (account, error) in &expired.failed {
            tracing::error!(%account, %error, "could not delete the expired results of an account");
        }
        if let Some((_, error)) =
            expired.failed.into_iter().last().filter(|_| failures > FAILURES_MAX)
        {
            return Err(error);
        }
        next = expired.next;
    }
    Ok(results)
}
