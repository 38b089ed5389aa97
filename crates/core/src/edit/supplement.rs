//! What a request has besides its body. Requests of our own protocol have nothing else. Readers of
//! other protocols translate the fields into a body of ours, and put the rest here.

use sha2::{Digest, Sha256};

use super::body::digest_head;
use super::{Origin, PictureSource, TEXT_CHARS_MAX};
use crate::Warning;

/// What a request has besides its body.
#[derive(Clone, Debug)]
pub struct Supplement {
    /// Images that came beside the fields. They follow those that the body names.
    pub pictures: Vec<PictureSource>,
    /// The mask of the first image.
    pub mask: Option<PictureSource>,
    /// The maximum length of the instruction, in Unicode scalar values.
    pub instruction_chars_max: usize,
    /// What the caller should know about how the fields were translated.
    pub warnings: Vec<Warning>,
}

impl Default for Supplement {
    fn default() -> Self {
        Self {
            pictures: Vec::new(),
            mask: None,
            instruction_chars_max: TEXT_CHARS_MAX,
            warnings: Vec::new(),
        }
    }
}

impl Supplement {
    /// How many bytes of images came with the request.
    pub fn bytes(&self) -> usize {
        let bytes = |picture: &PictureSource| match &picture.origin {
            Origin::Inline(bytes) => bytes.len(),
            Origin::Address(_) => 0,
        };
        self.pictures.iter().chain(&self.mask).map(bytes).sum()
    }

    /// Adds the images to the digest of a request. Without any, the digest is that of the body.
    pub(super) fn digest(&self, hasher: &mut Sha256) {
        self.pictures.iter().for_each(|picture| digest(b'p', picture, hasher));
        self.mask.iter().for_each(|mask| digest(b'm', mask, hasher));
    }
}

fn digest(kind: u8, picture: &PictureSource, hasher: &mut Sha256) {
    let (form, content) = match &picture.origin {
        Origin::Inline(bytes) => (b'i', bytes.as_ref()),
        Origin::Address(url) => (b'u', url.as_str().as_bytes()),
    };
    hasher.update([kind]);
    digest_head(form, content.len(), hasher);
    hasher.update(content);
}
