//! A call as lines of text: its target, each header, each field.

use retouch_providers::upstream::{Body, Call, CallUrl, PartContent};
use serde_json::Value;

/// The lines of `call`.
pub(crate) fn lines(call: &Call) -> Vec<String> {
    let place = match &call.url {
        CallUrl::Path(path) => path.clone(),
        CallUrl::Absolute(url) => url.to_string(),
    };
    let mut lines = vec![format!("{} {place}", call.method)];
    lines.extend(call.headers.iter().map(|(name, value)| format!("{name}: {value}")));
    match &call.body {
        Body::Empty => {}
        Body::Fields(fields) => lines.push(fields.clone()),
        Body::Json(json) => flatten("", &serde_json::from_slice(json).unwrap(), &mut lines),
        Body::Form(parts) => lines.extend(parts.iter().map(|part| match &part.content {
            PartContent::Text(text) => format!("{} = {text:?}", part.name),
            PartContent::File { file_name, media_type, bytes } => {
                format!("{} = file {file_name}, {media_type}, {bytes:?}", part.name)
            }
        })),
    }
    lines
}

/// A line for each value that is not an object or a list.
fn flatten(path: &str, value: &Value, lines: &mut Vec<String>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, value) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                flatten(&path, value, lines);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                flatten(&format!("{path}[{index}]"), item, lines);
            }
        }
        other => lines.push(format!("{path} = {other}")),
    }
}
