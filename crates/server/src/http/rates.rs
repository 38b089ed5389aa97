//! What is left of the limits on calls that charge, told with every answer to one, so that a caller
//! can slow down before a call is refused.

use std::sync::{Arc, OnceLock};

use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

use crate::app::App;
use crate::auth::throttle::{Allowance, CallRefused, Calling};
use crate::auth::{Caller, client};
use crate::error::ApiResult;

/// The limits and what is left of them, as structured fields (draft-ietf-httpapi-ratelimit-headers).
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const RATE: HeaderName = HeaderName::from_static("ratelimit");
/// The limit of which least is left, in the names that the clients of image models know.
const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit-requests");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining-requests");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset-requests");

/// Where a call's allowances are left for its answer.
#[derive(Clone, Debug, Default)]
struct Counted(Arc<OnceLock<Vec<Allowance>>>);

/// Tells with the answer what is left of the limits that the call was counted by.
pub async fn layer(mut request: Request, next: Next) -> Response {
    let counted = Counted::default();
    request.extensions_mut().insert(counted.clone());
    let mut response = next.run(request).await;
    if let Some(allowances) = counted.0.get() {
        for (name, value) in headers(allowances) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// Counts a call that charges.
///
/// # Errors
/// 429 when the caller, the key or the address has made as many as it may.
pub async fn count(app: &App, parts: &Parts, caller: &Caller) -> ApiResult<()> {
    let calling = Calling {
        account: &caller.account.id,
        plan: caller.plan.as_deref(),
        key: caller.key_id(),
        address: client::of_call(app, parts),
    };
    let (allowances, done) = match app.throttles.call(&calling).await {
        Ok(allowances) => (allowances, Ok(())),
        Err(CallRefused::TooMany(mut many)) => {
            (std::mem::take(&mut many.allowances), Err(many.into()))
        }
        Err(CallRefused::Store(error)) => return Err(error.into()),
    };
    if let Some(counted) = parts.extensions.get::<Counted>() {
        // Once for each call.
        let _ = counted.0.set(allowances);
    }
    done
}

/// Nothing where no limit is set.
fn headers(allowances: &[Allowance]) -> Vec<(HeaderName, HeaderValue)> {
    let Some(least) = allowances.iter().min_by_key(|it| it.left) else { return Vec::new() };
    let list =
        |one: fn(&Allowance) -> String| allowances.iter().map(one).collect::<Vec<_>>().join(", ");
    let policy = list(|it| format!("\"{}\";q={};w={}", it.of, it.calls_max, it.window_s));
    let rate = list(|it| format!("\"{}\";r={};t={}", it.of, it.left, it.full_in_s));
    let texts = [
        (POLICY, policy),
        (RATE, rate),
        (LIMIT, least.calls_max.to_string()),
        (REMAINING, least.left.to_string()),
        (RESET, format!("{}s", least.full_in_s)),
    ];
    let values = texts.into_iter().filter_map(|(name, text)| Some((name, text.try_into().ok()?)));
    values.collect()
}
