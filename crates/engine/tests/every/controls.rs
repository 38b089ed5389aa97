//! Every number and color of a step can be changed by hand.

use crate::every::SMALL;
use crate::every::table::cases;
use retouch_engine::{Color, Input, capabilities, makings};
use serde_json::Value;

/// Numbers that are not amounts: which of the images is meant.
const IMAGES: &[&str] = &["picture", "order"];

/// The paths of all numbers and colors in `value`, such as `outline.color`.
fn adjustable(value: &Value, path: &str, found: &mut Vec<String>) {
    let below =
        |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Number(_) => found.push(path.to_owned()),
        Value::String(text) if text.parse::<Color>().is_ok() => found.push(path.to_owned()),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(at, item)| adjustable(item, &below(&at.to_string()), found));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(name, field)| adjustable(field, &below(name), found));
        }
        _ => {}
    }
}

/// What of a step, as it is in a plan, no control changes.
fn missing(step: &Value) -> Vec<String> {
    let of_step = |name: &str| capabilities().iter().chain(makings()).find(|it| it.name == name);
    let entry = of_step(step["operation"].as_str().unwrap()).unwrap();
    let inner = entry.controls.iter().find(|control| matches!(control.input, Input::Step));
    let inner = inner.map(|control| control.field);
    let mut found = Vec::new();
    adjustable(step, "", &mut found);
    found.retain(|path| {
        let is_inside = inner.is_some_and(|field| path.starts_with(&format!("{field}.")));
        let is_offered = entry.controls.iter().any(|control| control.field == path);
        let is_image = IMAGES.contains(&path.split('.').next().unwrap_or_default());
        !is_inside && !is_offered && !is_image
    });
    found.extend(inner.into_iter().flat_map(|field| missing(&step[field])));
    found
}

#[test]
fn every_number_and_color_of_a_step_has_a_control() {
    let mut all = Vec::new();
    for case in cases(SMALL) {
        let plan = serde_json::to_value(&case.plan).unwrap();
        for step in plan["steps"].as_array().unwrap() {
            all.extend(missing(step).into_iter().map(|path| format!("{}: {path}", case.example)));
        }
    }
    assert_eq!(all, Vec::<String>::new());
}
