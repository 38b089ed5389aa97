//! A body of texts and of files in base64, which is made while it is sent: neither a file's base64
//! nor the text around it stands in memory as a whole.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use base64_simd::STANDARD;
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

/// Bytes of a file that are encoded at a time: without a remainder, so that only the end of the
/// file is padded.
const ENCODED_AT_ONCE_BYTES: usize = 48 * 1024;

/// One piece of a body.
#[derive(Debug)]
pub enum Piece {
    /// Sent as it is.
    Text(Bytes),
    /// Sent in base64.
    File(Bytes),
}

/// The pieces that have not been sent yet.
#[derive(Debug)]
pub struct Pieces(VecDeque<Piece>);

impl Pieces {
    /// A body of `pieces`, in their order.
    pub fn new(pieces: Vec<Piece>) -> Self {
        Self(pieces.into())
    }

    /// What is sent next.
    fn next(&mut self) -> Option<Bytes> {
        match self.0.front_mut()? {
            Piece::File(file) if file.len() > ENCODED_AT_ONCE_BYTES => {
                Some(STANDARD.encode_type::<Vec<u8>>(file.split_to(ENCODED_AT_ONCE_BYTES)).into())
            }
            _ => self.0.pop_front().map(|last| match last {
                Piece::Text(text) => text,
                Piece::File(file) => STANDARD.encode_type::<Vec<u8>>(file).into(),
            }),
        }
    }
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.next().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        let sent = self.0.iter().map(|piece| match piece {
            Piece::Text(text) => text.len(),
            Piece::File(file) => STANDARD.encoded_length(file.len()),
        });
        SizeHint::with_exact(sent.map(|bytes| bytes as u64).sum())
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_file_is_sent_as_its_base64_whatever_its_size(
            length in prop_oneof![0..9_usize, ENCODED_AT_ONCE_BYTES - 4..=ENCODED_AT_ONCE_BYTES + 4,
                2 * ENCODED_AT_ONCE_BYTES..2 * ENCODED_AT_ONCE_BYTES + 4],
        ) {
            let file: Vec<u8> = (0..length).map(|at| (at % 251).to_le_bytes()[0]).collect();
            let expected = format!("<{}>", STANDARD.encode_to_string(&file));
            let text = |text: &'static str| Piece::Text(Bytes::from_static(text.as_bytes()));
            let body = Pieces::new(vec![text("<"), Piece::File(file.into()), text(">")]);
            prop_assert_eq!(body.size_hint().exact(), Some(expected.len() as u64));
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let sent = runtime.block_on(body.collect()).unwrap().to_bytes();
            prop_assert_eq!(sent, expected.as_bytes());
        }
    }
}
