//! Gradients towards one edge of the image.

use super::{Edit, Miss, Request, amount, degree, length, missing, percent};
use crate::value::{Amount, Unit, Value};
use retouch_engine::operations::{EdgeGradient, Side};
use retouch_engine::{Color, Length, Place, Region};

/// What a region without a size covers, and so what a gradient covers that says none.
const USUAL: Length = Length::Percent(50.0);
/// How strong a subtle or half transparent gradient is.
const FAINT: Amount = Amount::new(50.0, Unit::Percent);

/// "fade the bottom third to black", "a dark gradient at the bottom, 200px high", "darken the lower third
/// with a gradient".
pub(super) fn edge_gradient(request: &Request<'_>) -> Result<Edit, Miss> {
    let strips = strips(request)?;
    let Some((side, strip)) = strips.first().copied() else { return Err(Miss::Unfit) };
    // "The top and bottom 20%" may mean 20% of both.
    if strips.iter().any(|(_, size)| *size != strip) {
        return missing("say how far each gradient reaches: \"the top 20% and the bottom 20%\"");
    }
    let Amounts { reach, strength, faint } = amounts(request, side, strip)?;
    // "The bottom third, 200px high" says it twice.
    if reach.is_some() && strip != USUAL {
        return Err(Miss::Unfit);
    }
    let (color, assumed) = color(request)?;
    let percent = strength.unwrap_or(100.0);
    let mut edit = Edit { assumed, ..Edit::default() };
    for (number, (side, strip)) in strips.iter().copied().enumerate() {
        if strips[..number].iter().any(|(other, _)| *other == side) {
            return Err(Miss::Unfit);
        }
        let size = reach.unwrap_or(strip);
        edit.steps.push(EdgeGradient { side, size, color, percent }.into());
    }
    if reach.is_none() && strip == USUAL {
        edit.assumed.push("a gradient without a size covers half of the image".to_owned());
    }
    if faint {
        edit.assumed.push(format!("the strength of the gradient is {}%", FAINT.value));
    }
    Ok(edit)
}

/// The color at the edge, and what is assumed. "From black to transparent" names it together with none.
fn color(request: &Request<'_>) -> Result<(Color, Vec<String>), Miss> {
    let filled = request.filled;
    let named: Vec<Color> = filled
        .all("color")
        .filter_map(|value| if let Value::Color(color) = value { Some(*color) } else { None })
        .collect();
    let named = match named.as_slice() {
        [] => None,
        [color] | [Color::TRANSPARENT, color] | [color, Color::TRANSPARENT] => Some(*color),
        _ => return Err(Miss::Unfit),
    };
    let mut usual = match filled.word("gradient") {
        "dark gradient" => Some(Color::BLACK),
        "light gradient" => Some(Color::WHITE),
        _ => None,
    };
    // "A dark blue gradient" is dark blue.
    if usual.is_some() && named.is_some() {
        return Err(Miss::Unfit);
    }
    for used in filled.get("op").map_or(&[][..], Value::uses) {
        match used.name {
            _ if used.amount.is_some() || used.degree.is_some() => return Err(Miss::Unfit),
            // "Darken it with a white gradient" contradicts itself.
            "brightness" if named.is_some_and(|color| color.is_bright() == (used.sign < 0.0)) => {
                return Err(Miss::Unfit);
            }
            "brightness" if used.sign < 0.0 => usual = Some(Color::BLACK),
            "brightness" => usual = Some(Color::WHITE),
            "fade" => {}
            _ => return Err(Miss::Unfit),
        }
    }
    let assumed = match (named, usual) {
        (None, None) => vec!["the gradient is black".to_owned()],
        _ => Vec::new(),
    };
    Ok((named.or(usual).unwrap_or(Color::BLACK), assumed))
}

/// The edges. "From the left to the right" is one gradient over the whole image, which this is not.
fn strips(request: &Request<'_>) -> Result<Vec<(Side, Length)>, Miss> {
    let entries = request.filled.entries().iter();
    let named: Vec<_> = entries.filter(|(slot, ..)| matches!(*slot, "region" | "place")).collect();
    let joined = |number: usize, word: &str| (number > 0) == matches!(word, "and" | "comma");
    if named.iter().enumerate().any(|(number, (.., word))| !joined(number, word)) {
        return Err(Miss::Unfit);
    }
    named.iter().map(|(_, value, _)| strip(value)).collect::<Option<_>>().ok_or(Miss::Unfit)
}

/// The edge that a strip lies along, and how wide it is.
fn strip(region: &Value) -> Option<(Side, Length)> {
    let whole = Length::Percent(100.0);
    let (place, width, height) = match region {
        Value::Region(Region::Part { width, height, place }) => (place, *width, *height),
        Value::Place(place @ (Place::Left | Place::Right)) => (place, USUAL, whole),
        Value::Place(place) => (place, whole, USUAL),
        _ => return None,
    };
    let (side, size, along) = match place {
        Place::Left => (Side::Left, width, height),
        Place::Right => (Side::Right, width, height),
        Place::Top => (Side::Top, height, width),
        Place::Bottom => (Side::Bottom, height, width),
        _ => return None,
    };
    (along == whole).then_some((side, size))
}

/// Whether the gradient is called subtle or half transparent.
fn is_faint(request: &Request<'_>) -> bool {
    request.filled.has("faint") || degree(request.filled).is_some_and(|degree| degree < 2)
}

/// How far the gradient reaches, and how much of the color there is at the edge, in percent.
struct Amounts {
    reach: Option<Length>,
    strength: Option<f64>,
    /// Whether the strength is only that of a subtle gradient.
    faint: bool,
}

/// Reads both from what is said, each at most once.
fn amounts(request: &Request<'_>, side: Side, strip: Length) -> Result<Amounts, Miss> {
    let filled = request.filled;
    let measure = |name| filled.measure("measure", name);
    // "200px wide" is said of a strip along the bottom, too.
    let mut reach = vec![measure("height"), measure("width"), amount(filled, "over")];
    // "Half the height".
    for given in reach.iter_mut().flatten().filter(|given| given.unit == Unit::Times) {
        *given = Amount::new(given.value * 100.0, Unit::Percent);
    }
    let left = |given: Amount| Amount { value: 100.0 - given.value, ..given };
    let mut strength = vec![
        measure("opacity"),
        measure("strength"),
        measure("transparency").map(left),
        amount(filled, "strong"),
    ];
    match amount(filled, "amount") {
        Some(given) if given.unit == Unit::Pixels || filled.has("share") => reach.push(Some(given)),
        None if filled.has("share") => return Err(Miss::Unfit),
        // What is known leaves one meaning.
        given if strip != USUAL || reach.iter().any(Option::is_some) => strength.push(given),
        Some(Amount { value, unit: Unit::Percent, .. }) => {
            return missing(&format!(
                "say what {value}% is: \"in the {} {value}%\" or \"with a strength of {value}%\"",
                side.word()
            ));
        }
        Some(_) => return Err(Miss::Unfit),
        None => {}
    }
    // "Semi-transparent, 40% transparency" says it once more, in numbers.
    let faint = is_faint(request) && strength.iter().all(Option::is_none);
    strength.push(faint.then_some(FAINT));
    let one = |said: Vec<Option<Amount>>| match said.into_iter().flatten().collect::<Vec<_>>()[..] {
        [] => Ok(None),
        [given] => Ok(Some(given)),
        _ => Err(Miss::Unfit),
    };
    let reach = one(reach)?.map(|given| length(given).ok_or(Miss::Unfit)).transpose()?;
    let strength = match one(strength)? {
        None => None,
        Some(given) if given.unit == Unit::Percent => Some(percent(given).ok_or(Miss::Unfit)?),
        Some(_) => return Err(Miss::Unfit),
    };
    Ok(Amounts { reach, strength, faint })
}
