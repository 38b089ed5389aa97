//! What a server says is wrong, whichever of the usual shapes it says it in.

use serde_json::{Deserializer, Value};

use crate::upstream::Answer;

/// A server's complaint. Empty texts stand for what it left out.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Complaint {
    /// Words for a person.
    pub(super) message: String,
    /// Its own name of the trouble.
    pub(super) code: String,
    /// Its own class of the trouble.
    pub(super) kind: String,
    /// The field that it is about.
    pub(super) param: String,
}

impl Complaint {
    /// Reads the body of `answer`: `{"error": {…}}` as OpenAI has it, `{"error": "…"}` as
    /// stable-diffusion.cpp, `{"detail": …}` as FastAPI, a flat `{"message": …}` as vLLM, or a
    /// page of a proxy, which has no words for a caller.
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
        // Azure says what its filter found in an error within the error.
        let inner =
            ["inner_error", "innererror"].iter().find_map(|name| said[name]["code"].as_str());
        let code = match (text(&said["code"]), inner) {
            (code, Some(inner)) if code.is_empty() || is_status(&code) => inner.to_owned(),
            (code, _) => code,
        };
        let (message, kind) = (text(&said["message"]), text(&said["type"]));
        Self { message, code, kind, param: text(&said["param"]) }
    }

    /// The complaint of the vendor behind a gateway that puts it, as JSON, into its own message.
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

    /// Whether any of `names` is its code, its class, or stands among its words.
    pub(super) fn mentions(&self, names: &[&str]) -> bool {
        names.iter().any(|name| {
            self.code.eq_ignore_ascii_case(name)
                || self.kind.eq_ignore_ascii_case(name)
                || self.message.contains(name)
        })
    }
}

/// One entry of FastAPI's list: where, and what.
fn of_item(item: &Value) -> String {
    let place: Vec<_> = item["loc"].as_array().into_iter().flatten().map(text).collect();
    let words = item.as_str().map_or_else(|| text(&item["msg"]), ToOwned::to_owned);
    if place.is_empty() { words } else { format!("{}: {words}", place.join(".")) }
}

/// A text or a number as a text.
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
