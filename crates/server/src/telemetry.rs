//! The log: to standard error, so that standard output carries data alone.

use tracing_subscriber::EnvFilter;

use crate::config::{LogFormat, LogSettings};

/// What is not written at level debug unless it is named: the database's client would tell of every
/// statement.
const QUIET: &str = "tokio_postgres=info";

/// Starts the log as the settings say. A second start in one process changes nothing.
pub fn start(settings: &LogSettings) {
    // The settings have checked that the level is a filter. A rule behind another one wins.
    let filter = EnvFilter::builder().parse_lossy(format!("{QUIET},{}", settings.level));
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = match settings.format {
        LogFormat::Text => lines.with_ansi(false).try_init(),
        LogFormat::Json => lines.json().try_init(),
    };
    drop(started);
}
