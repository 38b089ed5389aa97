//! What remarks and complaints are about, and what would help: "it is too dark" asks for more light.

use super::has;
use super::statements::subject;
use crate::chart::Chart;
use crate::value::{Category, Value};

/// What can be edited in what a remark is about.
pub(super) fn about(chart: &Chart<'_>, from: usize, end: usize, of_thing: bool) -> Option<Value> {
    let remedied = remedy(chart, from, end).filter(|_| !of_thing);
    match subject(chart, from, end) {
        // "Too yellow" is about the light, "too much yellow" about the color.
        Some(Value::Use(color)) if color.name.starts_with("channel_") && remedied.is_some() => {
            remedied
        }
        subject => subject.or(remedied),
    }
}

/// What would help against what is complained of: "too dark" is about the brightness, and asks for more.
fn remedy(chart: &Chart<'_>, from: usize, end: usize) -> Option<Value> {
    // "Too dark in the corners" is about a part.
    let doses = ["much", "enough", "little"];
    if chart.tokens[from..end].iter().any(|token| doses.contains(&token.text.as_str())) {
        return None;
    }
    let part = [Category::Place, Category::Region, Category::Sides];
    if part.into_iter().any(|category| has(chart, from, end, category)) {
        return None;
    }
    let wrong = (from..end).flat_map(|at| chart.at(at)).filter(|edge| {
        edge.category == Category::Complaint && edge.end <= end && !edge.value.uses().is_empty()
    });
    let mut all: Vec<_> = wrong.map(|edge| edge.value.clone()).collect();
    all.dedup();
    match all.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
}
