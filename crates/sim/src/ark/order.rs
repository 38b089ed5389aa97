//! Parses calls for images strictly.

use bytes::Bytes;
use serde_json::Value;

use super::errors::Error;
use super::inputs::{self, InputLimits};
use super::seedream::{self, Model};
use crate::delivery::{Kind, Wanted};
use crate::fields::{FieldError, Fields};
use crate::picture::{self, Format};

const LIMITS: InputLimits =
    InputLimits { bytes_max: 10_000_000, side_px_min: 15, side_px_max: 6000 };

/// An order.
#[derive(Debug)]
pub(super) struct Order {
    /// The model, as it was named.
    pub(super) model: String,
    /// The images to make.
    pub(super) wanted: Wanted,
    /// Whether images are returned as URLs and not as base64.
    pub(super) by_address: bool,
    /// Whether the response is a stream of events.
    pub(super) stream: bool,
    /// The number of input images.
    pub(super) inputs: usize,
}

impl Order {
    /// Parses the fields.
    pub(super) fn read(mut fields: Fields) -> Result<Self, Error> {
        let name = fields.required_text("model")?;
        let model = seedream::find(&name)?;
        let prompt = fields.required_text("prompt")?;
        let inputs = images(&mut fields, model)?;
        let size = model.size(fields.text("size")?.as_deref())?;
        let form = fields.one_of("response_format", &["url", "b64_json"])?;
        fields.flag("watermark")?;
        let count = series(&mut fields, (model, inputs.len()))?;
        let stream = stream(&mut fields, model)?;
        let format = format(&mut fields, model)?;
        check_rest(&mut fields)?;
        fields.end()?;
        let seed = picture::seed(&prompt, &inputs);
        let kind = Kind::Picture(format);
        Ok(Self {
            model: name,
            wanted: Wanted { provider: super::NAME, prompt, seed, count, size, kind },
            by_address: form.as_deref() != Some("b64_json"),
            stream,
            inputs: inputs.len(),
        })
    }
}

/// One image is a string or a list, and several are a list.
fn images(fields: &mut Fields, model: &Model) -> Result<Vec<Bytes>, Error> {
    let texts: Vec<String> = match fields.take("image") {
        None => Vec::new(),
        Some(Value::String(text)) => vec![text],
        Some(Value::Array(items)) => {
            let text = |item: Value| item.as_str().map(str::to_owned);
            let texts: Option<Vec<_>> = items.into_iter().map(text).collect();
            texts.ok_or_else(|| FieldError::value("image", "a list of strings"))?
        }
        Some(_) => return Err(FieldError::value("image", "a string or a list of strings").into()),
    };
    let (least, most) = model.inputs;
    if !(least..=most).contains(&texts.len()) {
        let message = format!("the model accepts {least} to {most} images, not {}", texts.len());
        return Err(Error::invalid("image", message));
    }
    texts.iter().map(|text| inputs::read(text, ("image", LIMITS))).collect()
}

/// The number of images. With `auto`, the real service makes up to `max_images`; the simulator
/// makes two.
fn series(fields: &mut Fields, (model, inputs): (&Model, usize)) -> Result<usize, Error> {
    const NAMES: [&str; 2] = ["sequential_image_generation", "sequential_image_generation_options"];
    let mode = fields.one_of(NAMES[0], &["disabled", "auto"])?;
    let options = fields.object(NAMES[1])?;
    if !model.makes_series && (mode.is_some() || options.is_some()) {
        return Err(Error::invalid(NAMES[0], "the model does not support it"));
    }
    let mut most = 15;
    if let Some(mut options) = options {
        most = options.whole("max_images", 1..=15)?.unwrap_or(most);
        options.end()?;
    }
    let room = 15_usize.saturating_sub(inputs).max(1);
    let series = usize::try_from(most).unwrap_or(1).min(room).min(2);
    Ok(if mode.as_deref() == Some("auto") { series } else { 1 })
}

fn stream(fields: &mut Fields, model: &Model) -> Result<bool, Error> {
    let stream = fields.flag("stream")?;
    if stream.is_some() && !model.makes_series {
        return Err(Error::invalid("stream", "the model does not support it"));
    }
    Ok(stream.unwrap_or(false))
}

fn format(fields: &mut Fields, model: &Model) -> Result<Format, Error> {
    let format = fields.one_of("output_format", &["jpeg", "png"])?;
    if format.is_some() && !model.has_format {
        return Err(Error::invalid("output_format", "the model does not support it"));
    }
    Ok(format.and_then(|name| Format::named(&name)).unwrap_or(Format::Jpeg))
}

/// Checks fields that have no effect here.
fn check_rest(fields: &mut Fields) -> Result<(), FieldError> {
    fields.whole("seed", -1..=2_147_483_647)?;
    fields.number("guidance_scale", 1.0..=10.0)?;
    fields.flag("optimize_prompt")?;
    if let Some(mut options) = fields.object("optimize_prompt_options")? {
        options.one_of("mode", &["standard", "fast"])?;
        options.one_of("thinking", &["auto", "enabled", "disabled"])?;
        options.end()?;
    }
    fields.list("tools")?;
    if fields.flag("layer_decomposition")? == Some(true) {
        return Err(FieldError::value(
            "layer_decomposition",
            "false: the simulator makes no layers",
        ));
    }
    Ok(())
}
