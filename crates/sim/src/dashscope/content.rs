//! What calls for images have in common: the fields of `parameters`.

use bytes::Bytes;

use super::errors::Error;
use super::models::Model;
use crate::delivery::{Kind, Wanted};
use crate::fields::{FieldError, Fields, Problem};
use crate::picture::{self, Format};

const NEGATIVE_CHARS_MAX: usize = 500;

/// The requested text and images.
pub(super) struct Asked {
    pub(super) prompt: String,
    pub(super) pictures: Vec<Bytes>,
}

/// Parses `parameters` and returns what to make.
pub(super) fn wanted(
    parameters: Option<Fields>,
    (model, asked): (&Model, Asked),
) -> Result<Wanted, Error> {
    check_count(&asked, model)?;
    let (mut size, mut count) = (model.size(None)?, 1);
    if let Some(mut fields) = parameters {
        count = fields.whole("n", 1..=model.count_max)?.unwrap_or(1);
        size = model.size(fields.text("size")?.as_deref())?;
        fields.flag("watermark")?;
        fields.whole("seed", 0..=2_147_483_647)?;
        // The official client sends this here as well as in the header.
        fields.flag("is_async")?;
        if fields.flag("enable_interleave")? == Some(true) {
            return Err(FieldError::value("parameters.enable_interleave", "false").into());
        }
        if fields.flag("prompt_extend")?.is_some() && !model.extends {
            return Err(unknown("prompt_extend").into());
        }
        check_negative(&mut fields, model)?;
        fields.end()?;
    }
    let seed = picture::seed(&asked.prompt, &asked.pictures);
    Ok(Wanted {
        provider: super::NAME,
        prompt: asked.prompt,
        seed,
        count: usize::try_from(count).unwrap_or(1),
        size,
        kind: Kind::Picture(Format::Png),
    })
}

fn check_count(asked: &Asked, model: &Model) -> Result<(), Error> {
    let (least, most) = model.inputs;
    let count = asked.pictures.len();
    if (least..=most).contains(&count) {
        return Ok(());
    }
    Err(Error::invalid(format!("The model accepts {least} to {most} images, not {count}.")))
}

/// Checks the negative prompt, wherever the model has it.
pub(super) fn check_negative(fields: &mut Fields, model: &Model) -> Result<(), Error> {
    let Some(text) = fields.text("negative_prompt")? else { return Ok(()) };
    if !model.has_negative {
        return Err(unknown("negative_prompt").into());
    }
    let most = format!("at most {NEGATIVE_CHARS_MAX} characters");
    if text.chars().count() > NEGATIVE_CHARS_MAX {
        return Err(FieldError::value(fields.path("negative_prompt"), most).into());
    }
    Ok(())
}

fn unknown(name: &str) -> FieldError {
    FieldError { path: format!("parameters.{name}"), problem: Problem::Unknown }
}
