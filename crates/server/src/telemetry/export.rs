//! Sends traces from a separate thread, in bounded batches from a bounded queue, so that no request
//! waits for the collector.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use axum::http::{Request, Response};
use bytes::Bytes;
use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider;
use opentelemetry_http::{HttpClient, HttpError};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{BatchConfigBuilder, BatchSpanProcessor, SdkTracerProvider, Tracer};
use retouch_outbound::collector::Collector;
use tokio::runtime::Handle;

use super::TracesUnusable;
use super::spans::Beginnings;
use crate::config::TraceSettings;

/// Maximum number of spans per request to the collector.
const BATCH_MAX: usize = 512;
/// How long spans are collected before they are sent, in milliseconds.
const GATHER_MS: u64 = 2_000;
/// On shutdown, how long to wait for unsent spans, in milliseconds.
const FLUSH_MS_MAX: u64 = 5_000;

/// Traces on their way to the collector.
pub struct Export(SdkTracerProvider);

impl Export {
    /// Starts sending traces of this node on `runtime`.
    ///
    /// # Errors
    /// When no client can be created from the settings.
    pub(super) fn start(
        settings: &TraceSettings,
        runtime: &Handle,
        node: Option<&str>,
    ) -> Result<Self, TracesUnusable> {
        let unusable = |cause: &dyn fmt::Display| TracesUnusable(cause.to_string());
        let collector = Collector::new(settings.send_ms_max).map_err(|it| unusable(&it))?;
        let sender =
            Sender { collector, runtime: runtime.clone(), is_failing: AtomicBool::default() };
        let headers = settings.headers.iter();
        let headers = headers.map(|(name, value)| (name.clone(), value.reveal().to_owned()));
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(sender)
            .with_endpoint(settings.endpoint.as_str())
            .with_protocol(Protocol::HttpBinary)
            .with_timeout(Duration::from_millis(settings.send_ms_max))
            .with_headers(headers.collect())
            .build()
            .map_err(|it| unusable(&it))?;
        let batches = BatchConfigBuilder::default()
            .with_max_queue_size(settings.queue_max)
            .with_max_export_batch_size(BATCH_MAX.min(settings.queue_max))
            .with_scheduled_delay(Duration::from_millis(GATHER_MS))
            .build();
        let processor = BatchSpanProcessor::builder(exporter).with_batch_config(batches).build();
        let provider = SdkTracerProvider::builder()
            .with_span_processor(processor)
            .with_sampler(Beginnings::new(settings.sampled_percent))
            .with_resource(resource(settings, node))
            .build();
        Ok(Self(provider))
    }

    pub(super) fn tracer(&self) -> Tracer {
        self.0.tracer(env!("CARGO_PKG_NAME"))
    }

    /// Sends the remaining spans, up to a time limit. Blocks the thread.
    pub fn finish(&self) {
        let ended = self.0.shutdown_with_timeout(Duration::from_millis(FLUSH_MS_MAX));
        if let Err(error) = ended {
            tracing::warn!(%error, "could not send the last traces");
        }
    }
}

/// Identifies this service and node in traces. Attributes from `OTEL_RESOURCE_ATTRIBUTES` are added.
fn resource(settings: &TraceSettings, node: Option<&str>) -> Resource {
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let node = node.map(|node| KeyValue::new("service.instance.id", node.to_owned()));
    Resource::builder()
        .with_service_name(settings.service_name.clone())
        .with_attributes([version].into_iter().chain(node))
        .build()
}

/// Sends on the runtime of the service, from any thread.
struct Sender {
    collector: Collector,
    runtime: Handle,
    /// Whether the latest request failed, so that failures are logged once, not every two seconds.
    is_failing: AtomicBool,
}

#[async_trait]
impl HttpClient for Sender {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let collector = self.collector.clone();
        let sent = self.runtime.spawn(async move { collector.send(request).await }).await?;
        let trouble = match &sent {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(answer.status().to_string()),
            Err(error) => Some(error.to_string()),
        };
        self.tell(trouble);
        Ok(sent?)
    }
}

impl Sender {
    fn tell(&self, trouble: Option<String>) {
        let failed_before = self.is_failing.swap(trouble.is_some(), Ordering::Relaxed);
        match trouble {
            Some(cause) if !failed_before => {
                tracing::warn!(cause, "cannot send traces to the collector; some will be lost");
            }
            None if failed_before => tracing::info!("the collector accepts traces again"),
            _ => {}
        }
    }
}

impl fmt::Debug for Sender {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Sender")
    }
}
