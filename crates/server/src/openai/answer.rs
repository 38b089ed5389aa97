//! Writes answers. Each field says what was done; what is not known is left out.

use axum::response::Response;
use retouch_core::Warning;
use retouch_core::image::OutputFormat;
use retouch_engine::codec;
use retouch_providers::{Media, Usage};
use serde::Serialize;
use serde_json::{Value, json};

use super::errors::renamed_warning;
use super::request::AnswerForm;
use super::run::Made;
use crate::api::edit_response;
use crate::api::submission::marked;
use crate::edits::{Answer, Finished};
use crate::error::{ApiError, ApiResult};
use crate::http::pieces::{Piece, Pieces};

/// What an answer says about its images.
#[derive(Serialize)]
pub(super) struct Details {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) background: Option<String>,
    pub(super) output_format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) quality: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) size: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) usage: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) warnings: Vec<Warning>,
}

/// The answer with the images that were `made`.
///
/// # Errors
/// If it cannot be written as JSON.
pub(super) fn respond(form: AnswerForm, made: Made) -> ApiResult<Response> {
    let Made { answers, failures } = made;
    let is_replayed = answers.iter().all(|answer| answer.replayed);
    let mut details = all_details(&answers);
    details.warnings.extend(missing(answers.len(), &failures));
    let created = answers.first().map(|answer| created_s(&answer.finished)).unwrap_or_default();
    let (mut pieces, mut memory) = (Vec::new(), Vec::new());
    let mut text = format!(r#"{{"created":{created},"data":["#);
    for (index, Answer { finished, .. }) in answers.into_iter().enumerate() {
        text.push_str(if index == 0 { "" } else { "," });
        match form {
            AnswerForm::Url => {
                let url = finished.generation.stored_images.first();
                text.push_str(&json!({ "url": url }).to_string());
            }
            AnswerForm::Base64 => {
                text.push_str(r#"{"b64_json":""#);
                pieces.push(Piece::Text(std::mem::take(&mut text).into()));
                pieces.push(finished.image);
                memory.push(finished.memory);
                text.push_str(r#""}"#);
            }
        }
    }
    text.push_str("],");
    let details = serde_json::to_string(&details).map_err(ApiError::internal)?;
    text.push_str(details.strip_prefix('{').unwrap_or_default());
    pieces.push(Piece::Text(text.into()));
    Ok(marked(edit_response::json(Pieces::new(pieces, memory)), is_replayed))
}

/// When the image was made, in seconds.
pub(super) fn created_s(finished: &Finished) -> i64 {
    let generation = &finished.generation;
    generation.completed_at.unwrap_or(generation.created_at).0 / 1_000
}

/// What is known about one image.
pub(super) fn details(finished: &Finished) -> Details {
    let generation = &finished.generation;
    let is_doubtful = |param: &str| {
        generation.warnings.iter().any(|warning| warning.param.as_deref() == Some(param))
    };
    let asked = |param: &str| {
        let value = generation.request.as_ref()?.get(param)?.as_str()?;
        (!is_doubtful(param)).then(|| value.to_owned())
    };
    Details {
        background: asked("background"),
        output_format: format_of(finished.media),
        quality: asked("quality"),
        size: size(&finished.image),
        usage: generation.usage.filter(|usage| usage.total_tokens > 0).map(usage),
        warnings: generation.warnings.iter().map(renamed_warning).collect(),
    }
}

/// What is known about all images of a call. They were asked for with the same words, so the first
/// one stands for all, except that tokens add up.
fn all_details(answers: &[Answer]) -> Details {
    let mut each = answers.iter().map(|answer| details(&answer.finished));
    let none = Details {
        background: None,
        output_format: OutputFormat::default().as_str(),
        quality: None,
        size: None,
        usage: None,
        warnings: Vec::new(),
    };
    let first = each.next().unwrap_or(none);
    let sizes: Vec<_> = each.map(|details| details.size).collect();
    let is_alike = sizes.iter().all(|size| *size == first.size);
    let used = answers.iter().filter_map(|answer| answer.finished.generation.usage);
    let total = used.fold(Usage::default(), |total, one| Usage {
        prompt_tokens: total.prompt_tokens.saturating_add(one.prompt_tokens),
        completion_tokens: total.completion_tokens.saturating_add(one.completion_tokens),
        total_tokens: total.total_tokens.saturating_add(one.total_tokens),
    });
    Details {
        size: first.size.filter(|_| is_alike),
        usage: (total.total_tokens > 0).then(|| usage(total)),
        ..first
    }
}

/// Token counts in this protocol's form. It requires a split of the input tokens, which is not
/// recorded, so that is zero.
pub(super) fn usage(usage: Usage) -> Value {
    json!({
        "input_tokens": usage.prompt_tokens,
        "input_tokens_details": { "image_tokens": 0, "text_tokens": 0 },
        "output_tokens": usage.completion_tokens,
        "total_tokens": usage.total_tokens,
    })
}

/// The warning that some images are missing.
fn missing(made: usize, failures: &[ApiError]) -> Option<Warning> {
    let first = failures.first()?;
    let (missing, all) = (failures.len(), made + failures.len());
    let message = format!(
        "{missing} of {all} images could not be made and were not charged. The first error: {}",
        first.message
    );
    Some(Warning::about("images_missing", "n", message))
}

/// The size of an image, if it is in memory.
fn size(image: &Piece) -> Option<String> {
    let Piece::File(file) = image else { return None };
    let limits = codec::Limits { bytes_max: usize::MAX, ..codec::Limits::default() };
    let (width, height) = codec::probe(file, &limits).ok()?.size();
    Some(format!("{width}x{height}"))
}

fn format_of(media: Media) -> &'static str {
    let format = OutputFormat::ALL.into_iter().find(|format| Media::of_format(*format) == media);
    format.unwrap_or_default().as_str()
}
