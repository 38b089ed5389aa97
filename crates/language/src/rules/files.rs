//! Limits on the bytes of a file: "under 200 KB", "2 MB max". Nobody wants exactly that many.

use crate::chart::{Part, Rule};
use crate::value::{Amount, Category, Unit, Value};
use Category as C;
use Part::{A, Is, Maybe, Word};

/// What measures with a number of bytes are called.
const BYTES: Part = Is(C::Measure, "file size");
const IN_SIZE: Part = Maybe(&["in", "of"]);

/// The rules for such phrases.
pub(super) const RULES: &[Rule] = &[
    Rule {
        parts: &[A(C::Number), Word(&["kb", "kilobyte", "kilobytes", "kbs"])],
        gives: C::Measure,
        meaning: |values| bytes(values, 1e3),
    },
    Rule {
        parts: &[A(C::Number), Word(&["mb", "megabyte", "megabytes", "mbs", "meg", "megs"])],
        gives: C::Measure,
        meaning: |values| bytes(values, 1e6),
    },
    Rule {
        parts: &[Word(&["one", "a"]), Word(&["mb", "megabyte", "meg"])],
        gives: C::Measure,
        meaning: |_| bytes(&[&Value::Number(1.0)], 1e6),
    },
    Rule {
        parts: &[Is(C::Marker, "most"), Maybe(&["than", "of", ".", ":"]), BYTES],
        gives: C::Measure,
        meaning: last,
    },
    Rule {
        parts: &[BYTES, IN_SIZE, Word(&["max", "maximum", "tops", "limit", "most", "size"])],
        gives: C::Measure,
        meaning: first,
    },
    Rule {
        parts: &[BYTES, Word(&["or"]), Word(&["less", "smaller", "under", "below", "lower"])],
        gives: C::Measure,
        meaning: first,
    },
];

/// 1 KB is 1,000 bytes, so that the file also fits where 1,024 are meant.
fn bytes(values: &[&Value], scale: f64) -> Option<Value> {
    let [Value::Number(number)] = values else { return None };
    Some(Value::Measure("file size", Amount::new(number * scale, Unit::None)))
}

fn first(values: &[&Value]) -> Option<Value> {
    values.first().map(|value| (*value).clone())
}

fn last(values: &[&Value]) -> Option<Value> {
    values.last().map(|value| (*value).clone())
}
