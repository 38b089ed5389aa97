//! Instructions without an image: the first clause describes one, and the others edit it.

use super::super::{AspectRatio, Context, read};
use super::{Meaning, Part, Reader};
use crate::operations::Wanted;
use crate::{Refusal, RefusalKind};

/// The size that the request wants for an image to create. `None` if images were sent.
pub(super) fn wanted(context: &Context) -> Option<Wanted> {
    let ratio = match context.aspect {
        Some(AspectRatio::Ratio { width, height }) => Some((f64::from(width), f64::from(height))),
        _ => None,
    };
    (context.inputs == 0).then_some(Wanted { size: context.size, ratio })
}

/// The message for words that describe more than the editor can create.
pub(super) fn beyond(words: &str) -> String {
    format!(
        "\"{words}\" needs a generative model; the built-in editor only creates plain images, \
         gradients and patterns with shapes and text, for example \"a gradient from red to blue \
         with the text \"Hello\" in white\""
    )
}

impl Part<'_> {
    /// Whether the clause is a step.
    pub(super) fn is_step(&self) -> bool {
        matches!(self.meaning, Meaning::Step(_))
    }
}

impl Reader<'_> {
    /// The refusal, or a better one if the words would work with an image.
    pub(super) fn without_picture(&self, refusal: Refusal) -> Refusal {
        let is_edit =
            || read(self.instruction, &Context { inputs: 2, ..Context::default() }).is_ok();
        if self.making.is_none() || refusal.kind == RefusalKind::Contradiction || !is_edit() {
            return refusal;
        }
        let end = self.instruction.chars().count();
        Refusal::missing(
            "this edits an image, but none was sent; add one, or describe the image to create, for \
             example \"a plain blue image\"",
        )
        .quoting(self.instruction, [0, end])
    }
}
