//! The first bytes of a connection, which distinguish HTTP/1 from HTTP/2.
//!
//! hyper can do this as well, but without a time limit: clients that send nothing, or only the
//! beginning of the HTTP/2 preface, could occupy all connections forever. It also reads these bytes on
//! their own, and then doubles its buffer to read the rest of the request.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};

use super::writing::Writing;

/// The beginning of an HTTP/2 connection (RFC 9113, section 3.4).
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A connection whose first bytes are known.
pub(super) struct Preface {
    stream: Writing,
    first: [u8; PREFACE.len()],
    /// How many of them have arrived.
    filled: usize,
    /// How many of those have been read again.
    taken: usize,
}

impl Preface {
    /// Reads until the version is known.
    ///
    /// # Errors
    /// Errors of the connection.
    pub(super) async fn read(mut stream: Writing) -> io::Result<Self> {
        let (mut first, mut filled) = ([0; PREFACE.len()], 0);
        while let Some(room) = first.get_mut(filled..).filter(|room| !room.is_empty()) {
            let bytes = stream.read(room).await?;
            filled += bytes;
            if bytes == 0 || first.get(..filled) != PREFACE.get(..filled) {
                break;
            }
        }
        Ok(Self { stream, first, filled, taken: 0 })
    }

    /// Whether the client speaks HTTP/2.
    pub(super) fn is_http2(&self) -> bool {
        self.first == *PREFACE
    }
}

impl AsyncRead for Preface {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let first = this.first.get(this.taken..this.filled).unwrap_or_default();
        let again = first.get(..buffer.remaining()).unwrap_or(first);
        buffer.put_slice(again);
        let has_some = !again.is_empty();
        this.taken += again.len();
        if buffer.remaining() == 0 {
            return Poll::Ready(Ok(()));
        }
        match Pin::new(&mut this.stream).poll_read(context, buffer) {
            Poll::Pending if has_some => Poll::Ready(Ok(())),
            read => read,
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
