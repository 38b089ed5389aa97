//! Boxes by their position: "a 200x100 box at 50,80", "from 10,20 to 300,400".

use super::Crop;
use crate::Refusal;
use crate::instruction::{Clause, whole_pixels};

/// Reads a box, when a position is said.
pub(super) fn read(clause: &mut Clause<'_>) -> Result<Option<Crop>, Refusal> {
    let mut trial = clause.clone();
    let Some(first) = trial.pixel_coordinates() else { return Ok(None) };
    let second = trial.pixel_coordinates();
    let size = trial.dimensions();
    trial.take_all(&["box", "rectangle", "area", "region", "portion", "section", "part", "from"]);
    let step = match (second, size) {
        (Some(end), None) => between(first, end)?,
        (None, Some(size)) => at(first, size)?,
        _ => {
            return Err(Refusal::missing(
                "say the box by its size and place, or by two corners: \"crop to a 200x100 box at 50,80\" or \
                 \"crop from 10,20 to 300,400\"",
            ));
        }
    };
    *clause = trial;
    Ok(Some(step))
}

/// From the first pixel that stays to the first that does not.
fn between(start: (f64, f64), end: (f64, f64)) -> Result<Crop, Refusal> {
    if end.0 <= start.0 || end.1 <= start.1 {
        return Err(Refusal::out_of_range(format!(
            "the second corner, {},{}, must lie to the right of and below the first, {},{}",
            end.0, end.1, start.0, start.1
        )));
    }
    at(start, (end.0 - start.0, end.1 - start.1))
}

fn at(start: (f64, f64), size: (f64, f64)) -> Result<Crop, Refusal> {
    // A position may be 0, a side may not.
    let position = |value: f64| whole_pixels(value + 1.0).map(|px| px - 1);
    let sides = whole_pixels(size.0).zip(whole_pixels(size.1));
    let (Some((left_px, top_px)), Some((width, height))) =
        (position(start.0).zip(position(start.1)), sides)
    else {
        return Err(Refusal::out_of_range("a box needs whole pixels, at most 16384"));
    };
    Ok(Crop::Box { left_px, top_px, width, height })
}
