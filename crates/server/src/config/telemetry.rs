//! What the operator sees of the service while it runs.

use axum::http::{HeaderName, HeaderValue};
use tracing_subscriber::EnvFilter;
use url::Url;

use super::Secret;
use super::network::web_address;
use super::reader::Reader;

const ENDPOINT: &str = "traces.endpoint";
const HEADERS: &str = "traces.headers";
/// Where a collector takes traces, unless its address says otherwise (OTLP 1.0, "OTLP/HTTP").
const TRACES_PATH: &str = "/v1/traces";
/// A minute, in milliseconds: what has waited for so long stands in the way of what is newer.
const SEND_MS_MAX: i64 = 60_000;

/// The section `[metrics]`.
#[derive(Clone, Debug)]
pub struct MetricsSettings {
    /// Opens `/metrics` to callers that are not on the same machine.
    pub token: Option<Secret>,
}

/// The section `[traces]`, where there is a collector.
#[derive(Clone, Debug)]
pub struct TraceSettings {
    /// Where traces are sent, with the path.
    pub endpoint: Url,
    /// What is sent beside them, by the headers' names.
    pub headers: Vec<(String, Secret)>,
    /// What the service is called there.
    pub service_name: String,
    /// How many of a hundred calls are traced.
    pub sampled_percent: u8,
    /// How long one call to the collector may take, in milliseconds.
    pub send_ms_max: u64,
    /// Spans that may wait to be sent.
    pub queue_max: usize,
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

impl TraceSettings {
    /// The settings, where there is a collector.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let sampled_percent = reader.number("traces.sampled_percent", 0..=100);
        let send_ms_max = reader.number("traces.send_ms_max", 1..=SEND_MS_MAX);
        let queue_max = reader.number("traces.queue_max", 1..=1_000_000);
        let service_name = reader.required("traces.service_name", service_name);
        let headers = reader.secret(HEADERS);
        let headers = headers.map_or(Ok(Vec::new()), |text| headers_of(text.reveal()));
        // Nothing of them is repeated: they may open something.
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
    let expected = || "expected NAME=VALUE, with commas between several".to_owned();
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
