//! Qwen-Image and Wan: images, edited or created from text.

use std::borrow::Cow;

use retouch_core::edit::Edit;
use retouch_core::{Kind, Warning};
use serde::Serialize;

use super::models::{Model, Sizes, Way, model};
use super::{unfit, wan};
use crate::error::Refused;
use crate::upstream::{Base64, Body, Call, Order, pixels_max, shape, text, warnings};

/// The provider reads at most this many characters of a negative prompt.
const NEGATIVE_CHARS_MAX: usize = 500;

/// The header that turns a call into a task.
pub(super) const AS_TASK: (&str, &str) = ("x-dashscope-async", "enable");

/// What the model with this ID will do differently than `edit` requests.
pub(super) fn read(edit: &Edit, id: &str) -> Result<Vec<Warning>, Refused> {
    if wan::model(id).is_some() {
        let message = format!("The provider's model {id} makes videos, not images.");
        return Err(unfit(message, "model"));
    }
    let model = model(id);
    let why = match (edit.kind, model.pictures) {
        (Kind::ImageEdit, (_, 0)) => Some("does not accept input images"),
        (Kind::TextToImage, (1.., _)) => Some("needs an input image"),
        _ => None,
    };
    if let Some(why) = why {
        return Err(unfit(format!("The provider's model {id} {why}."), "model"));
    }
    let mut warnings: Vec<Warning> = about_shape(edit, model).into_iter().collect();
    warnings.extend(about_negative(edit, model.has_negative));
    warnings.extend(edit.quality.map(|_| {
        warnings::not_honored("quality", "has no effect: the model has only one quality.")
    }));
    warnings.extend(about_prompt_extend(edit, model.extends));
    Ok(warnings)
}

fn about_shape(edit: &Edit, model: &Model) -> Option<Warning> {
    let asked = shape::asked_ratio(edit)?;
    let param = if edit.size.is_some() { "size" } else { "aspectRatio" };
    let Some((width, height)) = dimensions(edit, None, model) else {
        return Some(warnings::not_honored(param, "has no effect: the model decides the size."));
    };
    let as_asked = match edit.size {
        Some(size) => (size.width(), size.height()) == (width, height),
        None => shape::is_same((width, height), asked),
    };
    let how =
        format!("is approximated as {width}x{height}, the nearest size that the model supports.");
    (!as_asked).then(|| warnings::approximated(param, &how))
}

/// The warning about a negative prompt that does not simply fit the field for it.
pub(super) fn about_negative(edit: &Edit, has_field: bool) -> Option<Warning> {
    let negative = edit.negative_prompt.as_ref()?;
    if !has_field {
        let how = "is sent as part of the instruction, because the model has no field for it.";
        return Some(warnings::approximated("negative_prompt", how));
    }
    let how = format!("is cut off after {NEGATIVE_CHARS_MAX} characters, the limit of the model.");
    let is_long = negative.chars().count() > NEGATIVE_CHARS_MAX;
    is_long.then(|| warnings::approximated("negative_prompt", &how))
}

fn about_prompt_extend(edit: &Edit, has_switch: bool) -> Option<Warning> {
    let is_lost = edit.prompt_extend == Some(true) && !has_switch;
    let why = "has no effect: the model has no such option.";
    is_lost.then(|| warnings::not_honored("prompt_extend", why))
}

/// The beginning of the negative prompt, as far as it fits the field for it.
pub(super) fn negative(edit: &Edit) -> Option<&str> {
    let text = edit.negative_prompt.as_deref()?;
    let end = text.char_indices().nth(NEGATIVE_CHARS_MAX).map_or(text.len(), |(at, _)| at);
    text.get(..end)
}

/// The size to request. If the caller asks for no shape, it has that of the first input, because
/// the provider would use that of the last. `None` if the model has no parameter for the size.
fn dimensions(edit: &Edit, first_ratio: Option<f64>, model: &Model) -> Option<(u32, u32)> {
    let ratio = shape::asked_ratio(edit).or(first_ratio).unwrap_or(1.0);
    let limits = match &model.sizes {
        Sizes::Own => return None,
        Sizes::Listed(sizes) => return shape::nearest(ratio, sizes),
        Sizes::Within(limits) => limits,
    };
    let within = ratio.clamp(1.0 / limits.ratio_max, limits.ratio_max);
    let bounds = limits.bounds();
    let made = match edit.size.map(|size| (size.width(), size.height())) {
        Some(size) if within == ratio => shape::of_size(size, bounds),
        Some((width, height)) => {
            shape::of_area(within, u64::from(width) * u64::from(height), bounds)
        }
        None => shape::of_area(within, limits.usual_px.min(pixels_max(edit)), bounds),
    };
    Some(shape::not_narrower(made, limits.ratio_max, bounds))
}

/// The call that requests an image.
pub(super) fn call(order: &Order<'_>) -> Call {
    let (edit, model) = (order.edit, model(order.model));
    let prompt = if model.has_negative {
        Cow::Borrowed(edit.instruction.as_str())
    } else {
        text::prompt_with_negative(edit)
    };
    let negative = negative(edit).filter(|_| model.has_negative);
    let prefixes: Vec<String> = order.pictures.iter().map(text::data_uri_prefix).collect();
    let images = order
        .pictures
        .iter()
        .zip(&prefixes)
        .map(|(picture, prefix)| Base64 { prefix, bytes: &picture.bytes });
    let parameters = Parameters {
        n: 1,
        size: dimensions(edit, shape::first_ratio(order), model)
            .map(|(width, height)| format!("{width}*{height}")),
        prompt_extend: model.extends.then_some(edit.prompt_extend.unwrap_or(false)),
        watermark: edit.watermark.unwrap_or(false),
        negative_prompt: negative.filter(|_| is_message(model.way)),
        enable_interleave: (model.way == Way::MessageTaskWithoutWords).then_some(false),
    };
    let input = if is_message(model.way) {
        let text = std::iter::once(Part::Text(&prompt));
        let content = images.map(Part::Image).chain(text).collect();
        Input::Messages { messages: [Message { role: "user", content }] }
    } else {
        let images: Vec<_> = images.collect();
        Input::Prompt { prompt: &prompt, negative_prompt: negative, images }
    };
    let body = Body::json(&Request { model: order.model, input, parameters });
    let call = Call::post(path(model.way), body);
    if model.way == Way::Message { call } else { call.with_header(AS_TASK.0, AS_TASK.1) }
}

fn is_message(way: Way) -> bool {
    matches!(way, Way::Message | Way::MessageTask | Way::MessageTaskWithoutWords)
}

fn path(way: Way) -> &'static str {
    match way {
        Way::Message => "/services/aigc/multimodal-generation/generation",
        Way::MessageTask | Way::MessageTaskWithoutWords => {
            "/services/aigc/image-generation/generation"
        }
        Way::PicturesTask => "/services/aigc/image2image/image-synthesis",
        Way::WordsTask => "/services/aigc/text2image/image-synthesis",
    }
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: Input<'a>,
    parameters: Parameters<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Input<'a> {
    Messages {
        messages: [Message<'a>; 1],
    },
    Prompt {
        prompt: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        negative_prompt: Option<&'a str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        images: Vec<Base64<'a>>,
    },
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Vec<Part<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Part<'a> {
    Image(Base64<'a>),
    Text(&'a str),
}

#[derive(Serialize)]
struct Parameters<'a> {
    n: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_extend: Option<bool>,
    watermark: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    negative_prompt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    enable_interleave: Option<bool>,
}
