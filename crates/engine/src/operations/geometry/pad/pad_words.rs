//! Parses and renders the words for a pad.

use super::{Backing, Pad};
use crate::instruction::patterns::aspect_names;
use crate::instruction::{Clause, Quantity, Unit, whole_pixels};
use crate::length::Length;
use crate::{Color, Place, Refusal};

pub(super) const HEADS: &[&str] = &["pad", "padded", "padding", "letterbox", "pillarbox"];
const CANVAS: &[&str] = &[
    "extend the canvas",
    "expand the canvas",
    "enlarge the canvas",
    "extend canvas",
    "expand canvas",
    "enlarge canvas",
    "grow the canvas",
    "set the canvas size",
    "canvas size",
    "make the canvas",
];
pub(super) const DETAILS: &[&str] = &[
    "square",
    "ratio",
    "aspect ratio",
    "aspect",
    "background",
    "all",
    "sides",
    "each",
    "every",
    "side",
    "around",
    "edges",
    "fill",
    "filled",
    "canvas",
    "extend",
    "expand",
    "bars",
    "color",
    "size",
    "shape",
    "grow",
    "blurred",
    "blurry",
    "copy",
    "mirrored",
    "repeated",
    "repeat",
    "repeating",
    "itself",
    "space",
    "room",
    "margin",
    "margins",
    "edge",
    "pixels",
    "version",
    "blur",
    "fill the bars with a blurred copy",
    "and fill the bars",
    "and fill the sides",
];
const BLURRED: &[&str] = &[
    "blurred copy of itself",
    "blurred copy of the picture",
    "blurred copy of the image",
    "blurred copy of the photo",
    "blurred copy",
    "blurred version of itself",
    "blurred version of the picture",
    "blurred version of the image",
    "blurred version",
    "blurred background",
    "blurred picture",
    "blurred image",
    "blurred bars",
    "blurry background",
    "blurry copy",
    "blurred edges",
    "blur fill",
    "blurred fill",
    "blurred",
];
const EDGES: &[&str] = &[
    "repeated edges",
    "repeating the edges",
    "repeated edge pixels",
    "edge pixels",
    "repeat the edges",
];
const MIRRORED: &[&str] = &[
    "mirrored edges",
    "mirrored copy",
    "mirrored copy of itself",
    "mirrored picture",
    "mirrored",
    "mirroring the edges",
];
const EVERYWHERE: &[&str] = &[
    "background",
    "all sides",
    "each side",
    "every side",
    "sides",
    "side",
    "around",
    "edges",
    "fill",
    "fill the bars",
    "fill the sides",
    "filled",
    "bars",
    "all around",
    "all",
    "canvas",
    "shape",
];

/// Parses any wording of a pad.
pub(super) fn read(clause: &mut Clause<'_>) -> Result<Option<Pad>, Refusal> {
    if clause.head(CANVAS).is_none() && clause.head(HEADS).is_none() && !room(clause) {
        return Ok(None);
    }
    let backing = backing(clause);
    let shape = clause.ratio().or_else(|| aspect_names::named(clause));
    clause.take(&["aspect ratio", "ratio", "aspect"]);
    let size = if shape.is_none() { clause.dimensions() } else { None };
    let by = if shape.is_none() && size.is_none() { clause.quantity() } else { None };
    let backing = backing.or_else(|| clause.color().map(Backing::Color));
    if let Some(by) = by {
        return by_length(clause, by, backing).map(Some);
    }
    clause.take_all(EVERYWHERE);
    let place = clause.place().unwrap_or(Place::Center);
    let backing = known(clause, backing);
    let pad = match (shape, size) {
        (Some((width, height)), _) => Pad::Ratio { width, height, color: backing, place },
        (None, Some((width, height))) => {
            let (width, height) =
                whole_pixels(width).zip(whole_pixels(height)).ok_or_else(missing)?;
            Pad::Size { width, height, color: backing, place }
        }
        _ => return Err(missing()),
    };
    Ok(Some(pad))
}

/// Renders the pad as words that parse back to the same pad.
pub(super) fn words_of(pad: &Pad) -> String {
    match pad {
        Pad::Ratio { width, height, color, place } => {
            format!("pad to {width}:{height} with {} at the {}", said(*color), place.words())
        }
        Pad::Size { width, height, color, place } => {
            format!("pad to {width}x{height} pixels with {} at the {}", said(*color), place.words())
        }
        Pad::By { px, color } => format!("pad by {px} pixels with {}", said(*color)),
        Pad::Sides { left, top, right, bottom, color } => {
            format!("pad left {left} top {top} right {right} bottom {bottom} with {}", said(*color))
        }
    }
}

fn said(backing: Backing) -> String {
    match backing {
        Backing::Color(color) => color.to_string(),
        Backing::Blurred => "a blurred copy".to_owned(),
        Backing::Edges => "repeated edges".to_owned(),
        Backing::Mirrored => "a mirrored copy".to_owned(),
    }
}

/// Parses "add 50px of white space at the top".
fn room(clause: &mut Clause<'_>) -> bool {
    let words = &["space", "room", "margin", "margins"];
    // For example, "make it square with white bars".
    if clause.has(&["bars"]) && !clause.has(&["px", "pixels", "%", "percent"]) {
        return clause.head(&["bars"]).is_some();
    }
    clause.has(&["add"])
        && clause.has(&["px", "pixels", "%", "percent"])
        && clause.head(words).is_some()
}

fn backing(clause: &mut Clause<'_>) -> Option<Backing> {
    if clause.take(BLURRED).is_some() {
        return Some(Backing::Blurred);
    }
    if clause.take(EDGES).is_some() {
        return Some(Backing::Edges);
    }
    clause.take(MIRRORED).map(|_| Backing::Mirrored)
}

fn known(clause: &mut Clause<'_>, backing: Option<Backing>) -> Backing {
    if backing.is_none() {
        clause.assumed.push("the new space is transparent".to_owned());
    }
    backing.unwrap_or(Backing::Color(Color::TRANSPARENT))
}

/// Parses one length for every side, or lengths for the sides that are named.
fn by_length(
    clause: &mut Clause<'_>,
    first: Quantity,
    backing: Option<Backing>,
) -> Result<Pad, Refusal> {
    let everywhere = clause.has(&["all sides", "each side", "every side", "all around", "around"]);
    let mut named = Vec::new();
    while let Some((which, at, length)) = clause.find(&["left", "top", "right", "bottom"]) {
        named.push((at, which));
        clause.mark(at, length);
    }
    named.sort_unstable();
    let mut amounts = vec![first];
    while let Some(amount) = clause.quantity() {
        amounts.push(amount);
    }
    clause.take_all(EVERYWHERE);
    let lengths: Option<Vec<Length>> = amounts.into_iter().map(length).collect();
    let lengths = lengths.ok_or_else(missing)?;
    let color = known(clause, backing);
    match (named.is_empty(), lengths.as_slice()) {
        (true, [Length::Pixels(px)]) => {
            Ok(Pad::By { px: whole_pixels(*px).ok_or_else(missing)?, color })
        }
        (true, [same]) => {
            Ok(Pad::Sides { left: *same, top: *same, right: *same, bottom: *same, color })
        }
        (false, lengths) if !everywhere && [1, named.len()].contains(&lengths.len()) => {
            let mut sides = [Length::ZERO; 4];
            for (number, (_, which)) in named.into_iter().enumerate() {
                let length = lengths.get(number).or(lengths.first());
                if let (Some(side), Some(length)) = (sides.get_mut(which), length) {
                    *side = *length;
                }
            }
            let [left, top, right, bottom] = sides;
            Ok(Pad::Sides { left, top, right, bottom, color })
        }
        _ => Err(missing()),
    }
}

fn length(quantity: Quantity) -> Option<Length> {
    match quantity.unit {
        _ if quantity.to || quantity.signed => None,
        Unit::Pixels | Unit::None => Some(Length::Pixels(quantity.value)),
        Unit::Percent => Some(Length::Percent(quantity.value)),
        _ => None,
    }
}

fn missing() -> Refusal {
    Refusal::missing("say how much to pad: \"pad to 16:9\", \"pad to 800x600\" or \"pad by 50px\"")
}
