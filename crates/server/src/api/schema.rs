//! Shapes for the OpenAPI document that the code itself reads or writes in another way: the
//! request is read field by field so that every mistake can be named.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An edit request. One of `instruction`, `prompt` and `plan`, and at least one
/// picture.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ImageEditRequest)]
pub struct ImageEditRequest {
    /// Editing instruction, at most 800 characters.
    #[schema(max_length = 800, example = "Make it grayscale and rotate it left")]
    pub instruction: Option<String>,
    /// Another name for `instruction`.
    #[schema(max_length = 800)]
    pub prompt: Option<String>,
    /// A plan of the built-in editor, such as an earlier `generation.plan`, in place of an
    /// instruction.
    #[schema(value_type = Option<Object>)]
    pub plan: Option<serde_json::Value>,
    /// Default `alpha-image-2-free`; `alpha-image-2` is an alias of it.
    #[schema(example = "alpha-image-2-free", default = "alpha-image-2-free")]
    pub model: Option<String>,
    /// A single input image: an `http`, `https` or `data:` address.
    #[serde(rename = "imageUrl")]
    pub image_url: Option<String>,
    /// Several input images.
    #[serde(rename = "imageUrls")]
    pub image_urls: Option<Vec<String>>,
    /// An input image given inline: base64, raw or as a `data:` URI.
    #[serde(rename = "imageBase64")]
    pub image_base64: Option<String>,
    /// Number of output images; larger values than 1 are clamped.
    #[schema(minimum = 1, default = 1)]
    pub n: Option<u64>,
    /// One of the model's aspect ratios.
    #[serde(rename = "aspectRatio")]
    #[schema(example = "3:2")]
    pub aspect_ratio: Option<String>,
    /// Whether to leave a watermark, where the provider can.
    pub watermark: Option<bool>,
    /// What to keep out of the picture, where the provider can; at most 800 characters.
    #[schema(max_length = 800)]
    pub negative_prompt: Option<String>,
    /// `WIDTHxHEIGHT`, each side 64 to 4096, or `auto`.
    #[schema(example = "1024x768")]
    pub size: Option<String>,
    /// `low`, `medium` or `high`, as far as the model offers it; `auto` is `medium`.
    pub quality: Option<String>,
    /// Whether the provider may rewrite the instruction.
    pub prompt_extend: Option<bool>,
}

/// A request for an image out of words: an edit request without pictures. One of `instruction`,
/// `prompt` and `plan`.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = TextToImageRequest)]
pub struct TextToImageRequest {
    /// What to make, at most 800 characters.
    #[schema(max_length = 800, example = "A gradient from red to blue, left to right")]
    pub instruction: Option<String>,
    /// Another name for `instruction`.
    #[schema(max_length = 800)]
    pub prompt: Option<String>,
    /// A plan of the built-in editor, such as an earlier `generation.plan`, in place of an
    /// instruction.
    #[schema(value_type = Option<Object>)]
    pub plan: Option<serde_json::Value>,
    /// Default `alpha-image-2-free`; `alpha-image-2` is an alias of it.
    #[schema(example = "alpha-image-2-free", default = "alpha-image-2-free")]
    pub model: Option<String>,
    /// Number of output images; larger values than 1 are clamped.
    #[schema(minimum = 1, default = 1)]
    pub n: Option<u64>,
    /// One of the model's aspect ratios.
    #[serde(rename = "aspectRatio")]
    #[schema(example = "3:2")]
    pub aspect_ratio: Option<String>,
    /// Whether to leave a watermark, where the provider can.
    pub watermark: Option<bool>,
    /// What to keep out of the picture, where the provider can; at most 800 characters.
    #[schema(max_length = 800)]
    pub negative_prompt: Option<String>,
    /// `WIDTHxHEIGHT`, each side 64 to 4096, or `auto`.
    #[schema(example = "1024x768")]
    pub size: Option<String>,
    /// `low`, `medium` or `high`, as far as the model offers it; `auto` is `medium`.
    pub quality: Option<String>,
    /// Whether the provider may rewrite the instruction.
    pub prompt_extend: Option<bool>,
}

/// What a plan is wanted for. One of `instruction`, `prompt` and `plan`.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PlanRequest)]
pub struct PlanRequest {
    /// What to do, at most 800 characters.
    #[schema(max_length = 800, example = "brighten the top half, then crop to 16:9")]
    pub instruction: Option<String>,
    /// Another name for `instruction`.
    #[schema(max_length = 800)]
    pub prompt: Option<String>,
    /// An earlier plan, to be looked through.
    #[schema(value_type = Option<Object>)]
    pub plan: Option<serde_json::Value>,
    /// How many pictures there will be; without any, the words say which picture is made.
    #[schema(minimum = 0, maximum = 4, default = 1)]
    pub pictures: Option<u32>,
    /// The shape that the result must have.
    #[serde(rename = "aspectRatio")]
    #[schema(example = "3:2")]
    pub aspect_ratio: Option<String>,
    /// `WIDTHxHEIGHT`: the size that the result must have.
    #[schema(example = "1024x768")]
    pub size: Option<String>,
}

/// A request for a video. One of `instruction` and `prompt`; pictures are optional.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = VideoRequest)]
pub struct VideoRequest {
    /// What to make, at most 800 characters.
    #[schema(max_length = 800, example = "Zoom in slowly")]
    pub instruction: Option<String>,
    /// Another name for `instruction`.
    #[schema(max_length = 800)]
    pub prompt: Option<String>,
    /// One of the models of `GET /api/models?kind=video`; the catalogue has a default.
    #[schema(example = "alpha-video-1")]
    pub model: Option<String>,
    /// A single input image: an `http`, `https` or `data:` address.
    #[serde(rename = "imageUrl")]
    pub image_url: Option<String>,
    /// Several input images.
    #[serde(rename = "imageUrls")]
    pub image_urls: Option<Vec<String>>,
    /// An input image given inline: base64, raw or as a `data:` URI.
    #[serde(rename = "imageBase64")]
    pub image_base64: Option<String>,
    /// How long the video is to be: one of the model's `durations_seconds`, the first by default.
    #[schema(example = 5)]
    pub duration_seconds: Option<u32>,
    /// Number of videos; larger values than 1 are clamped.
    #[schema(minimum = 1, default = 1)]
    pub n: Option<u64>,
    /// One of the model's aspect ratios.
    #[serde(rename = "aspectRatio")]
    #[schema(example = "16:9")]
    pub aspect_ratio: Option<String>,
    /// Whether to leave a watermark, where the provider can.
    pub watermark: Option<bool>,
    /// What to keep out of the video, where the provider can; at most 800 characters.
    #[schema(max_length = 800)]
    pub negative_prompt: Option<String>,
    /// `WIDTHxHEIGHT`, each side 64 to 4096, or `auto`.
    #[schema(example = "1280x720")]
    pub size: Option<String>,
    /// `low`, `medium` or `high`, as far as the model offers it; `auto` is `medium`.
    pub quality: Option<String>,
    /// Whether the provider may rewrite the instruction.
    pub prompt_extend: Option<bool>,
}

/// Something in the request that was understood differently from what may have been meant.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Warning)]
pub struct WarningSchema {
    /// A stable name.
    #[schema(example = "n_clamped")]
    pub code: String,
    /// A sentence for a person.
    pub message: String,
    /// The field that it is about, or null.
    pub param: Option<String>,
}

/// Token counts, as the provider reports them; zeros where it reports none.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Usage)]
pub struct UsageSchema {
    /// Prompt tokens.
    pub prompt_tokens: u64,
    /// Completion tokens.
    pub completion_tokens: u64,
    /// Total tokens.
    pub total_tokens: u64,
}
