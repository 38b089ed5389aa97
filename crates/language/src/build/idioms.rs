//! Idioms for simple edits: "remove the color", "two stops brighter", "darken the corners".

use super::operation::{Details, find, opposed};
use super::simple::{PLAIN, apply, scale_of, step, strength, table_step};
use super::{Edit, Miss, Request, amount, color, degree, direction, missing};
use crate::frame::Filled;
use crate::value::{Amount, Unit, Use, Value};
use retouch_engine::operations::{Pixelate, Vignette};
use retouch_engine::{Color, Length, Place, Region};

/// The angle of what is diagonal.
const DIAGONAL_DEGREES: f64 = 45.0;
/// How far edges are faded, by degree, in percent.
const FADED_PERCENT: [f64; 5] = [50.0, 70.0, 100.0, 100.0, 100.0];

/// "remove the color".
pub(super) fn grayscale_by_removal(request: &Request<'_>) -> Result<Edit, Miss> {
    let edit = Edit { steps: vec![table_step("grayscale", 100.0)?], ..Edit::default() };
    edit.within(request.filled)
}

/// "reduce the noise by 30%", "get rid of the haze".
pub(super) fn reduced(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let less = direction(filled).is_some_and(|sign| sign < 0.0);
    if filled.says("verb", "add") {
        return Err(Miss::Unfit);
    }
    let removed = filled.has("verb") && !filled.has("direction");
    if !less && !removed {
        return Err(Miss::Unfit);
    }
    let name = if filled.says("what", "haze") { "dehaze" } else { "denoise" };
    let operation = find(name).ok_or(Miss::Unfit)?;
    let used = Use { name, sign: 0.0, degree: None, amount: None, behind: false };
    let mut edit = Edit::default();
    step(&mut edit, request, operation, &used)?;
    edit.within(filled)
}

/// "motion blur of 20px at 45 degrees", "horizontal motion blur".
pub(super) fn motion_blur(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let operation = find("motion_blur").ok_or(Miss::Unfit)?;
    let along = match filled.word("axis") {
        "vertical" => Some(90.0),
        "horizontal" => Some(0.0),
        _ => None,
    };
    // "To the right" is a direction, and no part of the image.
    if filled.preposition("region") == "to" || filled.has("towards") && along.is_some() {
        return Err(Miss::Unfit);
    }
    let along = match filled.get("towards") {
        Some(Value::Place(Place::Left | Place::Right)) => Some(0.0),
        Some(Value::Place(Place::Top | Place::Bottom)) => Some(90.0),
        Some(_) => return Err(Miss::Unfit),
        None => along,
    };
    let along = if filled.has("slant") { along.xor(Some(DIAGONAL_DEGREES)) } else { along };
    if filled.has("slant") && along.is_none() {
        return Err(Miss::Unfit);
    }
    let Some([used]) = filled.get("op").map(Value::uses) else { return Err(Miss::Unfit) };
    // "Motion blur 45 degrees 30px": the unit tells which is which.
    let (turned, said): (Vec<Amount>, Vec<Amount>) = [amount(filled, "amount"), used.amount]
        .into_iter()
        .flatten()
        .partition(|given| given.unit == Unit::Degrees);
    let given = filled.get("angle").and_then(Value::amount);
    let given = given.or_else(|| filled.measure("measure", "angle"));
    let given = match (given, turned.as_slice()) {
        (given, []) => given,
        (None, [angle]) => Some(*angle),
        _ => return Err(Miss::Unfit),
    };
    let degrees = match (given, along) {
        (Some(Amount { value, unit: Unit::Degrees | Unit::None, .. }), None) => value,
        (None, along) => along.unwrap_or(0.0),
        _ => return Err(Miss::Unfit),
    };
    let length = match (said.as_slice(), filled.measure("measure", "length")) {
        ([], length) => length,
        ([length], None) => Some(*length),
        _ => return Err(Miss::Unfit),
    };
    let mut edit = Edit::default();
    let length = strength(&mut edit, operation, used, (length, degree(filled).or(used.degree)))?;
    let details = Details { color: None, measures: vec![("angle", degrees)] };
    edit.steps.push(operation.step(Some(length), &details)?);
    edit.within(filled)
}

/// "brighten it by half a stop", "+2 EV", "push it by 1.5 stops".
pub(super) fn stops(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let Some(given) = amount(filled, "amount").filter(|given| given.unit == Unit::Stops) else {
        return Err(Miss::Unfit);
    };
    let mut signs: Vec<f64> = direction(filled).into_iter().collect();
    for used in filled.get("op").map_or(&[][..], Value::uses) {
        if used.name != "brightness" || used.degree.is_some() || used.amount.is_some() {
            return Err(Miss::Unfit);
        }
        signs.push(used.sign);
    }
    let pushed = filled.says("push", "push");
    let sign = match signs.as_slice() {
        [] if given.signed || pushed => 1.0,
        [sign] => *sign,
        [first, second] if first == second => *first,
        _ => return Err(Miss::Unfit),
    };
    if given.signed && sign * given.value < 0.0 {
        return if signs.is_empty() { step_of_stops(given.value, filled) } else { opposed() };
    }
    step_of_stops(sign * given.value, filled)
}

fn step_of_stops(value: f64, filled: &Filled<'_>) -> Result<Edit, Miss> {
    Edit { steps: vec![table_step("exposure", value)?], ..Edit::default() }.within(filled)
}

/// "darken the corners", "fade the edges to white".
pub(super) fn dark_rim(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let uses = filled.get("op").map_or(&[][..], Value::uses);
    let [used] = uses else { return Err(Miss::Unfit) };
    let vague = used.degree.or_else(|| degree(filled));
    let rim = match filled.get("region") {
        Some(Value::Region(Region::Corners { side })) => *side,
        Some(Value::Region(Region::Edges { width })) => *width,
        _ => return Err(Miss::Unfit),
    };
    let named = !matches!(rim, Length::Percent(25.0 | 10.0));
    let given = used.amount.or_else(|| amount(filled, "amount")).and_then(super::percent);
    let (percent, color) = match (used.name, color(filled, "color")) {
        ("brightness", None) if used.sign < 0.0 => {
            let percent = if named { Some(rim.value()) } else { given };
            (
                percent.map_or_else(|| Ok(scale_of("vignette")?[vague.unwrap_or(PLAIN)]), Ok)?,
                Color::BLACK,
            )
        }
        ("fade", Some(color)) => (given.unwrap_or(FADED_PERCENT[vague.unwrap_or(PLAIN)]), color),
        ("fade", None) => return missing("say what to fade to: \"fade the edges to white\""),
        _ => return Err(Miss::Unfit),
    };
    Edit::one(Vignette { percent, color })
}

/// "A halftone, coarse dots": how large, in words for dots and blocks.
pub(super) fn sized_effect(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let degree = Value::Word(if filled.says("sized", "coarse") { "3" } else { "1" });
    let sized = filled.has("sized").then_some(("degree", &degree, ""));
    let kept = filled.entries().iter().copied();
    // The dots of a halftone are black on white anyway.
    let kept = kept.filter(|entry| !matches!(entry.0, "sized" | "black"));
    apply(&Request { filled: &Filled::new(kept.chain(sized)), ..*request })
}

/// "Pixelate it, only 20 blocks across".
pub(super) fn blocks_across(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let [used] = filled.get("op").map_or(&[][..], Value::uses) else { return Err(Miss::Unfit) };
    let count = filled.measure("measure", "block count").filter(|count| {
        count.unit == Unit::None
            && !count.signed
            && count.value >= 2.0
            && count.value.fract() == 0.0
    });
    let plain = used.amount.is_none() && used.degree.is_none_or(|degree| degree > PLAIN);
    let count = count.filter(|_| plain).ok_or(Miss::Unfit)?.value;
    let block = (1000.0 / count).round() / 10.0;
    let block = Length::Percent(block.max(0.1));
    let assumed = format!("the blocks are counted along the shorter side, so each has {block}");
    Edit::one(Pixelate { block })?.assuming(assumed).within(filled)
}

/// "add some noise".
pub(super) fn noise(request: &Request<'_>) -> Result<Edit, Miss> {
    let operation = find("grain").ok_or(Miss::Unfit)?;
    let used = Use { name: "grain", sign: 0.0, degree: None, amount: None, behind: false };
    let mut edit = Edit::default();
    step(&mut edit, request, operation, &used)?;
    edit.within(request.filled)
}

/// "Black and white, high contrast".
pub(super) fn high_contrast(request: &Request<'_>) -> Result<Edit, Miss> {
    let sign = if request.filled.says("look", "high contrast") { 1.0 } else { -1.0 };
    let percent = scale_of("contrast")?[PLAIN];
    let edit = Edit::one(table_step("contrast", sign * percent)?)?;
    Ok(edit.assuming(format!("the change in contrast is {percent}%")))
}
