//! A response body of texts and base64 files, generated while it is sent. Neither a stored file nor
//! its base64 is ever in memory as a whole.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::BoxError;
use base64_simd::STANDARD;
use bytes::Bytes;
use futures_util::StreamExt;
use http_body::{Body, Frame, SizeHint};
use retouch_store::Pieces as BlobPieces;

use super::bodies::BodyMemory;

/// Bytes of a file that are encoded at a time. A multiple of three, so that only the end of the
/// file is padded.
const ENCODED_AT_ONCE_BYTES: usize = 48 * 1024;
/// Bytes that base64 encodes as four characters.
const GROUP_BYTES: usize = 3;

/// One piece of a body.
pub enum Piece {
    /// Sent unchanged.
    Text(Bytes),
    /// Sent in base64.
    File(Bytes),
    /// Sent in base64 while it is read.
    Stored(StoredFile),
}

/// A stored file that is being read.
pub struct StoredFile {
    pieces: BlobPieces,
    /// Bytes not read yet.
    left: u64,
    /// Bytes that have been read but do not fill a group yet.
    rest: Vec<u8>,
}

/// The pieces that have not been sent yet, and their memory.
pub struct Pieces {
    pieces: VecDeque<Piece>,
    _memory: Vec<BodyMemory>,
}

impl Pieces {
    /// A body of `pieces`, in this order. It keeps `memory` until it has been sent.
    pub fn new(pieces: Vec<Piece>, memory: impl IntoIterator<Item = BodyMemory>) -> Self {
        Self { pieces: pieces.into(), _memory: memory.into_iter().collect() }
    }

    /// The bytes to send next, or `None` at the end.
    fn next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, BoxError>>> {
        loop {
            let sent = match self.pieces.front_mut() {
                None => return Poll::Ready(None),
                Some(Piece::Text(text)) => std::mem::take(text),
                Some(Piece::File(file)) => {
                    encoded(&file.split_to(file.len().min(ENCODED_AT_ONCE_BYTES)))
                }
                Some(Piece::Stored(file)) => match ready!(file.next(context)) {
                    None => Bytes::new(),
                    Some(Ok(bytes)) => bytes,
                    Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                },
            };
            if self.pieces.front().is_some_and(Piece::is_empty) {
                self.pieces.pop_front();
            }
            if !sent.is_empty() {
                return Poll::Ready(Some(Ok(sent)));
            }
        }
    }
}

impl Piece {
    fn is_empty(&self) -> bool {
        self.bytes_left() == 0
    }

    /// Bytes not sent yet.
    fn bytes_left(&self) -> u64 {
        match self {
            Self::Text(text) => text.len() as u64,
            Self::File(file) => base64_bytes(file.len() as u64),
            Self::Stored(file) => base64_bytes(file.left + file.rest.len() as u64),
        }
    }
}

impl StoredFile {
    /// A file of `bytes`, read from `pieces`.
    pub fn new(pieces: BlobPieces, bytes: u64) -> Self {
        Self { pieces, left: bytes, rest: Vec::new() }
    }

    /// The base64 of the next bytes, which may be empty.
    fn next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, BoxError>>> {
        if self.left == 0 {
            let rest = std::mem::take(&mut self.rest);
            return Poll::Ready(Some(Ok(encoded(&rest))));
        }
        let Some(piece) = ready!(self.pieces.poll_next_unpin(context)) else {
            return Poll::Ready(Some(Err("a stored file is shorter than expected".into())));
        };
        let piece = match piece {
            Ok(piece) => piece,
            Err(error) => return Poll::Ready(Some(Err(error.into()))),
        };
        self.left = self.left.saturating_sub(piece.len() as u64);
        self.rest.extend_from_slice(&piece);
        let whole = match self.left {
            0 => self.rest.len(),
            _ => self.rest.len() / GROUP_BYTES * GROUP_BYTES,
        };
        let groups: Vec<u8> = self.rest.drain(..whole).collect();
        Poll::Ready(Some(Ok(encoded(&groups))))
    }
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        self.next(context).map_ok(Frame::data)
    }

    fn is_end_stream(&self) -> bool {
        self.pieces.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.pieces.iter().map(Piece::bytes_left).sum())
    }
}

fn encoded(bytes: &[u8]) -> Bytes {
    STANDARD.encode_type::<Vec<u8>>(bytes).into()
}

/// The length of `bytes` in base64.
fn base64_bytes(bytes: u64) -> u64 {
    bytes.div_ceil(GROUP_BYTES as u64).saturating_mul(4)
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;
    use proptest::prelude::*;

    use super::*;

    fn text(text: &'static str) -> Piece {
        Piece::Text(Bytes::from_static(text.as_bytes()))
    }

    fn bytes(length: usize) -> Vec<u8> {
        (0..length).map(|at| (at % 251).to_le_bytes()[0]).collect()
    }

    fn sent(body: Pieces) -> Result<Bytes, axum::Error> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(axum::body::Body::new(body).collect()).map(|sent| sent.to_bytes())
    }

    /// A stored file of `bytes`, in pieces that repeat these lengths.
    fn stored(bytes: &[u8], lengths: &[usize], declared: u64) -> Piece {
        let (mut pieces, mut rest, mut turns) = (Vec::new(), bytes, lengths.iter().cycle());
        while !rest.is_empty() {
            let length = rest.len().min(*turns.next().unwrap());
            let (piece, behind) = rest.split_at(length);
            pieces.push(Ok(Bytes::copy_from_slice(piece)));
            rest = behind;
        }
        Piece::Stored(StoredFile::new(futures_util::stream::iter(pieces).boxed(), declared))
    }

    proptest! {
        #[test]
        fn a_file_is_sent_as_its_base64_whatever_its_size(
            length in prop_oneof![0..9_usize, ENCODED_AT_ONCE_BYTES - 4..=ENCODED_AT_ONCE_BYTES + 4,
                2 * ENCODED_AT_ONCE_BYTES..2 * ENCODED_AT_ONCE_BYTES + 4],
            lengths in prop::collection::vec(1..40_000_usize, 1..4),
        ) {
            let file = bytes(length);
            let expected = format!("<{}>", STANDARD.encode_to_string(&file));
            for piece in [stored(&file, &lengths, length as u64), Piece::File(file.into())] {
                let body = Pieces::new(vec![text("<"), piece, text(">")], None);
                prop_assert_eq!(body.size_hint().exact(), Some(expected.len() as u64));
                prop_assert_eq!(sent(body).unwrap(), expected.as_bytes());
            }
        }
    }

    #[test]
    fn a_stored_file_that_ends_early_breaks_the_answer_off() {
        let file = bytes(10_000);
        let body = Pieces::new(vec![text("<"), stored(&file, &[4_000], 10_001), text(">")], None);
        assert!(sent(body).is_err());
    }
}
