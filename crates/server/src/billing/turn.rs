//! Locks that serialize opening checkouts: two at the same time would not see each other, and an
//! account could pay twice.

use std::time::Duration;

use retouch_core::AccountId;

use super::Payments;
use crate::app::App;
use crate::error::{ApiError, ApiResult, Code};

/// The maximum number of calls to Stripe for opening a checkout.
const CALLS_MAX: i64 = 8;
/// How long to wait for another node, in milliseconds: as long as a person would wait.
const WAIT_MS_MAX: u64 = 20_000;
/// How often to check whether the other node has finished, in milliseconds.
const LOOK_EVERY_MS: u64 = 200;
/// The suggested delay before another try, in seconds.
const RETRY_AFTER_S: u64 = 5;

/// Runs `work` while no other checkout for this account is being opened, here or on another node.
///
/// # Errors
/// 429 if another one takes too long; the errors of `work`.
pub(super) async fn in_turn<T>(
    app: &App,
    payments: &Payments,
    account: &AccountId,
    work: impl Future<Output = ApiResult<T>>,
) -> ApiResult<T> {
    // Calls of this process wait here, without polling the database.
    let _turn = payments.turn(account).await;
    let taker = app.ids.edit().to_string();
    let waiting = wait(app, account, &taker);
    let waited = tokio::time::timeout(Duration::from_millis(WAIT_MS_MAX), waiting).await;
    waited.map_err(|_elapsed| taken())??;
    let done = work.await;
    if let Err(error) = app.store.end_turn(account, &taker).await {
        tracing::warn!(%error, "could not release the checkout lock of an account; it will expire");
    }
    done
}

/// Waits until `taker` has the lock, which it keeps for as long as all calls to Stripe may take.
async fn wait(app: &App, account: &AccountId, taker: &str) -> ApiResult<()> {
    let stripe = app.settings.billing.stripe.as_ref();
    let answer_ms_max = stripe.map_or(0, |stripe| stripe.answer_ms_max);
    let lasts_ms = i64::try_from(answer_ms_max).unwrap_or(i64::MAX).saturating_mul(CALLS_MAX);
    while !app.store.take_turn(account, taker, app.clock.now().plus_ms(lasts_ms)).await? {
        tokio::time::sleep(Duration::from_millis(LOOK_EVERY_MS)).await;
    }
    Ok(())
}

fn taken() -> ApiError {
    let message = "Another checkout for this account is being opened. Try again in a few seconds.";
    ApiError::new(Code::RateLimited, message).retry_after_s(RETRY_AFTER_S)
}
