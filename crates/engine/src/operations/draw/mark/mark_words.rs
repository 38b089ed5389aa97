//! The words for a mark.

use super::{Form, Mark};
use crate::coordinates::Coordinates;
use crate::operations::draw::text::opacity_words;

/// Renders a mark as words that parse back to it.
pub(super) fn words_of(mark: &Mark) -> String {
    let (color, opacity) = (mark.color, opacity_words(mark.opacity_percent));
    if let Form::Placed { width, height, place } = mark.form {
        let (filled, line) = match mark.line {
            Some(line) => ("", format!(" of {line}")),
            None => ("filled ", String::new()),
        };
        let place = place.words();
        return format!(
            "draw a {filled}{color} {width} by {height} box{line} at the {place}{opacity}"
        );
    }
    let (name, place) = match mark.form {
        Form::Line { from, to } => ("line", between(from, to)),
        Form::Arrow { from, to } => ("arrow", between(from, to)),
        Form::Placed { .. } => ("box", String::new()),
        Form::Box { from, to } => ("box", between(from, to)),
        Form::Ellipse { from, to } => ("ellipse", between(from, to)),
        Form::Circle { center, radius } => {
            ("circle", format!("around {center} with a radius of {radius}"))
        }
    };
    match mark.line {
        Some(line) => format!("draw a {color} {name} of {line} {place}{opacity}"),
        None => format!("draw a filled {color} {name} {place}{opacity}"),
    }
}

fn between(from: Coordinates, to: Coordinates) -> String {
    format!("from {from} to {to}")
}
