//! Boxes by their position: "a 200x100 box at 50,80", "from 10,20 to 300,400".

use super::Crop;
use crate::Refusal;
use crate::instruction::{Clause, whole_pixels};

/// Parses a box if the clause gives a position.
pub(super) fn read(clause: &mut Clause<'_>) -> Result<Option<Crop>, Refusal> {
    if let Some(refusal) = four_numbers(clause) {
        return Err(refusal);
    }
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
                "describe the box by its size and position, or by two corners: \"crop to a \
                 200x100 box at 50,80\" or \"crop from 10,20 to 300,400\"",
            ));
        }
    };
    *clause = trial;
    Ok(Some(step))
}

/// "10,20,30,40" may be two corners, or a corner and a size.
fn four_numbers(clause: &mut Clause<'_>) -> Option<Refusal> {
    let tokens = clause.tokens();
    let mut numbers: Vec<f64> = Vec::new();
    let mut end = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.number() {
            Some(number) if numbers.len() < 4 => {
                numbers.push(number);
                end = at + 1;
            }
            // Commas and parentheses join numbers; words separate them.
            None if token.word().is_empty() || ["px", "pixels"].contains(&token.word()) => {}
            _ if numbers.len() < 4 => numbers.clear(),
            _ => break,
        }
    }
    let &[x, y, third, fourth] = numbers.as_slice() else { return None };
    for at in 0..end {
        let open = clause.tokens().get(at).is_some_and(|token| token.number().is_some());
        clause.mark(at, usize::from(open));
    }
    clause.take_all(&["box", "rectangle", "area", "region", "part", "from", "pixels", "px"]);
    Some(Refusal::missing(format!(
        "the last two numbers can be a corner or a size; say \"crop from {x},{y} to {third},{fourth}\" or \
         \"crop to a {third}x{fourth} box at {x},{y}\""
    )))
}

/// The crop from the first pixel that is kept to the first one that is not.
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
    // A position may be 0, but a side may not.
    let position = |value: f64| whole_pixels(value + 1.0).map(|px| px - 1);
    let sides = whole_pixels(size.0).zip(whole_pixels(size.1));
    let (Some((left_px, top_px)), Some((width, height))) =
        (position(start.0).zip(position(start.1)), sides)
    else {
        return Err(Refusal::out_of_range("a box must be in whole pixels, at most 16384"));
    };
    Ok(Crop::Box { left_px, top_px, width, height })
}
