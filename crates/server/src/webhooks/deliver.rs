//! Sends the events that are due to the addresses of their webhooks.
//!
//! Each process sends to a limited number of webhooks at a time. Only half of these places are for
//! webhooks that were slow, so that these delay nobody else.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::HeaderName;
use futures_util::StreamExt;
use futures_util::future::{BoxFuture, join_all};
use futures_util::stream::FuturesUnordered;
use jiff::fmt::rfc2822;
use retouch_core::Timestamp;
use retouch_outbound::fetch::{FetchError, Post, Posted};
use retouch_store::{Attempt, AttemptEnd, Claim, ClaimEnd, Due, Error, EventKind};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::signature::{Message, Secrets};
use super::{payload, schedule};
use crate::app::App;

/// How many webhooks receive events at the same time.
const CLAIMS_MAX: usize = 32;
/// How many of them may have been slow.
const SLOW_MAX: usize = 16;
/// From how many milliseconds on a response is slow.
const SLOW_MS: i64 = 5_000;
/// How often to look for deliveries that other processes have queued or that are due again.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// How long a webhook receives nothing after an answer that says it is overloaded, in milliseconds.
const QUIET_MS: i64 = 60_000;
/// The longest such time that an answer can ask for, in milliseconds: a day.
const RETRY_AFTER_MS_MAX: i64 = 24 * 3_600_000;
/// The statuses that say so: too many requests, bad gateway, gateway timeout.
const OVERLOADED: [u16; 3] = [429, 502, 504];
/// The status of an address that wants no more events.
const GONE: u16 = 410;

const ID: HeaderName = HeaderName::from_static("webhook-id");
const TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

/// What is being sent. Each claim ends with whether it was for a slow webhook, and how many events were
/// accepted.
#[derive(Default)]
struct Sending {
    claims: FuturesUnordered<BoxFuture<'static, (bool, Result<usize, Error>)>>,
    slow: usize,
}

/// Sends everything that is due now, and returns how many events were accepted.
///
/// # Errors
/// Faults of the database.
pub async fn deliver_due(app: &Arc<App>) -> Result<usize, Error> {
    let (mut sending, mut delivered) = (Sending::default(), 0);
    loop {
        sending.fill(app).await?;
        match sending.next().await {
            Some(sent) => delivered += sent?,
            None => return Ok(delivered),
        }
    }
}

/// Sends events as soon as they are due, until `ending` is canceled. What is being sent then, another
/// process or the next one sends again.
pub(crate) async fn keep_delivering(app: &Arc<App>, ending: &CancellationToken) {
    let mut sending = Sending::default();
    loop {
        if let Err(error) = sending.fill(app).await {
            tracing::error!(%error, "could not look for events to deliver");
        }
        tokio::select! {
            () = ending.cancelled() => return,
            () = app.store.delivery_queued() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
            Some(sent) = sending.next() => if let Err(error) = sent {
                tracing::error!(%error, "could not note what came of a delivery");
            },
        }
    }
}

impl Sending {
    /// Claims webhooks until none is due or all places are taken.
    async fn fill(&mut self, app: &Arc<App>) -> Result<(), Error> {
        while self.claims.len() < CLAIMS_MAX {
            let claim = app.store.claim_webhook(self.slow < SLOW_MAX).await?;
            let Some(claim) = claim else { break };
            self.slow += usize::from(claim.is_slow);
            let app = Arc::clone(app);
            self.claims
                .push(Box::pin(async move { (claim.is_slow, send_claim(&app, &claim).await) }));
        }
        Ok(())
    }

    /// Waits until a claim has ended, and returns how many events were accepted. `None` if there is
    /// no claim.
    async fn next(&mut self) -> Option<Result<usize, Error>> {
        let (was_slow, sent) = self.claims.next().await?;
        self.slow -= usize::from(was_slow);
        Some(sent)
    }
}

/// Sends what was claimed, and notes the outcome. Returns how many events were accepted.
async fn send_claim(app: &App, claim: &Claim) -> Result<usize, Error> {
    let secrets = secrets(app, claim);
    let all = claim.deliveries.iter().map(|due| send(app, claim, (due, &secrets)));
    let outcomes = join_all(all).await;
    let slow_ms = SLOW_MS.min(app.settings.webhooks.response_ms_max.cast_signed());
    let end = ClaimEnd {
        is_gone: outcomes.iter().any(|it| it.attempt.response_status == Some(GONE)),
        is_slow: outcomes.iter().any(|it| it.attempt.took_ms >= slow_ms),
        quiet_ms: outcomes.iter().filter_map(|it| it.quiet_ms).max(),
        attempts: outcomes.into_iter().map(|it| it.attempt).collect(),
    };
    let ends = end.attempts.iter().map(|attempt| attempt.end).collect::<Vec<_>>();
    app.store.end_claim(claim, end).await?;
    for end in &ends {
        app.metrics.event_sent(outcome(*end));
    }
    if ends.contains(&AttemptEnd::Failed) {
        // The webhook may have been turned off, which its owner is told by email.
        app.emails_queued();
    }
    Ok(ends.iter().filter(|end| **end == AttemptEnd::Delivered).count())
}

/// The secrets that sign what is sent: the current ones, and after a rotation also those before. Empty
/// if this server's key did not encrypt them.
fn secrets(app: &App, claim: &Claim) -> Vec<Secrets> {
    let Some(key) = &app.settings.server.secret_key else { return Vec::new() };
    let sealed = [Some(&claim.sealed_secrets), claim.earlier_secrets.as_ref()];
    let opened = sealed.into_iter().flatten().map(|it| super::opened(key, &claim.webhook, it));
    opened.flatten().collect()
}

/// What came of one attempt, and for how long its answer asks for silence.
struct Outcome {
    attempt: Attempt,
    quiet_ms: Option<i64>,
}

async fn send(app: &App, claim: &Claim, (due, secrets): (&Due, &[Secrets])) -> Outcome {
    let began = Instant::now();
    let answer = post(app, &claim.url, (due, secrets)).await;
    let took_ms = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
    let quiet_ms = answer.as_ref().ok().and_then(|posted| quiet_ms(posted, app.clock.now()));
    let attempt = Attempt {
        due: due.clone(),
        end: end(app, due, (&answer, quiet_ms)),
        response_status: answer.as_ref().ok().map(|posted| posted.status),
        problem: problem(answer),
        took_ms,
    };
    Outcome { attempt, quiet_ms }
}

/// Sends an event. The error is for the owner of the webhook.
async fn post(app: &App, url: &str, (due, secrets): (&Due, &[Secrets])) -> Result<Posted, String> {
    if secrets.is_empty() {
        return Err("This server can't decrypt the secrets of the webhook. Rotate them.".into());
    }
    let url = Url::parse(url).map_err(|_| "The address is not valid.".to_owned())?;
    let body = payload::body(app, due).map_err(|error| error.to_string())?;
    let timestamp_s = app.clock.now().0 / 1_000;
    let message = Message { id: due.id.as_str(), timestamp_s, body: &body };
    let signatures: Vec<_> = secrets.iter().map(|secrets| secrets.sign(message)).collect();
    let headers = vec![
        (ID, due.id.to_string()),
        (TIMESTAMP, timestamp_s.to_string()),
        (SIGNATURE, signatures.join(" ")),
    ];
    let total_ms_max = app.settings.webhooks.response_ms_max;
    let posting = app.hooks.post(&url, &Post { headers, body, total_ms_max }).await;
    posting.map_err(|error| match error {
        FetchError::TooSlow { .. } => "There was no response in time.".to_owned(),
        error => format!("No response: {error}."),
    })
}

fn end(
    app: &App,
    due: &Due,
    (answer, quiet_ms): (&Result<Posted, String>, Option<i64>),
) -> AttemptEnd {
    let status = answer.as_ref().map_or(0, |posted| posted.status);
    let is_last = status == GONE || due.kind == EventKind::Test;
    match schedule::wait_ms(due.attempt, &*app.entropy).filter(|_| !is_last) {
        _ if is_success(status) => AttemptEnd::Delivered,
        Some(wait_ms) => AttemptEnd::Retry(wait_ms.max(quiet_ms.unwrap_or(0))),
        None => AttemptEnd::Failed,
    }
}

fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

/// How long a webhook receives nothing after this answer.
fn quiet_ms(posted: &Posted, now: Timestamp) -> Option<i64> {
    if is_success(posted.status) {
        return None;
    }
    let asked = posted.retry_after.as_deref().and_then(|text| retry_after_ms(text, now));
    let overloaded = OVERLOADED.contains(&posted.status).then_some(QUIET_MS);
    asked.map(|ms| ms.clamp(0, RETRY_AFTER_MS_MAX)).max(overloaded)
}

/// The time in `Retry-After`, in seconds or until a date (RFC 9110, 10.2.3).
fn retry_after_ms(text: &str, now: Timestamp) -> Option<i64> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<u32>() {
        return Some(i64::from(seconds) * 1_000);
    }
    let date = rfc2822::parse(text).ok()?.timestamp();
    Some(date.as_millisecond() - now.0)
}

/// What went wrong, for the owner of the webhook.
fn problem(answer: Result<Posted, String>) -> Option<String> {
    match answer {
        Err(problem) => Some(problem),
        Ok(Posted { status, .. }) if is_success(status) => None,
        Ok(Posted { status: status @ 300..400, .. }) => Some(format!(
            "The address answered {status}. Redirects are not followed: enter the address to which \
             it redirects."
        )),
        Ok(Posted { status, .. }) => Some(format!("The address answered {status}.")),
    }
}

fn outcome(end: AttemptEnd) -> &'static str {
    match end {
        AttemptEnd::Delivered => "delivered",
        AttemptEnd::Retry(_) => "postponed",
        AttemptEnd::Failed => "failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overloaded_address_is_left_alone_as_long_as_it_asks() {
        let now = Timestamp::parse("1994-11-06T08:49:00Z").unwrap();
        let after = |status, text: &str| {
            let retry_after = Some(text.to_owned()).filter(|text| !text.is_empty());
            quiet_ms(&Posted { status, retry_after }, now)
        };
        for (status, text, expected) in [
            (200, "120", None),
            (500, "", None),
            (503, "120", Some(120_000)),
            (503, "Sun, 06 Nov 1994 08:49:37 GMT", Some(37_000)),
            (503, "Sun, 06 Nov 1994 08:48:37 GMT", Some(0)),
            (503, "soon", None),
            (503, "-5", None),
            (429, "", Some(60_000)),
            (429, "5", Some(60_000)),
            (504, "999999999", Some(RETRY_AFTER_MS_MAX)),
        ] {
            assert_eq!(after(status, text), expected, "{status} {text}");
        }
    }
}
