//! One input of the targets that read words: a line of free bytes, then text.
//!
//! A file like `AB1` above `make it brighter` is one, so that seeds and findings are plain to read.

use serde_json::{Number, Value};

/// An input taken apart.
#[derive(Debug)]
pub(crate) struct Input<'a> {
    numbers: &'a [u8],
    /// What a person, or another program, has written.
    pub(crate) text: &'a str,
}

impl<'a> Input<'a> {
    /// `None` where there is no second line, or it is no text.
    pub(crate) fn of(bytes: &'a [u8]) -> Option<Self> {
        let line_end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (numbers, text) = bytes.split_at(line_end);
        Some(Self { numbers, text: std::str::from_utf8(text.get(1..)?).ok()? })
    }

    /// The free byte at a place, under a bound that is not zero; 0 behind the last. Digits mean
    /// themselves.
    pub(crate) fn number(&self, at: usize, bound: u8) -> u8 {
        let byte = self.numbers.get(at).copied().unwrap_or(b'0');
        (if byte.is_ascii_digit() { byte - b'0' } else { byte }) % bound
    }

    /// Free bytes from one place on, in pairs.
    pub(crate) fn pairs(&self, from: usize) -> &'a [[u8; 2]] {
        self.numbers.get(from..).unwrap_or_default().as_chunks().0
    }
}

/// A plan's JSON in which each pair has changed a number: which one, and to what.
pub(crate) fn perturbed(mut plan: Value, pairs: &[[u8; 2]]) -> Value {
    for [which, what] in pairs {
        let mut numbers = Vec::new();
        collect(&mut plan, &mut numbers);
        let count = numbers.len().max(1);
        if let Some(number) = numbers.into_iter().nth(usize::from(*which) % count) {
            *number = changed(number.as_f64().unwrap_or_default(), *what);
        }
    }
    plan
}

fn collect<'a>(value: &'a mut Value, numbers: &mut Vec<&'a mut Value>) {
    match value {
        Value::Number(_) => numbers.push(value),
        Value::Array(values) => values.iter_mut().for_each(|value| collect(value, numbers)),
        Value::Object(fields) => fields.values_mut().for_each(|value| collect(value, numbers)),
        _ => {}
    }
}

fn changed(number: f64, what: u8) -> Value {
    let extreme = EXTREMES.get(usize::from(what)).copied();
    let value = extreme.unwrap_or_else(|| match what % 4 {
        0 => number + f64::from(what),
        1 => number - f64::from(what),
        2 => number * f64::from(what) / 100.0,
        _ => number / f64::from(what),
    });
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return Value::from(value as i64);
    }
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

/// Where limits, divisions and casts go wrong.
const EXTREMES: [f64; 24] = [
    0.0,
    -1.0,
    1.0,
    2.0,
    3.0,
    100.0,
    -100.0,
    255.0,
    256.0,
    360.0,
    -360.0,
    0.5,
    1e-9,
    -1e-9,
    1e-300,
    1e300,
    -1e300,
    1e9,
    -1e9,
    4_294_967_295.0,
    -2_147_483_648.0,
    16_384.0,
    16_385.0,
    9_007_199_254_740_993.0,
];
