//! The messages that webhooks receive, which OpenAPI describes like calls that receivers serve.

use retouch_store::EventKind;
use serde_json::{Value, json};
use utoipa::PartialSchema;

use crate::webhooks::payload::{
    CreditsLow, GenerationEnded, KeyLimitReached, Payload, PlanChanged, WebhookTest,
};

/// The headers of every message.
const HEADERS: [(&str, &str); 3] = [
    ("webhook-id", "The ID of the event, the same at every attempt"),
    ("webhook-timestamp", "When it was sent, in seconds since 1970"),
    ("webhook-signature", "Its signatures, separated by spaces"),
];

/// The messages by the type of their event.
pub(super) fn all() -> Value {
    let kinds = EventKind::ALL.into_iter().chain([EventKind::Test]);
    kinds.map(|kind| (kind.as_str().to_owned(), json!({ "post": message(kind) }))).collect()
}

fn message(kind: EventKind) -> Value {
    let (summary, mut schema) = match kind {
        EventKind::GenerationSucceeded => {
            ("A generation has succeeded.", schema::<GenerationEnded>())
        }
        EventKind::GenerationFailed => ("A generation has failed.", schema::<GenerationEnded>()),
        EventKind::CreditsLow => ("Few credits are left.", schema::<CreditsLow>()),
        EventKind::KeyLimitReached => {
            ("An API key has reached a limit.", schema::<KeyLimitReached>())
        }
        EventKind::PlanChanged => ("The plan has changed.", schema::<PlanChanged>()),
        EventKind::Test => ("You asked for a test.", schema::<WebhookTest>()),
    };
    schema["properties"]["type"]["const"] = kind.as_str().into();
    let header = |(name, meaning)| {
        let schema = json!({ "type": "string" });
        json!({ "name": name, "in": "header", "required": true, "description": meaning, "schema": schema })
    };
    json!({
        "tags": ["Webhooks"],
        "summary": summary,
        "operationId": kind.as_str().replace('.', "_"),
        "parameters": HEADERS.map(header),
        "requestBody": {
            "required": true, "content": { "application/json": { "schema": schema } },
        },
        "responses": {
            "2XX": { "description": "The message has been received" },
            "410": { "description": "Turn this webhook off" },
            "default": { "description": "Send the message again later" },
        },
    })
}

/// The schema of a message with this data.
fn schema<T>() -> Value
where
    Payload<T>: PartialSchema,
{
    serde_json::to_value(Payload::<T>::schema()).unwrap_or_default()
}
