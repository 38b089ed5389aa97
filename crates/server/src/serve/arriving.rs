//! Request bodies, which must arrive at the minimum rate or faster.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use thiserror::Error;
use tokio::time::{Instant, Sleep};

use super::activity::Activity;
use super::pace::{Meter, Pace};
use crate::metrics::{EdgeLimit, EdgeNumbers};

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The client sent the body too slowly.
#[derive(Debug, Error)]
#[error("the body arrived too slowly")]
pub(super) struct TooSlow;

/// A body that fails if it arrives too slowly. Time in which the server does not read it does not
/// count.
pub(super) struct Arriving<B: Body> {
    body: B,
    /// Whether all of it has been read.
    is_over: bool,
    meter: Meter,
    activity: Activity,
    numbers: EdgeNumbers,
    alarm: Option<Pin<Box<Sleep>>>,
}

impl<B: Body> Arriving<B> {
    pub(super) fn new(body: B, pace: Pace, activity: Activity, numbers: EdgeNumbers) -> Self {
        Self { body, is_over: false, meter: Meter::new(pace), activity, numbers, alarm: None }
    }

    fn poll_late(&mut self, context: &mut Context<'_>) -> Poll<TooSlow> {
        self.meter.wait(Instant::now());
        let Some(at) = self.meter.gives_up_at(self.activity.sharing()) else {
            return Poll::Pending;
        };
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(at)));
        if alarm.deadline() != at {
            alarm.as_mut().reset(at);
        }
        alarm.as_mut().poll(context).map(|()| {
            self.numbers.limited(EdgeLimit::SlowBody);
            TooSlow
        })
    }
}

impl<B> Body for Arriving<B>
where
    B: Body<Data = Bytes, Error: Into<BoxError>> + Unpin,
{
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let this = self.get_mut();
        match Pin::new(&mut this.body).poll_frame(context) {
            Poll::Pending => this.poll_late(context).map(|slow| Some(Err(slow.into()))),
            Poll::Ready(frame) => {
                let bytes = match &frame {
                    Some(Ok(frame)) => frame.data_ref().map_or(0, Bytes::len),
                    _ => 0,
                };
                this.is_over = frame.is_none();
                this.meter.moved(bytes, this.activity.sharing(), Instant::now());
                Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B: Body> Drop for Arriving<B> {
    fn drop(&mut self) {
        if !self.is_over && !self.body.is_end_stream() {
            self.activity.leave_unread();
        }
    }
}
