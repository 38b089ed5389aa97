//! Calls with a message of images and text: `multimodal-generation`, which returns the result, and
//! `image-generation`, which returns a task.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::content::{Asked, wanted};
use super::errors::{Error, authorised, wants_task};
use super::models::{self, Model, Service};
use super::{inputs, reply, tasks};
use crate::arrived::Arrived;
use crate::delivery::Wanted;
use crate::fault::Call;
use crate::fields::{FieldError, Fields};
use crate::world::{Turn, World};

/// Maximum number of characters in the text, by family.
const QWEN_CHARS_MAX: usize = 800;
const WAN_CHARS_MAX: usize = 2000;

/// Returns the images.
pub(super) async fn at_once(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    let origin = arrived.origin();
    let wanted = authorised(&world, &arrived).and_then(|()| {
        if wants_task(&arrived)? {
            let why = "current user api does not support asynchronous calls";
            return Err(Error::wrong_way(why));
        }
        read(arrived, &[Service::AtOnce, Service::Both])
    });
    let wanted = match wanted {
        Ok(wanted) => wanted,
        Err(error) => return error.into_response(),
    };
    let turn = Turn { provider: super::NAME, call: Call::Submit, prompt: &wanted.prompt };
    let respond = |fault| match fault {
        Some(fault) => Error::from(fault).into_response(),
        None => reply::at_once(&world, (&wanted, &origin)),
    };
    world.answer(turn, respond).await
}

/// Returns a task.
pub(super) async fn as_task(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    let wanted = authorised(&world, &arrived).and_then(|()| {
        if !wants_task(&arrived)? {
            let why = "current user api does not support synchronous calls";
            return Err(Error::wrong_way(why));
        }
        read(arrived, &[Service::Both])
    });
    tasks::begin(&world, wanted.map(|wanted| (wanted, tasks::Shape::Choices))).await
}

fn read(arrived: Arrived, services: &[Service]) -> Result<Wanted, Error> {
    let mut fields = Fields::body(arrived)?;
    let name = fields.required_text("model")?;
    let model = models::find(&name, services)?;
    let mut input = fields.object("input")?.ok_or_else(|| FieldError::missing("input"))?;
    let messages = input.list("messages")?.ok_or_else(|| FieldError::missing("input.messages"))?;
    input.end()?;
    let asked = message(messages, (&name, model))?;
    let wanted = wanted(fields.object("parameters")?, (model, asked))?;
    fields.end()?;
    Ok(wanted)
}

/// Parses exactly one message from the user: images, then exactly one text.
fn message(messages: Vec<Value>, (name, model): (&str, &Model)) -> Result<Asked, Error> {
    let [message] = <[Value; 1]>::try_from(messages)
        .map_err(|_| FieldError::value("input.messages", "one message"))?;
    let mut message = Fields::of(message, "input.messages[0]")?;
    message.one_of("role", &["user"])?.ok_or_else(|| FieldError::missing("role"))?;
    let content = message.list("content")?.ok_or_else(|| FieldError::missing("content"))?;
    message.end()?;
    let (mut pictures, mut prompt) = (Vec::new(), None);
    for (index, part) in content.into_iter().enumerate() {
        let mut part = Fields::of(part, format!("input.messages[0].content[{index}]"))?;
        match (part.text("image")?, part.text("text")?, &prompt) {
            (Some(image), None, None) => pictures.push(inputs::read(&image, model.input_side_px)?),
            (None, Some(text), None) => prompt = Some(text),
            _ => return Err(Error::invalid("The content must be images, then one text.")),
        }
        part.end()?;
    }
    let prompt =
        prompt.filter(|text| !text.is_empty()).ok_or_else(|| FieldError::missing("text"))?;
    let most = if name.starts_with("qwen") { QWEN_CHARS_MAX } else { WAN_CHARS_MAX };
    if prompt.chars().count() > most {
        return Err(Error::invalid(format!("The text may have {most} characters.")));
    }
    Ok(Asked { prompt, pictures })
}
