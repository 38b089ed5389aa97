//! The socket of a connection, which the client must read at the minimum rate or faster. When it is
//! closed, the client can still read the last response.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};

use super::activity::Activity;
use super::lingering::Lingering;
use super::pace::{Meter, Pace};
use crate::metrics::{EdgeLimit, EdgeNumbers};

/// How much unsent data the kernel buffers, in bytes. With a larger buffer, a client that reads slowly
/// but steadily would appear stuck while the kernel drains it.
#[cfg(target_os = "linux")]
const UNSENT_BYTES_MAX: u32 = 64 * 1024;

/// A socket whose writes fail if the client reads too slowly.
pub(super) struct Writing {
    stream: TcpStream,
    meter: Meter,
    activity: Activity,
    numbers: EdgeNumbers,
    alarm: Option<Pin<Box<Sleep>>>,
    lingering: Lingering,
}

impl Writing {
    pub(super) fn new(
        stream: TcpStream,
        activity: Activity,
        numbers: EdgeNumbers,
        (pace, body_bytes_max): (Pace, usize),
    ) -> Self {
        // Responses are written whole, so Nagle's algorithm would only delay them.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "could not disable Nagle's algorithm");
        }
        #[cfg(target_os = "linux")]
        if let Err(error) = socket2::SockRef::from(&stream).set_tcp_notsent_lowat(UNSENT_BYTES_MAX)
        {
            tracing::debug!(%error, "could not reduce the kernel's send buffer");
        }
        let lingering = Lingering::new(body_bytes_max, pace);
        Self { stream, meter: Meter::new(pace), activity, numbers, alarm: None, lingering }
    }

    fn note(
        &mut self,
        written: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        let now = Instant::now();
        if let Poll::Ready(result) = written {
            if self.meter.is_waiting() {
                self.activity.touch();
            }
            self.meter.moved(*result.as_ref().unwrap_or(&0), 1, now);
            return Poll::Ready(result);
        }
        self.meter.wait(now);
        let Some(at) = self.meter.gives_up_at(1) else { return Poll::Pending };
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(at)));
        if alarm.deadline() != at {
            alarm.as_mut().reset(at);
        }
        alarm.as_mut().poll(context).map(|()| {
            self.numbers.limited(EdgeLimit::SlowReader);
            Err(io::Error::new(io::ErrorKind::TimedOut, "the client reads too slowly"))
        })
    }
}

impl AsyncRead for Writing {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Writing {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.note(written, context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, pieces);
        this.note(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        ready!(Pin::new(&mut this.stream).poll_shutdown(context))?;
        if this.activity.has_unread() {
            ready!(this.lingering.poll(&mut this.stream, context));
        }
        Poll::Ready(Ok(()))
    }
}
