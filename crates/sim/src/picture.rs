//! Pictures that follow from what was asked for: their size as asked, their colours from a hash of
//! the prompt and the inputs, so that every order has a picture of its own, always the same.

mod encode;
mod sniff;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use sha2::{Digest, Sha256};

pub(crate) use encode::claiming_to_be_huge;
pub(crate) use sniff::sniff;

/// How many pictures are kept, so that the same order is not drawn again.
const KEPT_MAX: usize = 16;

/// The form of a picture's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Png,
    Jpeg,
    WebP,
}

impl Format {
    /// Its media type.
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
        }
    }

    /// How names of such files end.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::WebP => "webp",
        }
    }

    /// The format that a vendor's parameter means, such as `png`, `jpeg`, `jpg`, `webp`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "png" => Some(Self::Png),
            "jpeg" | "jpg" => Some(Self::Jpeg),
            "webp" => Some(Self::WebP),
            _ => None,
        }
    }
}

/// What is to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Drawing {
    /// Pixels.
    pub(crate) width: u32,
    /// Pixels.
    pub(crate) height: u32,
    /// The form of the file.
    pub(crate) format: Format,
    /// From [`seed`]; another one for each of several pictures.
    pub(crate) seed: [u8; 32],
}

/// What a picture's colours follow from: the prompt and the inputs.
pub(crate) fn seed<T: AsRef<[u8]>>(prompt: &str, inputs: &[T]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(prompt.as_bytes());
    for input in inputs.iter().map(AsRef::as_ref) {
        // Inputs are heavy, and nobody means to forge one: their checksum will do.
        hash.update((input.len() as u64).to_be_bytes());
        hash.update(crc32fast::hash(input).to_be_bytes());
    }
    hash.finalize().into()
}

/// A file, and its base64, which costs as much as the drawing.
#[derive(Debug)]
pub(crate) struct Drawn {
    /// The file.
    pub(crate) bytes: Bytes,
    /// The same as base64.
    pub(crate) base64: Arc<str>,
}

impl Drawn {
    /// A file that exists already.
    pub(crate) fn of(bytes: Bytes) -> Self {
        Self { base64: base64_simd::STANDARD.encode_to_string(&bytes).into(), bytes }
    }
}

/// Pictures that were drawn lately.
#[derive(Debug, Default)]
pub(crate) struct Pictures(Mutex<VecDeque<(Drawing, Arc<Drawn>)>>);

impl Pictures {
    /// Draws, unless the same was drawn lately.
    pub(crate) fn draw(&self, drawing: Drawing) -> Arc<Drawn> {
        if let Some(drawn) = self.kept(drawing) {
            return drawn;
        }
        let drawn = Arc::new(Drawn::of(encode::encode(drawing)));
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT_MAX {
            kept.pop_front();
        }
        kept.push_back((drawing, Arc::clone(&drawn)));
        drawn
    }

    fn kept(&self, drawing: Drawing) -> Option<Arc<Drawn>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(of, _)| *of == drawing).map(|(_, drawn)| Arc::clone(drawn))
    }
}
