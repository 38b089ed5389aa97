//! Reads what a client is still sending after its response. If a connection is closed while its client
//! is sending, the client's system discards the response, and many clients then report a lost
//! connection (RFC 9112, section 9.6).

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::pace::Pace;

/// How much is read at a time, in bytes.
const PIECE_BYTES: usize = 16 * 1024;
/// How many times the largest body may be read, so that those who send more than that get a response.
const BODIES_MAX: usize = 2;

/// What is read of a connection whose responses have been sent, and for how long.
#[derive(Debug)]
pub(super) struct Lingering {
    bytes_left: usize,
    time_max: Duration,
    end: Option<Pin<Box<Sleep>>>,
}

impl Lingering {
    pub(super) fn new(body_bytes_max: usize, pace: Pace) -> Self {
        let bytes_left = body_bytes_max.saturating_mul(BODIES_MAX);
        Self { bytes_left, time_max: pace.grace(), end: None }
    }

    /// Reads and forgets. Completes when the client closes the connection, or a limit is reached.
    pub(super) fn poll(&mut self, stream: &mut TcpStream, context: &mut Context<'_>) -> Poll<()> {
        let time_max = self.time_max;
        let end = self.end.get_or_insert_with(|| Box::pin(sleep(time_max)));
        if end.as_mut().poll(context).is_ready() {
            return Poll::Ready(());
        }
        let mut room = [0; PIECE_BYTES];
        while self.bytes_left > 0 {
            let mut piece = ReadBuf::new(&mut room);
            let read = ready!(Pin::new(&mut *stream).poll_read(context, &mut piece));
            let bytes = piece.filled().len();
            if read.is_err() || bytes == 0 {
                break;
            }
            self.bytes_left = self.bytes_left.saturating_sub(bytes);
        }
        Poll::Ready(())
    }
}
