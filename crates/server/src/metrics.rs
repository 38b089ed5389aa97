//! Metrics for Prometheus. Label values come only from our own tables, never from callers.

mod edge;
mod process;
mod routes;
mod store;
mod tally;

use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;
use retouch_core::Timestamp;
use retouch_core::catalogue::Model;
use retouch_providers::routes::Attempt;
use retouch_store::{Observer, Spending};

pub use edge::{EdgeLimit, EdgeNumbers, OpenConnection};
use process::ProcessNumbers;
pub use routes::RouteEnd;
use routes::RouteNumbers;
use store::StoreNumbers;
use tally::Tallies;
pub use tally::Tally;

/// The metrics of the service.
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    request_seconds: Family<RouteLabels, Histogram>,
    edits: Family<EditLabels, Counter>,
    edit_seconds: Family<ServingLabels, Histogram>,
    attempts: Family<AttemptLabels, Counter>,
    attempt_seconds: Family<RouteOfModel, Histogram>,
    provider_cost: Family<RouteOfModel, Counter>,
    credits: Family<CreditLabels, Counter>,
    errors: Family<CodeLabels, Counter>,
    recoveries: Family<RecoveryLabels, Counter>,
    lost: Counter,
    answers: Gauge,
    open: Gauge,
    open_seconds: Gauge,
    emails: Family<EmailLabels, Counter>,
    readings: Family<OutcomeLabels, Counter>,
    emails_waiting: Gauge,
    events: Family<EventLabels, Counter>,
    running: Gauge,
    waiting: Gauge,
    memory_bytes: Gauge,
    body_bytes: Gauge,
    payment_events: Gauge,
    payment_event_seconds: Gauge,
    /// Metrics about limits on connections and webhooks.
    pub edge: EdgeNumbers,
    tallies: Tallies,
    routes: RouteNumbers,
    store: StoreNumbers,
    process: ProcessNumbers,
}

/// Gauge values that are read when metrics are requested.
pub struct Levels {
    /// Edits that this process is working on.
    pub running: usize,
    /// Edits that wait for a turn, a provider, an image or memory.
    pub waiting: usize,
    /// Memory held by request bodies, fetched images and responses, in bytes.
    pub body_bytes: u64,
    /// Memory held by edits, in bytes.
    pub memory_bytes: u64,
    /// Routes that have an end date.
    pub ends: Vec<RouteEnd>,
    /// Values from the database; none if it does not respond.
    pub stored: Option<StoredLevels>,
}

/// Gauge values from the database, for all nodes.
pub struct StoredLevels {
    /// Edits whose credits are held.
    pub open: i64,
    /// Age of the oldest of them, in seconds.
    pub open_seconds: i64,
    /// What was spent today at providers with a daily limit.
    pub spending: Vec<Spending>,
    /// Payment events that wait to be processed.
    pub payment_events: i64,
    /// Age of the oldest of them, in seconds.
    pub payment_event_seconds: i64,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RequestLabels {
    method: String,
    route: String,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RouteLabels {
    route: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct EditLabels {
    model: String,
    provider: String,
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ServingLabels {
    model: String,
    provider: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct AttemptLabels {
    model: String,
    provider: String,
    provider_model: String,
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RouteOfModel {
    model: String,
    provider: String,
    provider_model: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct CreditLabels {
    model: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct EmailLabels {
    kind: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct EventLabels {
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct CodeLabels {
    code: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RecoveryLabels {
    end: &'static str,
}

/// What happened to an edit that a process had left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Its result was found, and it was charged.
    Charged,
    /// It has no result, and its credits were released.
    Released,
    /// This process continues it.
    TakenOver,
}

/// A finished request.
#[derive(Debug)]
pub struct RequestDone<'a> {
    /// Its method.
    pub method: &'a Method,
    /// The template of its route.
    pub route: &'a str,
    /// The status of the response.
    pub status: u16,
    /// How long it took.
    pub took: Duration,
}

/// An edit that has succeeded or failed.
pub struct EditDone<'a> {
    /// The requested model.
    pub model: &'a str,
    /// The provider that served it.
    pub provider: &'a str,
    /// How it ended: a name from our own table.
    pub outcome: &'static str,
    /// How long it took, in milliseconds.
    pub duration_ms: i64,
}

impl Metrics {
    /// Creates all metrics with the value zero.
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("retouch");
        let store = StoreNumbers::new(&mut registry);
        let routes = RouteNumbers::new(&mut registry);
        let process = ProcessNumbers::new(&mut registry);
        let edge = EdgeNumbers::new(&mut registry);
        let metrics = Self {
            requests: Family::default(),
            request_seconds: Family::new_with_constructor(seconds),
            edits: Family::default(),
            edit_seconds: Family::new_with_constructor(minutes),
            attempts: Family::default(),
            attempt_seconds: Family::new_with_constructor(minutes),
            provider_cost: Family::default(),
            credits: Family::default(),
            errors: Family::default(),
            recoveries: Family::default(),
            lost: Counter::default(),
            answers: Gauge::default(),
            open: Gauge::default(),
            open_seconds: Gauge::default(),
            emails: Family::default(),
            readings: Family::default(),
            emails_waiting: Gauge::default(),
            events: Family::default(),
            running: Gauge::default(),
            waiting: Gauge::default(),
            memory_bytes: Gauge::default(),
            body_bytes: Gauge::default(),
            payment_events: Gauge::default(),
            payment_event_seconds: Gauge::default(),
            edge,
            tallies: Tallies::default(),
            routes,
            store,
            process,
            registry: Registry::default(),
        };
        metrics.register(&mut registry);
        metrics.register_edits(&mut registry);
        Self { registry, ..metrics }
    }

    fn register(&self, registry: &mut Registry) {
        let m = self;
        registry.register("http_requests", "HTTP requests", m.requests.clone());
        registry.register("http_request_seconds", "Response time", m.request_seconds.clone());
        let help = "Whether the database responded to this scrape: 1 or 0";
        registry.register("database_answers", help, m.answers.clone());
        let help = "Error responses by error code";
        registry.register("errors", help, m.errors.clone());
        registry.register("provider_attempts", "Finished attempts", m.attempts.clone());
        let help = "Duration of attempts";
        registry.register("provider_attempt_seconds", help, m.attempt_seconds.clone());
        let help = "Cost of results in millionths of a US dollar, from the catalogue";
        registry.register("provider_cost_micro_usd", help, m.provider_cost.clone());
        registry.register("credits_captured", "Credits charged", m.credits.clone());
        registry.register("emails", "Attempts to send an email", m.emails.clone());
        let help = "Refused instructions that a language model was asked about, by outcome";
        registry.register("language_readings", help, m.readings.clone());
        let help = "Emails waiting to be sent, counted after the latest attempt";
        registry.register("emails_waiting", help, m.emails_waiting.clone());
        let help = "Attempts to deliver an event to a webhook";
        registry.register("webhook_attempts", help, m.events.clone());
        let help = "Payment events waiting to be processed";
        registry.register("payment_events_waiting", help, m.payment_events.clone());
        let help = "Age of the oldest waiting payment event";
        registry.register("payment_event_oldest_seconds", help, m.payment_event_seconds.clone());
    }

    fn register_edits(&self, registry: &mut Registry) {
        let m = self;
        registry.register("edits", "Finished edits", m.edits.clone());
        registry.register("edit_seconds", "Duration of edits", m.edit_seconds.clone());
        registry.register("edits_running", "Edits in progress", m.running.clone());
        let help = "Edits waiting for a turn, a provider, an image or memory";
        registry.register("edits_waiting", help, m.waiting.clone());
        registry.register("edit_memory_bytes", "Memory held by edits", m.memory_bytes.clone());
        let help = "Memory held by request bodies, fetched images and responses";
        registry.register("call_memory_bytes", help, m.body_bytes.clone());
        let help = "Edits whose credits are held, on all nodes";
        registry.register("edits_open", help, m.open.clone());
        let help = "Age of the oldest open edit";
        registry.register("edit_oldest_open_seconds", help, m.open_seconds.clone());
        let help = "Edits that a process had left open, by what happened to them";
        registry.register("edit_recoveries", help, m.recoveries.clone());
        let help = "Edits of this process that another process has taken over";
        registry.register("edits_lost", help, m.lost.clone());
    }

    /// The observer that counts the operations of the store.
    pub fn observer(&self) -> Arc<dyn Observer> {
        Arc::new(self.store.clone())
    }

    /// Records when the process started.
    pub fn began(&self, at: Timestamp) {
        self.process.began(at.0);
    }

    /// Counts an error response by its error code.
    pub fn answered_error(&self, code: &'static str) {
        self.errors.get_or_create(&CodeLabels { code }).inc();
    }

    /// Counts an edit that a process had left open.
    pub fn recovered(&self, recovery: Recovery) {
        let end = match recovery {
            Recovery::Charged => "charged",
            Recovery::Released => "released",
            Recovery::TakenOver => "taken_over",
        };
        self.recoveries.get_or_create(&RecoveryLabels { end }).inc();
    }

    /// Counts an edit that another process has taken over.
    pub fn lost(&self) {
        self.lost.inc();
    }

    /// Counts and times a finished request.
    pub fn request_done(&self, done: &RequestDone<'_>) {
        let RequestDone { method, route, status, took } = *done;
        let (method, route) = (method_name(method), route.to_owned());
        self.request_seconds
            .get_or_create(&RouteLabels { route: route.clone() })
            .observe(took.as_secs_f64());
        self.requests.get_or_create(&RequestLabels { method, route, status }).inc();
    }

    /// Counts and times a finished edit.
    pub fn edit_done(&self, done: &EditDone<'_>) {
        let (model, provider) = (done.model.to_owned(), done.provider.to_owned());
        let serving = ServingLabels { model: model.clone(), provider: provider.clone() };
        let seconds = Duration::from_millis(u64::try_from(done.duration_ms).unwrap_or(0));
        self.edit_seconds.get_or_create(&serving).observe(seconds.as_secs_f64());
        self.edits.get_or_create(&EditLabels { model, provider, outcome: done.outcome }).inc();
    }

    /// Counts and times an attempt on a route of `model`, and adds its cost if known.
    pub fn attempted(&self, model: &Model, attempt: &Attempt<'_>) {
        let route = RouteOfModel {
            model: model.id.clone(),
            provider: attempt.provider.to_owned(),
            provider_model: attempt.model.to_owned(),
        };
        // A failed attempt may also have cost something, but the amount is unknown.
        if let Some(cost) = attempt.cost.filter(|_| attempt.is_done()) {
            self.provider_cost.get_or_create(&route).inc_by(cost.0);
        }
        let seconds = Duration::from_millis(attempt.duration_ms);
        self.attempt_seconds.get_or_create(&route).observe(seconds.as_secs_f64());
        let RouteOfModel { model, provider, provider_model } = route;
        let outcome = attempt.outcome;
        let name = (model.clone(), provider.clone(), provider_model.clone());
        self.tallies.count(name, outcome, attempt.duration_ms);
        let labels = AttemptLabels { model, provider, provider_model, outcome };
        self.attempts.get_or_create(&labels).inc();
    }

    /// The attempts on a route of `model`: the one of `provider` to its model `theirs`.
    pub fn tally(&self, model: &Model, provider: &str, theirs: &str) -> Tally {
        self.tallies.of(&model.id, provider, theirs)
    }

    /// Counts credits that were charged for `model`.
    pub fn captured(&self, model: &str, credits: i64) {
        let labels = CreditLabels { model: model.to_owned() };
        self.credits.get_or_create(&labels).inc_by(u64::try_from(credits).unwrap_or(0));
    }

    /// Counts an attempt to send an email.
    pub fn email_tried(&self, kind: &'static str, outcome: &'static str) {
        self.emails.get_or_create(&EmailLabels { kind, outcome }).inc();
    }

    /// Records what came of asking a language model about a refused instruction.
    pub fn language_reading(&self, outcome: &'static str) {
        self.readings.get_or_create(&OutcomeLabels { outcome }).inc();
    }

    /// Records how many emails are waiting.
    pub fn emails_wait(&self, waiting: u64) {
        self.emails_waiting.set(i64::try_from(waiting).unwrap_or(i64::MAX));
    }

    /// Counts an attempt to deliver an event to a webhook.
    pub fn event_sent(&self, outcome: &'static str) {
        self.events.get_or_create(&EventLabels { outcome }).inc();
    }

    /// All metrics in the text format of `OpenMetrics`.
    ///
    /// # Errors
    /// Never in practice: writing to a string does not fail.
    pub fn render(&self, levels: &Levels) -> Result<String, std::fmt::Error> {
        self.running.set(i64::try_from(levels.running).unwrap_or(i64::MAX));
        self.waiting.set(i64::try_from(levels.waiting).unwrap_or(i64::MAX));
        self.memory_bytes.set(i64::try_from(levels.memory_bytes).unwrap_or(i64::MAX));
        self.routes.end(&levels.ends);
        self.body_bytes.set(i64::try_from(levels.body_bytes).unwrap_or(i64::MAX));
        self.process.look();
        self.answers.set(i64::from(levels.stored.is_some()));
        // Without a response, these metrics keep their last values.
        if let Some(stored) = &levels.stored {
            self.open.set(stored.open);
            self.open_seconds.set(stored.open_seconds);
            self.routes.spent(&stored.spending);
            self.payment_events.set(stored.payment_events);
            self.payment_event_seconds.set(stored.payment_event_seconds);
        }
        let mut page = String::new();
        text::encode(&mut page, &self.registry)?;
        Ok(page)
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

/// Buckets from 100 microseconds to about a minute.
fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.0001, 2.0, 20))
}

/// Buckets from a millisecond to more than a quarter of an hour, because videos take minutes.
fn minutes() -> Histogram {
    Histogram::new(exponential_buckets(0.001, 2.0, 21))
}

/// The name of a method. Unknown methods share one name, so that callers cannot create many labels.
pub(crate) fn method_name(method: &Method) -> String {
    let known = [
        Method::GET,
        Method::POST,
        Method::PUT,
        Method::PATCH,
        Method::DELETE,
        Method::HEAD,
        Method::OPTIONS,
    ];
    if known.contains(method) { method.to_string() } else { "OTHER".into() }
}
