//! Which route performs an edit: the first that takes the work on, and never two that might both
//! be paid. The rules are those of docs/reliability.md.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use retouch_core::catalogue::MicroDollars;
use retouch_core::edit::Edit;
use retouch_core::{AccountId, EditId, Entropy, Kind, Timestamp, Warning};
use tokio::time::Instant;
use tracing::{Instrument, field, info_span};

use crate::error::ProviderError;
use crate::inputs::Source;
use crate::provider::{Job, Journal, Output, Reading, Task};
use crate::registry::Serving;

/// Rounds over all routes, when none of them takes the work on at first.
const ROUNDS_MAX: u32 = 3;
/// Longest pause between two rounds, in milliseconds; a caller waits meanwhile.
const PAUSE_MS_MAX: u64 = 15_000;
/// Shortest first pause, in milliseconds; it doubles.
const PAUSE_MS: u64 = 1_000;

/// What is to be performed, and by whom.
pub struct Work {
    /// Names the edit.
    pub id: EditId,
    /// Whose it is.
    pub account: AccountId,
    /// The request.
    pub edit: Arc<Edit>,
    /// What the first route made of it, before the hold.
    pub reading: Arc<Reading>,
    /// The input pictures.
    pub sources: Arc<[Source]>,
    /// What the caller is called at providers: a keyed hash.
    pub end_user: Option<Arc<str>>,
}

/// One attempt, as it is counted.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    /// Who was asked.
    pub provider: &'a str,
    /// For which of its models; empty for the built-in editor.
    pub model: &'a str,
    /// How it ended: `done` or the name of the error's outcome.
    pub outcome: &'static str,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// What its result costs by the catalogue, where that is known.
    pub cost: Option<MicroDollars>,
}

impl<'a> Attempt<'a> {
    /// The attempt that began then and has just ended so.
    pub fn ended(
        provider: &'a str,
        model: &'a str,
        (began, done): (Instant, &Result<Output, ProviderError>),
    ) -> Self {
        let outcome = done.as_ref().map_or_else(ProviderError::outcome, |_| "done");
        let duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        Self { provider, model, outcome, duration_ms, cost: None }
    }
}

/// What may be spent at each provider.
#[async_trait]
pub trait Budget: Send + Sync {
    /// Sets aside what a call will cost, before it is sent; the day that it counts for, where the
    /// provider has a limit.
    ///
    /// # Errors
    /// Why the call may not be sent, as for an attempt.
    async fn reserve(
        &self,
        provider: &str,
        cost: MicroDollars,
    ) -> Result<Option<Timestamp>, ProviderError>;

    /// Gives back what [`Budget::reserve`] set aside on `day`: the provider has done nothing.
    async fn give_back(&self, provider: &str, day: Timestamp, cost: MicroDollars);
}

/// Everything around an attempt that is not the attempt.
pub struct Surroundings<'a> {
    /// What may be spent; none: no provider has a limit.
    pub budget: Option<&'a dyn Budget>,
    /// Where attempts and tasks are written down.
    pub journal: &'a dyn Journal,
    /// Told of every attempt when it has ended.
    pub observe: &'a (dyn Fn(Attempt<'_>) + Send + Sync),
    /// Spreads pauses, so that callers who failed together do not return together.
    pub entropy: &'a dyn Entropy,
}

/// Performs `work` by the first of `routes` that takes it on.
///
/// # Errors
/// The first answer that settles it; where no route takes it on, why the last did not.
pub async fn perform(
    routes: &[Serving],
    work: &Work,
    around: &Surroundings<'_>,
) -> Result<Output, ProviderError> {
    let mut round = 0;
    loop {
        let refused = match one_round(routes, work, around, round).await {
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
        tokio::time::sleep(Duration::from_millis(spread_ms(pause_ms, around.entropy))).await;
    }
}

/// Asks each route once, in order. Where none takes the work on, the error is
/// [`ProviderError::QueueFull`] if one of them is only short of room, else the one with the shortest wait.
async fn one_round(
    routes: &[Serving],
    work: &Work,
    around: &Surroundings<'_>,
    round: u32,
) -> Result<Output, ProviderError> {
    let mut soonest: Option<(Option<u64>, String)> = None;
    let mut is_full = false;
    let mut limit_ms: Option<u64> = None;
    for (number, route) in routes.iter().enumerate() {
        let Some(reading) = reading(number, route, work) else { continue };
        // The record was opened in the first one's name. Of a video each attempt is written down
        // when it is sent, by whoever sends it.
        if (round, number) != (0, 0) && work.edit.kind != Kind::Video {
            note(route, work, (&reading, around)).await;
        }
        match paid_attempt(route, work, (reading, around)).await {
            Err(ProviderError::LimitReached { retry_ms }) => {
                let provider = route.provider.name();
                tracing::warn!(provider, "the provider's spending limit for the day is reached");
                limit_ms = Some(limit_ms.unwrap_or(retry_ms).min(retry_ms));
            }
            Err(ProviderError::NotAccepted { reason, retry_ms }) => {
                let provider = route.provider.name();
                tracing::warn!(provider, reason, "a provider did not take the work on");
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

/// What `route` makes of the request: the first has been asked before the hold, another that
/// cannot do it is passed over.
fn reading(number: usize, route: &Serving, work: &Work) -> Option<Arc<Reading>> {
    if number == 0 {
        return Some(Arc::clone(&work.reading));
    }
    route.provider.read(&work.edit, &route.model).ok().map(Arc::new)
}

/// An attempt for which the provider's budget has room. What was set aside is given back only when
/// the provider has certainly done nothing.
async fn paid_attempt(
    route: &Serving,
    work: &Work,
    (reading, around): (Arc<Reading>, &Surroundings<'_>),
) -> Result<Output, ProviderError> {
    let (provider, cost) = (route.provider.name(), route.cost(&work.edit));
    let Some((budget, cost)) = around.budget.zip(cost) else {
        return attempt(route, work, (reading, around)).await;
    };
    let day = budget.reserve(provider, cost).await?;
    let done = attempt(route, work, (reading, around)).await;
    // Failed and unknown are left out: the provider may have done the work, and bill it.
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
    work: &Work,
    (reading, around): (Arc<Reading>, &Surroundings<'_>),
) -> Result<Output, ProviderError> {
    let job = Job {
        id: work.id,
        account: work.account.clone(),
        edit: Arc::clone(&work.edit),
        model: route.model.clone(),
        reading: Arc::clone(&reading),
        sources: Arc::clone(&work.sources),
        end_user: work.end_user.clone(),
    };
    let untold = untold(&reading, work);
    let journal = Telling { journal: around.journal, untold };
    let (began, provider) = (Instant::now(), route.provider.name());
    let span = info_span!(
        "attempt",
        retouch.provider = provider,
        retouch.provider_model = route.model,
        retouch.outcome = field::Empty,
    );
    let mut done = route.provider.perform(&job, &journal).instrument(span.clone()).await;
    let ended = Attempt::ended(provider, &route.model, (began, &done));
    let ended = Attempt { cost: route.cost(&work.edit), ..ended };
    span.record("retouch.outcome", ended.outcome);
    drop(span);
    (around.observe)(ended);
    if let Ok(output) = &mut done {
        output.warnings.splice(0..0, untold.iter().cloned());
    }
    done
}

/// What of `reading` the record does not say yet: what the first route would do otherwise was said
/// when the edit was opened.
fn untold<'a>(reading: &'a Arc<Reading>, work: &Work) -> &'a [Warning] {
    if Arc::ptr_eq(reading, &work.reading) { &[] } else { &reading.warnings }
}

/// A journal that writes down with each attempt what the caller has to be told beside its result,
/// so that a process that finds the result later can.
struct Telling<'a> {
    journal: &'a dyn Journal,
    untold: &'a [Warning],
}

#[async_trait]
impl Journal for Telling<'_> {
    async fn record(&self, task: &Task) -> Result<(), String> {
        let warnings = self.untold.to_vec();
        self.journal.record(&Task { warnings, ..task.clone() }).await
    }
}

/// Writes down that another route is asked than the record names; that it could not be written down
/// costs the record a name, not the caller the result.
async fn note(route: &Serving, work: &Work, (reading, around): (&Arc<Reading>, &Surroundings<'_>)) {
    let task = Task {
        kind: work.edit.kind,
        provider: route.provider.name().to_owned(),
        model: route.model.clone(),
        ticket: None,
        warnings: untold(reading, work).to_vec(),
    };
    if let Err(cause) = around.journal.record(&task).await {
        tracing::error!(cause, "an attempt could not be recorded");
    }
}

/// Between three quarters of `ms` milliseconds and all of them, so that those who were turned away
/// together do not return together.
pub(crate) fn spread_ms(ms: u64, entropy: &dyn Entropy) -> u64 {
    let mut byte = [0];
    entropy.fill(&mut byte);
    ms - ms / 4 * u64::from(byte[0]) / 255
}
