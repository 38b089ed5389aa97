//! Tones and colors whose edits need more than a word and an amount.

use super::operation::find;
use super::simple::{apply, table_change, table_step};
use super::transparency::color_key;
use super::{Edit, Miss, Request, amount, color, degree, direction, missing};
use crate::frame::{Entry, Filled};
use crate::value::{Amount, Unit, Use, Value};
use retouch_engine::operations::{
    ColorTones, Colorize, Gamma, Hue, KeepColor, Levels, ReplaceColor, Rgb, SingleChannel,
    SplitTone, WhiteBalance,
};
use retouch_engine::{Color, capabilities};
use serde_json::json;

/// The place of a plain amount on the scales.
const PLAIN: usize = 2;
/// Pairs of colors of which less of one is more of the other.
const COMPLEMENTS: [(&str, &str); 3] = [("red", "cyan"), ("green", "magenta"), ("blue", "yellow")];
/// The steps of the scale of a vague change of gamma.
const GAMMA_SCALE: [f64; 5] = [0.05, 0.1, 0.2, 0.4, 0.6];
/// The ranges of hues.
const RANGES: &[&str] = &["red", "orange", "yellow", "green", "cyan", "blue", "purple", "magenta"];
/// The strength of a color in a range of tones, by degree, in percent.
const SPLIT_PERCENT: [f64; 5] = [5.0, 10.0, 20.0, 40.0, 60.0];
/// The colors of warm and of cool light.
const WARM_AND_COOL: [Color; 2] =
    [Color { rgba: [255, 128, 0, 255] }, Color { rgba: [0, 127, 255, 255] }];
/// The hues, in degrees, around which tolerances are small: skin tones are between red and yellow.
const CLOSE_HUES: (f64, f64) = (-30.0, 75.0);

/// "brighten the shadows and highlights by 20%".
pub(super) fn bands(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let shared = filled.entries().iter().copied().filter(|entry| entry.0 != "band");
    let mut all = Edit::default();
    for value in filled.all("band") {
        let own = shared.clone().chain([("band", value, "")]);
        let edit = band(&Request { filled: &Filled::new(own), ..*request })?;
        all.steps.extend(edit.steps);
        all.assumed.extend(edit.assumed);
    }
    if all.steps.len() < 2 { Err(Miss::Unfit) } else { Ok(all) }
}

/// A range of tones: "lift the shadows", "highlights -30", "brighten the midtones by 20%".
pub(super) fn band(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let band = filled.word("band");
    let dark = matches!(band, "shadows" | "blacks");
    let mut signs = Vec::new();
    for used in filled.get("op").map_or(&[][..], Value::uses) {
        // "make the shadows brighter" changes the shadows, "bluer shadows" is a split tone.
        if used.name != "brightness" || used.degree.is_some() && degree(filled).is_some() {
            return Err(Miss::Unfit);
        }
        signs.push(used.sign);
    }
    for value in filled.all("direction") {
        match value.word() {
            // "Reduce the shadows" may mean lighter shadows or less light in them.
            "+" | "-" if dark => return missing("say \"brighten\" or \"darken\""),
            "+" | "up" => signs.push(1.0),
            _ => signs.push(-1.0),
        }
    }
    if filled.has("whiter") {
        signs.push(1.0);
    }
    for value in filled.all("marker") {
        signs.push(match (value.word(), dark) {
            ("recover", true) | ("open up", _) => 1.0,
            ("recover", false) | ("deepen" | "crush", _) => -1.0,
            _ => return Err(Miss::Unfit),
        });
    }
    let own = filled.get("op").map_or(&[][..], Value::uses).first();
    let sign = match signs.as_slice() {
        [] => 0.0,
        [first, rest @ ..] if rest.iter().all(|sign| sign == first) => *first,
        _ => {
            return super::contradiction(
                "the words ask for lighter and for darker tones; choose one",
            );
        }
    };
    let mut edit = Edit::default();
    let value = match own {
        Some(used) if used.amount.is_some() || used.degree.is_some() => {
            own_change(&mut edit, request, band, used)?
        }
        _ => table_change(&mut edit, request, band, sign)?,
    };
    edit.steps.push(table_step(band, value)?);
    edit.within(filled)
}

/// A change whose amount or degree belongs to its word: "make the shadows a bit brighter".
fn own_change(edit: &mut Edit, request: &Request<'_>, band: &str, used: &Use) -> Result<f64, Miss> {
    if amount(request.filled, "amount").is_some() {
        return Err(Miss::Unfit);
    }
    if let Some(amount) = used.amount {
        let percent = super::percent(amount).ok_or(Miss::Unfit)?;
        if amount.signed && percent < 0.0 {
            return super::operation::opposed();
        }
        return Ok(used.sign * percent);
    }
    let (parameter, scale) =
        find(band).and_then(super::operation::Operation::scaled).ok_or(Miss::Unfit)?;
    let value = scale[used.degree.unwrap_or(PLAIN)];
    edit.assumed.push(format!("{} is {value}%", parameter.what));
    Ok(used.sign * value)
}

/// A color in a range of tones: "make the shadows bluer", "tint the midtones with orange".
pub(super) fn split_tone(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let tones = filled.word("band");
    if !matches!(tones, "shadows" | "midtones" | "highlights") {
        return Err(Miss::Unfit);
    }
    let mut own = (None, None);
    let color = match (color(filled, "color"), filled.get("op").map_or(&[][..], Value::uses)) {
        (Some(color), []) if direction(filled).is_none_or(|sign| sign > 0.0) => color,
        (Some(color), []) => opposite(color).ok_or(Miss::Unfit)?,
        (Some(color), [used]) if used.name == "tint" => {
            own = (used.amount, used.degree);
            color
        }
        (None, [used]) => {
            own = (used.amount, used.degree);
            toned(used.name, used.sign).ok_or(Miss::Unfit)?
        }
        _ => return Err(Miss::Unfit),
    };
    let vague = own.1.or_else(|| degree(filled));
    let mut edit = Edit::default();
    let percent = match own.0.or_else(|| amount(filled, "amount")) {
        Some(amount) if vague.is_none() && !amount.signed => {
            super::percent(amount).ok_or(Miss::Unfit)?
        }
        Some(_) => return Err(Miss::Unfit),
        None => {
            let percent = SPLIT_PERCENT[vague.unwrap_or(PLAIN)];
            edit.assumed.push(format!("the strength of the color is {percent}%"));
            percent
        }
    };
    let tones = serde_json::from_value(json!(tones)).map_err(|_| Miss::Unfit)?;
    edit.steps.push(SplitTone { tones, color, percent }.into());
    Ok(edit)
}

/// The color that "bluer" or "warmer" stands for.
fn toned(name: &str, sign: f64) -> Option<Color> {
    if name == "warmth" {
        return Some(WARM_AND_COOL[usize::from(sign < 0.0)]);
    }
    let color = Color::named(name.strip_prefix("channel_")?)?;
    if sign < 0.0 { opposite(color) } else { Some(color) }
}

/// The complement of a primary color, as which less of it is done.
fn opposite(color: Color) -> Option<Color> {
    let [red, green, blue, alpha] = color.rgba;
    let primary = [red, green, blue].iter().all(|channel| matches!(channel, 0 | 255));
    primary.then_some(Color { rgba: [255 - red, 255 - green, 255 - blue, alpha] })
}

/// "make it a blue monochrome".
pub(super) fn monochrome(request: &Request<'_>) -> Result<Edit, Miss> {
    let Some(color) = color(request.filled, "color") else { return Err(Miss::Unfit) };
    Edit::one(Colorize { color, percent: 100.0 })
}

/// "Fix the colors automatically".
pub(super) fn auto(request: &Request<'_>) -> Result<Edit, Miss> {
    let [used] = request.filled.get("what").map_or(&[][..], Value::uses) else {
        return Err(Miss::Unfit);
    };
    let name = match used.name {
        "contrast" => "auto_contrast",
        "saturation" => "auto_color",
        "brightness" | "exposure" => "auto_levels",
        _ => return Err(Miss::Unfit),
    };
    let plain = used.amount.is_none() && used.degree.is_none();
    if !plain || request.filled.says("direction", "down") && !request.filled.has("push") {
        return Err(Miss::Unfit);
    }
    Ok(Edit { steps: vec![table_step(name, 0.0)?], ..Edit::default() })
}

pub(super) fn colors<'a>(request: &'a Request<'_>) -> impl Iterator<Item = Color> + 'a {
    request.filled.all("color").filter_map(|value| match value {
        Value::Color(color) => Some(*color),
        _ => None,
    })
}

/// "shift the hue by 90 degrees".
pub(super) fn hue(request: &Request<'_>) -> Result<Edit, Miss> {
    match amount(request.filled, "amount") {
        Some(Amount { value, unit: Unit::None | Unit::Degrees, .. }) => {
            let back = request.filled.says("turn", "counterclockwise");
            Edit::one(Hue { degrees: if back { -value } else { value } })?.within(request.filled)
        }
        Some(_) => Err(Miss::Unfit),
        None => missing("say by how many degrees: \"shift the hue by 90 degrees\""),
    }
}

/// "set the gamma to 1.2".
pub(super) fn gamma(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let sign = direction(filled);
    let target = filled.preposition("amount") == "to";
    let gamma = match (amount(filled, "amount"), sign) {
        (Some(said), _) if said.signed => {
            return missing("give the value of gamma: \"set the gamma to 1.2\"");
        }
        (Some(said), Some(sign)) if said.unit == Unit::Percent && !target => {
            1.0 + sign * said.value / 100.0
        }
        (Some(said), sign) if said.unit == Unit::None && (target || sign.is_none()) => said.value,
        (None, Some(sign)) => {
            let gamma = 1.0 + sign * GAMMA_SCALE[degree(filled).unwrap_or(PLAIN)];
            return Ok(Edit::one(Gamma { gamma })?.assuming(format!("the gamma is {gamma}")));
        }
        _ => return missing("give the value of gamma: \"set the gamma to 1.2\""),
    };
    Edit::one(Gamma { gamma })?.within(filled)
}

/// "levels 10-240", "set the black point to 20".
pub(super) fn levels(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let ends: Vec<f64> =
        filled.all("amount").filter_map(Value::amount).map(|amount| amount.value.abs()).collect();
    let level = |point: &str, end: &str| {
        let said = filled.measure("measure", point).or_else(|| filled.measure("measure", end));
        said.map(|amount| match amount.unit {
            Unit::Percent => amount.value * 255.0 / 100.0,
            _ => amount.value,
        })
    };
    let (black, white) = match (
        ends.as_slice(),
        level("black point", "black end"),
        level("white point", "white end"),
    ) {
        ([], None, None) => return missing("give two levels: \"set the levels from 10 to 240\""),
        ([], black, white) => (black.unwrap_or(0.0), white.unwrap_or(255.0)),
        ([black, white], None, None) => (*black, *white),
        _ => return Err(Miss::Unfit),
    };
    Edit::one(Levels { black, white })?.within(filled)
}

/// "Push it toward magenta", "shift the tint toward green by 10": more of that primary color.
pub(super) fn towards(request: &Request<'_>) -> Result<Edit, Miss> {
    let wanted = color(request.filled, "color");
    let pairs = COMPLEMENTS.iter().flat_map(|(one, other)| [*one, *other]);
    let mut named = pairs.filter(|name| wanted == Color::named(name));
    let name = named.next().ok_or(Miss::Unfit)?;
    let name = format!("channel_{name}");
    let mut edit = Edit::default();
    let percent = table_change(&mut edit, request, &name, 1.0)?;
    edit.steps.push(table_step(&name, percent)?);
    edit.within(request.filled)
}

/// "Tint -5", as photo programs count: less is greener, more is more magenta.
pub(super) fn tint_slider(request: &Request<'_>) -> Result<Edit, Miss> {
    let given = amount(request.filled, "amount").filter(|given| given.signed).ok_or(Miss::Unfit)?;
    let percent = super::percent(given).ok_or(Miss::Unfit)?;
    let name = if percent < 0.0 { "channel_green" } else { "channel_magenta" };
    let edit = Edit { steps: vec![table_step(name, percent.abs())?], ..Edit::default() };
    Ok(edit.assuming("less tint is greener, more of it is more magenta"))
}

/// "A pink overlay of 30%": a tint.
pub(super) fn overlaid(request: &Request<'_>) -> Result<Edit, Miss> {
    let used =
        Value::Use(Use { name: "tint", sign: 0.0, degree: None, amount: None, behind: false });
    // How opaque the color is, is how strong the tint is.
    let opaque = request.filled.measure("measure", "opacity").map(Value::Amount);
    let kept = request.filled.entries().iter().copied();
    let kept = kept.filter(|entry| entry.0 != "over" && (opaque.is_none() || entry.0 != "measure"));
    let amount = opaque.as_ref().map(|amount| ("amount", amount, ""));
    let own = Filled::new(kept.chain(amount).chain([("op", &used, "")]));
    apply(&Request { filled: &own, ..*request })
}

/// "Remove the blue channel".
pub(super) fn channel_off(request: &Request<'_>) -> Result<Edit, Miss> {
    let name = match request.filled.word("channel") {
        "red channel" => "channel_red",
        "green channel" => "channel_green",
        _ => "channel_blue",
    };
    let edit = Edit { steps: vec![table_step(name, -100.0)?], ..Edit::default() };
    edit.assuming("the channel becomes black").within(request.filled)
}

/// "set the white balance to 5000K", "white balance: cloudy".
pub(super) fn white_balance(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let light = match filled.word("light") {
        "" => None,
        light => light.parse().ok().map(|kelvin| (light, kelvin)),
    };
    let balance = filled.says("wb", "wb");
    let kelvin = match (amount(filled, "amount"), light) {
        (None, Some((_, kelvin))) => kelvin,
        (Some(Amount { value, unit: Unit::Kelvin, signed: false }), None) => value,
        (Some(Amount { value, unit: Unit::None, signed: false }), None)
            if balance && value >= 1000.0 =>
        {
            value
        }
        (None, None) if balance => {
            return missing("give the color temperature: \"set the white balance to 5000K\"");
        }
        _ => return Err(Miss::Unfit),
    };
    Edit::one(WhiteBalance { kelvin })?.within(filled)
}

/// "replace red with blue, tolerance 20%".
pub(super) fn replace_color(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let (Some(from), Some(to)) = (color(filled, "from"), color(filled, "to")) else {
        return Err(Miss::Unfit);
    };
    // "Red should become blue": only the order tells which is which.
    if filled.preposition("to").is_empty() && !filled.is_behind("to", "from") {
        return Err(Miss::Unfit);
    }
    if to == Color::TRANSPARENT {
        let keys = |entry: &Entry<'_>| matches!(entry.0, "measure" | "amount");
        let color = ("color", filled.get("from").ok_or(Miss::Unfit)?, "");
        let kept = filled.entries().iter().copied().filter(keys).chain([color]);
        return color_key(&Request { filled: &Filled::new(kept), ..*request });
    }
    let usual = usual_tolerance("replace_color");
    let exact = filled.has("exact").then_some(Amount::new(0.0, Unit::Percent));
    let given = filled.measure("measure", "tolerance").or_else(|| amount(filled, "amount"));
    if exact.is_some() && given.is_some() {
        return Err(Miss::Unfit);
    }
    let given = given.or(exact);
    let tolerance_percent = match given {
        Some(amount) => super::percent(amount).ok_or(Miss::Unfit)?,
        None => usual,
    };
    let edit = Edit::one(ReplaceColor { from, to, tolerance_percent })?;
    Ok(match given {
        Some(_) => edit,
        None => edit.assuming(format!(
            "everything close to this color is changed, with a tolerance of {usual}%"
        )),
    })
}

/// The documented tolerance of an operation.
pub(super) fn usual_tolerance(name: &str) -> f64 {
    let capability = capabilities().iter().find(|capability| capability.name == name);
    capability
        .and_then(|found| found.parameters.iter().find_map(|one| one.usual))
        .unwrap_or_default()
}

/// "black and white except red", "keep only the blue".
pub(super) fn keep_color(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let Some(color) = color(filled, "color") else { return Err(Miss::Unfit) };
    let given = filled.measure("measure", "tolerance").or_else(|| amount(filled, "amount"));
    let tolerance_degrees = match given {
        Some(Amount { value, unit: Unit::None | Unit::Degrees, signed: false }) => value,
        Some(_) => {
            return missing(
                "give the tolerance in degrees of the color wheel: \"tolerance 30 degrees\"",
            );
        }
        None => usual_hue_tolerance(color),
    };
    let edit = Edit::one(KeepColor { color, tolerance_degrees })?;
    let assumed = format!(
        "every hue within {tolerance_degrees} degrees of it is kept, anywhere in the image"
    );
    Ok(if given.is_none() { edit.assuming(assumed) } else { edit })
}

/// "keep only the red channel", "show the blue channel as gray".
pub(super) fn single_channel(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let channel = match filled.word("channel") {
        "red channel" => Rgb::Red,
        "green channel" => Rgb::Green,
        _ => Rgb::Blue,
    };
    // Editors show a channel as grays. What keeps a channel takes the others away.
    let gray = filled.has("gray") || !filled.has("only");
    let edit = Edit::one(SingleChannel { channel, gray })?;
    let edit = match (filled.has("gray"), gray) {
        (true, _) => edit,
        (false, true) => edit.assuming("the channel is shown as gray"),
        (false, false) => edit.assuming("the other two channels become black"),
    };
    edit.within(filled)
}

/// Small where hues of many things lie close to each other.
fn usual_hue_tolerance(color: Color) -> f64 {
    let [red, green, blue, _] = color.rgba.map(f64::from);
    let (largest, smallest) = (red.max(green).max(blue), red.min(green).min(blue));
    let chroma = largest - smallest;
    let hue = match largest {
        _ if chroma <= 0.0 => 0.0,
        _ if largest == red => 60.0 * (green - blue) / chroma,
        _ if largest == green => 60.0 * (blue - red) / chroma + 120.0,
        _ => 60.0 * (red - green) / chroma + 240.0,
    };
    if (CLOSE_HUES.0..=CLOSE_HUES.1).contains(&hue) { 15.0 } else { 40.0 }
}

/// "make the reds more saturated", "darken the blues".
pub(super) fn color_tones(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let named =
        |range: &&str| Color::named(range).is_some_and(|named| Some(named) == color(filled, "hue"));
    let range = RANGES.iter().find(|range| named(range)).copied();
    let range = json!(range.unwrap_or_else(|| filled.word("band")));
    let color = serde_json::from_value(range).map_err(|_| Miss::Unfit)?;
    let (name, sign, own) = match (filled.get("op"), filled.get("quality")) {
        (Some(Value::Use(used)), None) => (used.name, used.sign, (used.amount, used.degree)),
        (None, Some(Value::Use(used))) => {
            (used.name, direction(filled).unwrap_or_default(), (used.amount, used.degree))
        }
        _ => return Err(Miss::Unfit),
    };
    if !matches!(name, "saturation" | "brightness") || own.0.is_some() && filled.has("amount") {
        return Err(Miss::Unfit);
    }
    let property = serde_json::from_value(json!(name)).map_err(|_| Miss::Unfit)?;
    let mut edit = Edit::default();
    let percent = match own.0.or_else(|| amount(filled, "amount")) {
        Some(said) => {
            let value = super::percent(said).ok_or(Miss::Unfit)?;
            match (said.signed, sign) {
                (true, 0.0) => value,
                (false, 0.0) => return missing("say whether you want more or less of it"),
                _ => sign * value,
            }
        }
        None if sign == 0.0 => return missing("say whether you want more or less of it"),
        None => {
            let (_, scale) = find(if name == "saturation" { "saturation" } else { "brightness" })
                .and_then(super::operation::Operation::scaled)
                .ok_or(Miss::Unfit)?;
            let value = scale[own.1.or_else(|| degree(filled)).unwrap_or(PLAIN)];
            edit.assumed.push(format!("the change in {name} is {value}%"));
            sign * value
        }
    };
    edit.steps.push(ColorTones { color, property, percent }.into());
    edit.within(filled)
}

/// "Knock the green tint back towards magenta": what a color is moved towards is its complement.
pub(super) fn towards_opposite(filled: &Filled<'_>, name: &str) -> bool {
    let Some(towards) = color(filled, "towards") else { return !filled.has("towards") };
    let named = name.rsplit_once('_').map_or("", |(_, color)| color);
    let pairs = COMPLEMENTS.iter().flat_map(|(one, other)| [(one, other), (other, one)]);
    pairs.into_iter().any(|(one, other)| *one == named && Color::named(other) == Some(towards))
}
