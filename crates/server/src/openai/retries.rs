//! Recognizes repeated calls. OpenAI's clients repeat a call after a lost connection, and send no
//! `Idempotency-Key`. But they count their attempts, so a call that says that it is a repetition gets
//! the answer of the call before it with the same meaning.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName};

use super::request::Ask;
use crate::api::submission;
use crate::app::App;
use crate::auth::Caller;
use crate::edits;
use crate::error::ApiResult;

/// How many times the client has tried before, counted by OpenAI's clients.
const RETRY_COUNT: HeaderName = HeaderName::from_static("x-stainless-retry-count");

/// How long after the first attempt a repetition is recognized, in milliseconds.
const RECOGNIZED_MS: i64 = 10 * 60_000;

/// The number of words in a key of our own, without the number of the image. Keys of callers have
/// no spaces, so none is like it.
const WORDS: usize = 5;

/// What identifies repetitions of a call.
#[derive(Clone, Debug)]
pub(super) struct Repeats {
    base: String,
    /// Whether a repetition waits for the first call instead of being refused while it runs.
    pub(super) waits: bool,
}

impl Repeats {
    /// The key of the image with this number. Each has its own, because each is an edit of its own.
    pub(super) fn key_of(&self, number: u32) -> String {
        let base = &self.base;
        if number == 0 && !self.waits { base.clone() } else { format!("{base} {number}") }
    }
}

/// What identifies repetitions of the call with these headers. `None` if its client neither sends
/// an `Idempotency-Key` nor counts attempts.
///
/// # Errors
/// When the header is invalid, or the store cannot be read.
pub(super) async fn of(
    app: &Arc<App>,
    caller: &Caller,
    (headers, ask): (&HeaderMap, &Ask),
) -> ApiResult<Option<Repeats>> {
    if let Some(base) = submission::idempotency_key(headers)? {
        return Ok(Some(Repeats { base, waits: false }));
    }
    let Some(attempts) = headers.get(RETRY_COUNT) else { return Ok(None) };
    let prefix = prefix(caller, ask);
    let earlier = match attempts.as_bytes() {
        b"0" => None,
        _ => find_earlier(app, caller, (&prefix, ask)).await?,
    };
    let base = earlier.unwrap_or_else(|| format!("{prefix}{}", app.ids.edit().0.simple()));
    Ok(Some(Repeats { base, waits: true }))
}

/// The beginning of the keys of calls with the same meaning, from the same API key.
fn prefix(caller: &Caller, ask: &Ask) -> String {
    let fingerprint: String = ask.fingerprint.iter().map(|byte| format!("{byte:02x}")).collect();
    let key = caller.key_id().map_or("session", |id| id.as_str());
    format!("sdk {key} {} {fingerprint} ", ask.n)
}

/// The base of the newest such key.
async fn find_earlier(
    app: &App,
    caller: &Caller,
    (prefix, ask): (&str, &Ask),
) -> ApiResult<Option<String>> {
    let call = edits::call_name(ask.kind);
    let since = app.clock.now().plus_ms(-RECOGNIZED_MS);
    let found = app.store.find_newest_key(&caller.account.id, call, (prefix, since)).await?;
    Ok(found.map(|key| key.split(' ').take(WORDS).collect::<Vec<_>>().join(" ")))
}
