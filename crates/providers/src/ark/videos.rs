//! Seedance: tasks at `/contents/generations/tasks`.

use retouch_core::Warning;
use retouch_core::edit::Edit;
use retouch_core::image::AspectRatio;
use serde::{Deserialize, Serialize};

use super::errors::{self, Problem};
use super::models;
use super::seedance::{self, Manner, Model, RATIOS, USUAL_SECONDS};
use crate::error::{Refused, RefusedKind};
use crate::provider::Usage;
use crate::upstream::{
    Answer, Artefact, Base64, Body, Call, Fault, Harvest, Meaning, Order, Step, Ticket, shape,
    short_px, text, warnings,
};

/// The path of tasks, to create or list them, and, followed by a name, to look one up.
pub(super) const TASKS: &str = "/contents/generations/tasks";

/// What the model with this ID will do differently than `edit` requests.
pub(super) fn read(edit: &Edit, id: &str) -> Result<Vec<Warning>, Refused> {
    let found = known(id)?;
    check_pictures(edit, id, found)?;
    let mut warnings = Vec::new();
    warnings.extend(about_shape(edit, found));
    warnings.extend(about_duration(edit, found));
    warnings.extend(edit.quality.map(|_| {
        warnings::not_honored("quality", "has no effect: the model has only one quality.")
    }));
    warnings.extend(edit.negative_prompt.as_ref().map(|_| {
        warnings::approximated(
            "negative_prompt",
            "is sent as part of the instruction, because the model has no field for it.",
        )
    }));
    warnings.extend(edit.prompt_extend.filter(|wanted| *wanted).map(|_| {
        warnings::not_honored("prompt_extend", "has no effect: the model has no such option.")
    }));
    Ok(warnings)
}

/// The model with this ID. An unknown name may be any model.
fn known(id: &str) -> Result<&'static Model, Refused> {
    let makes_pictures = ["seedream", "seededit"]
        .iter()
        .any(|family| models::without_region(id).starts_with(family));
    if makes_pictures {
        return Err(unfit(format!("The provider's model {id} makes images, not videos."), "model"));
    }
    Ok(or_unknown(id))
}

fn or_unknown(id: &str) -> &'static Model {
    seedance::model(id).unwrap_or(&seedance::UNKNOWN)
}

fn check_pictures(edit: &Edit, id: &str, model: &Model) -> Result<(), Refused> {
    let count = edit.pictures.len();
    let most = model.frames_max.max(model.references_max);
    if count > most {
        let message = format!(
            "{count} images were sent; the provider's model {id} accepts at most {most} for a \
             video."
        );
        return Err(unfit(message, "imageUrls"));
    }
    if count == 0 && model.needs_picture {
        let message = format!("The provider's model {id} needs a start image.");
        return Err(unfit(message, "imageUrl"));
    }
    Ok(())
}

fn unfit(message: String, param: &str) -> Refused {
    Refused { kind: RefusedKind::Parameters, message, param: Some(param.into()) }
}

fn about_shape(edit: &Edit, model: &Model) -> Option<Warning> {
    let (wide, high) = shape::asked_ratio(edit).and_then(nearest_ratio)?;
    if edit.size.is_some() {
        let short_px = resolution(edit, model);
        let how = format!(
            "is approximated as {wide}:{high} at {short_px}p, the nearest that the model supports."
        );
        return Some(warnings::approximated("size", &how));
    }
    let as_asked = edit.aspect_ratio == AspectRatio::Ratio(wide, high);
    let how = format!("is approximated as {wide}:{high}, the nearest that the model supports.");
    (!as_asked).then(|| warnings::approximated("aspectRatio", &how))
}

fn about_duration(edit: &Edit, model: &Model) -> Option<Warning> {
    let asked = edit.duration_seconds?;
    let made = seconds(edit, model);
    let how = format!("is approximated as {made}, the nearest length that the model supports.");
    (asked != made).then(|| warnings::approximated("duration_seconds", &how))
}

fn seconds(edit: &Edit, model: &Model) -> u32 {
    let (least, most) = model.seconds;
    edit.duration_seconds.unwrap_or(USUAL_SECONDS).clamp(least, most)
}

/// The resolution that the price of the call covers, or the nearest that the model makes, as its
/// short side in pixels.
fn resolution(edit: &Edit, model: &Model) -> u32 {
    let wanted = short_px(edit);
    let nearest = model.resolutions.iter().min_by_key(|made| made.abs_diff(wanted));
    nearest.copied().unwrap_or(wanted)
}

fn nearest_ratio(ratio: f64) -> Option<(u32, u32)> {
    shape::nearest(ratio, &RATIOS)
}

/// The shape in the provider's terms: the one that the caller asks for; otherwise that of the first
/// frame, or the nearest to the first image if there are only reference images; without images, the
/// provider's own default.
fn ratio(order: &Order<'_>, are_frames: bool) -> String {
    if let Some((wide, high)) = shape::asked_ratio(order.edit).and_then(nearest_ratio) {
        return format!("{wide}:{high}");
    }
    match shape::first_ratio(order) {
        Some(_) if are_frames => "adaptive".into(),
        Some(first) => {
            nearest_ratio(first).map_or("16:9".into(), |(wide, high)| format!("{wide}:{high}"))
        }
        None => "16:9".into(),
    }
}

/// The call that requests a video.
pub(super) fn call(order: &Order<'_>) -> Call {
    let (edit, model) = (order.edit, or_unknown(order.model));
    let are_frames = order.pictures.len() <= model.frames_max;
    let fields = Fields {
        resolution: format!("{}p", resolution(edit, model)),
        ratio: ratio(order, are_frames),
        duration: seconds(edit, model),
        watermark: edit.watermark.unwrap_or(false),
        // No parameter asks for sound, and on some models it doubles the price.
        generate_audio: (model.manner == Manner::FieldsWithSound).then_some(false),
    };
    let said = without_flags(&text::prompt_with_negative(edit));
    let (text, fields) = match model.manner {
        Manner::Flags => (format!("{said} {}", fields.as_flags()), None),
        Manner::Fields | Manner::FieldsWithSound => (said, Some(fields)),
    };
    let prefixes: Vec<String> = order.pictures.iter().map(text::data_uri_prefix).collect();
    let pictures = order.pictures.iter().zip(&prefixes).enumerate();
    let pictures = pictures.map(|(number, (picture, prefix))| Content::ImageUrl {
        image_url: Place { url: Base64 { prefix, bytes: &picture.bytes } },
        role: role(number, are_frames),
    });
    let content = std::iter::once(Content::Text { text }).chain(pictures).collect();
    let safety_identifier = order.end_user.filter(|_| fields.is_some());
    let request = Request { model: order.model, content, fields, safety_identifier };
    Call::post(TASKS, Body::json(&request))
}

fn role(number: usize, are_frames: bool) -> &'static str {
    match (are_frames, number) {
        (true, 0) => "first_frame",
        (true, _) => "last_frame",
        (false, _) => "reference_image",
    }
}

/// The text without anything that the provider would read as a parameter. Otherwise,
/// `--duration 12` in the text would change the length, and the price would not cover it.
fn without_flags(words: &str) -> String {
    let mut plain = String::with_capacity(words.len());
    let mut rest = words;
    while let Some((before, after)) = rest.split_once("--") {
        plain.push_str(before);
        plain.push('—');
        rest = after.trim_start_matches('-');
    }
    plain.push_str(rest);
    plain
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    content: Vec<Content<'a>>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    fields: Option<Fields>,
    /// The caller, as a keyed hash. The oldest models, which take flags in the text, do not have
    /// this field.
    #[serde(skip_serializing_if = "Option::is_none")]
    safety_identifier: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Content<'a> {
    Text { text: String },
    ImageUrl { image_url: Place<'a>, role: &'static str },
}

#[derive(Serialize)]
struct Place<'a> {
    url: Base64<'a>,
}

#[derive(Serialize)]
struct Fields {
    resolution: String,
    ratio: String,
    duration: u32,
    watermark: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    generate_audio: Option<bool>,
}

impl Fields {
    fn as_flags(&self) -> String {
        let Self { resolution, ratio, duration, watermark, .. } = self;
        format!(
            "--resolution {resolution} --ratio {ratio} --duration {duration} --watermark \
             {watermark}"
        )
    }
}

/// What a successful response to [`call`] means.
pub(super) fn submitted(answer: &Answer) -> Meaning {
    #[derive(Deserialize)]
    struct Named {
        #[serde(default)]
        id: Option<String>,
        #[serde(default)]
        error: Option<Problem>,
    }
    let named: Named = answer.json()?;
    let id = match (named.id, named.error) {
        (Some(id), _) => id,
        (None, Some(problem)) => return Err(problem.after_work()),
        (None, None) => {
            return Err(Fault::Failed(format!("no task in the response: {}", answer.shown())));
        }
    };
    if !is_name(&id) {
        return Err(Fault::Failed("the task ID cannot be used in a URL".into()));
    }
    Ok(Step::Submitted(Ticket(id.into())))
}

/// The path of the task of `ticket`.
pub(super) fn task_path(ticket: &Ticket) -> String {
    let id = ticket.0.as_str().unwrap_or_default();
    format!("{TASKS}/{id}")
}

/// Whether the text is safe as the last segment of a path.
fn is_name(id: &str) -> bool {
    const CHARS_MAX: usize = 128;
    let harmless = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    !id.is_empty() && id.len() <= CHARS_MAX && id.bytes().all(harmless)
}

/// What the response to a status request means.
pub(super) fn polled(answer: &Answer) -> Meaning {
    if !answer.status.is_success() {
        return Err(errors::while_asking(answer));
    }
    let Ok(task) = answer.json::<Task>() else {
        return Err(Fault::busy(answer.shown(), None));
    };
    match task.status.as_str() {
        "succeeded" => task.harvest(),
        "failed" => Err(task.error.unwrap_or_default().after_work()),
        "cancelled" | "expired" => {
            Err(Fault::Failed(format!("the task has the status {}", task.status)))
        }
        _ => Ok(Step::Working { wait_ms: None }),
    }
}

#[derive(Deserialize)]
struct Task {
    status: String,
    #[serde(default)]
    content: Option<Made>,
    #[serde(default)]
    usage: Option<Counted>,
    #[serde(default)]
    error: Option<Problem>,
}

#[derive(Deserialize)]
struct Made {
    #[serde(default)]
    video_url: Option<String>,
}

#[derive(Default, Deserialize)]
struct Counted {
    #[serde(default)]
    completion_tokens: Option<u64>,
    #[serde(default)]
    total_tokens: Option<u64>,
}

impl Task {
    fn harvest(self) -> Meaning {
        let address = self.content.and_then(|made| made.video_url).filter(|url| !url.is_empty());
        let Some(address) = address else {
            return Err(Fault::Failed("the task succeeded without a video".into()));
        };
        let counted = self.usage.unwrap_or_default();
        let usage = Usage {
            prompt_tokens: 0,
            completion_tokens: counted.completion_tokens.unwrap_or_default(),
            total_tokens: counted.total_tokens.or(counted.completion_tokens).unwrap_or_default(),
        };
        let artefacts = vec![Artefact::Address(address)];
        Ok(Step::Done(Harvest { artefacts, usage, warnings: Vec::new() }))
    }
}
