//! Plans as JSON: written into answers, and taken back in place of words.

use retouch_core::image::{AspectRatio, Size};
use retouch_engine::{Context, Plan};
use serde::Deserialize;
use serde_json::{Value, json};

/// What the built-in editor has to know besides the words or the plan.
pub fn context(pictures: usize, ratio: AspectRatio, size: Option<Size>) -> Context {
    let aspect = match ratio {
        AspectRatio::Auto => None,
        AspectRatio::Ratio(width, height) => {
            Some(retouch_engine::AspectRatio::Ratio { width, height })
        }
    };
    Context { inputs: pictures, aspect, size: size.map(|size| (size.width(), size.height())) }
}

/// The plan with its words, as answers show it.
pub fn shown(plan: &Plan) -> serde_json::Result<Value> {
    let mut shown = serde_json::to_value(plan)?;
    // For people who look at what was done; a program reads the steps.
    shown["words"] = plan.words().into();
    Ok(shown)
}

/// A plan that was shown before, in place of words.
///
/// # Errors
/// What is wrong with it, for a person: what is no plan, a field that no step has, a parameter out
/// of range, or a plan that does not fit the number of pictures.
pub fn replayed(plan: &Value, context: &Context) -> Result<Plan, String> {
    let read = Plan::deserialize(plan)
        .map_err(|error| format!("This is no plan of the built-in editor: {error}."))?;
    // What is not known would be left out in silence, and another edit be done than was meant.
    let steps = json!(read.steps);
    if let Some(field) = unknown(plan.get("steps").unwrap_or(&Value::Null), &steps) {
        return Err(format!("`{field}` in the steps of the plan is not known."));
    }
    retouch_engine::replay(read, context).map_err(|refusal| refusal.message)
}

/// The first field that was sent and has no place in what was read.
fn unknown(sent: &Value, read: &Value) -> Option<String> {
    match (sent, read) {
        (Value::Object(sent), Value::Object(read)) => sent.iter().find_map(|(name, value)| {
            read.get(name).map_or_else(|| Some(name.clone()), |read| unknown(value, read))
        }),
        (Value::Array(sent), Value::Array(read)) => {
            sent.iter().zip(read).find_map(|(sent, read)| unknown(sent, read))
        }
        _ => None,
    }
}
