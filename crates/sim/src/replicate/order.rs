//! Parses requests for predictions strictly.

use serde_json::{Value, json};

use super::errors::Error;
use super::{NAME, files, models};
use crate::arrived::Arrived;
use crate::delivery::Wanted;
use crate::fields::{FieldError, Fields};
use crate::schema::{Model, Reader, find};
use crate::world::World;

const EVENTS: [&str; 4] = ["start", "output", "logs", "completed"];

/// A request for a prediction.
#[derive(Debug)]
pub(super) struct Order {
    /// The model's name.
    pub(super) model: String,
    /// The input as it is shown in responses, without images.
    pub(super) input: Value,
    /// What to make.
    pub(super) wanted: Wanted,
}

/// Parses a request for `model`, or for the version that it names.
pub(super) fn read(world: &World, arrived: Arrived, model: Option<String>) -> Result<Order, Error> {
    let mut fields = Fields::body(arrived)?;
    let (taken, model) = match model {
        Some(name) => (find(models::MODELS, &name).ok_or_else(Error::not_found)?, name),
        None => version(&fields.required_text("version")?)?,
    };
    fields.text("webhook")?;
    for event in fields.list("webhook_events_filter")?.unwrap_or_default() {
        if !event.as_str().is_some_and(|event| EVENTS.contains(&event)) {
            return Err(FieldError::value("webhook_events_filter", EVENTS.join(", ")).into());
        }
    }
    fields.flag("stream")?;
    let input = fields.take("input").ok_or_else(|| FieldError::missing("input"))?;
    fields.end()?;
    let uploads = |address: &str| files::find(world, address);
    let reader = Reader { provider: NAME, is_bare: false, uploads: &uploads };
    let wanted = reader.read(taken, Fields::of(input, "input")?)?;
    Ok(Order { model, input: json!({ "prompt": wanted.prompt }), wanted })
}

/// The model of `OWNER/NAME:HASH` or `OWNER/NAME`. A hash without a name is always unknown.
fn version(version: &str) -> Result<(&'static Model, String), Error> {
    let name = version.split(':').next().unwrap_or_default();
    let model = find(models::MODELS, name).ok_or_else(Error::no_version)?;
    Ok((model, name.to_owned()))
}
