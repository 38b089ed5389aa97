//! What every call has in common, whatever it does: its id, its measure, its body.

pub mod bodies;
pub mod guard;
pub mod host;
pub mod intake;
pub mod observe;
pub mod pieces;
pub mod rates;
pub mod request_id;

/// The beginning of a text that a caller chose, so that it cannot swell an answer.
pub fn shown(text: &str) -> &str {
    const CHARS_SHOWN: usize = 80;
    text.char_indices().nth(CHARS_SHOWN).map_or(text, |(end, _)| &text[..end])
}
