//! Draws images that depend only on the request: the requested size, and colors from a hash of the
//! prompt and the inputs. Each order gets its own image, which is always the same.

mod encode;
mod sniff;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use sha2::{Digest, Sha256};

pub(crate) use encode::claiming_to_be_huge;
pub(crate) use sniff::sniff;

/// How many images are cached, so that the same order is not drawn again.
const KEPT_MAX: usize = 16;

/// The format of an image file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Png,
    Jpeg,
    WebP,
}

impl Format {
    /// The media type.
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
        }
    }

    /// The file extension.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::WebP => "webp",
        }
    }

    /// The format that a provider's parameter names, such as `png`, `jpeg`, `jpg`, `webp`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "png" => Some(Self::Png),
            "jpeg" | "jpg" => Some(Self::Jpeg),
            "webp" => Some(Self::WebP),
            _ => None,
        }
    }
}

/// What to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Drawing {
    /// The width in pixels.
    pub(crate) width: u32,
    /// The height in pixels.
    pub(crate) height: u32,
    /// The format of the file.
    pub(crate) format: Format,
    /// From [`seed`]; different for each of several images.
    pub(crate) seed: [u8; 32],
}

/// What determines an image's colors: the prompt and the inputs.
pub(crate) fn seed<T: AsRef<[u8]>>(prompt: &str, inputs: &[T]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(prompt.as_bytes());
    for input in inputs.iter().map(AsRef::as_ref) {
        // Inputs are large and not adversarial, so a checksum is enough.
        hash.update((input.len() as u64).to_be_bytes());
        hash.update(crc32fast::hash(input).to_be_bytes());
    }
    hash.finalize().into()
}

/// A file and its base64, which costs as much time as the drawing.
#[derive(Debug)]
pub(crate) struct Drawn {
    /// The content.
    pub(crate) bytes: Bytes,
    /// The content as base64.
    pub(crate) base64: Arc<str>,
}

impl Drawn {
    /// An existing file.
    pub(crate) fn of(bytes: Bytes) -> Self {
        Self { base64: base64_simd::STANDARD.encode_to_string(&bytes).into(), bytes }
    }
}

/// A cache of recent images.
#[derive(Debug, Default)]
pub(crate) struct Pictures(Mutex<VecDeque<(Drawing, Arc<Drawn>)>>);

impl Pictures {
    /// Draws an image, unless it is in the cache.
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
