//! Requests to `generateContent`.

use retouch_core::Warning;
use retouch_core::edit::Edit;
use serde::Serialize;

use super::frame;
use super::models::abilities;
use crate::upstream::{Base64, Body, Order, text, warnings};

/// What `model` will do differently than requested.
pub(super) fn read(edit: &Edit, model: &str) -> Vec<Warning> {
    let abilities = abilities(model);
    let mut warnings = common_warnings(edit);
    warnings.extend(frame::ratio_warning(edit, abilities.ratios));
    warnings.extend(frame::size_warning(edit, &abilities));
    if edit.negative_prompt.is_some() {
        let how = "was added to the instruction as \"Avoid: …\", because the provider has no field for it.";
        warnings.push(warnings::approximated("negative_prompt", how));
    }
    warnings
}

/// Warnings about what neither Gemini nor Veo can do.
pub(super) fn common_warnings(edit: &Edit) -> Vec<Warning> {
    let mut warnings = Vec::new();
    // Without a watermark, there is nothing to warn of: the provider adds no visible one.
    if edit.watermark == Some(true) {
        let how = "is invisible: the provider adds SynthID, but no visible mark.";
        warnings.push(warnings::approximated("watermark", how));
    }
    if edit.prompt_extend == Some(true) {
        let why = "has no effect: the provider does not rewrite prompts.";
        warnings.push(warnings::not_honored("prompt_extend", why));
    }
    if edit.quality.is_some() {
        let why = "has no effect: the provider has no such option.";
        warnings.push(warnings::not_honored("quality", why));
    }
    warnings
}

/// The request: the images in their order, so that "image 1" is the first, followed by the text.
pub(super) fn body(order: &Order<'_>) -> Body {
    let abilities = abilities(order.model);
    let prompt = text::prompt_with_negative(order.edit);
    let pictures = order.pictures.iter().map(|picture| Part::InlineData {
        mime_type: picture.format.media_type(),
        data: Base64 { prefix: "", bytes: &picture.bytes },
    });
    let tier = frame::tier(order.edit, abilities.tiers);
    let image_config = ImageConfig {
        aspect_ratio: frame::ratio(order, abilities.ratios)
            .map(|(width, height)| format!("{width}:{height}")),
        image_size: tier.map(|tier| tier.name),
    };
    Body::json(&Request {
        contents: [Content {
            role: "user",
            parts: pictures.chain([Part::Text(&prompt)]).collect(),
        }],
        generation_config: GenerationConfig {
            response_modalities: ["IMAGE"],
            candidate_count: 1,
            image_config: image_config.is_wanted().then_some(image_config),
        },
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request<'a> {
    contents: [Content<'a>; 1],
    generation_config: GenerationConfig,
}

#[derive(Serialize)]
struct Content<'a> {
    role: &'static str,
    parts: Vec<Part<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Part<'a> {
    InlineData { mime_type: &'static str, data: Base64<'a> },
    Text(&'a str),
}

/// `responseModalities` excludes `TEXT`, so the model makes an image instead of chatting.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GenerationConfig {
    response_modalities: [&'static str; 1],
    candidate_count: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    image_config: Option<ImageConfig>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ImageConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    aspect_ratio: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    image_size: Option<&'static str>,
}

impl ImageConfig {
    fn is_wanted(&self) -> bool {
        self.aspect_ratio.is_some() || self.image_size.is_some()
    }
}
