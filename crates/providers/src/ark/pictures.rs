//! Seedream: `POST /images/generations`, for edits and for text to image.

use std::borrow::Cow;

use retouch_core::edit::Edit;
use retouch_core::image::AspectRatio;
use retouch_core::{Kind, Warning};
use serde::{Deserialize, Serialize};

use super::errors::Problem;
use super::models::{Model, RATIO_MAX, model};
use super::seedance;
use crate::error::{Refused, RefusedKind};
use crate::provider::Usage;
use crate::upstream::{
    Answer, Artefact, Base64, Body, Call, Fault, Harvest, Meaning, Order, Step, pixels_max, shape,
    text, warnings,
};

/// What the model with this ID will do differently than `edit` requests.
pub(super) fn read(edit: &Edit, id: &str) -> Result<Vec<Warning>, Refused> {
    if seedance::model(id).is_some() {
        return Err(unfit(id, "makes videos, not images"));
    }
    let model = model(id);
    match (edit.kind, model.pictures) {
        (Kind::ImageEdit, (_, 0)) => return Err(unfit(id, "does not accept input images")),
        (Kind::TextToImage, (1.., _)) => return Err(unfit(id, "needs an input image")),
        _ => {}
    }
    let about_shape = about_shape(edit, model);
    let negative = edit.negative_prompt.as_ref().map(|_| {
        warnings::approximated(
            "negative_prompt",
            "is sent as part of the instruction, because the model has no field for it.",
        )
    });
    let quality = edit.quality.map(|_| {
        warnings::not_honored("quality", "has no effect: the model has only one quality.")
    });
    let prompt_extend = edit.prompt_extend.and_then(|wanted| about_prompt_extend(wanted, model));
    Ok([about_shape, negative, quality, prompt_extend].into_iter().flatten().collect())
}

fn unfit(id: &str, why: &str) -> Refused {
    Refused {
        kind: RefusedKind::Parameters,
        message: format!("The provider's model {id} {why}."),
        param: Some("model".into()),
    }
}

fn about_shape(edit: &Edit, model: &Model) -> Option<Warning> {
    if model.bounds().is_none() {
        let param = match (edit.size, edit.aspect_ratio) {
            (Some(_), _) => "size",
            (None, AspectRatio::Ratio(..)) => "aspectRatio",
            (None, AspectRatio::Auto) => return None,
        };
        let why = "has no effect: the model keeps the size of the input image.";
        return Some(warnings::not_honored(param, why));
    }
    let (width, height) = dimensions(edit, None, model)?;
    if let Some(size) = edit.size {
        let as_asked = (size.width(), size.height()) == (width, height);
        let how = format!(
            "is approximated as {width}x{height}, the nearest size that the model supports."
        );
        return (!as_asked).then(|| warnings::approximated("size", &how));
    }
    let asked = shape::asked_ratio(edit)?;
    let how = "is outside the range of the model; the nearest aspect ratio is used.";
    (clamped(asked) != asked).then(|| warnings::approximated("aspectRatio", how))
}

fn about_prompt_extend(wanted: bool, model: &Model) -> Option<Warning> {
    let how = match (wanted, model.thinks) {
        (_, true) => {
            "controls how much the model thinks about the instruction; this cannot be turned off."
        }
        (false, false) => {
            "cannot be turned off: the model always interprets the instruction in its own way."
        }
        (true, false) => return None,
    };
    Some(warnings::approximated("prompt_extend", how))
}

/// The call that requests an image.
pub(super) fn call(order: &Order<'_>) -> Call {
    let (edit, model) = (order.edit, model(order.model));
    let prefixes: Vec<String> = order.pictures.iter().map(text::data_uri_prefix).collect();
    let mut images: Vec<Base64<'_>> = order
        .pictures
        .iter()
        .zip(&prefixes)
        .map(|(picture, prefix)| Base64 { prefix, bytes: &picture.bytes })
        .collect();
    let image = match images.len() {
        0 => None,
        1 => images.pop().map(Images::One),
        _ => Some(Images::Several(images)),
    };
    let size = dimensions(edit, shape::first_ratio(order), model);
    let thinking = edit.prompt_extend.filter(|_| model.thinks);
    let request = Request {
        model: order.model,
        prompt: text::prompt_with_negative(edit),
        image,
        size: size.map_or("adaptive".into(), |(width, height)| format!("{width}x{height}")),
        response_format: "b64_json",
        watermark: edit.watermark.unwrap_or(false),
        output_format: model.has_output_format.then_some("png"),
        optimize_prompt_options: thinking
            .map(|wanted| Thinking { thinking: if wanted { "enabled" } else { "disabled" } }),
    };
    Call::post("/images/generations", Body::json(&request))
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    prompt: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<Images<'a>>,
    size: String,
    response_format: &'static str,
    watermark: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    optimize_prompt_options: Option<Thinking>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Images<'a> {
    One(Base64<'a>),
    Several(Vec<Base64<'a>>),
}

#[derive(Serialize)]
struct Thinking {
    thinking: &'static str,
}

/// The size to request: the caller's, or the default area in the shape that the caller asks for, or
/// else in that of the first input. `None` if the model keeps the input's size anyway.
fn dimensions(edit: &Edit, first_ratio: Option<f64>, model: &Model) -> Option<(u32, u32)> {
    let (bounds, usual_px) = model.bounds()?;
    let made = if let Some(size) = edit.size {
        let ratio = f64::from(size.width()) / f64::from(size.height());
        let area_px = u64::from(size.width()) * u64::from(size.height());
        if clamped(ratio) == ratio {
            shape::of_size((size.width(), size.height()), bounds)
        } else {
            shape::of_area(clamped(ratio), area_px, bounds)
        }
    } else {
        let ratio = shape::asked_ratio(edit).or(first_ratio).unwrap_or(1.0);
        shape::of_area(clamped(ratio), usual_px.min(pixels_max(edit)), bounds)
    };
    Some(shape::not_narrower(made, RATIO_MAX, bounds))
}

fn clamped(ratio: f64) -> f64 {
    ratio.clamp(1.0 / RATIO_MAX, RATIO_MAX)
}

/// What a successful response to [`call`] means.
pub(super) fn made(answer: &Answer) -> Meaning {
    let made: Made<'_> = answer.json()?;
    let mut artefacts = Vec::new();
    let mut problems = Vec::new();
    for item in made.data.unwrap_or_default() {
        match (item.b64_json, item.url, item.error) {
            (Some(Text(base64)), ..) if !base64.is_empty() => {
                artefacts.push(Artefact::Bytes(text::decode_base64(&base64)?));
            }
            (_, Some(Text(address)), _) if !address.is_empty() => {
                artefacts.push(Artefact::Address(address.into_owned()));
            }
            (.., Some(problem)) => problems.push(problem),
            _ => {}
        }
    }
    if artefacts.is_empty() {
        return Err(no_picture(problems, made.error));
    }
    let usage = made.usage.unwrap_or_default();
    let usage = Usage {
        prompt_tokens: 0,
        completion_tokens: usage.output_tokens.unwrap_or_default(),
        total_tokens: usage.total_tokens.or(usage.output_tokens).unwrap_or_default(),
    };
    Ok(Step::Done(Harvest { artefacts, usage, warnings: Vec::new() }))
}

/// Why a response with status 200 has no image. A content refusal is more useful than any other
/// reason.
fn no_picture(items: Vec<Problem>, whole: Option<Problem>) -> Fault {
    let faults = items.into_iter().chain(whole).map(|problem| problem.after_work());
    let (refused, failed): (Vec<Fault>, Vec<Fault>) =
        faults.partition(|fault| matches!(fault, Fault::Refused(_)));
    let first = refused.into_iter().chain(failed).next();
    first.unwrap_or_else(|| Fault::Failed("the response has neither an image nor an error".into()))
}

#[derive(Deserialize)]
struct Made<'a> {
    #[serde(borrow, default)]
    data: Option<Vec<Item<'a>>>,
    #[serde(default)]
    usage: Option<Counted>,
    #[serde(default)]
    error: Option<Problem>,
}

#[derive(Deserialize)]
struct Item<'a> {
    #[serde(borrow, default)]
    b64_json: Option<Text<'a>>,
    #[serde(borrow, default)]
    url: Option<Text<'a>>,
    #[serde(default)]
    error: Option<Problem>,
}

/// A text of several megabytes, which is only copied if it contains escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Default, Deserialize)]
struct Counted {
    #[serde(default)]
    output_tokens: Option<u64>,
    #[serde(default)]
    total_tokens: Option<u64>,
}
