//! What the service tells of itself while it runs: the log, to standard error, so that standard
//! output carries data alone; and traces, where there is a collector.
//!
//! The two share the macros of `tracing` and nothing else. The log has events and one span, the call
//! with its id; traces have all the other spans and no events, so that what an error's text says
//! stays on this machine.

mod export;
pub mod seldom;
pub mod spans;

use thiserror::Error;
use tokio::runtime::Handle;
use tracing::{Metadata, Subscriber};
use tracing_subscriber::filter::{EnvFilter, FilterExt, LevelFilter, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry};

use crate::config::{LogFormat, LogSettings, Settings};
pub use export::Export;

/// What is not written at level debug unless it is named: the database's client would tell of every
/// statement.
const QUIET: &str = "tokio_postgres=info";

/// Traces cannot be sent as the settings say.
#[derive(Debug, Error)]
#[error("traces cannot be sent: {0}")]
pub struct TracesUnusable(String);

/// Starts the log, and traces where a collector is set; what is sent goes through `runtime`. A second
/// start in one process changes nothing.
///
/// # Errors
/// [`TracesUnusable`].
pub fn start(settings: &Settings, runtime: &Handle) -> Result<Option<Export>, TracesUnusable> {
    let node = settings.server.node_name.as_deref();
    let export =
        settings.traces.as_ref().map(|it| Export::start(it, (runtime, node))).transpose()?;
    let traces = export.as_ref().map(|export| {
        let layer = tracing_opentelemetry::layer()
            .with_tracer(export.tracer())
            .with_context_activation(false)
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false);
        layer.with_filter(filter_fn(is_of_a_trace).with_max_level_hint(LevelFilter::INFO))
    });
    let started = Registry::default().with(log(&settings.log)).with(traces).try_init();
    drop(started);
    Ok(export)
}

fn log<S>(settings: &LogSettings) -> impl Layer<S>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    // The settings have checked that the level is a filter. A rule behind another one wins.
    let filter = EnvFilter::builder().parse_lossy(format!("{QUIET},{}", settings.level));
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let lines = match settings.format {
        LogFormat::Text => lines.with_ansi(false).boxed(),
        LogFormat::Json => lines.json().boxed(),
    };
    // The hint lets the filter's own one hold, by which most events are passed over at no cost.
    let others = filter_fn(|it| !is_of_a_trace(it)).with_max_level_hint(LevelFilter::TRACE);
    lines.with_filter(filter.and(others))
}

/// Whether it is for traces and not for the log.
fn is_of_a_trace(metadata: &Metadata<'_>) -> bool {
    metadata.is_span()
        && metadata.target().starts_with("retouch_")
        && metadata.name() != spans::CALL
}
