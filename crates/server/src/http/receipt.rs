//! Says in the headers of a response what the call cost and what is left.

use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use retouch_core::{AccountId, Credits};

use crate::app::App;
use crate::error::{ApiError, Code};

/// The credits that the call has charged, or that are held until its result is stored.
const COST: HeaderName = HeaderName::from_static("x-retouch-cost");
/// The credits that are available after the call.
const BALANCE: HeaderName = HeaderName::from_static("x-retouch-balance");

/// What a call cost and what is left, as far as its answer tells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Receipt {
    /// The credits that it has charged or holds.
    pub cost: Option<Credits>,
    /// The credits that are available. `None`: read them.
    pub balance: Option<Credits>,
}

/// What a call that failed has cost: nothing, unless its outcome is not known yet.
pub fn of_failure(error: &ApiError) -> Receipt {
    let cost = (error.code != Code::OutcomePending).then_some(Credits::ZERO);
    Receipt { cost, balance: None }
}

/// Adds to `response` what the call of `account` cost, if that is known, and the balance.
pub async fn add(app: &App, account: &AccountId, receipt: Receipt, response: &mut Response) {
    let headers = response.headers_mut();
    if let Some(cost) = receipt.cost {
        headers.insert(COST, HeaderValue::from(cost.get()));
    }
    let available = match receipt.balance {
        Some(available) => Ok(available),
        None => app.store.available(account).await,
    };
    match available {
        Ok(available) => drop(headers.insert(BALANCE, HeaderValue::from(available.get()))),
        // The call itself has its answer.
        Err(error) => tracing::warn!(%error, "could not read the balance for a response"),
    }
}
