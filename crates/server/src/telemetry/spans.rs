//! The first span of a request's trace, and how a trace continues outside the request's task.
//!
//! The other spans are created where the work is done. Their attributes come from our own tables, like
//! the labels of metrics: no span has a field that a caller wrote.

use axum::http::{HeaderMap, Method, StatusCode};
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::{
    Link, SpanContext, SpanKind, TraceContextExt, TraceFlags, TraceId, TraceState,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_http::HeaderExtractor;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{
    IdGenerator, RandomIdGenerator, Sampler, SamplingDecision, SamplingResult, ShouldSample,
};
use tracing::{Span, field, info_span};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::config::TraceSettings;
use crate::metrics::method_name;

/// The name of the only span in the log.
pub const CALL: &str = "call";

/// Endpoints that are polled every few seconds and would only add noise.
const UNTRACED: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// The span of a request to `route`. It continues the caller's trace, if there is one. None if the
/// request is not traced.
pub fn of_call(
    settings: Option<&TraceSettings>,
    method: &Method,
    route: &str,
    headers: &HeaderMap,
) -> Span {
    let Some(settings) = settings.filter(|_| !UNTRACED.contains(&route)) else {
        return Span::none();
    };
    let method = method_name(method);
    let span = info_span!(
        "request",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        http.request.method = method,
        http.route = route,
        http.response.status_code = field::Empty,
        otel.status_code = field::Empty,
    );
    if let Some(parent) = callers(headers, settings.sampled_percent) {
        // Fails only if nothing is traced.
        let _ = span.set_parent(parent);
    }
    span
}

/// Records the response status in `span`.
pub fn answered(span: &Span, status: StatusCode) {
    span.record("http.response.status_code", status.as_u16());
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
}

/// The ID of the trace of `span`, for the log.
pub fn trace_id(span: &Span) -> Option<TraceId> {
    if span.is_disabled() {
        return None;
    }
    let context = span.context();
    let context = context.span().span_context().clone();
    context.is_valid().then(|| context.trace_id())
}

/// Adds `apart`, a span without a parent, to the current trace. This way, work that takes minutes does
/// not keep the span of a finished request open.
pub fn continued(apart: Span) -> Span {
    if !apart.is_disabled() {
        let _ = apart.set_parent(Span::current().context());
    }
    apart
}

/// Decides which spans are kept: a percentage of traces, each with all its spans. A trace begins only
/// with a request or with work that continues in the background. The database calls of regular
/// background tasks would bury everything else.
#[derive(Clone, Debug)]
pub(super) struct Beginnings(Sampler);

impl Beginnings {
    pub(super) fn new(percent: u8) -> Self {
        Self(Sampler::ParentBased(Box::new(of_all(percent))))
    }
}

impl ShouldSample for Beginnings {
    fn should_sample(
        &self,
        parent: Option<&Context>,
        trace: TraceId,
        name: &str,
        kind: &SpanKind,
        attributes: &[KeyValue],
        links: &[Link],
    ) -> SamplingResult {
        let has_parent = parent.is_some_and(|it| it.span().span_context().is_valid());
        if has_parent || matches!(kind, SpanKind::Server | SpanKind::Consumer) {
            return self.0.should_sample(parent, trace, name, kind, attributes, links);
        }
        SamplingResult {
            decision: SamplingDecision::Drop,
            attributes: Vec::new(),
            trace_state: TraceState::default(),
        }
    }
}

fn of_all(percent: u8) -> Sampler {
    Sampler::TraceIdRatioBased(f64::from(percent) / 100.0)
}

/// The caller's trace and span. Sampling is decided here, because anyone may call. The caller's
/// free-form trace state is not passed on.
fn callers(headers: &HeaderMap, percent: u8) -> Option<Context> {
    let remote = TraceContextPropagator::new()
        .extract_with_context(&Context::new(), &HeaderExtractor(headers));
    let remote = remote.span().span_context().clone();
    if !remote.is_valid() {
        return None;
    }
    let id = remote.trace_id();
    // Sample by an ID of our own, because callers could choose one that is always kept.
    let name = RandomIdGenerator::default().new_trace_id();
    let sampled = of_all(percent).should_sample(None, name, "", &SpanKind::Server, &[], &[]);
    let is_kept = sampled.decision == SamplingDecision::RecordAndSample;
    let flags = if is_kept { TraceFlags::SAMPLED } else { TraceFlags::default() };
    let parent = SpanContext::new(id, remote.span_id(), flags, true, TraceState::NONE);
    Some(Context::new().with_remote_span_context(parent))
}
