//! Metrics, traces and logs.

use axum::http::{HeaderName, HeaderValue};
use tracing_subscriber::EnvFilter;
use url::Url;

use super::Secret;
use super::duration::MINUTE_MS;
use super::network::web_address;
use super::reader::Reader;

const ENDPOINT: &str = "traces.endpoint";
const HEADERS: &str = "traces.headers";
/// The default path for traces (OTLP 1.0, "OTLP/HTTP").
const TRACES_PATH: &str = "/v1/traces";
/// One minute, in milliseconds. A longer wait would delay newer traces.
const SEND_MS_MAX: u64 = MINUTE_MS;

/// The section `[metrics]`.
#[derive(Clone, Debug)]
pub struct MetricsSettings {
    /// The token for `/metrics`. Without one, only programs on this machine may read it.
    pub token: Option<Secret>,
}

/// The section `[traces]`, if there is a collector.
#[derive(Clone, Debug)]
pub struct TraceSettings {
    /// The full URL for traces.
    pub endpoint: Url,
    /// Headers for the collector.
    pub headers: Vec<(String, Secret)>,
    /// The service name in traces.
    pub service_name: String,
    /// The percentage of requests to trace.
    pub sampled_percent: u8,
    /// Time limit for a request to the collector, in milliseconds.
    pub send_ms_max: u64,
    /// Spans that may wait to be sent.
    pub queue_max: usize,
}

/// The section `[log]`.
#[derive(Clone, Debug)]
pub struct LogSettings {
    /// What to log: a level or rules per target, already validated as a filter.
    pub level: String,
    /// The log format.
    pub format: LogFormat,
}

/// The format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Text, for people.
    Text,
    /// JSON, for programs.
    Json,
}

impl MetricsSettings {
    pub(super) fn read(reader: &Reader<'_>) -> Self {
        Self { token: reader.secret("metrics.token") }
    }
}

impl TraceSettings {
    /// The settings, if there is a collector.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let sampled_percent = reader.number("traces.sampled_percent", 0..=100);
        let send_ms_max = reader.duration("traces.send_time_max", 1..=SEND_MS_MAX);
        let queue_max = reader.number("traces.queue_max", 1..=1_000_000);
        let service_name = reader.required("traces.service_name", service_name);
        let headers = reader.secret(HEADERS);
        let headers = headers.map_or(Ok(Vec::new()), |text| headers_of(text.reveal()));
        // No message repeats the headers, because they may contain credentials.
        let headers = headers.map_err(|message| reader.refuse(HEADERS, message)).ok();
        let mut endpoint = reader.optional(ENDPOINT, web_address)?;
        if endpoint.path() == "/" {
            endpoint.set_path(TRACES_PATH);
        }
        Some(Self {
            endpoint,
            headers: headers?,
            service_name: service_name?,
            sampled_percent,
            send_ms_max,
            queue_max,
        })
    }
}

impl LogSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let level = reader.required("log.level", level).unwrap_or_default();
        let format = reader.required("log.format", format);
        Self { level, format: format.unwrap_or(LogFormat::Text) }
    }
}

fn service_name(text: &str) -> Result<String, String> {
    let right = !text.is_empty() && text.len() <= 255 && !text.contains(char::is_control);
    if right { Ok(text.to_owned()) } else { Err("expected a name such as retouch".to_owned()) }
}

fn headers_of(text: &str) -> Result<Vec<(String, Secret)>, String> {
    let pairs = text.split(',').map(str::trim).filter(|pair| !pair.is_empty());
    pairs.map(header).collect()
}

fn header(pair: &str) -> Result<(String, Secret), String> {
    let expected = || "expected NAME=VALUE, separated by commas".to_owned();
    let (name, value) = pair.split_once('=').ok_or_else(expected)?;
    let (name, value) = (name.trim(), value.trim());
    HeaderName::from_bytes(name.as_bytes()).map_err(|_| expected())?;
    HeaderValue::from_str(value).map_err(|_| expected())?;
    Ok((name.to_owned(), Secret::new(value)))
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
