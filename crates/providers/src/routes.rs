//! Tries the routes of a model in order until one accepts the work. Two routes are never tried if
//! both might be billed. docs/reliability.md describes the rules.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use retouch_core::catalogue::MicroDollars;
use retouch_core::{Entropy, Kind, Timestamp, Warning};
use tokio::time::Instant;
use tracing::{Instrument, field, info_span};

use crate::error::ProviderError;
use crate::provider::{Job, Journal, Output, Reading, Task};
use crate::registry::Serving;

/// Maximum number of rounds over all routes, if none accepts the work.
const ROUNDS_MAX: u32 = 3;
/// Longest pause between two rounds, in milliseconds. The caller waits during it.
const PAUSE_MS_MAX: u64 = 15_000;
/// Shortest first pause, in milliseconds. It doubles with each round.
const PAUSE_MS: u64 = 1_000;

/// The outcome of an attempt that has a result.
const DONE: &str = "done";

/// One attempt, as reported to metrics.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    /// The provider.
    pub provider: &'a str,
    /// The provider's name for the model. Empty for the built-in editor.
    pub model: &'a str,
    /// The outcome: `done`, or the name of the error's outcome.
    pub outcome: &'static str,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// What the result costs according to the catalogue, if known.
    pub cost: Option<MicroDollars>,
}

impl<'a> Attempt<'a> {
    /// An attempt that started at `began` and has just ended with `done`.
    pub fn ended(
        provider: &'a str,
        model: &'a str,
        began: Instant,
        done: &Result<Output, ProviderError>,
    ) -> Self {
        let outcome = done.as_ref().map_or_else(ProviderError::outcome, |_| DONE);
        let duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        Self { provider, model, outcome, duration_ms, cost: None }
    }

    /// Whether there is a result.
    pub fn is_done(&self) -> bool {
        self.outcome == DONE
    }
}

/// Enforces the daily spending limits of providers.
#[async_trait]
pub trait Budget: Send + Sync {
    /// Reserves what a call will cost, before it is sent. Returns the day that it counts for, or
    /// `None` if the provider has no limit.
    ///
    /// # Errors
    /// Why the call may not be sent.
    async fn reserve(
        &self,
        provider: &str,
        cost: MicroDollars,
    ) -> Result<Option<Timestamp>, ProviderError>;

    /// Returns what [`Budget::reserve`] reserved on `day`, because the provider did no work.
    async fn give_back(&self, provider: &str, day: Timestamp, cost: MicroDollars);
}

/// What attempts need besides the job itself.
pub struct AttemptContext<'a> {
    /// The spending limits. `None`: no provider has one.
    pub budget: Option<&'a dyn Budget>,
    /// Where attempts and tasks are recorded.
    pub journal: &'a dyn Journal,
    /// Called after every attempt.
    pub observe: &'a (dyn Fn(Attempt<'_>) + Send + Sync),
    /// Randomizes pauses, so that callers who failed at the same time do not all return at the same
    /// time.
    pub entropy: &'a dyn Entropy,
}

/// Performs `job`, which is prepared for the first of `routes`, with the first of them that accepts
/// it.
///
/// # Errors
/// The first error that rules out further attempts. If no route accepts the job, the reason of the
/// last round.
pub async fn perform(
    routes: &[Serving],
    job: &Job,
    context: &AttemptContext<'_>,
) -> Result<Output, ProviderError> {
    let mut round = 0;
    loop {
        let refused = match one_round(routes, job, context, round).await {
            Err(refused @ ProviderError::NotAccepted { .. }) => refused,
            settled => return settled,
        };
        let ProviderError::NotAccepted { retry_ms: Some(hint_ms), .. } = &refused else {
            return Err(refused);
        };
        let pause_ms = (*hint_ms).max(PAUSE_MS << round);
        round += 1;
        if round == ROUNDS_MAX || pause_ms > PAUSE_MS_MAX {
            return Err(refused);
        }
        tokio::time::sleep(Duration::from_millis(spread_ms(pause_ms, context.entropy))).await;
    }
}

/// Tries each route once, in order. If none accepts the work, the error is
/// [`ProviderError::QueueFull`] if any of them only had a full queue. Otherwise, it has the
/// shortest wait of all routes.
async fn one_round(
    routes: &[Serving],
    job: &Job,
    context: &AttemptContext<'_>,
    round: u32,
) -> Result<Output, ProviderError> {
    let mut soonest: Option<(Option<u64>, String)> = None;
    let mut is_full = false;
    let mut limit_ms: Option<u64> = None;
    for (number, route) in routes.iter().enumerate() {
        let Some(reading) = reading(number, route, job) else { continue };
        let (new_warnings, cost) = (new_warnings(&reading, job), route.cost(&job.edit));
        let journal = RouteJournal { journal: context.journal, new_warnings, cost };
        // The record already names the first route. Attempts at background work are recorded when
        // they are sent.
        if (round, number) != (0, 0) && !job.is_background {
            note(route, job.edit.kind, &journal).await;
        }
        let job = Job { model: route.model.clone(), reading: Arc::clone(&reading), ..job.clone() };
        match paid_attempt(route, &job, &journal, context).await {
            Err(ProviderError::LimitReached { retry_ms }) => {
                let provider = route.provider.name();
                tracing::warn!(provider, "the provider's daily spending limit is reached");
                limit_ms = Some(limit_ms.unwrap_or(retry_ms).min(retry_ms));
            }
            Err(ProviderError::NotAccepted { reason, retry_ms }) => {
                let provider = route.provider.name();
                tracing::warn!(provider, reason, "a provider did not accept the request");
                let earlier = soonest.as_ref().and_then(|(wait, _)| *wait);
                let shortest = earlier.into_iter().chain(retry_ms).min();
                soonest = Some((shortest, reason));
            }
            Err(ProviderError::QueueFull) => is_full = true,
            settled => return settled,
        }
    }
    if is_full {
        return Err(ProviderError::QueueFull);
    }
    if let (None, Some(retry_ms)) = (&soonest, limit_ms) {
        return Err(ProviderError::LimitReached { retry_ms });
    }
    let (retry_ms, reason) = soonest.unwrap_or((None, "no route".into()));
    Err(ProviderError::NotAccepted { reason, retry_ms })
}

/// What `route` understands from the request. The first route was already asked before credits were
/// held. `None`: another route cannot do it and is skipped.
fn reading(number: usize, route: &Serving, job: &Job) -> Option<Arc<Reading>> {
    if number == 0 {
        return Some(Arc::clone(&job.reading));
    }
    route.provider.read(&job.edit, &route.model).ok().map(Arc::new)
}

/// Makes an attempt if the provider's budget allows it. The reserved cost is returned only if the
/// provider certainly did no work.
async fn paid_attempt(
    route: &Serving,
    job: &Job,
    journal: &RouteJournal<'_>,
    context: &AttemptContext<'_>,
) -> Result<Output, ProviderError> {
    let provider = route.provider.name();
    let Some((budget, cost)) = context.budget.zip(journal.cost) else {
        return attempt(route, job, journal, context).await;
    };
    let day = budget.reserve(provider, cost).await?;
    let done = attempt(route, job, journal, context).await;
    // Failed and unknown are not listed: the provider may have done the work and may bill it.
    let is_unpaid = match &done {
        Err(
            ProviderError::Refused(_)
            | ProviderError::Input(_)
            | ProviderError::Busy
            | ProviderError::QueueFull
            | ProviderError::NotAccepted { .. },
        ) => true,
        Ok(_) | Err(_) => false,
    };
    if let Some(day) = day.filter(|_| is_unpaid) {
        budget.give_back(provider, day, cost).await;
    }
    done
}

async fn attempt(
    route: &Serving,
    job: &Job,
    journal: &RouteJournal<'_>,
    context: &AttemptContext<'_>,
) -> Result<Output, ProviderError> {
    let (began, provider) = (Instant::now(), route.provider.name());
    let span = info_span!(
        "attempt",
        retouch.provider = provider,
        retouch.provider_model = route.model,
        retouch.outcome = field::Empty,
    );
    let mut done = route.provider.perform(job, journal).instrument(span.clone()).await;
    let ended = Attempt::ended(provider, &route.model, began, &done);
    let ended = Attempt { cost: journal.cost, ..ended };
    span.record("retouch.outcome", ended.outcome);
    drop(span);
    (context.observe)(ended);
    if let Ok(output) = &mut done {
        output.warnings.splice(0..0, journal.new_warnings.iter().cloned());
    }
    done
}

/// The warnings in `reading` that the record does not have yet. Those of the first route were
/// recorded when the edit was opened.
fn new_warnings<'a>(reading: &'a Arc<Reading>, job: &Job) -> &'a [Warning] {
    if Arc::ptr_eq(reading, &job.reading) { &[] } else { &reading.warnings }
}

/// A journal that adds the route's warnings and cost to each attempt. A process that finds the
/// result later can then report them.
struct RouteJournal<'a> {
    journal: &'a dyn Journal,
    new_warnings: &'a [Warning],
    cost: Option<MicroDollars>,
}

#[async_trait]
impl Journal for RouteJournal<'_> {
    async fn record(&self, task: &Task) -> Result<(), String> {
        let warnings = self.new_warnings.to_vec();
        self.journal.record(&Task { warnings, cost: self.cost, ..task.clone() }).await
    }

    fn arrived(&self, file: &Bytes) {
        self.journal.arrived(file);
    }
}

/// Records that a different route is tried than the record names. If that fails, the record names
/// the wrong provider, but the caller still gets the result.
async fn note(route: &Serving, kind: Kind, journal: &RouteJournal<'_>) {
    let task = Task {
        kind,
        provider: route.provider.name().to_owned(),
        model: route.model.clone(),
        ticket: None,
        warnings: Vec::new(),
        cost: None,
    };
    if let Err(cause) = journal.record(&task).await {
        tracing::error!(cause, "could not record an attempt");
    }
}

/// A random duration between three quarters of `ms` and `ms`, so that callers who were turned away
/// at the same time do not all return at the same time.
pub(crate) fn spread_ms(ms: u64, entropy: &dyn Entropy) -> u64 {
    let mut byte = [0];
    entropy.fill(&mut byte);
    ms - ms / 4 * u64::from(byte[0]) / 255
}
