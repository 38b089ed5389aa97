//! Grids of lines over the image.

use super::marks::{LINE_PERCENT, opacity};
use super::{Edit, Miss, Request, amount, color, length, missing, whole_px};
use crate::value::{Unit, Value};
use retouch_engine::operations::{GridBy, GridLines};
use retouch_engine::{Color, Length, Place};

/// "draw a 3x3 grid of white lines", "a grid of lines every 100px, 1px, gray".
pub(super) fn grid_lines(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let thirds = filled.says("grid", "thirds grid");
    // A number alone counts something.
    if amount(filled, "amount")
        .is_some_and(|given| given.length().is_none() || given.unit == Unit::None)
    {
        return Err(Miss::Unfit);
    }
    // "A 3x2 grid with thin lines" arranges several images, and "make a 2x2 grid" does so, too.
    let drawn = match filled.word("verb") {
        "draw" => true,
        "overlay" | "add" => request.context.inputs < 2,
        "make" => false,
        _ => request.context.inputs < 2 && (filled.has("linear") || filled.has("color")),
    };
    if filled.says("grid", "plain grid") && (!drawn || request.of_image) {
        return Err(Miss::Unfit);
    }
    // "On top" is over the image.
    if filled.has("top") && !matches!(filled.get("top"), Some(Value::Place(Place::Top))) {
        return Err(Miss::Unfit);
    }
    let by = match (cells(request)?, apart(request)?, thirds) {
        (None | Some((3, 3)), None, true) => GridBy::Cells { columns: 3, rows: 3 },
        (Some((columns, rows)), None, false) => GridBy::Cells { columns, rows },
        (None, Some(distance), false) => GridBy::Distance { distance },
        (None, None, false) => {
            return missing(
                "say how many cells the grid has, or how far apart its lines are: \"draw a 3x3 \
                 grid\", \"a grid of lines every 100px\"",
            );
        }
        _ => {
            return super::contradiction(
                "say either how many cells or how far apart the lines are",
            );
        }
    };
    let color = color(filled, "color");
    let line = line(request)?;
    let opacity_percent = opacity(request)?;
    let made = GridLines {
        by,
        color: color.unwrap_or(Color::WHITE),
        line: line.unwrap_or(Length::Percent(usual_percent(request))),
        opacity_percent,
    };
    let width = made.line;
    let mut edit = Edit::one(made)?;
    edit.assumed.extend(color.is_none().then(|| "the lines are white".to_owned()));
    edit.assumed.extend(line.is_none().then(|| format!("the width of the lines is {width}")));
    Ok(edit)
}

fn cells(request: &Request<'_>) -> Result<Option<(u32, u32)>, Miss> {
    let filled = request.filled;
    let size = match (filled.get("size"), filled.get("cells")) {
        (Some(Value::Size(columns, rows)), None) | (None, Some(Value::Size(columns, rows))) => {
            Some((whole_px(*columns)?, whole_px(*rows)?))
        }
        (None, None) => None,
        _ => return Err(Miss::Unfit),
    };
    let count = |label: &str| {
        filled.measure("measure", label).map(|given| whole_px(given.value)).transpose()
    };
    match (size, count("columns")?, count("rows")?) {
        (size, None, None) => Ok(size),
        (None, Some(columns), Some(rows)) => Ok(Some((columns, rows))),
        (None, ..) => missing("say how many columns and how many rows the grid has"),
        _ => Err(Miss::Unfit),
    }
}

/// How far apart the lines are.
fn apart(request: &Request<'_>) -> Result<Option<Length>, Miss> {
    let found = ["every", "gap", "distance"]
        .iter()
        .find_map(|name| request.filled.measure("measure", name));
    found.map(|given| length(given).ok_or(Miss::Unfit)).transpose()
}

/// How thick the lines are, if that is said.
fn line(request: &Request<'_>) -> Result<Option<Length>, Miss> {
    let filled = request.filled;
    let given = [
        amount(filled, "amount"),
        filled.measure("measure", "width"),
        filled.measure("measure", "thickness"),
    ];
    let mut given = given.into_iter().flatten();
    let first = given.next();
    if given.next().is_some() || first.is_some() && filled.has("weight") {
        return Err(Miss::Unfit);
    }
    first.map(|given| length(given).ok_or(Miss::Unfit)).transpose()
}

fn usual_percent(request: &Request<'_>) -> f64 {
    let [thin, _, thick] = LINE_PERCENT;
    match request.filled.word("weight") {
        "thick" => thick / 2.0,
        "thin" => thin / 2.0,
        _ => thin,
    }
}
