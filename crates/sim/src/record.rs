//! Records requests for `GET /_sim/requests`.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::arrived::{Arrived, Content, Part};
use crate::picture::sniff;

/// Longer strings in JSON are described instead of kept.
const TEXT_BYTES_MAX: usize = 4096;
/// Shorter strings cannot be images.
const PICTURE_BYTES_MIN: usize = 64;

/// The latest requests, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Records(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    next: u64,
    records: VecDeque<Record>,
}

/// One request.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Record {
    /// A number that starts at 0 and is not reset when records are cleared.
    number: u64,
    provider: &'static str,
    method: String,
    path: String,
    query: Vec<(String, String)>,
    /// All headers, including keys, which are not secret in a simulator.
    headers: Vec<(String, String)>,
    /// `{"json": …}`, `{"form": [{name, text} | {name, file_name, media_type, file}]}`,
    /// `{"other": …}` or null.
    body: Value,
}

impl Records {
    /// Adds a request, and removes the oldest ones beyond `records_max`.
    pub(crate) fn keep(&self, provider: &'static str, arrived: &Arrived, records_max: usize) {
        if records_max == 0 {
            return;
        }
        let mut record = Record::of(provider, arrived);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        record.number = kept.next;
        kept.next += 1;
        while kept.records.len() >= records_max {
            kept.records.pop_front();
        }
        kept.records.push_back(record);
    }

    /// All recorded requests, or only those of `provider`.
    pub(crate) fn all(&self, provider: Option<&str>) -> Vec<Record> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = |record: &&Record| provider.is_none_or(|provider| provider == record.provider);
        kept.records.iter().filter(wanted).cloned().collect()
    }

    /// Removes all records.
    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).records.clear();
    }
}

impl Record {
    fn of(provider: &'static str, arrived: &Arrived) -> Self {
        let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into();
        let headers = arrived.headers.iter().map(|(name, value)| (name.to_string(), text(value)));
        Self {
            number: 0,
            provider,
            method: arrived.method.to_string(),
            path: arrived.path.clone(),
            query: arrived.query.clone(),
            headers: headers.collect(),
            body: body(&arrived.content),
        }
    }
}

fn body(content: &Content) -> Value {
    match content {
        Content::Empty => Value::Null,
        Content::Json(value) => json!({ "json": shortened(value) }),
        Content::Form(parts) => json!({ "form": parts.iter().map(part).collect::<Vec<_>>() }),
        Content::Other(bytes) => json!({ "other": described(bytes) }),
    }
}

/// `value` with descriptions instead of long strings.
fn shortened(value: &Value) -> Value {
    match value {
        Value::String(text) if text.len() > PICTURE_BYTES_MIN => {
            if let Some(picture) = picture_in(text) {
                return picture;
            }
            if text.len() <= TEXT_BYTES_MAX {
                return value.clone();
            }
            let head: String = text.chars().take(64).collect();
            format!("{head}… ({} bytes, hash {})", text.len(), hash(text.as_bytes())).into()
        }
        Value::Array(items) => items.iter().map(shortened).collect(),
        Value::Object(fields) => {
            let each = fields.iter().map(|(name, value)| (name.clone(), shortened(value)));
            Value::Object(each.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

/// A description of the image in a string, which may be base64 or a data URI: `{"base64": …}`.
fn picture_in(text: &str) -> Option<Value> {
    let (head, base64) = text.split_once(";base64,").unwrap_or(("", text));
    let bytes = base64_simd::STANDARD.decode_to_vec(base64).ok()?;
    sniff(&bytes)?;
    let mut described = described(&bytes.into());
    described.as_object_mut()?.insert("data_uri".into(), head.strip_prefix("data:").into());
    Some(json!({ "base64": described }))
}

fn part(part: &Part) -> Value {
    match &part.file_name {
        None => json!({ "name": part.name, "text": String::from_utf8_lossy(&part.bytes) }),
        Some(file_name) => json!({
            "name": part.name,
            "file_name": file_name,
            "media_type": part.media_type,
            "file": described(&part.bytes),
        }),
    }
}

fn described(bytes: &Bytes) -> Value {
    let picture = sniff(bytes);
    json!({
        "bytes": bytes.len(),
        "hash": hash(bytes),
        "media_type": picture.map(|picture| picture.format.media_type()),
        "width": picture.map(|picture| picture.width),
        "height": picture.map(|picture| picture.height),
    })
}

/// The SHA-256 in hexadecimal.
fn hash(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let digest = <sha2::Sha256 as sha2::Digest>::digest(bytes);
    digest.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
