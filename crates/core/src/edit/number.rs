//! Whole numbers as JSON writes them: `2`, `2.0`, `20e-1`, and ones too large for any machine.

/// What a JSON number means to a field that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whole {
    /// Not a whole number.
    No,
    /// Below one.
    BelowOne,
    /// Exactly one.
    One,
    /// Above one, however large.
    AboveOne,
}

/// Classifies the JSON number `text` without computing it, so that `1e999` is just large.
pub(super) fn classify(text: &str) -> Whole {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        return Whole::BelowOne;
    }
    // The value is `significant` times ten to the power of `scale`.
    let trailing = digits.len() - digits.trim_end_matches('0').len();
    let scale = exponent_of(exponent) + to_signed(trailing) - to_signed(fraction.len());
    match (scale < 0, negative) {
        (true, _) => Whole::No,
        (false, true) => Whole::BelowOne,
        (false, false) if significant == "1" && scale == 0 => Whole::One,
        (false, false) => Whole::AboveOne,
    }
}

/// An exponent; one too long for a machine is as good as the largest.
fn exponent_of(text: &str) -> i64 {
    const LARGE: i64 = i64::MAX / 4;
    let sign = if text.starts_with('-') { -1 } else { 1 };
    text.parse::<i64>().map_or(sign * LARGE, |exponent| exponent.clamp(-LARGE, LARGE))
}

fn to_signed(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX / 4)
}
