//! What a trace of a call begins with, and how it goes on where the call's task does not.
//!
//! The steps themselves are spans of `tracing` where they are taken. Their attributes come from our
//! own tables, as the labels of the metrics do: a span has no field that a caller has written.

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

/// The name of the one span that the log knows.
pub const CALL: &str = "call";

/// Addresses that are asked every few seconds, for ever.
const UNTRACED: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// The span of a call to `route`, which goes on with the trace that the caller names; none where the
/// call is not traced.
pub fn of_call(
    settings: Option<&TraceSettings>,
    (method, route): (&Method, &str),
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
        // Refused only where nothing is traced.
        let _ = span.set_parent(parent);
    }
    span
}

/// Notes how the call of `span` was answered.
pub fn answered(span: &Span, status: StatusCode) {
    span.record("http.response.status_code", status.as_u16());
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
}

/// The id of the trace that `span` is part of, as the log shows it.
pub fn trace_id(span: &Span) -> Option<TraceId> {
    if span.is_disabled() {
        return None;
    }
    let context = span.context();
    let context = context.span().span_context().clone();
    context.is_valid().then(|| context.trace_id())
}

/// `apart`, a span without a parent, made a part of the trace that goes on at the moment: work that
/// goes on for minutes does not keep the span of a call open that was answered long ago.
pub fn continued(apart: Span) -> Span {
    if !apart.is_disabled() {
        let _ = apart.set_parent(Span::current().context());
    }
    apart
}

/// Which spans are kept: so many traces of a hundred, the parts of one all or not at all. A trace
/// begins with a call, or with work that goes on by itself, and with nothing else: what the service
/// reads and writes by itself, every few seconds, would bury the rest.
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

/// The caller's trace and span. Whether it is kept is decided here, since anybody may call; and of
/// what callers may add in free form nothing is passed on.
fn callers(headers: &HeaderMap, percent: u8) -> Option<Context> {
    let told = TraceContextPropagator::new()
        .extract_with_context(&Context::new(), &HeaderExtractor(headers));
    let told = told.span().span_context().clone();
    if !told.is_valid() {
        return None;
    }
    let id = told.trace_id();
    // By a name of our own: theirs could be one that is always kept.
    let name = RandomIdGenerator::default().new_trace_id();
    let sampled = of_all(percent).should_sample(None, name, "", &SpanKind::Server, &[], &[]);
    let is_kept = sampled.decision == SamplingDecision::RecordAndSample;
    let flags = if is_kept { TraceFlags::SAMPLED } else { TraceFlags::default() };
    let parent = SpanContext::new(id, told.span_id(), flags, true, TraceState::NONE);
    Some(Context::new().with_remote_span_context(parent))
}
