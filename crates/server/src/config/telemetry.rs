//! What the operator sees of the service while it runs.

use tracing_subscriber::EnvFilter;

use super::Secret;
use super::reader::Reader;

/// The section `[metrics]`.
#[derive(Clone, Debug)]
pub struct MetricsSettings {
    /// Opens `/metrics` to callers that are not on the same machine.
    pub token: Option<Secret>,
}

/// The section `[log]`.
#[derive(Clone, Debug)]
pub struct LogSettings {
    /// How much is written: a level, or rules for parts; checked to be a filter.
    pub level: String,
    /// How it is written.
    pub format: LogFormat,
}

/// The form of a line of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For machines.
    Json,
}

impl MetricsSettings {
    pub(super) fn read(reader: &Reader<'_>) -> Self {
        Self { token: reader.secret("metrics.token") }
    }
}

impl LogSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let level = reader.required("log.level", level).unwrap_or_default();
        let format = reader.required("log.format", format);
        Self { level, format: format.unwrap_or(LogFormat::Text) }
    }
}

fn level(text: &str) -> Result<String, String> {
    let expected =
        "expected error, warn, info, debug or trace, or rules such as info,retouch_store=debug";
    let parsed = EnvFilter::builder().parse(text);
    let names_a_level =
        text.split(',').any(|rule| is_level(rule.rsplit('=').next().unwrap_or(rule)));
    if parsed.is_ok() && names_a_level { Ok(text.to_owned()) } else { Err(expected.to_owned()) }
}

fn is_level(text: &str) -> bool {
    ["error", "warn", "info", "debug", "trace", "off"]
        .contains(&text.trim().to_lowercase().as_str())
}

fn format(text: &str) -> Result<LogFormat, String> {
    match text {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err("expected text or json".to_owned()),
    }
}
