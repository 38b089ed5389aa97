//! Logs and traces. Logs go to standard error, so that standard output carries only data. Traces go to
//! a collector, if one is configured.
//!
//! Both use the macros of `tracing`, but nothing else is shared. The log has events and one span, the
//! request with its ID. Traces have all other spans and no events, so that error messages stay on this
//! machine.

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

/// The default rules of the log filter: at level debug, the database client would log every statement,
/// and `rmcp` logs parts of requests at any level.
const QUIET: &str = "tokio_postgres=info,rmcp=off";

/// Traces cannot be sent with these settings.
#[derive(Debug, Error)]
#[error("cannot send traces: {0}")]
pub struct TracesUnusable(String);

/// Starts logging, and tracing if a collector is configured. Traces are sent on `runtime`. A second
/// call in the same process has no effect.
///
/// # Errors
/// [`TracesUnusable`].
pub fn start(settings: &Settings, runtime: &Handle) -> Result<Option<Export>, TracesUnusable> {
    let node = settings.server.node_name.as_deref();
    let export = settings.traces.as_ref().map(|it| Export::start(it, runtime, node)).transpose()?;
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
    // The settings have validated the level as a filter. Later rules win.
    let filter = EnvFilter::builder().parse_lossy(format!("{QUIET},{}", settings.level));
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let lines = match settings.format {
        LogFormat::Text => lines.with_ansi(false).boxed(),
        LogFormat::Json => lines.json().boxed(),
    };
    // With this hint, the filter's own hint applies, which skips most events at no cost.
    let others = filter_fn(|it| !is_of_a_trace(it)).with_max_level_hint(LevelFilter::TRACE);
    lines.with_filter(filter.and(others))
}

/// Whether this belongs to traces and not to the log.
fn is_of_a_trace(metadata: &Metadata<'_>) -> bool {
    metadata.is_span()
        && metadata.target().starts_with("retouch_")
        && metadata.name() != spans::CALL
}
