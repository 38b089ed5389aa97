//! Whole numbers as JSON writes them: `2`, `2.0`, `20e-1`, and numbers too large for any integer
//! type.

/// What a JSON number means to a field that holds a count.
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

/// Classifies the JSON number `text` without computing its value, so that `1e999` is simply large.
pub(super) fn classify(text: &str) -> Whole {
    let number = Decimal::of(text);
    if number.significant.is_empty() {
        return Whole::BelowOne;
    }
    match (number.scale < 0, number.negative) {
        (true, _) => Whole::No,
        (false, true) => Whole::BelowOne,
        (false, false) if number.significant == "1" && number.scale == 0 => Whole::One,
        (false, false) => Whole::AboveOne,
    }
}

/// The value of the JSON number `text`, if it is whole and fits. `5`, `5.0` and `50e-1` are equal.
pub(super) fn whole(text: &str) -> Option<u32> {
    let number = Decimal::of(text);
    if number.significant.is_empty() {
        return Some(0);
    }
    let tens = u32::try_from(number.scale).ok().filter(|_| !number.negative)?;
    number.significant.parse::<u32>().ok()?.checked_mul(10_u32.checked_pow(tens)?)
}

/// A number as it is written: `significant` × 10^`scale`.
struct Decimal {
    negative: bool,
    /// Its digits without zeros on either side; empty for zero.
    significant: String,
    scale: i64,
}

impl Decimal {
    fn of(text: &str) -> Self {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        let significant = digits.trim_start_matches('0').trim_end_matches('0');
        let trailing = digits.len() - digits.trim_end_matches('0').len();
        let scale = exponent_of(exponent) + to_signed(trailing) - to_signed(fraction.len());
        Self { negative, significant: significant.to_owned(), scale }
    }
}

/// An exponent. One that doesn't fit becomes the largest or the smallest that does.
fn exponent_of(text: &str) -> i64 {
    const LARGE: i64 = i64::MAX / 4;
    let sign = if text.starts_with('-') { -1 } else { 1 };
    text.parse::<i64>().map_or(sign * LARGE, |exponent| exponent.clamp(-LARGE, LARGE))
}

fn to_signed(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX / 4)
}
