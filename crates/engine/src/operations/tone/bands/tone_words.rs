//! The words for a change of one range of tones.

/// The documented scale for vague amounts, in percent.
pub(super) const SCALE: [f64; 5] = [10.0, 25.0, 50.0, 75.0, 100.0];

/// Renders a change as words that parse back to it.
pub(super) fn words_of(noun: &str, percent: f64) -> String {
    if percent < 0.0 {
        format!("darken the {noun} by {}%", -percent)
    } else {
        format!("brighten the {noun} by {percent}%")
    }
}
