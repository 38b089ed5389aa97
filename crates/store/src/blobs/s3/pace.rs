//! How long a call may take: as long as data moves, and at least at a minimum speed.

use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, Stream};
use thiserror::Error;
use tokio::sync::watch;

/// The minimum speed of a call, in bytes per second. A slower call is abandoned in the end, even if
/// data still moves.
const BYTES_PER_S_MIN: u64 = 32 * 1024;
/// Bodies are sent in pieces of this size, in bytes, so that progress is visible.
const PIECE_BYTES: usize = 64 * 1024;

/// How much longer a call may take because it transfers `bytes`.
pub(in super::super) fn carrying(bytes: u64) -> Duration {
    Duration::from_millis(bytes.saturating_mul(1_000) / BYTES_PER_S_MIN)
}

/// Splits `bytes` into pieces.
pub(super) fn pieces<E>(bytes: Bytes) -> impl Stream<Item = Result<Bytes, E>> {
    let whole = bytes.len();
    let starts = (0..whole).step_by(PIECE_BYTES);
    stream::iter(starts.map(move |at| Ok(bytes.slice(at..whole.min(at + PIECE_BYTES)))))
}

/// When to abandon a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// How long nothing may move.
    pub(super) silence_max: Duration,
    /// The length of the request's body.
    pub(super) bytes: usize,
}

/// A server that stopped responding in the middle of a call.
#[derive(Debug, Error)]
#[error("the server has been silent for {} ms", .0.as_millis())]
pub(super) struct Silent(pub(super) Duration);

impl Pace {
    /// Waits for the response as long as the body is being sent. `unsent` counts the bytes that the
    /// system has not accepted yet. After that, accepted bytes may still be in transit, which
    /// cannot be observed, so the call gets as long as they take at the minimum speed.
    pub(super) async fn watch<T>(
        self,
        answer: impl Future<Output = T>,
        mut unsent: watch::Receiver<usize>,
    ) -> Result<T, Silent> {
        let mut answer = pin!(answer);
        loop {
            let wait = match *unsent.borrow_and_update() {
                0 => self.silence_max + carrying(self.bytes as u64),
                _ => self.silence_max,
            };
            tokio::select! {
                biased;
                answer = &mut answer => return Ok(answer),
                Ok(()) = unsent.changed() => {}
                () = tokio::time::sleep(wait) => return Err(Silent(wait)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const PACE: Pace = Pace { silence_max: SECOND, bytes: 4 * 32 * 1024 };

    /// Sends `pieces` pieces, each just before its deadline. The response arrives `late` after the
    /// last one.
    async fn call(pieces: usize, late: Duration) -> Result<(), Silent> {
        let unsent = watch::Sender::new(pieces);
        let watched = unsent.subscribe();
        let answer = async move {
            for _ in 0..pieces {
                tokio::time::sleep(SECOND.mul_f64(0.9)).await;
                unsent.send_modify(|left| *left -= 1);
            }
            tokio::time::sleep(late).await;
        };
        PACE.watch(answer, watched).await
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_may_take_as_long_as_it_moves() {
        assert!(call(100, SECOND / 2).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn what_the_system_has_taken_has_its_time_to_go_out() {
        assert!(call(3, SECOND.mul_f64(4.9)).await.is_ok());
        let began = tokio::time::Instant::now();
        let silent = call(3, SECOND * 6).await.unwrap_err();
        assert_eq!(silent.to_string(), "the server has been silent for 5000 ms");
        assert_eq!(began.elapsed(), SECOND.mul_f64(3.0 * 0.9) + 5 * SECOND);
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_takes_no_more_is_given_up() {
        let unsent = watch::Sender::new(2);
        let done = PACE.watch(std::future::pending::<()>(), unsent.subscribe()).await;
        assert_eq!(done.unwrap_err().to_string(), "the server has been silent for 1000 ms");
    }
}
