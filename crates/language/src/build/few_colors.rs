//! Images of few colors: duotones, posters, thresholds and dithering.

use super::color::{colors, split_tone};
use super::operation::find;
use super::simple::{strength, table_step};
use super::{Edit, Miss, Request, amount, length, missing};
use crate::frame::Filled;
use crate::value::{Amount, Unit, Value};
use retouch_engine::Color;
use retouch_engine::operations::{Dither, Duotone, Grayscale, Pixelate, ReduceColors, Threshold};

/// Two colors for dark and light tones.
pub(super) fn duotone(request: &Request<'_>) -> Result<Edit, Miss> {
    let colors: Vec<Color> = colors(request).collect();
    match colors.as_slice() {
        [dark, light] => Ok(Edit::one(Duotone { dark: *dark, light: *light })?
            .assuming(format!("black becomes {dark} and white becomes {light}"))),
        _ => missing("give two colors: \"a duotone of navy and yellow\""),
    }
}

/// Ranges of tones with their colors, in either order: "teal shadows", "shadows in teal".
fn toned<'a>(request: &Request<'a>) -> Result<Vec<(&'static str, &'a Value)>, Miss> {
    let entries = request.filled.entries().iter();
    let paired: Vec<_> =
        entries.filter(|entry| matches!(entry.0, "color" | "band")).copied().collect();
    let mut tones: Vec<(&'static str, &Value)> = Vec::new();
    for pair in paired.chunks(2) {
        let (band, color) = match pair {
            [("color", color, _), ("band", band, _)] | [("band", band, _), ("color", color, _)] => {
                (band.word(), *color)
            }
            _ => return Err(Miss::Unfit),
        };
        if tones.iter().any(|(known, _)| *known == band) {
            return Err(Miss::Unfit);
        }
        tones.push((band, color));
    }
    Ok(tones)
}

/// "Split tone: teal shadows, orange highlights".
pub(super) fn split_tones(request: &Request<'_>) -> Result<Edit, Miss> {
    let tones = toned(request)?;
    if tones.is_empty() {
        return missing("say the colors: \"split tone: teal shadows, orange highlights\"");
    }
    let mut all = Edit::default();
    for (band, color) in tones {
        let band = Value::Word(band);
        let kept = request.filled.entries().iter().copied();
        let shared = kept.filter(|entry| matches!(entry.0, "amount" | "degree"));
        let own = Filled::new(shared.chain([("band", &band, ""), ("color", color, "")]));
        let edit = split_tone(&Request { filled: &own, ..*request })?;
        all.steps.extend(edit.steps);
        all.assumed.extend(edit.assumed);
    }
    Ok(all)
}

/// "A duotone, purple for the shadows and pink for the highlights".
pub(super) fn duotone_by_tone(request: &Request<'_>) -> Result<Edit, Miss> {
    let tones = toned(request)?;
    let color = |band: &str| match tones.iter().find(|(known, _)| *known == band) {
        Some((_, Value::Color(color))) => Some(*color),
        _ => None,
    };
    let tones = [color("shadows"), color("highlights")];
    match tones {
        [Some(dark), Some(light)] => Edit::one(Duotone { dark, light }),
        _ => missing("give two colors: \"a duotone of navy and yellow\""),
    }
}

/// "Only 4 color levels".
pub(super) fn posterize_to(request: &Request<'_>) -> Result<Edit, Miss> {
    match amount(request.filled, "levels") {
        Some(Amount { value, unit: Unit::Levels, signed: false }) if value <= 64.0 => {
            Ok(Edit { steps: vec![table_step("posterize", value)?], ..Edit::default() })
        }
        _ => Err(Miss::Unfit),
    }
}

/// "reduce to 12 colors", "a 16-color palette", "posterize to 6 colors".
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked by the plan")]
pub(super) fn reduce_colors(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let counted = filled.measure("measure", "color count").or(amount(filled, "amount"));
    let colors = match counted {
        Some(Amount { value, unit: Unit::None, signed: false }) if value.fract() == 0.0 => value,
        _ => return Err(Miss::Unfit),
    };
    let dither = filled.has("dither");
    let says = |verb| filled.says("verb", verb);
    let reduces = says("reduce")
        || says("quantize")
        || ["op", "only", "most"].iter().any(|it| filled.has(it));
    // A palette may also be an image that shows the colors: "add a palette of 5 colors at the bottom".
    let plain = filled.says("palette", "palette");
    let shown = plain && (says("add") || filled.has("region"));
    let limited = filled.has("palette") && !shown;
    // "Same scarf, 4 colors" is no edit.
    let becomes = says("convert") || says("make") && !request.images.is_empty();
    // "Dither it to 2 colors" is black and white.
    let dithers = dither && colors > 2.0;
    if !(reduces || limited || becomes || dithers) || dither && filled.has("plain") {
        return Err(Miss::Unfit);
    }
    let reduced = ReduceColors { colors: colors as u32, dither };
    // "Pixelate it with 16 colors".
    let used = filled.get("op").map_or(&[][..], Value::uses).first();
    if let Some(used) = used.filter(|used| used.name == "pixelate") {
        let mut edit = Edit::default();
        let operation = find("pixelate").ok_or(Miss::Unfit)?;
        let block = strength(&mut edit, operation, used, (used.amount, used.degree))?;
        edit.steps.push(Pixelate { block: length(block).ok_or(Miss::Unfit)? }.into());
        edit.steps.push(reduced.into());
        return Ok(edit);
    }
    Edit::one(reduced)?.within(filled)
}

/// "reduce to 4 shades of gray".
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked by the plan")]
pub(super) fn reduce_grays(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let counted = filled.measure("measure", "gray count").ok_or(Miss::Unfit)?;
    let dither = filled.has("dither");
    if counted.value.fract() != 0.0 || dither && filled.has("plain") {
        return Err(Miss::Unfit);
    }
    let mut edit = Edit::one(Grayscale { percent: 100.0 })?;
    edit.steps.push(ReduceColors { colors: counted.value as u32, dither }.into());
    Ok(edit)
}

/// "apply a threshold of 50%", "make it pure black and white".
pub(super) fn threshold(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let given = amount(filled, "amount").or_else(|| filled.measure("measure", "threshold"));
    let (percent, assumed) = match given {
        Some(Amount { value, unit: Unit::Percent, signed: false }) => (value, false),
        // Levels of 8 bits, as other programs count.
        Some(Amount { value, unit: Unit::None | Unit::Levels, signed: false }) => {
            (value / 2.55, false)
        }
        Some(_) => return Err(Miss::Unfit),
        None => (50.0, true),
    };
    let edit = Edit::one(Threshold { percent })?;
    let edit = if assumed { edit.assuming("the threshold is 50%") } else { edit };
    edit.within(filled)
}

/// "dither to 4 levels", "dither it in black and white".
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked by the plan")]
pub(super) fn dither(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    // One bit is black or white, and so is "pure black and white".
    let bits = filled.has("bits");
    if bits && filled.has("amount") {
        return Err(Miss::Unfit);
    }
    let gray = filled.has("gray") || bits;
    let levels = match amount(filled, "amount") {
        None => 2,
        Some(Amount { value, unit: Unit::None | Unit::Levels, signed: false })
            if value.fract() == 0.0 =>
        {
            value as u32
        }
        Some(_) => return Err(Miss::Unfit),
    };
    let edit = Edit::one(Dither { levels, gray })?;
    if filled.has("amount") || bits {
        Ok(edit)
    } else {
        Ok(edit.assuming("each channel has 2 levels"))
    }
}
