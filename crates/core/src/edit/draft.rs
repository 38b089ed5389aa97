//! What a caller thinks of asking for, before any picture is sent.

use serde_json::Value;

use super::body::Body;
use super::json::Json;
use super::number;
use super::rejected::{Reason, Rejected};
use super::{fields, output};
use crate::image::{AspectRatio, Size};

/// The maximum number of images in one edit.
pub const PICTURES_MAX: u32 = 4;

/// What to do, and to how many pictures; held to the same rules as an [`Edit`](super::Edit).
#[derive(Clone, Debug)]
pub struct Draft {
    /// What to do.
    pub task: Task,
    /// How many pictures there will be, at most [`PICTURES_MAX`]; without any, one is made.
    pub pictures: u32,
    /// The shape to give the result.
    pub aspect_ratio: AspectRatio,
    /// The exact size to give the result.
    pub size: Option<Size>,
}

/// What to do: in words, or as a plan of the built-in editor.
#[derive(Clone, Debug)]
pub enum Task {
    /// In words, exactly as sent.
    Words(String),
    /// As a plan.
    Plan(Value),
}

impl Draft {
    /// Accepts a draft, or says what is wrong with it, first thing first.
    ///
    /// # Errors
    /// The first mistake, as for an edit; and a number of pictures that no edit has.
    pub fn accept(body: &Body<'_>) -> Result<Self, Rejected> {
        let task = task(body)?;
        let pictures = pictures(body)?;
        let (aspect_ratio, size) = output::any_shape(body)?;
        Ok(Self { task, pictures, aspect_ratio, size })
    }
}

/// What `body` asks for, by `plan`, or by `instruction` or its other name `prompt`.
pub(super) fn task(body: &Body<'_>) -> Result<Task, Rejected> {
    match fields::plan(body)? {
        Some(plan) => Ok(Task::Plan(plan)),
        None => fields::instruction(body).map(Task::Words),
    }
}

fn pictures(body: &Body<'_>) -> Result<u32, Rejected> {
    let text = match body.get("pictures") {
        None => return Ok(1),
        Some(Json::Number(text)) => text,
        Some(other) => return Err(fields::wrong_type("pictures", "a whole number", other)),
    };
    number::whole(text).filter(|number| *number <= PICTURES_MAX).ok_or_else(|| {
        let message = format!(
            "`pictures` is {}; it is a whole number from 0 to {PICTURES_MAX}.",
            super::json::short(text)
        );
        Rejected::field(Reason::InvalidValue, "pictures", message)
    })
}
