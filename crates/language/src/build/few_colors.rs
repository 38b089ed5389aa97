//! Images of few colors: duotones, posters, thresholds and dithering.

use super::color::colors;
use super::simple::table_step;
use super::{Edit, Miss, Request, amount, missing};
use crate::value::{Amount, Unit, Value};
use retouch_engine::Color;
use retouch_engine::operations::{Dither, Duotone, Threshold};

/// Two colors for dark and light tones.
pub(super) fn duotone(request: &Request<'_>) -> Result<Edit, Miss> {
    let colors: Vec<Color> = colors(request).collect();
    match colors.as_slice() {
        [dark, light] => Ok(Edit::one(Duotone { dark: *dark, light: *light })?
            .assuming(format!("black becomes {dark} and white becomes {light}"))),
        _ => missing("give two colors: \"a duotone of navy and yellow\""),
    }
}

/// "A duotone, purple for the shadows and pink for the highlights".
pub(super) fn duotone_by_tone(request: &Request<'_>) -> Result<Edit, Miss> {
    let entries = request.filled.entries();
    let paired: Vec<_> =
        entries.iter().filter(|entry| matches!(entry.0, "color" | "band")).collect();
    let mut tones = [None, None];
    for pair in paired.chunks(2) {
        let [("color", Value::Color(color), _), ("band", band, _)] = pair else {
            return Err(Miss::Unfit);
        };
        let tone = &mut tones[usize::from(band.word() == "highlights")];
        if tone.replace(*color).is_some() {
            return Err(Miss::Unfit);
        }
    }
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
    let gray = filled.has("gray");
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
    if filled.has("amount") { Ok(edit) } else { Ok(edit.assuming("each channel has 2 levels")) }
}
