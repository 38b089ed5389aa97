//! Operations that are one word with an amount: "brighter", "increase the contrast by 10%", "blur
//! by 3px", "a vignette".

use super::color::towards_opposite;
use super::operation::{Details, Kind, Operation, find, opposed};
use super::{Edit, Miss, Request, amount, color, degree, direction, missing};
use crate::frame::Filled;
use crate::value::{Amount, Unit, Use, Value};
use retouch_engine::{Parameter, Refusal, Region, Step};

/// The place of a plain amount on the scales.
pub(super) const PLAIN: usize = 2;
/// What the amount of an operation may be called.
const AMOUNT_LABELS: &[&str] = &["radius", "size", "length", "strength", "distance"];

/// Words that are edits of their own, one or several.
pub(super) fn apply(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let uses = filled.get("op").map_or(&[][..], Value::uses);
    // Stops are light, whatever the word: see `stops`.
    if amount(filled, "amount").is_some_and(|given| given.unit == Unit::Stops) {
        return Err(Miss::Unfit);
    }
    // "dim it down" and "warm it up" say nothing new, "less bright" does.
    let less = filled.says("direction", "-");
    if less && filled.says("direction", "+") {
        return Err(Miss::Unfit);
    }
    let sign = if less { -1.0 } else { 1.0 };
    one_scope(filled, "op")?;
    // "Brighten the top 120%": the part can't be meant, so the amount may not be either.
    let share = amount(filled, "amount").is_some_and(|given| given.value > 100.0);
    if share && filled.preposition("amount").is_empty() && filled.is_behind("amount", "region") {
        return Err(Miss::Unfit);
    }
    if filled.has("about") && !uses.iter().all(|used| filled.says("about", used.name)) {
        return Err(Miss::Unfit);
    }
    // "The top half, please put a mosaic": only a part of the image stands before such a comma.
    if filled.preposition("verb") == "comma" && !filled.is_behind("verb", "region") {
        return Err(Miss::Unfit);
    }
    // "Old sepia" is no more than sepia, "vintage, faded" is two edits.
    if filled.has("old") && uses.iter().any(|used| used.name != "sepia") {
        return Err(Miss::Unfit);
    }
    let mut edit = Edit::default();
    for (number, used) in uses.iter().enumerate() {
        if used.name == "motion_blur" {
            return Err(Miss::Unfit);
        }
        // "Brighter and lighter" says one thing twice.
        let plain = used.amount.is_none() && used.degree.is_none();
        let known = |other: &&Use| other.name == used.name && other.sign == used.sign;
        if plain && uses[..number].iter().any(|other| known(&other)) {
            continue;
        }
        let operation = find(used.name).ok_or(Miss::Unfit)?;
        // "Turn the vignette off" adds none, but "pixelate it down to 20px" may.
        let down = filled.says("direction", "down") && !filled.has("amount");
        if operation.kind != Kind::Change && (sign < 0.0 || down) {
            return Err(Miss::Unfit);
        }
        let used = Use { sign: used.sign * sign, ..used.clone() };
        goes_with(filled, &used)?;
        step(&mut edit, request, operation, &used)?;
    }
    edit.within(filled)
}

/// Whether the colors and the part of the image that are named go with an operation.
fn goes_with(filled: &Filled<'_>, used: &Use) -> Result<(), Miss> {
    // "The colors look faded" is a remark, "make the colors look faded" is none.
    let faded = used.name == "fade" && filled.has("verb") && filled.is_behind("colors", "verb");
    let colorful = faded || matches!(used.name, "saturation" | "vibrance" | "warmth");
    // One histogram of the luma is equalized.
    let luma = used.name == "equalize" && (filled.has("each") || filled.has("wb"));
    if filled.has("colors") && !colorful || luma {
        return Err(Miss::Unfit);
    }
    // Dark corners are a vignette, and so are faded edges: see `dark_rim`.
    // "The edges, like a Sobel filter" names them twice.
    let dark = used.name == "brightness" && used.sign < 0.0;
    match filled.get("region") {
        Some(Value::Region(Region::Corners { .. } | Region::Edges { .. }))
            if dark || matches!(used.name, "fade" | "edges" | "equalize") =>
        {
            Err(Miss::Unfit)
        }
        Some(Value::Region(Region::Part { .. }))
            if used.name == "fade"
                && used.amount.or(amount(filled, "amount")).is_none()
                && used.degree.or(degree(filled)).is_none() =>
        {
            missing(
                "say what it fades to, or how faded it looks: \"fade the bottom third to black\", \
                 \"fade the bottom third by 60%\"",
            )
        }
        _ => Ok(()),
    }
}

/// What changes, and a direction or a signed amount: "more contrast", "contrast +20".
pub(super) fn adjust(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let uses = filled.get("quality").map_or(&[][..], Value::uses);
    let removed = filled.says("verb", "remove") || filled.says("verb", "fix");
    let taken = filled.says("push", "take") && filled.has("out");
    let dosed = filled.has("dose") && !removed && !filled.has("push");
    // A touch of red may be a tint.
    if dosed && uses.iter().any(|used| used.name.contains('_')) {
        return Err(Miss::Unfit);
    }
    let added = (filled.says("verb", "add") || dosed) && !filled.has("direction");
    if removed && !uses.iter().all(|used| used.name.starts_with("cast")) {
        return Err(Miss::Unfit);
    }
    let sign = direction(filled).or(added.then_some(1.0)).or((removed || taken).then_some(-1.0));
    if sign.is_none() && filled.has("direction") {
        return contradiction_of_directions();
    }
    one_scope(filled, "quality")?;
    // "Raise A and lower B by 10% each" has the amount for both only in one list.
    if filled.has("each") && uses.len() < 2 {
        return Err(Miss::Unfit);
    }
    let mut edit = Edit::default();
    for used in uses {
        let operation = find(used.name).ok_or(Miss::Unfit)?;
        if !towards_opposite(filled, used.name) {
            return Err(Miss::Unfit);
        }
        // A cast is only ever reduced; adding one is a tint.
        let unwanted = used.name.starts_with("cast") || used.name.starts_with("tint_");
        if unwanted && sign.is_none_or(|sign| sign > 0.0) {
            return Err(Miss::Unfit);
        }
        let used = Use { sign: sign.unwrap_or(0.0), ..used.clone() };
        step(&mut edit, request, operation, &used)?;
    }
    edit.within(filled)
}

/// "raise the brightness and lower the contrast by 10% each": the amount is said once for all.
pub(super) fn adjust_each(request: &Request<'_>) -> Result<Edit, Miss> {
    let entries = request.filled.entries();
    let changes: Vec<_> =
        entries.iter().filter(|entry| matches!(entry.0, "direction" | "quality")).collect();
    let pairs = changes.chunks_exact(2);
    if changes.len() < 4 || !pairs.remainder().is_empty() {
        return Err(Miss::Unfit);
    }
    let mut all = Edit::default();
    for pair in pairs {
        let shared = entries.iter().filter(|entry| entry.0 == "amount");
        let own = pair.iter().copied().chain(shared).copied();
        let edit = adjust(&Request { filled: &Filled::new(own), ..*request })?;
        all.steps.extend(edit.steps);
    }
    Ok(all)
}

/// "multiply the red channel by 1.1".
pub(super) fn multiply(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let Some([used]) = filled.get("quality").map(Value::uses) else { return Err(Miss::Unfit) };
    let percent = match amount(filled, "amount") {
        Some(Amount { value, unit: Unit::None | Unit::Times, signed: false }) => {
            ((value - 1.0) * 1000.0).round() / 10.0
        }
        _ => return Err(Miss::Unfit),
    };
    Ok(Edit { steps: vec![table_step(used.name, percent)?], ..Edit::default() })
}

/// "Increase brightness and contrast in the top half": only the contrast, or both?
fn one_scope(filled: &Filled<'_>, slot: &str) -> Result<(), Miss> {
    let several = filled.get(slot).is_some_and(|value| value.uses().len() > 1);
    if several && !filled.preposition("region").is_empty() && filled.is_behind("region", slot) {
        return missing("say for each edit whether it changes this part or the whole image");
    }
    Ok(())
}

fn contradiction_of_directions<T>() -> Result<T, Miss> {
    super::contradiction("the words ask for more and for less; choose one")
}

/// Adds the step of one word.
pub(super) fn step(
    edit: &mut Edit,
    request: &Request<'_>,
    operation: &Operation,
    used: &Use,
) -> Result<(), Miss> {
    let filled = request.filled;
    let details = details(request, operation)?;
    let labeled = filled.all("measure").find(|value| is_amount(operation, value));
    let shared = match (amount(filled, "amount"), labeled.and_then(Value::amount)) {
        (Some(_), Some(_)) => return Err(Miss::Unfit),
        (plain, labeled) => plain.or(labeled),
    };
    if used.amount.is_some() && shared.is_some() {
        return Err(Miss::Unfit);
    }
    let target = shared.is_some() && filled.preposition("amount") == "to";
    if target && used.name == "fade" {
        return missing(
            "say how much to fade it, \"fade it by 70%\", or \"set the opacity to 30%\"",
        );
    }
    let given = used.amount.or(shared);
    let soft = (filled.has("softness") && given.is_none()).then_some(1);
    let dose = filled.word("dose").parse().ok();
    let vague = used.degree.or_else(|| degree(filled)).or(soft).or(dose);
    if given.is_some() && vague.is_some_and(|degree| degree != PLAIN) {
        return Err(Miss::Unfit);
    }
    let amount = match operation.kind {
        Kind::Change => {
            let said = Said { sign: used.sign, given, target, vague };
            Some(change(edit, request, operation, &said)?)
        }
        Kind::Strength => Some(strength(edit, operation, used, (given, vague))?),
        Kind::Share => Some(share(given, vague)?),
        Kind::Optional => match given {
            Some(given) => Some(Amount::new(super::percent(given).ok_or(Miss::Unfit)?, Unit::None)),
            None => None,
        },
        Kind::Fixed if given.is_some() => return Err(Miss::Unfit),
        Kind::Fixed => None,
    };
    edit.steps.push(operation.step(amount, &details)?);
    Ok(())
}

/// The colors and measures, each of which must have a place in the step.
fn details(request: &Request<'_>, operation: &Operation) -> Result<Details, Miss> {
    let takes = |name: &str| operation.extras.iter().any(|(extra, _)| *extra == name);
    let color = color(request.filled, "color");
    if color.is_some() && !takes("color") {
        return Err(Miss::Unfit);
    }
    let mut measures = Vec::new();
    for value in request.filled.all("measure").filter(|value| !is_amount(operation, value)) {
        let (Value::Measure(label, amount), true) = (value, takes(value.word())) else {
            return Err(Miss::Unfit);
        };
        measures.push((*label, amount.value));
    }
    if color.is_none() && operation.extras.contains(&("color", None)) {
        // Without a color, "colorize" asks for those of nature.
        if operation.capability.name == "colorize" {
            return Err(Miss::Unfit);
        }
        return missing("say which color, for example \"tint it blue\"");
    }
    Ok(Details { color, measures })
}

/// Whether a measure is the amount of an operation: "blur with a radius of 3px".
fn is_amount(operation: &Operation, value: &Value) -> bool {
    let named = operation.extras.iter().any(|(extra, _)| *extra == value.word());
    !named && AMOUNT_LABELS.contains(&value.word())
}

/// What is said about a change.
struct Said {
    /// 1 for more, -1 for less, 0 if nothing tells.
    sign: f64,
    given: Option<Amount>,
    /// Whether the amount is to be reached.
    target: bool,
    vague: Option<usize>,
}

/// A change that can go both ways.
fn change(
    edit: &mut Edit,
    request: &Request<'_>,
    operation: &Operation,
    said: &Said,
) -> Result<Amount, Miss> {
    let (parameter, scale) = operation.scaled().ok_or(Miss::Unfit)?;
    let Some(given) = said.given else {
        if said.sign == 0.0 {
            return missing("say whether you want more or less of it");
        }
        let value = scale[said.vague.unwrap_or(PLAIN)];
        edit.assumed.push(assumption(parameter, value));
        return Ok(Amount::new(value * said.sign, Unit::None));
    };
    if given.signed && said.sign * given.value < 0.0 {
        return opposed();
    }
    let set = request.filled.says("verb", "set");
    let value = match given.unit {
        Unit::Times if said.sign >= 0.0 => given.value * 100.0 - 100.0,
        Unit::Times => 100.0 / given.value - 100.0,
        Unit::Percent if parameter.unit == " stops" => {
            let factor = 1.0 + sign_of(said, given)? * given.value.abs() / 100.0;
            (factor.log2() * 1000.0).round() / 1000.0
        }
        unit if unit != Unit::None && operation.parameter(unit).is_none() => {
            return Err(Miss::Unfit);
        }
        _ if given.signed => given.value,
        // "set it to 120%" is a change by 20%.
        Unit::Percent if set || said.target => {
            let value = given.value - 100.0;
            if value * said.sign < 0.0 {
                return super::contradiction(
                    "the direction and the value to reach contradict each other",
                );
            }
            value
        }
        _ if said.target || set => return missing("say by how much, or to how many percent"),
        // "Brightness 110%", "contrast(1.2)": as style sheets count.
        unit if said.sign == 0.0 && parameter.unit == "%" && styled(unit, given.value) => {
            let percent = if unit == Unit::Percent { given.value } else { given.value * 100.0 };
            edit.assumed.push(format!("{percent}% of what it is now"));
            ((percent - 100.0) * 10.0).round() / 10.0
        }
        // "Saturate(1.5)" has a factor, and hardly 1.5%.
        unit if !given.signed
            && parameter.unit == "%"
            && unit == Unit::None
            && styled(unit, given.value) =>
        {
            return missing("give it in percent, for example \"20%\"");
        }
        _ => sign_of(said, given)? * given.value,
    };
    Ok(Amount::new(value, Unit::None))
}

/// Whether a number tells how much of the present is wanted: over 100%, or a factor such as 0.8.
fn styled(unit: Unit, value: f64) -> bool {
    match unit {
        Unit::Percent => value > 100.0 && value <= 200.0,
        Unit::None => value.fract() != 0.0 && value > 0.0 && value < 3.0,
        _ => false,
    }
}

/// The direction of an amount without a sign.
fn sign_of(said: &Said, given: Amount) -> Result<f64, Miss> {
    match said.sign {
        0.0 if given.signed => Ok(given.value.signum()),
        0.0 => missing("say whether you want more or less of it"),
        sign => Ok(sign),
    }
}

/// How strong an effect is.
pub(super) fn strength(
    edit: &mut Edit,
    operation: &Operation,
    used: &Use,
    (given, vague): (Option<Amount>, Option<usize>),
) -> Result<Amount, Miss> {
    if used.sign < 0.0 {
        return Err(Miss::Unfit);
    }
    match given {
        Some(given) if given.signed && given.value < 0.0 => {
            let message = format!("{} can't be less than nothing", operation.capability.name);
            Err(Miss::Refused(Refusal::out_of_range(message)))
        }
        Some(given) => {
            let parameter = operation.parameter(given.unit).ok_or(Miss::Unfit)?;
            let unit = if parameter.unit == "%" { Unit::Percent } else { Unit::Pixels };
            Ok(Amount::new(given.value, unit))
        }
        None => {
            let Some((parameter, scale)) = operation.scaled() else {
                let usual = operation.capability.parameters.iter().find_map(|one| one.usual);
                let Some(usual) = usual.filter(|_| vague.is_none()) else {
                    return missing("say how much, with a number");
                };
                return Ok(Amount::new(usual, Unit::Percent));
            };
            let value = scale[vague.unwrap_or(PLAIN)];
            edit.assumed.push(assumption(parameter, value));
            let unit = if parameter.unit == "%" { Unit::Percent } else { Unit::Pixels };
            Ok(Amount::new(value, unit))
        }
    }
}

/// How much of an effect: all, unless it is given.
fn share(given: Option<Amount>, vague: Option<usize>) -> Result<Amount, Miss> {
    match (given, vague) {
        (Some(given), None) if given.unit == Unit::None && given.value <= 1.0 => {
            missing("give it in percent: \"50%\"")
        }
        (Some(given), None) => super::percent(given)
            .filter(|_| !given.signed)
            .map(|value| Amount::new(value, Unit::Percent))
            .ok_or(Miss::Unfit),
        (None, None) => Ok(Amount::new(100.0, Unit::Percent)),
        _ => Err(Miss::Unfit),
    }
}

/// "the radius of the blur is 4px".
fn assumption(parameter: &Parameter, value: f64) -> String {
    let words = parameter.what.split(' ').map(|word| match word {
        "a" | "an" => "the",
        word => word,
    });
    let what: Vec<&str> = words.collect();
    format!("{} is {value}{}", what.join(" "), parameter.unit)
}

/// An operation without an amount.
pub(super) fn fixed(name: &str) -> Result<Edit, Miss> {
    Ok(Edit { steps: vec![table_step(name, 0.0)?], ..Edit::default() })
}

/// One step of the table with an amount, for builders of other frames.
pub(super) fn table_step(name: &str, value: f64) -> Result<Step, Miss> {
    let operation = find(name).ok_or(Miss::Unfit)?;
    operation.step(Some(Amount::new(value, Unit::None)), &Details::default())
}

/// The change that an amount or a degree means for an operation of the table.
pub(super) fn table_change(
    edit: &mut Edit,
    request: &Request<'_>,
    name: &str,
    sign: f64,
) -> Result<f64, Miss> {
    let operation = find(name).ok_or(Miss::Unfit)?;
    let filled = request.filled;
    let target = filled.preposition("amount") == "to";
    let said = Said { sign, given: amount(filled, "amount"), target, vague: degree(filled) };
    change(edit, request, operation, &said).map(|amount| amount.value)
}

/// The documented scale of an operation, from very slight to extreme.
pub(super) fn scale_of(name: &str) -> Result<[f64; 5], Miss> {
    let capability =
        retouch_engine::capabilities().iter().find(|capability| capability.name == name);
    capability
        .and_then(|found| found.parameters.iter().find_map(|one| one.scale))
        .ok_or(Miss::Unfit)
}

/// "Saturation maxed": as much as the scale has.
pub(super) fn maxed(request: &Request<'_>) -> Result<Edit, Miss> {
    let (up, most) = (Value::Word("up"), Value::Word("4"));
    let kept = request.filled.entries().iter().copied().filter(|entry| entry.0 == "quality");
    let all = Filled::new(kept.chain([("direction", &up, ""), ("degree", &most, "")]));
    adjust(&Request { filled: &all, ..*request })
}
