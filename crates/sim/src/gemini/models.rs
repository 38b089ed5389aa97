//! The models and what each can do.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::errors::Error;
use super::{NAME, authorised, check_version};
use crate::arrived::Arrived;
use crate::fault::Call;
use crate::world::{Turn, World};

/// Models with the same fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// Nano Banana: ten aspect ratios, no sizes, no thinking.
    Flash25,
    /// The small model: one size.
    Lite31,
    /// Long aspect ratios, and sizes from 512.
    Flash31,
    /// Long aspect ratios, and sizes from 1K.
    Banana21,
    /// Ten aspect ratios, and sizes from 1K.
    Pro3,
    /// Videos up to 4k.
    Veo31,
    /// Videos up to 1080p.
    Veo31Lite,
}

/// A model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Model {
    /// Its name without `models/`.
    pub(super) name: &'static str,
    /// The family.
    pub(super) family: Family,
}

const MODELS: [(&str, Family); 10] = [
    ("gemini-2.5-flash-image", Family::Flash25),
    ("gemini-3-pro-image", Family::Pro3),
    ("gemini-3-pro-image-preview", Family::Pro3),
    ("gemini-3.1-flash-image", Family::Flash31),
    ("gemini-3.1-flash-lite-image", Family::Lite31),
    ("gemini-nano-banana-2.1", Family::Banana21),
    ("nano-banana-pro-preview", Family::Pro3),
    ("veo-3.1-fast-generate-preview", Family::Veo31),
    ("veo-3.1-generate-preview", Family::Veo31),
    ("veo-3.1-lite-generate-preview", Family::Veo31Lite),
];

impl Family {
    /// The method to call.
    pub(super) fn method(self) -> &'static str {
        match self {
            Self::Veo31 | Self::Veo31Lite => "predictLongRunning",
            _ => "generateContent",
        }
    }

    /// The values of `imageSize`. Empty if the field is rejected.
    pub(super) fn sizes(self) -> &'static [&'static str] {
        match self {
            Self::Lite31 => &["1K"],
            Self::Flash31 => &["512", "1K", "2K", "4K"],
            Self::Banana21 | Self::Pro3 => &["1K", "2K", "4K"],
            Self::Flash25 | Self::Veo31 | Self::Veo31Lite => &[],
        }
    }

    /// Whether the models make aspect ratios from 1:8 to 8:1.
    pub(super) fn makes_long_shapes(self) -> bool {
        matches!(self, Self::Flash31 | Self::Banana21)
    }

    /// Whether the models think before they draw.
    pub(super) fn thinks(self) -> bool {
        self != Self::Flash25
    }
}

/// The model with this name, if it supports `method`.
pub(super) fn find(version: &str, model: &str, method: &str) -> Result<Model, Error> {
    let found = MODELS.iter().find(|(name, family)| *name == model && family.method() == method);
    found
        .map(|(name, family)| Model { name, family: *family })
        .ok_or_else(|| Error::unknown_model(version, model, method))
}

/// `GET /{version}/models`.
pub(super) async fn all(
    State(world): State<Arc<World>>,
    Path(version): Path<String>,
    arrived: Arrived,
) -> Response {
    let allowed = check_version(&version).and_then(|()| authorised(&world, &arrived));
    if let Err(error) = allowed {
        return error.into_response();
    }
    let number = |name| arrived.query(name).and_then(|text| text.parse::<usize>().ok());
    let from = number("pageToken").unwrap_or(0);
    let size = number("pageSize").filter(|size| *size > 0).unwrap_or(50);
    let models: Vec<Value> = MODELS.iter().skip(from).take(size).map(described).collect();
    let mut body = json!({ "models": models });
    if let Some(fields) = body.as_object_mut().filter(|_| from + size < MODELS.len()) {
        fields.insert("nextPageToken".into(), (from + size).to_string().into());
    }
    answer(&world, body).await
}

/// `GET /{version}/models/{model}`.
pub(super) async fn one(
    State(world): State<Arc<World>>,
    Path((version, model)): Path<(String, String)>,
    arrived: Arrived,
) -> Response {
    let allowed = check_version(&version).and_then(|()| authorised(&world, &arrived));
    let found = MODELS.iter().find(|(name, _)| *name == model);
    match (allowed, found) {
        (Err(error), _) => error.into_response(),
        (Ok(()), Some(found)) => answer(&world, described(found)).await,
        (Ok(()), None) => Error::unknown_model(&version, &model, "getModel").into_response(),
    }
}

fn described((name, family): &(&str, Family)) -> Value {
    json!({
        "name": format!("models/{name}"),
        "version": "001",
        "displayName": name,
        "inputTokenLimit": 65536,
        "outputTokenLimit": 32768,
        "supportedGenerationMethods": [family.method()],
    })
}

async fn answer(world: &World, body: Value) -> Response {
    let turn = Turn { provider: NAME, call: Call::Probe, prompt: "" };
    let answer = |fault| match fault {
        None => Json(body).into_response(),
        Some(fault) => Error::from(fault).into_response(),
    };
    world.answer(turn, answer).await
}
