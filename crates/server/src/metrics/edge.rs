//! Metrics about connections, their limits, and rejected webhooks.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// The metrics of connections; clones share them.
#[derive(Clone, Debug)]
pub struct EdgeNumbers {
    open: Gauge,
    limited: Family<LimitLabels, Counter>,
    webhooks: Counter,
}

/// A limit that has ended a connection or a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeLimit {
    /// The client address had too many connections.
    Address,
    /// The connection was idle for too long.
    Idle,
    /// The connection was open for too long.
    Age,
    /// The client read a response too slowly.
    SlowReader,
    /// The client sent a request body too slowly.
    SlowBody,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct LimitLabels {
    limit: &'static str,
}

impl EdgeNumbers {
    /// Creates the metrics with the value zero and adds them to `registry`.
    pub(super) fn new(registry: &mut Registry) -> Self {
        let numbers = Self {
            open: Gauge::default(),
            limited: Family::default(),
            webhooks: Counter::default(),
        };
        registry.register("connections_open", "Open connections", numbers.open.clone());
        let help = "Connections and requests ended by a limit";
        registry.register("connection_limits", help, numbers.limited.clone());
        let help = "Payment webhooks rejected because of their signature or content";
        registry.register("webhooks_refused", help, numbers.webhooks.clone());
        numbers
    }

    /// Counts a connection until the returned value is dropped.
    pub fn connected(&self) -> OpenConnection {
        self.open.inc();
        OpenConnection(self.open.clone())
    }

    /// Counts a connection or request ended by `limit`.
    pub fn limited(&self, limit: EdgeLimit) {
        let limit = match limit {
            EdgeLimit::Address => "address",
            EdgeLimit::Idle => "idle",
            EdgeLimit::Age => "age",
            EdgeLimit::SlowReader => "slow_reader",
            EdgeLimit::SlowBody => "slow_body",
        };
        self.limited.get_or_create(&LimitLabels { limit }).inc();
    }

    /// Counts a rejected webhook.
    pub fn webhook_refused(&self) {
        self.webhooks.inc();
    }
}

/// A connection that counts as open until this is dropped.
#[derive(Debug)]
pub struct OpenConnection(Gauge);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.dec();
    }
}
