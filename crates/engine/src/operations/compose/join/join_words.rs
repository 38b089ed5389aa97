//! Parses and renders the words for a join.

use super::{Join, Layout};
use crate::instruction::{Clause, Quantity, Unit, phrases, whole_pixels};
use crate::length::Length;
use crate::{Color, Refusal};

const BESIDE: &[&str] =
    &["side by side", "next to each other", "beside each other", "next to one another"];
const BELOW: &[&str] = &[
    "stacked",
    "stack",
    "on top of each other",
    "one above the other",
    "below each other",
    "above each other",
    "one below the other",
    "vertically stacked",
    "underneath each other",
    "above one another",
    "on top of one another",
    "below one another",
];
/// Words for directions that other operations use, too.
const ACROSS: &[&str] = &["in a row", "left to right"];
const DOWN: &[&str] = &["in a column", "top to bottom"];
/// Verbs that mean joining without further words.
const VERBS: &[&str] = &["combine", "join", "merge", "arrange"];
const GRIDS: &[&str] = &["grid"];
const WHICH: &[&str] = &[
    "both", "all", "them", "these", "two", "three", "four", "together", "the two", "each",
    "combine", "join", "place", "merge", "arrange", "all the", "side", "combined", "joined", "lay",
    "arranged", "tile", "put",
];
pub(super) const HEADS: &[&str] = phrases!(BESIDE, BELOW, GRIDS);
pub(super) const DETAILS: &[&str] = &[
    "both",
    "all",
    "them",
    "these",
    "two",
    "three",
    "four",
    "together",
    "each",
    "combine",
    "join",
    "place",
    "merge",
    "arrange",
    "row",
    "column",
    "one",
    "above",
    "below",
    "other",
    "vertically",
    "horizontally",
    "combined",
    "joined",
    "lay",
    "underneath",
    "arranged",
    "gap",
    "gaps",
    "space",
    "spacing",
    "gutter",
    "between",
    "separated",
    "columns",
    "rows",
    "equal",
    "heights",
    "widths",
    "height",
    "width",
    "another",
    "without resizing",
    "resizing",
    "original sizes",
    "sizes",
    "own",
    "their",
    "tile",
    "collage",
];
const GAPS: &[&str] = &[
    "gaps",
    "gap",
    "space between them",
    "space between",
    "spacing",
    "gutter",
    "between them",
    "between",
    "separated",
    "space",
    "gap between them",
    "gaps between them",
];
pub(super) const KEPT: &[&str] = &[
    "without resizing",
    "without resizing them",
    "in their original sizes",
    "at their original sizes",
    "original sizes",
    "own sizes",
    "keep their sizes",
    "keeping their sizes",
    "without scaling",
    "without scaling them",
];
const EQUAL: &[&str] = &[
    "equal heights",
    "equal height",
    "same height",
    "equal widths",
    "equal width",
    "same width",
    "the same size",
];

/// Parses any wording of a join.
pub(super) fn read(clause: &mut Clause<'_>) -> Result<Option<Join>, Refusal> {
    let lies = [HEADS, VERBS, &["collage", "columns", "in a row", "in a column"]];
    if !lies.iter().any(|words| clause.has(words)) {
        return Ok(None);
    }
    let grid = clause.has(&["grid", "columns"]);
    let (beside, below) = (clause.has(phrases!(BESIDE, ACROSS)), clause.has(phrases!(BELOW, DOWN)));
    let below = below && !clause.has(&["left to right"]);
    let keep_sizes = clause.take(KEPT).is_some();
    clause.take_all(EQUAL);
    let layout = if grid { cells(clause)? } else { line(clause, (beside, below))? };
    let color = clause.color();
    let gap = gap(clause)?;
    clause.take_all(WHICH);
    clause.numbers_of_pictures();
    let color = color.unwrap_or(Color::TRANSPARENT);
    Ok(Some(Join { layout, gap, color, keep_sizes }))
}

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
    format!("{layout}{kept}{gap}{color}")
}

fn line(clause: &mut Clause<'_>, (beside, below): (bool, bool)) -> Result<Layout, Refusal> {
    clause.head(if below { phrases!(BELOW, DOWN) } else { phrases!(BESIDE, ACROSS) });
    let across = clause.take(&["horizontally"]).is_some();
    let down = clause.take(&["vertically"]).is_some();
    match (beside || across, below || down) {
        (true, false) => Ok(Layout::SideBySide),
        (false, true) => Ok(Layout::Stacked),
        _ => Err(Refusal::missing(
            "say how to join them: \"side by side\", \"stacked\" or \"in a grid\"",
        )),
    }
}

fn cells(clause: &mut Clause<'_>) -> Result<Layout, Refusal> {
    clause.head(GRIDS);
    let count = |value: f64| {
        whole_pixels(value).ok_or_else(|| {
            Refusal::out_of_range(
                "the columns and rows of a grid must be whole \
                 numbers",
            )
        })
    };
    if let Some((columns, rows)) = clause.dimensions() {
        return Ok(Layout::Grid { columns: count(columns)?, rows: count(rows)? });
    }
    let columns = clause.labeled(&["columns", "column"]);
    let rows = clause.labeled(&["rows", "row"]);
    match (columns, rows) {
        (Some(columns), Some(rows)) => {
            Ok(Layout::Grid { columns: count(columns.value)?, rows: count(rows.value)? })
        }
        (Some(columns), None) => Ok(Layout::Grid { columns: count(columns.value)?, rows: 0 }),
        (None, Some(_)) => {
            Err(Refusal::missing("say how many columns the grid should have: \"in a 2x3 grid\""))
        }
        (None, None) => {
            clause.assumed.push("the grid is as square as the number of images allows".to_owned());
            Ok(Layout::Grid { columns: 0, rows: 0 })
        }
    }
}

fn gap(clause: &mut Clause<'_>) -> Result<Length, Refusal> {
    let without = clause.take(&["no gap", "no gaps", "without gaps", "without a gap"]);
    match clause.labeled(GAPS) {
        None => Ok(Length::ZERO),
        Some(Quantity { value, unit: Unit::Pixels | Unit::None, .. }) if without.is_none() => {
            Ok(Length::Pixels(value))
        }
        Some(Quantity { value, unit: Unit::Percent, .. }) if without.is_none() => {
            Ok(Length::Percent(value))
        }
        Some(_) => Err(Refusal::missing("give the gap in pixels or percent: \"with a 10px gap\"")),
    }
}
