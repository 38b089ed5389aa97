//! Calls with a prompt and a list of images, which always return tasks: `image2image` and
//! `text2image`.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;

use super::content::{Asked, check_negative, wanted};
use super::errors::{Error, authorised, wants_task};
use super::models::{self, Service};
use super::{inputs, tasks};
use crate::arrived::Arrived;
use crate::delivery::Wanted;
use crate::fields::{FieldError, Fields};
use crate::world::World;

/// Returns a task that edits images.
pub(super) async fn out_of_pictures(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    synthesis(&world, (arrived, Service::OutOfPictures)).await
}

/// Returns a task that creates images from text.
pub(super) async fn out_of_words(State(world): State<Arc<World>>, arrived: Arrived) -> Response {
    synthesis(&world, (arrived, Service::OutOfWords)).await
}

async fn synthesis(world: &World, (arrived, service): (Arrived, Service)) -> Response {
    let wanted = authorised(world, &arrived).and_then(|()| {
        if !wants_task(&arrived)? {
            let why = "current user api does not support synchronous calls";
            return Err(Error::wrong_way(why));
        }
        read(arrived, service)
    });
    tasks::begin(world, wanted.map(|wanted| (wanted, tasks::Shape::Results))).await
}

fn read(arrived: Arrived, service: Service) -> Result<Wanted, Error> {
    let mut fields = Fields::body(arrived)?;
    let model = models::find(&fields.required_text("model")?, &[service])?;
    let mut input = fields.object("input")?.ok_or_else(|| FieldError::missing("input"))?;
    let prompt = input.required_text("prompt")?;
    check_negative(&mut input, model)?;
    let mut pictures = Vec::new();
    for image in input.list("images")?.unwrap_or_default() {
        let text = image.as_str().ok_or_else(|| FieldError::value("input.images", "texts"))?;
        pictures.push(inputs::read(text, model.input_side_px)?);
    }
    input.end()?;
    let wanted = wanted(fields.object("parameters")?, (model, Asked { prompt, pictures }))?;
    fields.end()?;
    Ok(wanted)
}
