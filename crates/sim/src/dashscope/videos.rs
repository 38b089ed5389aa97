//! `video-generation/video-synthesis`, which always returns a task.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;

use super::errors::{Error, authorised, wants_task};
use super::{inputs, tasks};
use crate::arrived::Arrived;
use crate::delivery::{Kind, Wanted};
use crate::fields::{FieldError, Fields, Problem};
use crate::picture;
use crate::world::World;

const INPUT_SIDE_PX: (u32, u32) = (360, 8000);
const NEGATIVE_CHARS_MAX: usize = 500;
const SIZES: [&str; 13] = [
    "832*480",
    "480*832",
    "624*624",
    "1280*720",
    "720*1280",
    "960*960",
    "1088*832",
    "832*1088",
    "1920*1080",
    "1080*1920",
    "1440*1440",
    "1632*1248",
    "1248*1632",
];

/// A model's fields for images and shapes.
struct Model {
    id: &'static str,
    /// Whether it must, may or must not start from an image.
    picture: Picture,
    /// Whether it has `media`, `resolution` and `ratio` and not `img_url` and `size`.
    is_new: bool,
    seconds: &'static [i64],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Picture {
    Must,
    May,
    MustNot,
}

const TO_15: &[i64] = &[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

const fn model(id: &'static str, picture: Picture, is_new: bool) -> Model {
    Model { id, picture, is_new, seconds: TO_15 }
}

static MODELS: [Model; 9] = [
    Model { seconds: &[5, 10], ..model("wan2.5-t2v-preview", Picture::MustNot, false) },
    Model { seconds: &[5, 10], ..model("wan2.5-i2v-preview", Picture::Must, false) },
    model("wan2.6-t2v", Picture::MustNot, false),
    model("wan2.6-i2v", Picture::Must, false),
    model("wan2.6-i2v-flash", Picture::Must, false),
    model("wan2.7-t2v", Picture::MustNot, true),
    model("wan2.7-i2v", Picture::Must, true),
    model("wan3.0-video", Picture::May, true),
    model("wan3.0-video-prime", Picture::May, true),
];

/// Returns a task.
pub(super) async fn synthesis(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    let wanted = authorised(&world, &arrived).and_then(|()| {
        if !wants_task(&arrived)? {
            let why = "current user api does not support synchronous calls";
            return Err(Error::wrong_way(why));
        }
        read(arrived)
    });
    tasks::begin(&world, wanted.map(|wanted| (wanted, tasks::Shape::Video))).await
}

fn read(arrived: Arrived) -> Result<Wanted, Error> {
    let mut fields = Fields::body(arrived)?;
    let name = fields.required_text("model")?;
    let model = MODELS.iter().find(|model| model.id == name);
    let model = model.ok_or_else(|| Error::unknown_model(&name))?;
    let mut input = fields.object("input")?.ok_or_else(|| FieldError::missing("input"))?;
    let prompt = input.required_text("prompt")?;
    let frames = frames(&mut input, model)?;
    let negative = input.text("negative_prompt")?.unwrap_or_default();
    if negative.chars().count() > NEGATIVE_CHARS_MAX {
        return Err(FieldError::value("input.negative_prompt", "at most 500 characters").into());
    }
    // The official client sends both.
    input.flag("extend_prompt")?;
    input.one_of("function", &["video-synthesis"])?;
    input.end()?;
    if let Some(parameters) = fields.object("parameters")? {
        check_parameters(parameters, (model, !frames.is_empty()))?;
    }
    fields.end()?;
    let (seed, kind) = (picture::seed(&prompt, &frames), Kind::Video);
    Ok(Wanted { provider: super::NAME, prompt, seed, count: 1, size: (64, 64), kind })
}

/// The first and last frames.
fn frames(input: &mut Fields, model: &Model) -> Result<Vec<Bytes>, Error> {
    let mut frames = Vec::new();
    if model.is_new {
        for (index, media) in input.list("media")?.unwrap_or_default().into_iter().enumerate() {
            let mut media = Fields::of(media, format!("input.media[{index}]"))?;
            let kind = media.required_text("type")?;
            if ["first_frame", "last_frame"].get(index) != Some(&kind.as_str()) {
                return Err(Error::invalid("media must be first_frame, then last_frame."));
            }
            frames.push(inputs::read(&media.required_text("url")?, INPUT_SIDE_PX)?);
            media.end()?;
        }
    } else if let Some(text) = input.text("img_url")? {
        frames.push(inputs::read(&text, INPUT_SIDE_PX)?);
    }
    match (model.picture, frames.is_empty()) {
        (Picture::Must, true) => Err(Error::invalid("The model needs an image.")),
        (Picture::MustNot, false) => Err(Error::invalid("The model does not accept images.")),
        _ => Ok(frames),
    }
}

fn check_parameters(mut fields: Fields, (model, has_picture): (&Model, bool)) -> Result<(), Error> {
    let size = fields.one_of("size", &SIZES)?;
    let resolution = fields.one_of("resolution", &["480P", "720P", "1080P"])?;
    let ratio = fields.one_of("ratio", &["16:9", "9:16", "1:1", "4:3", "3:4"])?;
    let unknown = |name: &str| {
        FieldError { path: format!("parameters.{name}"), problem: Problem::Unknown }.into()
    };
    let by_size = !model.is_new && !has_picture;
    if size.is_some() && !by_size {
        return Err(unknown("size"));
    }
    if resolution.is_some() && by_size {
        return Err(unknown("resolution"));
    }
    if ratio.is_some() && (!model.is_new || has_picture) {
        return Err(unknown("ratio"));
    }
    let seconds = fields.whole("duration", 1..=60)?;
    if seconds.is_some_and(|seconds| !model.seconds.contains(&seconds)) {
        let right = format!("one of {:?}", model.seconds);
        return Err(FieldError::value("parameters.duration", right).into());
    }
    fields.flag("prompt_extend")?;
    fields.flag("watermark")?;
    fields.whole("seed", 0..=2_147_483_647)?;
    fields.one_of("shot_type", &["single", "multi"])?;
    fields.end()?;
    Ok(())
}
