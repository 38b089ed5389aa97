//! Parses and renders the words for a border.

use super::{Border, OuterBorder, Side};
use crate::instruction::{Clause, Unit};
use crate::length::Length;
use crate::{Color, Refusal};

pub(super) const HEADS: &[&str] =
    &["border", "frame", "borders", "framed", "bordered", "double border", "double frame"];
pub(super) const DETAILS: &[&str] = &[
    "thin",
    "thick",
    "wide",
    "width",
    "around",
    "color",
    "narrow",
    "solid",
    "surround",
    "plain",
    "simple",
    "inside",
    "outside",
    "double",
    "inner",
    "outer",
    "sides",
    "all",
    "surrounded",
];
/// Default width of a border in percent of the shorter side.
pub(super) const USUAL_PERCENT: f64 = 2.0;

/// Parses any wording of a border.
pub(super) fn read(clause: &mut Clause<'_>) -> Result<Option<Border>, Refusal> {
    if clause.has(&["double border", "double frame", "two borders"]) {
        return double(clause).map(Some);
    }
    if clause.head(HEADS).is_none() {
        return Ok(None);
    }
    let color = clause.color();
    clause.take_all(&["around", "solid", "plain", "simple", "surround", "all sides"]);
    // "in the top half" is not a width.
    if clause.has(&["half", "third", "quarter"]) {
        return Err(Refusal::missing("say the width of the border in pixels or percent"));
    }
    let width = width(clause)?;
    let sides = sides(clause);
    if color.is_none() {
        clause.assumed.push("the border is black".to_owned());
    }
    Ok(Some(Border { width, color: color.unwrap_or(Color::BLACK), sides, outer: None }))
}

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

fn width(clause: &mut Clause<'_>) -> Result<Length, Refusal> {
    side_named(clause)?;
    let word = clause.take(&["thin", "thick", "narrow", "wide"]);
    clause.take(&["width", "thick"]);
    match (length(clause)?, word) {
        (Some(width), None | Some(1 | 3)) => Ok(width),
        (Some(_), _) => Err(Refusal::contradiction("give the width of the border only once")),
        (None, word) => {
            let percent = match word {
                Some(0 | 2) => 1.0,
                Some(_) => 5.0,
                None => USUAL_PERCENT,
            };
            clause.assumed.push(format!("the border width is {percent}% of the shorter side"));
            Ok(Length::Percent(percent))
        }
    }
}

/// Takes the side that a percentage refers to, which can only be the shorter one.
fn side_named(clause: &mut Clause<'_>) -> Result<(), Refusal> {
    const SHORTER: &[&str] = &["of the shorter side", "of the shortest side", "of the short side"];
    clause.take(SHORTER);
    let names: Vec<&str> = clause.tokens().iter().map(|token| token.word()).collect();
    let is_share = |words: &[&str]| ["%", "percent"].contains(&words[0]) && words[1] == "of";
    let of = names.windows(2).position(is_share).map_or(names.len(), |at| at + 2);
    let mut rest = names.iter().skip(of);
    let side = rest.find(|word| !["the", "its", "image", "picture", "photo"].contains(word));
    match side {
        Some(&side) if ["width", "height", "longer", "longest"].contains(&side) => {
            Err(Refusal::missing(
                "a border in percent is relative to the shorter side: say \"a border of 5%\", or \
                 give the width in pixels",
            ))
        }
        _ => Ok(()),
    }
}

fn length(clause: &mut Clause<'_>) -> Result<Option<Length>, Refusal> {
    let Some(width) = clause.quantity() else { return Ok(None) };
    match width.unit {
        Unit::Percent => Ok(Some(Length::Percent(width.value))),
        Unit::Pixels | Unit::None => Ok(Some(Length::Pixels(width.value))),
        _ => Err(Refusal::missing("say the width of the border in pixels or percent")),
    }
}

/// The named sides; empty for all sides.
fn sides(clause: &mut Clause<'_>) -> Vec<Side> {
    let mut sides = Vec::new();
    while let Some(which) = clause.take(&["left", "top", "right", "bottom"]) {
        sides.extend(Side::ALL.get(which));
    }
    if !sides.is_empty() {
        clause.take_all(&["and", "sides", "side", "edges", "edge", "hand"]);
    }
    sides.sort_unstable();
    sides.dedup();
    if sides.len() == 4 { Vec::new() } else { sides }
}

/// "a double border of 10px white inside 4px black": the first one is the inner border.
fn double(clause: &mut Clause<'_>) -> Result<Border, Refusal> {
    clause.head(&["double border", "double frame", "two borders"]);
    let (first, second) = (length(clause)?, length(clause)?);
    let (inner, outer) = (clause.color(), clause.color());
    clause.take_all(&["inside", "inner", "outer", "outside", "around", "solid", "and"]);
    let missing = || {
        Refusal::missing(
            "name the colors of both borders, the inner one first: \"a double border of 10px \
             white inside 4px black\"",
        )
    };
    let width = first.unwrap_or_else(|| {
        clause.assumed.push(format!("each border's width is {USUAL_PERCENT}% of the shorter side"));
        Length::Percent(USUAL_PERCENT)
    });
    let (color, outer_color) = match (inner, outer) {
        (Some(inner), Some(outer)) => (inner, outer),
        (None, None) => {
            clause.assumed.push("the inner border is white and the outer one black".to_owned());
            (Color::WHITE, Color::BLACK)
        }
        _ => return Err(missing()),
    };
    let outer = OuterBorder { width: second.unwrap_or(width), color: outer_color };
    Ok(Border { width, color, sides: Vec::new(), outer: Some(outer) })
}
