//! The words for a blend.

use super::Blend;

/// Renders the blend as words that parse back to the same blend.
pub(super) fn words_of(step: &Blend) -> String {
    let Blend { picture, mode, percent } = step;
    format!("blend with picture {picture} in {} mode at {percent}%", mode.word())
}
