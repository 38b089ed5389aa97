//! Runs a provider's dialect over HTTP and implements [`Provider`]. This module decides what is
//! known for certain about each way in which a call can end; docs/reliability.md lists them.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use retouch_core::edit::Edit;
use retouch_core::{AccountId, Entropy, Kind};
use retouch_engine::codec;
use retouch_outbound::client::{Client, ClientError, ClientLimits, Endpoint, TransportError};
use retouch_outbound::fetch::Fetcher;
use retouch_outbound::stock::Stock;

use super::gate::{Advice, Gate, GateLimits, PROBE_MS_MAX};
use super::image_preparer::ImagePreparer;
use super::outcome_guard::{OutcomeGuard, RETRY_MS};
use super::{Dialect, Fault, Harvest, Order, Step, Ticket};
use crate::error::{ProviderError, Refused, RefusedKind};
use crate::provider::{Health, Job, Journal, Media, Output, Provider, Reading, Task, Wish};
use crate::turns::Turn;
use crate::workshop::Workshop;

/// Longest wait that is passed on to callers, in milliseconds. A wrong value from a provider must
/// not keep callers away for days.
const HINT_MS_MAX: u64 = 3_600_000;

/// A provider behind HTTP.
pub struct Upstream {
    name: String,
    pub(super) dialect: Box<dyn Dialect>,
    pub(super) client: Client,
    pub(super) fetcher: Arc<Fetcher>,
    pub(super) answers: Stock,
    pub(super) images: ImagePreparer,
    pictures: Gate,
    videos: Gate,
}

/// What an upstream needs besides its protocol.
pub struct UpstreamParts {
    /// The provider's name in the configuration and in the routes.
    pub name: String,
    /// Its address and key.
    pub endpoint: Endpoint,
    /// Limits on its calls.
    pub client: ClientLimits,
    /// The number of its concurrent calls. Images and videos are counted separately.
    pub gate: GateLimits,
}

/// What all upstreams share.
#[derive(Clone)]
pub struct Shared {
    /// Where pixels are processed.
    pub workshop: Workshop,
    /// Downloads results from other hosts, under the rules for callers' addresses.
    pub fetcher: Arc<Fetcher>,
    /// Limits on input images.
    pub inputs: codec::Limits,
    /// Limits on results.
    pub results: codec::Limits,
    /// Memory for the responses of providers.
    pub answers: Stock,
    /// Randomizes pauses.
    pub entropy: Arc<dyn Entropy>,
}

impl Upstream {
    /// The provider that speaks `dialect`.
    ///
    /// # Errors
    /// When no HTTP client can be created.
    pub fn new(
        parts: UpstreamParts,
        dialect: Box<dyn Dialect>,
        shared: &Shared,
    ) -> Result<Self, ClientError> {
        let UpstreamParts { name, endpoint, client, gate } = parts;
        let client = Client::new(endpoint, dialect.auth(), client)?.within(shared.answers.clone());
        Ok(Self {
            name,
            dialect,
            client,
            fetcher: Arc::clone(&shared.fetcher),
            answers: shared.answers.clone(),
            images: ImagePreparer {
                workshop: shared.workshop.clone(),
                inputs: shared.inputs,
                results: shared.results,
            },
            pictures: Gate::new(gate, Arc::clone(&shared.entropy)),
            videos: Gate::new(gate, Arc::clone(&shared.entropy)),
        })
    }

    /// Checks, at no cost, whether the provider is reachable and accepts the key. Returns a few
    /// words about its response.
    ///
    /// # Errors
    /// The problem, and what the operator can do.
    pub async fn probe(&self) -> Result<String, String> {
        let answer = self.client.send(&self.dialect.probe(), true).await;
        let answer = answer.map_err(|error| error.to_string())?;
        let said = self.dialect.probed(&answer);
        said.map_err(|problem| self.client.redact(&problem))
    }

    /// The models that will be shut down according to the provider's own list, with the day. Empty
    /// if it has no such list or cannot be reached.
    pub async fn shutdowns(&self) -> Vec<(String, String)> {
        match self.client.send(&self.dialect.probe(), true).await {
            Ok(answer) => self.dialect.shutdowns(&answer),
            Err(_) => Vec::new(),
        }
    }

    fn gate(&self, kind: Kind) -> &Gate {
        match kind {
            Kind::ImageEdit | Kind::TextToImage => &self.pictures,
            Kind::Video => &self.videos,
        }
    }

    /// Waits for a turn at the provider, unless it is paused.
    async fn enter(&self, gate: &Gate, account: &AccountId) -> Result<Turn, ProviderError> {
        self.check_health(gate).await?;
        let turn = gate.enter(account).await.map_err(|none| {
            tracing::warn!(provider = self.name, %none, "no free slot at a provider");
            ProviderError::QueueFull
        })?;
        // Check again: calls that ran during the wait may have paused the provider.
        self.check_health(gate).await?;
        Ok(turn)
    }

    async fn check_health(&self, gate: &Gate) -> Result<(), ProviderError> {
        let reason = match gate.advice() {
            Advice::Go => return Ok(()),
            Advice::Wait(ms) => {
                let reason = "the provider is paused for a while".into();
                return Err(ProviderError::NotAccepted { reason, retry_ms: Some(ms) });
            }
            Advice::Probe => {
                let wait = Duration::from_millis(PROBE_MS_MAX);
                match tokio::time::timeout(wait, self.probe()).await {
                    Ok(Ok(_)) => {
                        gate.revived();
                        return Ok(());
                    }
                    Ok(Err(problem)) => format!("the health check failed: {problem}"),
                    Err(_elapsed) => format!("the health check timed out after {PROBE_MS_MAX} ms"),
                }
            }
        };
        gate.troubled();
        Err(ProviderError::NotAccepted { reason, retry_ms: None })
    }

    /// Uploads the images and submits the work. Returns the first meaningful response, or the
    /// ticket if it is already known.
    async fn submit(
        &self,
        order: &Order<'_>,
        records: &Records<'_>,
    ) -> Result<Step, ProviderError> {
        let mut uploaded = Vec::new();
        for call in self.dialect.uploads(order) {
            // Uploads start no work, so any failure here means that nothing was done.
            let sent = self.client.send(&call, true).await;
            uploaded.push(sent.map_err(|error| unreached(&error))?);
        }
        let submission =
            self.dialect.submit(order, &uploaded).map_err(|fault| self.explain(fault))?;
        if submission.ticket.is_some() || records.is_ahead {
            // If the attempt cannot be recorded, it is not sent.
            let kept = records.keep(submission.ticket.clone()).await;
            kept.map_err(|cause| {
                ProviderError::Failed(format!("could not record the task: {cause}"))
            })?;
        }
        match self.client.send(&submission.call, true).await {
            Ok(answer) => {
                self.dialect.submitted(order, &answer).map_err(|fault| self.explain(fault))
            }
            Err(error @ TransportError::NotSent(_)) => Err(unreached(&error)),
            // If we chose the task's name, we can ask the provider what became of it.
            Err(TransportError::NoAnswer(reason)) => match submission.ticket {
                Some(ticket) => Ok(Step::Submitted(ticket)),
                None => Err(ProviderError::Unknown(reason)),
            },
        }
    }

    /// Continues from the first response until there is a result, in the provider's own format.
    async fn see_through(
        &self,
        step: Step,
        media: Media,
        records: &Records<'_>,
    ) -> Result<Output, ProviderError> {
        let harvest = match step {
            Step::Done(harvest) => harvest,
            Step::Submitted(ticket) => {
                // Keep waiting in any case: the work has been sent and may be billed.
                if let Err(cause) = records.keep(Some(ticket.clone())).await {
                    tracing::error!(cause, "could not record a task; a restart would lose it");
                }
                self.await_task(&ticket).await?
            }
            Step::Working { .. } => {
                return Err(ProviderError::Failed(
                    "the provider is working but returned no task".into(),
                ));
            }
        };
        self.bring_in(harvest, media).await
    }

    /// Downloads the result.
    async fn bring_in(&self, harvest: Harvest, media: Media) -> Result<Output, ProviderError> {
        let Harvest { artefacts, usage, mut warnings } = harvest;
        let count = artefacts.len();
        let Some(first) = artefacts.into_iter().next() else {
            return Err(ProviderError::Failed("the response has no result".into()));
        };
        if count > 1 {
            warnings.push(super::warnings::extra_results(count));
        }
        let file = self.collect(first, media).await?;
        Ok(Output { file, media, usage, warnings })
    }

    /// Checks that the result is of the right type, and converts it to the format in which it is
    /// stored.
    async fn receive(&self, made: Output) -> Result<Output, ProviderError> {
        let file = self.images.receive(made.file, made.media).await?;
        Ok(Output { file, ..made })
    }

    /// Converts a fault to an error, without the key in its text.
    pub(super) fn explain(&self, fault: Fault) -> ProviderError {
        match fault {
            Fault::Refused(refused) => {
                let message = self.client.redact(&refused.message);
                ProviderError::Refused(Refused { message, ..refused })
            }
            Fault::NotAccepted { reason, wait_ms, is_lasting } => ProviderError::NotAccepted {
                reason: self.client.redact(&reason),
                retry_ms: (!is_lasting).then(|| wait_ms.unwrap_or(RETRY_MS).min(HINT_MS_MAX)),
            },
            Fault::Failed(reason) => ProviderError::Failed(self.client.redact(&reason)),
            Fault::Lost(reason) => {
                let reason = self.client.redact(&reason);
                ProviderError::Unknown(format!("the provider does not know the task: {reason}"))
            }
        }
    }
}

#[async_trait]
impl Provider for Upstream {
    fn name(&self) -> &str {
        &self.name
    }

    fn read(&self, edit: &Edit, model: &str) -> Result<Reading, Refused> {
        let (count, count_max) = (edit.pictures.len(), self.dialect.picture_rules(model).count_max);
        if count > count_max {
            return Err(Refused {
                kind: RefusedKind::Limit,
                message: format!(
                    "There are {count} input images; the provider of this model accepts {count_max}."
                ),
                param: edit.pictures.get(count_max).map(|source| source.param.clone()),
            });
        }
        Ok(Reading { plan: None, warnings: self.dialect.read(edit, model)? })
    }

    fn supports_quality(&self, model: &str) -> bool {
        self.dialect.supports_quality(model)
    }

    fn instruction_chars_max(&self, model: &str) -> usize {
        self.dialect.instruction_chars_max(model)
    }

    fn fulfills(&self, wish: Wish, model: &str) -> bool {
        self.dialect.fulfills(wish, model)
    }

    async fn perform(&self, job: &Job, journal: &dyn Journal) -> Result<Output, ProviderError> {
        let kind = job.edit.kind;
        let gate = self.gate(kind);
        let _turn = self.enter(gate, &job.account).await?;
        let rules = self.dialect.picture_rules(&job.model);
        let (sources, mask) = job.sources.split_at(job.edit.pictures.len().min(job.sources.len()));
        let pictures = self.images.prepare(sources, &rules, job.is_background).await?;
        let mask = self.images.prepare_mask(mask, &pictures, job.is_background).await?;
        let order = Order {
            id: job.id,
            edit: &job.edit,
            model: &job.model,
            pictures: &pictures,
            mask: mask.as_ref(),
            end_user: job.end_user.as_deref(),
        };
        let records = Records {
            journal,
            kind,
            provider: &self.name,
            model: &job.model,
            is_ahead: job.is_background,
        };
        let mut guard = OutcomeGuard::begin(gate, &self.name);
        let made = async {
            let step = self.submit(&order, &records).await?;
            self.see_through(step, Media::of(kind), &records).await
        };
        let made = made.await;
        guard.answered();
        if let Ok(made) = &made {
            journal.arrived(&made.file);
        }
        let outcome = async { self.receive(made?).await }.await;
        guard.observe(&outcome);
        outcome
    }

    fn health(&self, kind: Kind) -> Health {
        self.gate(kind).health()
    }

    fn waiting(&self) -> usize {
        self.pictures.waiting() + self.videos.waiting()
    }

    async fn resume(&self, task: &Task) -> Result<Output, ProviderError> {
        let Some(ticket) = &task.ticket else {
            return Err(ProviderError::Unknown(
                "the request was sent, but no task is known".into(),
            ));
        };
        let harvest = self.await_task(ticket).await?;
        self.receive(self.bring_in(harvest, Media::of(task.kind)).await?).await
    }
}

/// Records the attempts of one order.
struct Records<'a> {
    journal: &'a dyn Journal,
    kind: Kind,
    provider: &'a str,
    model: &'a str,
    /// Whether an attempt is recorded before it is sent, and not only once it has a ticket.
    is_ahead: bool,
}

impl Records<'_> {
    /// Records which provider has the work, and its ticket.
    async fn keep(&self, ticket: Option<Ticket>) -> Result<(), String> {
        let task = Task {
            kind: self.kind,
            provider: self.provider.to_owned(),
            model: self.model.to_owned(),
            ticket,
            warnings: Vec::new(),
            cost: None,
        };
        self.journal.record(&task).await
    }
}

fn unreached(error: &TransportError) -> ProviderError {
    ProviderError::NotAccepted { reason: error.to_string(), retry_ms: Some(RETRY_MS) }
}
