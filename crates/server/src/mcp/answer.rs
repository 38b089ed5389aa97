//! The results of tools: a line of text, a small preview, a link to the full image, and the data.

use base64_simd::STANDARD;
use bytes::Bytes;
use retouch_engine::codec::Format;
use rmcp::model::{CallToolResult, ContentBlock, Resource};
use serde::Serialize;
use serde_json::Value;

use crate::api::plan::EditPlanView;
use crate::edits::GenerationView;
use crate::error::{ApiError, ApiResult};

/// The result of a tool that has only data, with `text` for assistants that do not read data.
pub(crate) fn data(text: String, data: &impl Serialize) -> ApiResult<CallToolResult> {
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(value(data)?);
    Ok(result)
}

/// The result of a tool that failed. The assistant reads it, and may try again.
pub(crate) fn failure(error: &ApiError) -> CallToolResult {
    let name = error.code.row().name;
    let about = error.param.as_deref().map(|param| format!(", argument: {param}"));
    let wait = error.retry_after_s.map(|seconds| format!(" Try again in {seconds} s."));
    let text = format!(
        "{}{} (code: {name}{})",
        error.message,
        wait.unwrap_or_default(),
        about.unwrap_or_default()
    );
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// The result of an edit, made now or earlier.
pub(super) struct Shown {
    /// Its record.
    pub(super) generation: GenerationView,
    /// The credits that are left.
    pub(super) available: i64,
    /// Whether this repeats the result of an earlier call with the same key.
    pub(super) replayed: bool,
    /// The image itself, or a smaller copy.
    pub(super) image: Option<Bytes>,
}

/// The data of an edit's result.
#[derive(Serialize)]
struct Data<'a> {
    generation: &'a GenerationView,
    available: i64,
}

impl Shown {
    /// The result of the tool.
    pub(super) fn into_result(self) -> ApiResult<CallToolResult> {
        let Self { generation, available, image, .. } = &self;
        let mut result = data(self.text(), &Data { generation, available: *available })?;
        result.content.extend(image.as_deref().map(picture));
        let stored = generation.stored_images.iter().chain(&generation.stored_videos);
        result.content.extend(stored.map(|url| link(url, &generation.uuid)));
        Ok(result)
    }

    /// What happened, for assistants and people.
    fn text(&self) -> String {
        let Self { generation, available, replayed, .. } = self;
        let GenerationView { uuid, status, cost, .. } = generation;
        let again = if *replayed { ", as in the first call with this idempotency_key" } else { "" };
        let mut lines = vec![match status.as_str() {
            "succeeded" => {
                format!("Generation {uuid}: {cost} credits charged{again}, {available} left.")
            }
            "processing" => format!("Generation {uuid} is running: {cost} credits are reserved."),
            _ => {
                format!("Generation {uuid} failed: nothing was charged, {available} credits left.")
            }
        }];
        if let Some(words) = steps(generation.plan.as_ref()) {
            lines.push(format!("Done: {words}."));
        }
        lines.extend(generation.error.iter().map(|error| format!("Reason: {}", error.message)));
        lines.extend(generation.warnings.iter().map(|it| format!("Warning: {}", it.message)));
        lines.join("\n")
    }
}

/// What the built-in editor would do, for assistants and people.
pub(crate) fn planned(view: &EditPlanView) -> String {
    match (&view.refusal, steps(view.plan.as_ref())) {
        (Some(refusal), _) => format!("Refused: {}", refusal.message),
        (None, Some(steps)) => format!("The built-in editor would: {steps}."),
        (None, None) => "The built-in editor would change nothing.".to_owned(),
    }
}

/// The steps of a plan in words.
pub(crate) fn steps(plan: Option<&Value>) -> Option<String> {
    let words = plan?.get("words")?.as_array()?.iter().filter_map(Value::as_str);
    Some(words.collect::<Vec<_>>().join(", then "))
}

/// An image as a part of a result.
pub(crate) fn picture(file: &[u8]) -> ContentBlock {
    let kind = Format::of(file).map_or("image/png", Format::media_type);
    ContentBlock::image(STANDARD.encode_to_string(file), kind)
}

/// A link to a stored file.
fn link(url: &str, uuid: &str) -> ContentBlock {
    let name = url.rsplit('/').next().unwrap_or(url);
    let kind = retouch_providers::Media::of_name(name).map(|media| media.content_type());
    let mut link = Resource::new(url, name).with_title(format!("The full result of {uuid}"));
    link.mime_type = kind.map(ToOwned::to_owned);
    ContentBlock::resource_link(link)
}

fn value(data: &impl Serialize) -> ApiResult<Value> {
    serde_json::to_value(data).map_err(ApiError::internal)
}
