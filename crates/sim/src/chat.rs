//! A chat server with OpenAI's protocol, for language models that return JSON. What it says is
//! scripted below `_sim`. It checks requests as strictly as OpenAI does in strict mode.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use http::{HeaderValue, StatusCode};
use serde_json::{Value, json};

use crate::arrived::Arrived;
use crate::fault::{Call, Fault, FaultName};
use crate::fields::{FieldError, Fields};
use crate::world::{Turn, World};

/// The server's name in faults, records and counts.
const NAME: &str = "chat";
/// Models whose name begins with this reason, and accept no parameters for sampling.
const REASONING: &str = "reasoning";
/// Models whose name begins with this cannot be bound to a schema.
const BASIC: &str = "basic";
/// What a model says that has no script.
const UNSCRIPTED: &str = "I would love to help!";
/// All that a schema may contain in strict mode, of what we need.
const KEYWORDS: [&str; 6] =
    ["type", "properties", "required", "additionalProperties", "items", "enum"];

/// What the handlers share.
#[derive(Clone)]
struct Shared {
    world: Arc<World>,
    /// What the model says next.
    script: Arc<Mutex<VecDeque<String>>>,
}

/// A valid request.
struct Order {
    model: String,
    /// The last message.
    prompt: String,
}

/// The routes of the protocol.
pub(crate) fn router(world: Arc<World>) -> Router {
    Router::new()
        .route("/v1/chat/completions", post(complete))
        .route("/_sim/script", post(script))
        .with_state(Shared { world, script: Arc::default() })
}

/// Adds to what the model says: one string for each call.
async fn script(State(shared): State<Shared>, arrived: Arrived) -> Response {
    let texts = Fields::body(arrived).map(|mut fields| fields.take("says").unwrap_or_default());
    match texts.map(serde_json::from_value::<Vec<String>>) {
        Ok(Ok(texts)) => {
            shared.script.lock().unwrap_or_else(PoisonError::into_inner).extend(texts);
            StatusCode::NO_CONTENT.into_response()
        }
        _ => StatusCode::BAD_REQUEST.into_response(),
    }
}

async fn complete(State(shared): State<Shared>, arrived: Arrived) -> Response {
    let key = arrived.authorization("Bearer").unwrap_or_default();
    if !shared.world.knows_key(key) {
        return error(StatusCode::UNAUTHORIZED, "Incorrect API key provided.");
    }
    let order = match read(arrived) {
        Ok(order) => order,
        Err(wrong) => return error(StatusCode::BAD_REQUEST, &wrong.to_string()),
    };
    let respond = |fault: Option<Fault>| fault.map_or_else(|| said(&shared, &order), failed);
    let turn = Turn { provider: NAME, call: Call::Submit, prompt: &order.prompt };
    shared.world.answer(turn, respond).await
}

fn read(arrived: Arrived) -> Result<Order, FieldError> {
    let mut fields = Fields::body(arrived)?;
    let model = fields.required_text("model")?;
    let messages = fields.take("messages").unwrap_or_default();
    let messages = messages.as_array().cloned().unwrap_or_default();
    let mut prompt = String::new();
    for message in messages {
        let mut message = Fields::of(message, "messages")?;
        message.one_of("role", &["system", "user", "assistant"])?;
        prompt = message.required_text("content")?;
        message.end()?;
    }
    if prompt.is_empty() {
        return Err(FieldError::missing("messages"));
    }
    let sampling = [
        fields.number("temperature", 0.0..=2.0)?.is_some(),
        fields.whole("max_tokens", 1..=128_000)?.is_some(),
    ];
    if sampling.contains(&true) && model.starts_with(REASONING) {
        return Err(FieldError::value("temperature", "the default"));
    }
    if let Some(format) = fields.take("response_format") {
        if model.starts_with(BASIC) {
            return Err(FieldError::value("response_format", "text"));
        }
        check_format(format)?;
    }
    fields.end()?;
    Ok(Order { model, prompt })
}

fn check_format(format: Value) -> Result<(), FieldError> {
    let mut format = Fields::of(format, "response_format")?;
    format.one_of("type", &["json_schema"])?;
    let named = format.take("json_schema").unwrap_or_default();
    let mut named = Fields::of(named, "json_schema")?;
    named.required_text("name")?;
    let schema = named.take("schema").unwrap_or_default();
    let is_strict = named.take("strict") == Some(Value::Bool(true));
    if !is_strict || schema["type"] != "object" || !is_allowed(&schema) {
        return Err(FieldError::value("schema", "in the subset of strict mode"));
    }
    named.end()?;
    format.end()
}

/// Whether strict mode accepts a schema: all properties of objects are required and no others are
/// allowed.
fn is_allowed(schema: &Value) -> bool {
    let Some(fields) = schema.as_object() else { return false };
    let is_known = fields.keys().all(|key| KEYWORDS.contains(&key.as_str()));
    let properties = schema["properties"].as_object();
    let is_closed = properties.is_none_or(|properties| {
        let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
        let is_required = |name: &String| required.iter().any(|it| it == name);
        schema["additionalProperties"] == false
            && required.len() == properties.len()
            && properties.keys().all(is_required)
    });
    let mut inner = properties.into_iter().flat_map(|it| it.values()).chain(fields.get("items"));
    is_known && is_closed && inner.all(is_allowed)
}

fn said(shared: &Shared, order: &Order) -> Response {
    let mut script = shared.script.lock().unwrap_or_else(PoisonError::into_inner);
    let text = script.pop_front().unwrap_or_else(|| UNSCRIPTED.to_owned());
    Json(json!({
        "id": format!("chatcmpl-{}", shared.world.number()),
        "object": "chat.completion",
        "created": shared.world.now_s(),
        "model": order.model,
        "choices": [{
            "index": 0,
            "message": { "role": "assistant", "content": text, "refusal": null },
            "logprobs": null,
            "finish_reason": "stop",
        }],
        "usage": { "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 },
    }))
    .into_response()
}

fn failed(fault: Fault) -> Response {
    let status = match fault.name {
        FaultName::BadKey => StatusCode::UNAUTHORIZED,
        FaultName::UnknownModel => StatusCode::NOT_FOUND,
        FaultName::Throttle | FaultName::NoCredit => StatusCode::TOO_MANY_REQUESTS,
        FaultName::Overloaded => StatusCode::SERVICE_UNAVAILABLE,
        FaultName::RefuseContentInput | FaultName::RefuseParameters => StatusCode::BAD_REQUEST,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    let mut response = error(status, "The server had an error while processing your request.");
    if let Some(seconds) = fault.retry_after {
        response.headers_mut().insert("retry-after", HeaderValue::from(seconds));
    }
    response
}

fn error(status: StatusCode, message: &str) -> Response {
    let error = json!({ "message": message, "type": "error", "param": null, "code": null });
    (status, Json(json!({ "error": error }))).into_response()
}
