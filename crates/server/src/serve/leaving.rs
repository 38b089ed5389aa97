//! HTTP/2 responses, which the client must read at the minimum rate or faster.
//!
//! The client's flow-control window for each stream says how much it will accept. hyper buffers the
//! rest and asks the body for more only when there is room. A stream with a closed window does not
//! block the socket, so a task per stream measures the rate. HTTP/1 has no windows; `writing.rs`
//! measures there.

use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Body as _, Frame, SizeHint};
use hyper::rt::Executor;
use hyper_util::rt::TokioExecutor;
use tokio::time::{Instant, sleep_until};

use super::activity::OpenRequest;
use super::pace::{Meter, Pace};
use crate::metrics::{EdgeLimit, EdgeNumbers};

/// How much of a response is passed to a stream at a time, in bytes. It is small because unsent data
/// stays in memory after the stream's task has ended. It matches the default frame size (RFC 9113,
/// section 4.2).
const PIECE_BYTES: usize = 16 * 1024;

tokio::task_local! {
    /// Measures the response of this task's stream.
    static STREAM: Arc<Taken>;
}

/// Runs HTTP/2 streams, and ends those whose client reads the response too slowly.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    pub(super) pace: Pace,
    pub(super) numbers: EdgeNumbers,
}

impl<F> Executor<F> for Streams
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    fn execute(&self, stream: F) {
        let taken = Arc::new(Taken(Mutex::new((Meter::new(self.pace), 1))));
        let numbers = self.numbers.clone();
        let stream = STREAM.scope(Arc::clone(&taken), stream);
        TokioExecutor::new().execute(async move {
            let mut stream = pin!(stream);
            let mut alarm = pin!(sleep_until(Instant::now()));
            std::future::poll_fn(|context| {
                if stream.as_mut().poll(context).is_ready() {
                    return Poll::Ready(());
                }
                let Some(at) = taken.gives_up_at() else { return Poll::Pending };
                if alarm.deadline() != at {
                    alarm.as_mut().reset(at);
                }
                ready!(alarm.as_mut().poll(context));
                numbers.limited(EdgeLimit::SlowReader);
                // Dropping the stream resets it.
                Poll::Ready(())
            })
            .await;
        });
    }
}

/// How fast a stream's client reads the response, and how many requests share the connection.
#[derive(Debug)]
struct Taken(Mutex<(Meter, u32)>);

impl Taken {
    fn gives_up_at(&self) -> Option<Instant> {
        let state = self.state();
        state.0.gives_up_at(state.1)
    }

    fn state(&self) -> MutexGuard<'_, (Meter, u32)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The body of a response. Its request counts as open until this is dropped.
pub(super) struct Leaving {
    body: Body,
    request: OpenRequest,
    /// `None` on HTTP/1.
    stream: Option<Arc<Taken>>,
    /// Data not yet passed to the stream.
    rest: Bytes,
    /// The size of the piece passed last, in bytes.
    handed: usize,
}

impl Leaving {
    pub(super) fn new(body: Body, request: OpenRequest) -> Self {
        let stream = STREAM.try_with(Arc::clone).ok();
        Self { body, request, stream, rest: Bytes::new(), handed: 0 }
    }

    fn poll_piece(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_frame(context)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(other) => return Poll::Ready(Some(Ok(other))),
                },
                other => return Poll::Ready(other),
            }
        }
        let piece = self.rest.split_to(self.rest.len().min(PIECE_BYTES));
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }
}

impl http_body::Body for Leaving {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        let Some(stream) = this.stream.clone() else {
            return Pin::new(&mut this.body).poll_frame(context);
        };
        // There is room again, so the client has read the last piece.
        let (now, sharing) = (Instant::now(), this.request.activity().sharing());
        let mut taken = stream.state();
        taken.1 = sharing;
        taken.0.moved(std::mem::take(&mut this.handed), sharing, now);
        let piece = ready!(this.poll_piece(context));
        if let Some(Ok(data)) = &piece {
            this.handed = data.data_ref().map_or(0, Bytes::len);
            taken.0.wait(now);
        }
        Poll::Ready(piece)
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, body) = (self.rest.len() as u64, self.body.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(body.lower() + rest);
        if let Some(upper) = body.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}
