//! A request that is planned before any image is sent.

use serde_json::Value;

use super::body::Body;
use super::json::Json;
use super::number;
use super::rejected::{Reason, Rejected};
use super::{fields, output};
use crate::Kind;
use crate::image::{AspectRatio, Size};

/// The maximum number of images in one edit.
pub const PICTURES_MAX: u32 = 4;

/// What to do, and to how many images. The same rules apply as for an [`Edit`](super::Edit).
#[derive(Clone, Debug)]
pub struct Draft {
    /// What to do.
    pub task: Task,
    /// How many input images there will be, at most [`PICTURES_MAX`]. With 0, the draft creates an
    /// image.
    pub pictures: u32,
    /// Whether only the built-in editor itself may read the instruction, without a language model.
    pub is_read_strictly: bool,
    /// The aspect ratio of the result.
    pub aspect_ratio: AspectRatio,
    /// The exact size of the result.
    pub size: Option<Size>,
    /// Whether the result is a video.
    pub is_video: bool,
    /// The length of the video in seconds, if the draft names one.
    pub duration_seconds: Option<u32>,
}

/// What to do: an instruction, or a plan of the built-in editor.
#[derive(Clone, Debug)]
pub enum Task {
    /// An instruction, exactly as sent.
    Words(String),
    /// A plan.
    Plan(Value),
}

impl Draft {
    /// Accepts a draft, or reports the first thing that is wrong with it.
    ///
    /// # Errors
    /// The first mistake, as for an edit. Also a number of images that no edit can have.
    pub fn accept(body: &Body<'_>) -> Result<Self, Rejected> {
        // The number of images tells the other kinds apart.
        let is_video = kind(body)? == Some(Kind::Video);
        let task = if is_video { Task::Words(fields::instruction(body)?) } else { task(body)? };
        let pictures = pictures(body)?;
        let is_read_strictly = is_video || fields::is_read_strictly(body)?;
        let (aspect_ratio, size) = output::any_shape(body)?;
        let duration_seconds = duration_seconds(body)?;
        Ok(Self {
            task,
            pictures,
            is_read_strictly,
            aspect_ratio,
            size,
            is_video,
            duration_seconds,
        })
    }
}

/// What `body` asks for: its `plan`, or its `instruction`, which may also be called `prompt`.
pub(super) fn task(body: &Body<'_>) -> Result<Task, Rejected> {
    match fields::plan(body)? {
        Some(plan) => Ok(Task::Plan(plan)),
        None => fields::instruction(body).map(Task::Words),
    }
}

/// The `kind` of call that `body` names, if any.
pub(super) fn kind(body: &Body<'_>) -> Result<Option<Kind>, Rejected> {
    let Some(name) = fields::word(body, "kind")? else { return Ok(None) };
    Kind::parse(&name).map(Some).ok_or_else(|| {
        let message = "`kind` must be image_edit, text_to_image or video.";
        Rejected::field(Reason::InvalidValue, "kind", message)
    })
}

fn duration_seconds(body: &Body<'_>) -> Result<Option<u32>, Rejected> {
    match body.get("duration_seconds") {
        None => Ok(None),
        Some(Json::Number(text)) => number::whole(text).map(Some).ok_or_else(|| {
            let message = "`duration_seconds` must be a whole number of seconds.";
            Rejected::field(Reason::InvalidValue, "duration_seconds", message)
        }),
        Some(other) => Err(fields::wrong_type("duration_seconds", "a whole number", other)),
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
            "`pictures` is {}. It must be a whole number from 0 to {PICTURES_MAX}.",
            super::json::short(text)
        );
        Rejected::field(Reason::InvalidValue, "pictures", message)
    })
}
