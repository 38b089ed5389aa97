//! Responses of `generateContent`: an image, text or a refusal, all with status 200.

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::NAME;
use super::errors::Error;
use super::models::Model;
use super::order::Order;
use crate::arrived::Arrived;
use crate::fault::{Call, Fault, FaultName};
use crate::world::{Turn, World};

/// Tokens per image, in inputs and results.
const PICTURE_TOKENS: usize = 1120;

/// Handles the call.
pub(super) async fn generate(world: &World, model: Model, arrived: Arrived) -> Response {
    let order = match Order::read(model, arrived) {
        Ok(order) => order,
        Err(error) => return error.into_response(),
    };
    let turn = Turn { provider: NAME, call: Call::Submit, prompt: &order.wanted.prompt };
    let answer = |fault: Option<Fault>| match fault {
        None => Json(made(world, &order)).into_response(),
        Some(Fault { name: FaultName::RefuseContentInput, .. }) => {
            Json(blocked(world, &order)).into_response()
        }
        Some(Fault { name: FaultName::RefuseContentOutput, .. }) => {
            Json(hidden(world, &order)).into_response()
        }
        Some(fault) => Error::from(fault).into_response(),
    };
    world.answer(turn, answer).await
}

fn made(world: &World, order: &Order) -> Value {
    let delivery = world.deliver(&order.wanted);
    let mut parts = Vec::new();
    if order.thoughts {
        parts.push(json!({ "text": "**Looking at the request**\n\n", "thought": true }));
        // A draft, made before the final image.
        if let Some(file) = delivery.files.first() {
            let data = json!({ "mimeType": file.media_type, "data": file.base64 });
            parts.push(json!({ "inlineData": data, "thought": true }));
        }
    }
    let words = delivery.text.or((!order.modalities.image).then_some("An image, in words."));
    let words = words.or((order.modalities.text && !delivery.files.is_empty()).then_some("Done."));
    parts.extend(words.map(|words| json!({ "text": words })));
    for file in &delivery.files {
        let mut part =
            json!({ "inlineData": { "mimeType": file.media_type, "data": file.base64 } });
        if let Some(part) = part.as_object_mut().filter(|_| order.model.family.thinks()) {
            part.insert("thoughtSignature".into(), "Eo4BCosB".into());
        }
        parts.push(part);
    }
    let candidate = if parts.is_empty() {
        json!({ "content": {}, "finishReason": "NO_IMAGE", "index": 0 })
    } else {
        let content = json!({ "role": "model", "parts": parts });
        json!({ "content": content, "finishReason": "STOP", "index": 0 })
    };
    let mut body = described(world, order, delivery.files.len());
    if let Some(body) = body.as_object_mut() {
        body.insert("candidates".into(), json!([candidate]));
    }
    body
}

/// The prompt was checked and nothing was made.
fn blocked(world: &World, order: &Order) -> Value {
    let mut body = described(world, order, 0);
    if let Some(body) = body.as_object_mut() {
        let rating = json!({
            "category": "HARM_CATEGORY_DANGEROUS_CONTENT",
            "probability": "HIGH",
            "blocked": true,
        });
        let feedback = json!({ "blockReason": "PROHIBITED_CONTENT", "safetyRatings": [rating] });
        body.insert("promptFeedback".into(), feedback);
    }
    body
}

/// An image was made and withheld.
fn hidden(world: &World, order: &Order) -> Value {
    let mut body = described(world, order, 0);
    if let Some(body) = body.as_object_mut() {
        let candidate = json!({
            "content": {},
            "finishReason": "IMAGE_SAFETY",
            "finishMessage": "Unable to show the generated image. The image was filtered out \
                because it violated Google's Generative AI Prohibited Use policy. Try rephrasing \
                the prompt. Support code: 15236754.",
            "index": 0,
        });
        body.insert("candidates".into(), json!([candidate]));
    }
    body
}

fn described(world: &World, order: &Order, pictures: usize) -> Value {
    json!({
        "usageMetadata": usage(order, pictures),
        "modelVersion": order.model.name,
        "responseId": format!("sim-{}", world.number()),
    })
}

fn usage(order: &Order, pictures: usize) -> Value {
    let text = order.wanted.prompt.split_whitespace().count();
    let (inputs, outputs) = (order.inputs * PICTURE_TOKENS, pictures * PICTURE_TOKENS);
    let thoughts = if order.model.family.thinks() { 210 } else { 0 };
    let mut usage = json!({
        "promptTokenCount": text + inputs,
        "candidatesTokenCount": outputs,
        "totalTokenCount": text + inputs + outputs + thoughts,
        "promptTokensDetails": [
            { "modality": "TEXT", "tokenCount": text },
            { "modality": "IMAGE", "tokenCount": inputs },
        ],
        "candidatesTokensDetails": [{ "modality": "IMAGE", "tokenCount": outputs }],
    });
    if let Some(usage) = usage.as_object_mut().filter(|_| thoughts > 0) {
        usage.insert("thoughtsTokenCount".into(), thoughts.into());
    }
    usage
}
