//! A vendor as a [`Provider`]: its dialect's pure functions, driven over HTTP. Here stands what is
//! certain about each way in which a call can end; docs/reliability.md says it in words.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use retouch_core::edit::Edit;
use retouch_core::{AccountId, Entropy, Kind};
use retouch_engine::codec;

use super::client::{Client, ClientError, ClientLimits, Door, TransportError};
use super::gate::{Advice, Gate, GateLimits, PROBE_MS_MAX};
use super::kitchen::Kitchen;
use super::lesson::{Lesson, RETRY_MS};
use super::{Dialect, Fault, Harvest, Order, Step, Ticket};
use crate::error::{ProviderError, Refused, RefusedKind};
use crate::fetch::Fetcher;
use crate::provider::{Health, Job, Journal, Media, Output, Provider, Reading, Task};
use crate::stock::Stock;
use crate::turns::Turn;
use crate::workshop::Workshop;

/// Longest hint that is passed on, in milliseconds: callers obey what they are told, and a number
/// that a vendor got wrong must not keep them away for days.
const HINT_MS_MAX: u64 = 3_600_000;

/// A vendor behind HTTP.
pub struct Upstream {
    name: String,
    pub(super) dialect: Box<dyn Dialect>,
    pub(super) client: Client,
    pub(super) fetcher: Arc<Fetcher>,
    pub(super) answers: Stock,
    pub(super) kitchen: Kitchen,
    pictures: Gate,
    videos: Gate,
}

/// What a vendor's adapter is made from, beside its protocol.
pub struct UpstreamParts {
    /// The name in the configuration and in the routes.
    pub name: String,
    /// Where it is and what opens it.
    pub door: Door,
    /// How long its calls may take.
    pub client: ClientLimits,
    /// How many calls it gets at once; pictures and videos are counted apart.
    pub gate: GateLimits,
}

/// What all vendors' adapters share.
#[derive(Clone)]
pub struct Shared {
    /// Where pixels are worked on.
    pub workshop: Workshop,
    /// Fetches results from addresses that vendors name, under the rules for callers' addresses.
    pub fetcher: Arc<Fetcher>,
    /// What an input picture may be.
    pub inputs: codec::Limits,
    /// What a result may be.
    pub results: codec::Limits,
    /// Memory for what providers answer.
    pub answers: Stock,
    /// Spreads pauses.
    pub entropy: Arc<dyn Entropy>,
}

impl Upstream {
    /// The vendor that speaks `dialect`.
    ///
    /// # Errors
    /// When no client can be made.
    pub fn new(
        parts: UpstreamParts,
        dialect: Box<dyn Dialect>,
        shared: &Shared,
    ) -> Result<Self, ClientError> {
        let UpstreamParts { name, door, client, gate } = parts;
        let client = Client::new(door, dialect.auth(), client)?.within(shared.answers.clone());
        Ok(Self {
            name,
            dialect,
            client,
            fetcher: Arc::clone(&shared.fetcher),
            answers: shared.answers.clone(),
            kitchen: Kitchen {
                workshop: shared.workshop.clone(),
                inputs: shared.inputs,
                results: shared.results,
            },
            pictures: Gate::new(gate, Arc::clone(&shared.entropy)),
            videos: Gate::new(gate, Arc::clone(&shared.entropy)),
        })
    }

    /// Asks, without spending, whether the vendor is there and knows the key; a few words of what
    /// it said.
    ///
    /// # Errors
    /// What is wrong, and what the operator can do.
    pub async fn probe(&self) -> Result<String, String> {
        let answer = self.client.send(&self.dialect.probe(), true).await;
        let answer = answer.map_err(|error| error.to_string())?;
        let said = self.dialect.probed(&answer);
        said.map_err(|problem| self.client.redact(&problem))
    }

    /// The models that the provider's own list says will be shut down, with the day; empty where it
    /// has no such list or does not answer.
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

    /// A turn at the vendor, unless it is known not to take work on.
    async fn enter(&self, gate: &Gate, account: &AccountId) -> Result<Turn, ProviderError> {
        self.heed(gate).await?;
        let turn = gate.enter(account).await.map_err(|none| {
            tracing::warn!(provider = self.name, %none, "a call got no turn at a provider");
            ProviderError::QueueFull
        })?;
        // What the calls in front of it met while it waited holds for this one too.
        self.heed(gate).await?;
        Ok(turn)
    }

    async fn heed(&self, gate: &Gate) -> Result<(), ProviderError> {
        let reason = match gate.advice() {
            Advice::Go => return Ok(()),
            Advice::Wait(ms) => {
                let reason = "the provider is left alone for a while".into();
                return Err(ProviderError::NotAccepted { reason, retry_ms: Some(ms) });
            }
            Advice::Probe => {
                let wait = Duration::from_millis(PROBE_MS_MAX);
                match tokio::time::timeout(wait, self.probe()).await {
                    Ok(Ok(_)) => {
                        gate.revived();
                        return Ok(());
                    }
                    Ok(Err(problem)) => format!("its probe failed: {problem}"),
                    Err(_elapsed) => format!("its probe had no answer within {PROBE_MS_MAX} ms"),
                }
            }
        };
        gate.troubled();
        Err(ProviderError::NotAccepted { reason, retry_ms: None })
    }

    /// Uploads and submits; the first answer that means something, and the ticket if it is known.
    async fn submit(
        &self,
        order: &Order<'_>,
        records: &Records<'_>,
    ) -> Result<Step, ProviderError> {
        let mut uploaded = Vec::new();
        for call in self.dialect.uploads(order) {
            // An upload costs nothing and starts nothing: whatever becomes of it is no work done.
            let sent = self.client.send(&call, true).await;
            uploaded.push(sent.map_err(|error| unreached(&error))?);
        }
        let submission =
            self.dialect.submit(order, &uploaded).map_err(|fault| self.explain(fault))?;
        if submission.ticket.is_some() || order.edit.kind == Kind::Video {
            // What cannot be written down before it is sent is not sent.
            let kept = records.keep(submission.ticket.clone()).await;
            kept.map_err(|cause| ProviderError::Failed(format!("not recorded: {cause}")))?;
        }
        match self.client.send(&submission.call, true).await {
            Ok(answer) => {
                self.dialect.submitted(order, &answer).map_err(|fault| self.explain(fault))
            }
            Err(error @ TransportError::NotSent(_)) => Err(unreached(&error)),
            // We named the task ourselves, so the vendor can be asked what became of it.
            Err(TransportError::NoAnswer(reason)) => match submission.ticket {
                Some(ticket) => Ok(Step::Submitted(ticket)),
                None => Err(ProviderError::Unknown(reason)),
            },
        }
    }

    /// Takes the first answer to its result, as the vendor made it.
    async fn see_through(
        &self,
        step: Step,
        (media, records): (Media, &Records<'_>),
    ) -> Result<Output, ProviderError> {
        let harvest = match step {
            Step::Done(harvest) => harvest,
            Step::Submitted(ticket) => {
                // The work has been sent and may be paid for: it is waited for all the same.
                if let Err(cause) = records.keep(Some(ticket.clone())).await {
                    tracing::error!(cause, "a task could not be recorded; a restart would lose it");
                }
                self.await_task(&ticket).await?
            }
            Step::Working { .. } => {
                return Err(ProviderError::Failed("it is at work and named no task".into()));
            }
        };
        self.bring_in(harvest, media).await
    }

    /// Fetches what the vendor made.
    async fn bring_in(&self, harvest: Harvest, media: Media) -> Result<Output, ProviderError> {
        let Harvest { artefacts, usage, mut warnings } = harvest;
        let count = artefacts.len();
        let Some(first) = artefacts.into_iter().next() else {
            return Err(ProviderError::Failed("it answered without a result".into()));
        };
        if count > 1 {
            warnings.push(super::words::extra_results(count));
        }
        let file = self.collect(first, media).await?;
        Ok(Output { file, media, usage, warnings })
    }

    /// What was fetched in the form in which it is kept, once it has proved to be what was asked
    /// for.
    async fn receive(&self, made: Output) -> Result<Output, ProviderError> {
        let file = self.kitchen.receive(made.file, made.media).await?;
        Ok(Output { file, ..made })
    }

    /// A fault for the flow: its words without the key.
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
                    "There are {count} input images; the provider of this model takes {count_max}."
                ),
                param: edit.pictures.get(count_max).map(|source| source.param.clone()),
            });
        }
        Ok(Reading { plan: None, warnings: self.dialect.read(edit, model)? })
    }

    fn heeds_quality(&self, model: &str) -> bool {
        self.dialect.heeds_quality(model)
    }

    async fn perform(&self, job: &Job, journal: &dyn Journal) -> Result<Output, ProviderError> {
        let kind = job.edit.kind;
        let gate = self.gate(kind);
        let _turn = self.enter(gate, &job.account).await?;
        let rules = self.dialect.picture_rules(&job.model);
        let pictures = self.kitchen.prepare(&job.sources, &rules, kind).await?;
        let order = Order {
            id: job.id,
            edit: &job.edit,
            model: &job.model,
            pictures: &pictures,
            end_user: job.end_user.as_deref(),
        };
        let records = Records { journal, kind, provider: &self.name, model: &job.model };
        let mut lesson = Lesson::begin(gate, &self.name);
        let made = async {
            let step = self.submit(&order, &records).await?;
            self.see_through(step, (Media::of(kind), &records)).await
        };
        let made = made.await;
        lesson.answered();
        let outcome = async { self.receive(made?).await }.await;
        lesson.learn(&outcome);
        outcome
    }

    fn health(&self, kind: Kind) -> Health {
        self.gate(kind).health()
    }

    async fn resume(&self, task: &Task) -> Result<Output, ProviderError> {
        let Some(ticket) = &task.ticket else {
            return Err(ProviderError::Unknown("it was sent, and no task is known".into()));
        };
        let harvest = self.await_task(ticket).await?;
        self.receive(self.bring_in(harvest, Media::of(task.kind)).await?).await
    }
}

/// Where this order's attempts are written down.
struct Records<'a> {
    journal: &'a dyn Journal,
    kind: Kind,
    provider: &'a str,
    model: &'a str,
}

impl Records<'_> {
    /// Writes down who is at it and how to ask for it.
    async fn keep(&self, ticket: Option<Ticket>) -> Result<(), String> {
        let task = Task {
            kind: self.kind,
            provider: self.provider.to_owned(),
            model: self.model.to_owned(),
            ticket,
            warnings: Vec::new(),
        };
        self.journal.record(&task).await
    }
}

fn unreached(error: &TransportError) -> ProviderError {
    ProviderError::NotAccepted { reason: error.to_string(), retry_ms: Some(RETRY_MS) }
}
