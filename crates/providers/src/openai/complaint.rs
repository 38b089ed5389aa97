//! Reads error messages in any of the common formats.

use serde_json::{Deserializer, Value};

use crate::upstream::Answer;

/// A server's error. Missing parts are empty.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Complaint {
    /// The message.
    pub(super) message: String,
    /// The error code.
    pub(super) code: String,
    /// The error type.
    pub(super) kind: String,
    /// The field at fault.
    pub(super) param: String,
}

impl Complaint {
    /// Reads the body of `answer`: `{"error": {…}}` as OpenAI has it, `{"error": "…"}` as
    /// stable-diffusion.cpp, `{"detail": …}` as FastAPI or a flat `{"message": …}` as vLLM. A
    /// proxy's page gives no message.
    pub(super) fn of(answer: &Answer) -> Self {
        let Ok(body) = serde_json::from_slice::<Value>(&answer.body) else {
            return Self::default();
        };
        let said = [&body["error"], &body["detail"], &body];
        let said = said.into_iter().find(|said| !said.is_null()).unwrap_or(&Value::Null);
        Self::of_value(said, &body).unwrapped()
    }

    fn of_value(said: &Value, body: &Value) -> Self {
        match said {
            Value::Object(_) if said["error"].is_object() => Self::of_value(&said["error"], body),
            Value::Object(_) => Self::of_object(said),
            Value::String(words) => {
                let more = body["message"].as_str().map(|more| format!(": {more}"));
                let message = words.clone() + &more.unwrap_or_default();
                Self { message, ..Self::default() }
            }
            Value::Array(items) => {
                let words: Vec<_> = items.iter().map(of_item).collect();
                Self { message: words.join("; "), ..Self::default() }
            }
            _ => Self::default(),
        }
    }

    fn of_object(said: &Value) -> Self {
        // Azure puts the result of its content filter into an inner error.
        let inner =
            ["inner_error", "innererror"].iter().find_map(|name| said[name]["code"].as_str());
        let code = match (text(&said["code"]), inner) {
            (code, Some(inner)) if code.is_empty() || is_status(&code) => inner.to_owned(),
            (code, _) => code,
        };
        let (message, kind) = (text(&said["message"]), text(&said["type"]));
        Self { message, code, kind, param: text(&said["param"]) }
    }

    /// The error of the provider behind a gateway, if the gateway has put it into its own message
    /// as JSON.
    fn unwrapped(self) -> Self {
        let json = self.message.find('{').map(|start| &self.message[start..]);
        let inner = json.and_then(|json| {
            let value = Deserializer::from_str(json).into_iter::<Value>().next()?.ok()?;
            let said = if value["error"].is_object() { &value["error"] } else { &value };
            Some(Self::of_object(said))
        });
        match inner {
            Some(inner) if !inner.message.is_empty() => inner,
            _ => self,
        }
    }

    /// Whether any of `names` is the error's code or type, or occurs in its message.
    pub(super) fn mentions(&self, names: &[&str]) -> bool {
        names.iter().any(|name| {
            self.code.eq_ignore_ascii_case(name)
                || self.kind.eq_ignore_ascii_case(name)
                || self.message.contains(name)
        })
    }
}

/// One entry of FastAPI's list: the field and the message.
fn of_item(item: &Value) -> String {
    let place: Vec<_> = item["loc"].as_array().into_iter().flatten().map(text).collect();
    let words = item.as_str().map_or_else(|| text(&item["msg"]), ToOwned::to_owned);
    if place.is_empty() { words } else { format!("{}: {words}", place.join(".")) }
}

/// A string or a number, as text.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

/// Whether a code only repeats the status.
fn is_status(code: &str) -> bool {
    code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_digit())
}
