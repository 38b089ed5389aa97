//! Counts calls toward the rate limits. Every response to a counted call says what is left, so that
//! callers can slow down before they are refused.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use retouch_core::AccountId;

use crate::app::App;
use crate::auth::throttle::{Allowance, CallRefused, Calling, Counts, Reading};
use crate::auth::{Caller, client, cookie};
use crate::error::{ApiError, ApiResult};

/// The limits and what is left, as structured fields (draft-ietf-httpapi-ratelimit-headers).
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const RATE: HeaderName = HeaderName::from_static("ratelimit");
/// The limit with the fewest calls left, in headers that clients of image APIs know.
const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit-requests");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining-requests");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset-requests");

/// The limits that a charging call counted toward, and who pays for it, for use in its response.
#[derive(Clone, Debug, Default)]
struct Counted(Arc<OnceLock<(Vec<Allowance>, Option<Payer>)>>);

/// The account that a failure counts against.
#[derive(Debug)]
struct Payer {
    account: AccountId,
    plan: Option<String>,
}

/// Attached to a reading call until its account is known; then holds the limit it counted toward.
#[derive(Clone, Debug, Default)]
struct Read(Arc<OnceLock<Option<Allowance>>>);

/// Adds the headers that say what is left of the limits, and counts the call toward the limit on
/// failures if it failed.
pub async fn layer(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let counted = Counted::default();
    request.extensions_mut().insert(counted.clone());
    let mut response = next.run(request).await;
    let Some((allowances, payer)) = counted.0.get() else { return response };
    let failed = match payer {
        Some(payer) if has_failed(response.status()) => failed(&app, payer).await,
        _ => None,
    };
    let allowances: Vec<Allowance> = allowances.iter().copied().chain(failed).collect();
    tell(&mut response, &allowances);
    response
}

/// Whether `status` is that of a call that was accepted and failed. A call that came too early,
/// because of a limit or because the first call with its key still runs, has not failed.
fn has_failed(status: StatusCode) -> bool {
    let is_early = matches!(status, StatusCode::CONFLICT | StatusCode::TOO_MANY_REQUESTS);
    (status.is_client_error() || status.is_server_error()) && !is_early
}

/// Counts a call of `caller` that failed with `error` toward the limit on failures.
pub(crate) async fn count_failure(app: &App, caller: &Caller, error: &ApiError) {
    let status = StatusCode::from_u16(error.code.row().status);
    if status.is_ok_and(has_failed) {
        let payer = Payer { account: caller.account.id.clone(), plan: caller.plan.clone() };
        failed(app, &payer).await;
    }
}

async fn failed(app: &App, payer: &Payer) -> Option<Allowance> {
    match app.throttles.failed(&payer.account, payer.plan.as_deref()).await {
        Ok(allowance) => allowance,
        Err(error) => {
            tracing::warn!(%error, "could not count a failed request");
            None
        }
    }
}

/// Counts a call that charges.
///
/// # Errors
/// 429 when the account, the key or the address has reached its limit, or too many calls of the
/// account have failed.
pub async fn count(app: &App, parts: &Parts, caller: &Caller) -> ApiResult<()> {
    let calling = Calling {
        account: &caller.account.id,
        plan: caller.plan.as_deref(),
        own_per_minute: app.own_calls_per_minute(&caller.account.id),
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
    // A call that was refused because of a limit has not failed.
    let payer = done
        .is_ok()
        .then(|| Payer { account: caller.account.id.clone(), plan: caller.plan.clone() });
    if let Some(counted) = parts.extensions.get::<Counted>() {
        // A call that makes several images is counted for each; the first count is told.
        let _ = counted.0.set((allowances, payer));
    }
    done
}

/// A call that reads. It counts toward the limit of its account once that is known (`count_read`), and
/// otherwise toward that of its client address.
pub struct ReadingCall {
    read: Read,
    address: Option<IpAddr>,
}

/// Begins to count a call if it reads. Pages, files, health checks and metrics are not counted.
pub fn begin_read(app: &App, parts: &mut Parts) -> Option<ReadingCall> {
    is_read(&parts.method, parts.uri.path()).then(|| {
        let read = Read::default();
        parts.extensions.insert(read.clone());
        ReadingCall { read, address: client::of_call(app, parts) }
    })
}

impl ReadingCall {
    /// Counts a call without credentials before any work is done. Returns the error response if it is
    /// over the limit.
    pub fn refuse_stranger(&self, app: &App, headers: &HeaderMap) -> Option<Response> {
        if is_stranger(app, headers) { self.refused(app) } else { None }
    }

    /// Counts a call whose credentials were invalid, or whose handler did not look at them, and adds
    /// the rate-limit headers.
    pub fn end(self, app: &App, mut response: Response) -> Response {
        if self.read.0.get().is_none()
            && let Some(refusal) = self.refused(app)
        {
            return refusal;
        }
        tell(&mut response, self.read.0.get().copied().flatten().as_slice());
        response
    }

    /// Counts the call toward the limit of its address. Returns the error response if it is over the limit.
    fn refused(&self, app: &App) -> Option<Response> {
        match app.throttles.read(&Reading::Address(self.address)) {
            Ok(allowance) => {
                let _ = self.read.0.set(allowance);
                None
            }
            Err(many) => {
                let allowances = many.allowances.clone();
                let mut response = ApiError::from(many).into_response();
                tell(&mut response, &allowances);
                Some(response)
            }
        }
    }
}

/// Whether a call has no credentials.
pub(super) fn is_stranger(app: &App, headers: &HeaderMap) -> bool {
    !headers.contains_key(header::AUTHORIZATION)
        && cookie::session_hash(headers, app.cookies()).is_none()
}

/// Counts a reading call toward the limit of its account, as soon as the caller is known.
///
/// # Errors
/// 429 when the account has reached its limit.
pub(crate) fn count_read(app: &App, parts: &Parts, caller: &Caller) -> ApiResult<()> {
    let Some(read) = parts.extensions.get::<Read>().filter(|read| read.0.get().is_none()) else {
        return Ok(());
    };
    let account = Reading::Account(&caller.account.id, caller.plan.as_deref());
    match app.throttles.read(&account) {
        Ok(allowance) => {
            let _ = read.0.set(allowance);
            Ok(())
        }
        Err(many) => {
            let _ = read.0.set(many.allowances.first().copied());
            Err(many.into())
        }
    }
}

/// Whether a call reads from the API, or previews an edit or downloads results, which stores and
/// charges nothing.
fn is_read(method: &Method, path: &str) -> bool {
    let is_get = *method == Method::GET || *method == Method::HEAD;
    let is_free = matches!(
        path,
        "/api/estimate" | "/api/plan" | "/api/preview" | "/api/generations/zip" | "/mcp"
    );
    is_get && (path.starts_with("/api/") || path.starts_with("/v1/")) || is_free
}

fn tell(response: &mut Response, allowances: &[Allowance]) {
    for (name, value) in headers(allowances) {
        response.headers_mut().insert(name, value);
    }
}

/// The rate-limit headers; none if no limit is set.
fn headers(allowances: &[Allowance]) -> Vec<(HeaderName, HeaderValue)> {
    if allowances.is_empty() {
        return Vec::new();
    }
    let list =
        |one: fn(&Allowance) -> String| allowances.iter().map(one).collect::<Vec<_>>().join(", ");
    let policy = list(|it| format!("\"{}\";q={};w={}", it.of.as_str(), it.calls_max, it.window_s));
    let rate = list(|it| format!("\"{}\";r={};t={}", it.of.as_str(), it.left, it.full_in_s));
    let mut texts = vec![(POLICY, policy), (RATE, rate)];
    // The limit on failures says nothing about how many requests remain.
    let requests = allowances.iter().filter(|it| it.of != Counts::Failures);
    if let Some(least) = requests.min_by_key(|it| it.left) {
        texts.extend([
            (LIMIT, least.calls_max.to_string()),
            (REMAINING, least.left.to_string()),
            (RESET, format!("{}s", least.full_in_s)),
        ]);
    }
    let values = texts.into_iter().filter_map(|(name, text)| Some((name, text.try_into().ok()?)));
    values.collect()
}
