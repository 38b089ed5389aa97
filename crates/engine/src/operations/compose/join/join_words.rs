//! The words for a join.

use super::{Join, Layout};
use crate::Color;
use crate::length::Length;
use crate::operations::draw::quoted;

/// Renders the join as words that parse back to the same join.
pub(super) fn words_of(join: &Join) -> String {
    let layout = match join.layout {
        Layout::SideBySide => "put the pictures side by side".to_owned(),
        Layout::Stacked => "stack the pictures".to_owned(),
        Layout::Grid { columns: 0, .. } => "arrange the pictures in a grid".to_owned(),
        Layout::Grid { columns, rows: 0 } => {
            format!("arrange the pictures in a grid of {columns} columns")
        }
        Layout::Grid { columns, rows } => {
            format!("arrange the pictures in a {columns}x{rows} grid")
        }
    };
    let kept = if join.keep_sizes { " in their original sizes" } else { "" };
    let gap = if join.gap == Length::ZERO {
        String::new()
    } else {
        format!(" with a gap of {}", join.gap)
    };
    let color = match join.color {
        Color::TRANSPARENT => String::new(),
        color => format!(" on {color}"),
    };
    let numbers: Vec<String> = join.order.iter().map(ToString::to_string).collect();
    let order = match numbers.as_slice() {
        [] => String::new(),
        numbers => format!(" in the order {}", numbers.join(", ")),
    };
    // A text that has all kinds of quotation marks can't be written so that it is read again.
    let texts = join.captions.iter();
    let texts: Vec<_> = texts.map(|text| quoted(text).unwrap_or_else(|| text.clone())).collect();
    let captions = match texts.as_slice() {
        [] => String::new(),
        texts => format!(" with the captions {}", texts.join(", ")),
    };
    format!("{layout}{kept}{gap}{color}{order}{captions}")
}
