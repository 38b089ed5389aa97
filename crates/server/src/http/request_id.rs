//! Request ids: every response has one, and so have the log lines of the request.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use tracing::{Instrument, Span, field};

use crate::app::App;
use crate::app::live::{self, Live};
use crate::telemetry::spans;

/// The id that this server assigns.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The caller's own id, which is echoed.
pub const CLIENT_REQUEST_ID: HeaderName = HeaderName::from_static("x-client-request-id");
/// Most bytes of a caller's id that is echoed.
const CLIENT_ID_BYTES_MAX: usize = 255;

/// A request in progress: its id and its span in the log.
#[derive(Clone)]
struct Call {
    id: String,
    span: Span,
}

tokio::task_local! {
    static CURRENT: Call;
}

/// The id of the request that this task is handling.
pub fn current() -> Option<String> {
    CURRENT.try_with(|call| call.id.clone()).ok()
}

/// Makes `work`, which will run in a task of its own, a part of the current call: its log lines
/// have the request's id, and its spans belong to the call's trace.
pub fn carry<W: Future>(work: W) -> impl Future<Output = W::Output> {
    carry_apart(work.in_current_span())
}

/// Like `carry`, for `work` that runs long after the response has been sent: the call's own span
/// does not wait for it to end.
pub fn carry_apart<W: Future>(work: W) -> impl Future<Output = W::Output> {
    carrier().carry(work)
}

/// The current call, for work that begins in a task which a library starts.
pub fn carrier() -> Carrier {
    Carrier(CURRENT.try_with(Clone::clone).ok())
}

/// Makes work a part of the call that it was made in.
#[derive(Clone)]
pub struct Carrier(Option<Call>);

impl Carrier {
    /// Makes `work` a part of the call, like [`carry_apart`].
    pub fn carry<W: Future>(&self, work: W) -> impl Future<Output = W::Output> + use<W> {
        let call = self.0.clone();
        async move {
            let Some(call) = call else { return work.await };
            let span = call.span.clone();
            CURRENT.scope(call, work).instrument(span).await
        }
    }
}

/// Adds the trace of `span` to the call's log lines.
pub(super) fn note_trace(span: &Span) {
    if let Some(id) = spans::trace_id(span) {
        // Outside a call, there is no span to record it in.
        let _ = CURRENT.try_with(|call| {
            call.span.record("trace_id", field::display(id));
        });
    }
}

/// The ids of a request: ours, and perhaps the caller's.
pub struct Ids {
    call: Call,
    theirs: Option<HeaderValue>,
}

impl Ids {
    /// Assigns an id to the request with these headers.
    pub fn assigned(app: &App, headers: &HeaderMap) -> Self {
        let id = format!("req_{}", app.ids.edit().0.simple());
        // At the highest level, so that no log filter removes the id from the lines of errors.
        let span = tracing::error_span!(spans::CALL, request_id = id, trace_id = field::Empty);
        let theirs = headers.get(&CLIENT_REQUEST_ID).filter(|value| echoable(value)).cloned();
        Self { call: Call { id, span }, theirs }
    }

    /// Makes `work` the handling of this request, with what administrators have set now.
    pub fn within<W: Future>(
        &self,
        live: Arc<Live>,
        work: W,
    ) -> impl Future<Output = W::Output> + use<W> {
        let Call { span, .. } = &self.call;
        live::within(live, CURRENT.scope(self.call.clone(), work).instrument(span.clone()))
    }

    /// Adds the ids to the headers of the response.
    pub fn add_to(self, headers: &mut HeaderMap) {
        if let Ok(value) = HeaderValue::try_from(self.call.id) {
            headers.insert(REQUEST_ID, value);
        }
        if let Some(theirs) = self.theirs {
            headers.insert(CLIENT_REQUEST_ID, theirs);
        }
    }
}

fn echoable(value: &HeaderValue) -> bool {
    value.len() <= CLIENT_ID_BYTES_MAX && value.as_bytes().iter().all(u8::is_ascii_graphic)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tracing::span::Id;
    use tracing::{Instrument, Subscriber, info_span, subscriber};
    use tracing_subscriber::layer::{Context, SubscriberExt};
    use tracing_subscriber::registry::LookupSpan;
    use tracing_subscriber::{Layer, Registry};

    use super::{CURRENT, Call, carry, carry_apart, current};

    /// Remembers the names of spans that have ended.
    #[derive(Clone, Default)]
    struct Ended(Arc<Mutex<Vec<&'static str>>>);

    impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Ended {
        fn on_close(&self, id: Id, context: Context<'_, S>) {
            let name = context.span(&id).unwrap().name();
            self.0.lock().unwrap().push(name);
        }
    }

    #[tokio::test]
    async fn a_call_has_ended_while_what_was_carried_apart_goes_on() {
        let ended = Ended::default();
        let _traced = subscriber::set_default(Registry::default().with(ended.clone()));
        let call = Call { id: "req_1".into(), span: info_span!("call") };
        let answer = async {
            let close = carry(async { current() });
            let long =
                carry_apart(async { current() }.instrument(info_span!(parent: None, "work")));
            (close, long)
        };
        let request = info_span!("request");
        let (close, long) = CURRENT.scope(call, answer.instrument(request)).await;
        assert_eq!(ended.0.lock().unwrap().len(), 0, "what is part of the call goes on");
        assert_eq!(close.await.as_deref(), Some("req_1"));
        assert_eq!(*ended.0.lock().unwrap(), ["request"]);
        assert_eq!(
            long.await.as_deref(),
            Some("req_1"),
            "its lines in the log still name the call"
        );
    }
}
