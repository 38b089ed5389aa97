//! The words for a border.

use super::Border;

/// Default width of a border in percent of the shorter side.
pub(super) const USUAL_PERCENT: f64 = 2.0;

/// Renders the border as words that parse back to the same border.
pub(super) fn words_of(border: &Border) -> String {
    let Border { width, color, sides, outer } = border;
    if let Some(outer) = outer {
        return format!(
            "add a double border of {width} {color} inside {} {}",
            outer.width, outer.color
        );
    }
    let border = format!("add a {color} border of {width}");
    let words: Vec<&str> = sides.iter().map(|side| side.word()).collect();
    match words.split_last() {
        None => border,
        Some((last, [])) => format!("{border} at the {last}"),
        Some((last, before)) => format!("{border} at the {} and {last}", before.join(", ")),
    }
}
