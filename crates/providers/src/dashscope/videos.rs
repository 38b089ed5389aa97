//! Wan: videos from text or from an image, always as tasks.

use retouch_core::Warning;
use retouch_core::edit::Edit;
use serde::Serialize;

use super::pictures::{AS_TASK, about_negative, negative};
use super::unfit;
use super::wan::{self, Generation, Mode, RATIOS, Style, USUAL_SECONDS};
use crate::error::Refused;
use crate::upstream::{Base64, Body, Call, Order, shape, short_px, text, warnings};

/// What the model with this ID will do differently than `edit` requests.
pub(super) fn read(edit: &Edit, id: &str) -> Result<Vec<Warning>, Refused> {
    let Some(generation) = wan::model(id) else {
        let message = format!("The provider's model {id} makes images, not videos.");
        return Err(unfit(message, "model"));
    };
    check_pictures(edit, id, generation)?;
    let mut warnings: Vec<Warning> = about_shape(edit, generation).into_iter().collect();
    warnings.extend(about_duration(edit, generation));
    warnings.extend(edit.quality.map(|_| {
        warnings::not_honored("quality", "has no effect: the model has only one quality.")
    }));
    warnings.extend(about_negative(edit, true));
    Ok(warnings)
}

fn check_pictures(edit: &Edit, id: &str, generation: &Generation) -> Result<(), Refused> {
    let count = edit.pictures.len();
    let most = match (wan::mode(id), generation.style) {
        (Mode::Other, _) => {
            let message =
                format!("The provider's model {id} needs an input video, which is not supported.");
            return Err(unfit(message, "model"));
        }
        (Mode::Words, _) => 0,
        (Mode::Picture | Mode::Either, Style::Size) => 1,
        (Mode::Picture | Mode::Either, Style::Ratio) => 2,
    };
    if count > most {
        let message = format!(
            "{count} images were sent; the provider's model {id} accepts at most {most} for a \
             video."
        );
        return Err(unfit(message, "imageUrls"));
    }
    if count == 0 && wan::mode(id) == Mode::Picture {
        let message = format!("The provider's model {id} needs a start image.");
        return Err(unfit(message, "imageUrl"));
    }
    Ok(())
}

fn about_shape(edit: &Edit, generation: &Generation) -> Option<Warning> {
    let asked = shape::asked_ratio(edit)?;
    let param = if edit.size.is_some() { "size" } else { "aspectRatio" };
    let px = resolution(edit, generation);
    if !edit.pictures.is_empty() {
        let why = "has no effect: the video has the aspect ratio of its first image.";
        return Some(warnings::not_honored(param, why));
    }
    let (width, height) = match generation.style {
        Style::Size => shape::nearest(asked, wan::sizes(px))?,
        Style::Ratio => shape::nearest(asked, &RATIOS)?,
    };
    let as_asked = match edit.size {
        Some(size) => (size.width(), size.height()) == (width, height),
        None => shape::is_same((width, height), asked),
    };
    let how = match generation.style {
        Style::Size => {
            format!("is approximated as {width}x{height}, the nearest that the model supports.")
        }
        Style::Ratio => format!(
            "is approximated as {width}:{height} at {px}p, the nearest that the model supports."
        ),
    };
    (!as_asked).then(|| warnings::approximated(param, &how))
}

fn about_duration(edit: &Edit, generation: &Generation) -> Option<Warning> {
    let asked = edit.duration_seconds?;
    let made = seconds(edit, generation);
    let how = format!("is approximated as {made}, the nearest length that the model supports.");
    (asked != made).then(|| warnings::approximated("duration_seconds", &how))
}

fn seconds(edit: &Edit, generation: &Generation) -> u32 {
    let asked = edit.duration_seconds.unwrap_or(USUAL_SECONDS);
    nearest(asked, generation.seconds)
}

/// The resolution that the price of the call covers, or the nearest that the model makes, as its
/// short side in pixels.
fn resolution(edit: &Edit, generation: &Generation) -> u32 {
    nearest(short_px(edit), generation.resolutions)
}

fn nearest(wanted: u32, made: &[u32]) -> u32 {
    made.iter().copied().min_by_key(|made| made.abs_diff(wanted)).unwrap_or(wanted)
}

/// The call that requests a video.
pub(super) fn call(order: &Order<'_>) -> Call {
    let edit = order.edit;
    // `read` has already checked the model. An unknown one is called like the newest generation.
    let generation = wan::model(order.model).unwrap_or_else(wan::newest);
    let prefixes: Vec<String> = order.pictures.iter().map(text::data_uri_prefix).collect();
    let mut frames: Vec<Base64<'_>> = order
        .pictures
        .iter()
        .zip(&prefixes)
        .map(|(picture, prefix)| Base64 { prefix, bytes: &picture.bytes })
        .collect();
    let has_picture = !frames.is_empty();
    let model = wan::whole_id(order.model, has_picture);
    let (img_url, media) = match generation.style {
        Style::Size => (frames.pop(), Vec::new()),
        Style::Ratio => (None, media(frames)),
    };
    let input =
        Input { prompt: &edit.instruction, negative_prompt: negative(edit), img_url, media };
    let parameters = parameters(edit, generation, has_picture);
    let body = Body::json(&Request { model: &model, input, parameters });
    Call::post("/services/aigc/video-generation/video-synthesis", body)
        .with_header(AS_TASK.0, AS_TASK.1)
}

fn media(frames: Vec<Base64<'_>>) -> Vec<Media<'_>> {
    let kinds = ["first_frame", "last_frame"];
    kinds.into_iter().zip(frames).map(|(kind, url)| Media { kind, url }).collect()
}

/// The parameters. A video that starts from an image has the image's shape, so the shape is sent
/// only without one.
fn parameters(edit: &Edit, generation: &Generation, has_picture: bool) -> Parameters {
    let px = resolution(edit, generation);
    let ratio = shape::asked_ratio(edit).unwrap_or(16.0 / 9.0);
    let by_size = generation.style == Style::Size && !has_picture;
    let by_ratio = generation.style == Style::Ratio && !has_picture;
    let size = shape::nearest(ratio, wan::sizes(px)).filter(|_| by_size);
    let ratio = shape::nearest(ratio, &RATIOS).filter(|_| by_ratio);
    Parameters {
        size: size.map(|(width, height)| format!("{width}*{height}")),
        resolution: (!by_size).then(|| format!("{px}P")),
        ratio: ratio.map(|(wide, high)| format!("{wide}:{high}")),
        duration: seconds(edit, generation),
        prompt_extend: edit.prompt_extend.unwrap_or(false),
        watermark: edit.watermark.unwrap_or(false),
    }
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: Input<'a>,
    parameters: Parameters,
}

#[derive(Serialize)]
struct Input<'a> {
    prompt: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    negative_prompt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    img_url: Option<Base64<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    media: Vec<Media<'a>>,
}

#[derive(Serialize)]
struct Media<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    url: Base64<'a>,
}

#[derive(Serialize)]
struct Parameters {
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolution: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<String>,
    duration: u32,
    prompt_extend: bool,
    watermark: bool,
}
