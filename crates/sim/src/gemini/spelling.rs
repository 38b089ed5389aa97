//! Field names in two spellings: Google's servers accept both `inlineData` and `inline_data`.

use serde_json::Value;

/// `value` with all field names in camel case.
pub(super) fn camel(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(camel).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(name, value)| (camel_name(&name), camel(value))).collect()
        }
        other => other,
    }
}

/// `name` in snake case, as Google's errors write it.
pub(super) fn snake_name(name: &str) -> String {
    let mut snake = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

fn camel_name(name: &str) -> String {
    let mut camel = String::new();
    let mut after_line = false;
    for character in name.chars() {
        match character {
            '_' => after_line = true,
            _ if after_line => {
                camel.push(character.to_ascii_uppercase());
                after_line = false;
            }
            _ => camel.push(character),
        }
    }
    camel
}
