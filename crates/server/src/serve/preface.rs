//! The first bytes of a connection, which distinguish HTTP/1 from HTTP/2.
//!
//! hyper's time limit for headers starts only once it knows the version. Without a limit here, clients
//! that send nothing, or only the beginning of the HTTP/2 preface, could occupy all connections
//! forever.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use super::writing::Writing;

/// The beginning of an HTTP/2 connection (RFC 9113, section 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A connection whose first bytes must arrive within a time limit.
pub(super) struct Preface {
    stream: Writing,
    /// Bytes of the preface received so far.
    matched: usize,
    /// `None` once the version is known.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl Preface {
    /// Limits the time for the first bytes of `stream` to `within`.
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
                let message = "the client did not send the start of a request in time";
                Err(io::Error::new(io::ErrorKind::TimedOut, message))
            }),
            None => Poll::Pending,
        }
    }
}

impl AsyncRead for Preface {
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

impl AsyncWrite for Preface {
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
