//! The first bytes of a connection, which tell HTTP/1 from HTTP/2.
//!
//! hyper's limit on the time for a head begins once it knows the version. A client that sends
//! nothing, or the beginning of HTTP/2's preface, would keep its connection for ever, and enough
//! of them would keep everybody out.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use super::writing::Writing;

/// What a connection of HTTP/2 begins with (RFC 9113, 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A connection whose first bytes must come in time.
pub(super) struct Opening {
    stream: Writing,
    /// Bytes of the preface that have come.
    matched: usize,
    /// None once the version is known.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl Opening {
    /// Gives the first bytes of `stream` as long as `within`.
    pub(super) fn new(stream: Writing, within: Duration) -> Self {
        Self { stream, matched: 0, deadline: Some(Box::pin(tokio::time::sleep(within))) }
    }

    fn note(&mut self, bytes: &[u8]) {
        let missing = PREFACE.get(self.matched..).unwrap_or_default();
        let same = bytes.iter().zip(missing).take_while(|(ours, theirs)| ours == theirs).count();
        self.matched += same;
        if same < bytes.len() || self.matched == PREFACE.len() {
            self.deadline = None;
        }
    }

    fn poll_late(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.deadline {
            Some(deadline) => deadline.as_mut().poll(context).map(|()| {
                let message = "nothing tells which version of HTTP is spoken";
                Err(io::Error::new(io::ErrorKind::TimedOut, message))
            }),
            None => Poll::Pending,
        }
    }
}

impl AsyncRead for Opening {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.deadline.is_none() {
            return Pin::new(&mut this.stream).poll_read(context, buffer);
        }
        let before = buffer.filled().len();
        match Pin::new(&mut this.stream).poll_read(context, buffer) {
            Poll::Pending => this.poll_late(context),
            Poll::Ready(read) => {
                this.note(buffer.filled().get(before..).unwrap_or_default());
                Poll::Ready(read)
            }
        }
    }
}

impl AsyncWrite for Opening {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}
