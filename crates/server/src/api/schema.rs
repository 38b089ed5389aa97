//! Schemas that only the OpenAPI document uses. The code reads requests field by field, so that its
//! errors can name each mistake.

mod values;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use values::{
    BackgroundName, CallKind, ChargingHeaders, DeliveryStatusName, EventName, FileContent,
    InstructionReaderName, OutputFormatName, PreferHeader, QualityName, ScopeName,
};

/// A PNG of 2x2 pixels, for examples.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEklEQVR42mM4EaChEXCCAUIB\
                   ACMOBQF+4/3VAAAAAElFTkSuQmCC";

/// An edit request. Requires one of `instruction`, `prompt` and `plan`, and at least one image.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ImageEditRequest, example = json!({
    "instruction": "Make it grayscale and rotate it left", "imageBase64": PNG,
}))]
pub struct ImageEditRequest {
    /// What to change, at most 800 characters.
    #[schema(max_length = 800, example = "Make it grayscale and rotate it left")]
    pub instruction: Option<String>,
    /// Another name for `instruction`.
    #[schema(max_length = 800)]
    pub prompt: Option<String>,
    /// A plan of the built-in editor, such as an earlier `generation.plan`, instead of an
    /// instruction.
    #[schema(value_type = Option<Object>)]
    pub plan: Option<serde_json::Value>,
    /// `strict` if no language model may read the instruction, even if the operator has configured
    /// one; `auto` by default.
    pub instruction_reader: Option<InstructionReaderName>,
    /// The model, `alpha-image-2-free` by default. `alpha-image-2` is an alias for it.
    #[schema(example = "alpha-image-2-free")]
    pub model: Option<String>,
    /// An input image: an `http`, `https` or `data:` URL.
    #[serde(rename = "imageUrl")]
    pub image_url: Option<String>,
    /// Several input images.
    #[serde(rename = "imageUrls")]
    pub image_urls: Option<Vec<String>>,
    /// An input image in base64, with or without a `data:` prefix.
    #[serde(rename = "imageBase64")]
    pub image_base64: Option<String>,
    /// The file name of the first input, at most 255 characters. It names downloads of the result.
    #[schema(max_length = 255, example = "portrait.jpg")]
    pub input_name: Option<String>,
    /// Number of output images, 1 by default. Values above 1 are reduced to 1.
    #[schema(minimum = 1)]
    pub n: Option<u64>,
    /// One of the model's aspect ratios.
    #[serde(rename = "aspectRatio")]
    #[schema(example = "3:2")]
    pub aspect_ratio: Option<String>,
    /// Whether to add a watermark, if the provider supports it.
    pub watermark: Option<bool>,
    /// What to avoid in the image, if the provider supports it; at most 800 characters.
    #[schema(max_length = 800)]
    pub negative_prompt: Option<String>,
    /// `WIDTHxHEIGHT`, each side 64 to 4096, or `auto`.
    #[schema(example = "1536x1024")]
    pub size: Option<String>,
    /// The quality, if the model offers it.
    pub quality: Option<QualityName>,
    /// Whether the provider may rewrite the instruction.
    pub prompt_extend: Option<bool>,
    /// The file format of the result. By default, it is what the instruction says, or `png`.
    pub output_format: Option<OutputFormatName>,
    /// The quality of a JPEG. By default, it is what the instruction says, or 90.
    #[schema(minimum = 1, maximum = 100)]
    pub output_compression: Option<u8>,
    /// The background, `auto` by default.
    pub background: Option<BackgroundName>,
}

/// A request to create an image from text. Requires one of `instruction`, `prompt` and `plan`.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = TextToImageRequest, example = json!({
    "instruction": "A gradient from red to blue, left to right", "size": "600x400",
}))]
pub struct TextToImageRequest {
    /// What to make, at most 800 characters.
    #[schema(max_length = 800, example = "A gradient from red to blue, left to right")]
    pub instruction: Option<String>,
    /// Another name for `instruction`.
    #[schema(max_length = 800)]
    pub prompt: Option<String>,
    /// A plan of the built-in editor, such as an earlier `generation.plan`, instead of an
    /// instruction.
    #[schema(value_type = Option<Object>)]
    pub plan: Option<serde_json::Value>,
    /// `strict` if no language model may read the instruction, even if the operator has configured
    /// one; `auto` by default.
    pub instruction_reader: Option<InstructionReaderName>,
    /// The model, `alpha-image-2-free` by default. `alpha-image-2` is an alias for it.
    #[schema(example = "alpha-image-2-free")]
    pub model: Option<String>,
    /// Number of output images, 1 by default. Values above 1 are reduced to 1.
    #[schema(minimum = 1)]
    pub n: Option<u64>,
    /// One of the model's aspect ratios.
    #[serde(rename = "aspectRatio")]
    #[schema(example = "3:2")]
    pub aspect_ratio: Option<String>,
    /// Whether to add a watermark, if the provider supports it.
    pub watermark: Option<bool>,
    /// What to avoid in the image, if the provider supports it; at most 800 characters.
    #[schema(max_length = 800)]
    pub negative_prompt: Option<String>,
    /// `WIDTHxHEIGHT`, each side 64 to 4096, or `auto`.
    #[schema(example = "1536x1024")]
    pub size: Option<String>,
    /// The quality, if the model offers it.
    pub quality: Option<QualityName>,
    /// Whether the provider may rewrite the instruction.
    pub prompt_extend: Option<bool>,
    /// The file format of the result. By default, it is what the instruction says, or `png`.
    pub output_format: Option<OutputFormatName>,
    /// The quality of a JPEG. By default, it is what the instruction says, or 90.
    #[schema(minimum = 1, maximum = 100)]
    pub output_compression: Option<u8>,
    /// The background, `auto` by default.
    pub background: Option<BackgroundName>,
}

/// A request to preview an edit. Requires one of `instruction`, `prompt` and `plan`.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PlanRequest, example = json!({ "instruction": "brighten the top half, then crop to 16:9" }))]
pub struct PlanRequest {
    /// What to do, at most 800 characters.
    #[schema(max_length = 800, example = "brighten the top half, then crop to 16:9")]
    pub instruction: Option<String>,
    /// Another name for `instruction`.
    #[schema(max_length = 800)]
    pub prompt: Option<String>,
    /// An earlier plan to check.
    #[schema(value_type = Option<Object>)]
    pub plan: Option<serde_json::Value>,
    /// `strict` if no language model may read the instruction, even if the operator has configured
    /// one; `auto` by default.
    pub instruction_reader: Option<InstructionReaderName>,
    /// Number of input images, 1 by default. With 0, the instruction describes an image to create.
    #[schema(minimum = 0, maximum = 4)]
    pub pictures: Option<u32>,
    /// The aspect ratio that the result must have.
    #[serde(rename = "aspectRatio")]
    #[schema(example = "3:2")]
    pub aspect_ratio: Option<String>,
    /// `WIDTHxHEIGHT`: the size that the result must have.
    #[schema(example = "1536x1024")]
    pub size: Option<String>,
    /// `video` to preview a video instead of an image.
    pub kind: Option<CallKind>,
    /// The length of the video in seconds.
    #[schema(minimum = 0)]
    pub duration_seconds: Option<u32>,
}

/// A request for a preview. Requires one of `instruction`, `prompt` and `plan`.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PreviewRequest, example = json!({
    "instruction": "warmer, then add a 20px white border", "imageBase64": PNG,
}))]
pub struct PreviewRequest {
    /// What to do, at most 800 characters.
    #[schema(max_length = 800, example = "warmer, then add a 20px white border")]
    pub instruction: Option<String>,
    /// Another name for `instruction`.
    #[schema(max_length = 800)]
    pub prompt: Option<String>,
    /// A plan, such as that of an earlier preview, with changed numbers or not. With no steps, the
    /// preview shows the image itself.
    #[schema(value_type = Option<Object>)]
    pub plan: Option<serde_json::Value>,
    /// `strict` if no language model may read the instruction, even if the operator has configured
    /// one; `auto` by default.
    pub instruction_reader: Option<InstructionReaderName>,
    /// The model, as for an edit.
    pub model: Option<String>,
    /// The URL of an upload or a stored result, or a `data:` URL.
    #[serde(rename = "imageUrl")]
    pub image_url: Option<String>,
    /// Several input images.
    #[serde(rename = "imageUrls")]
    pub image_urls: Option<Vec<String>>,
    /// An input image in base64, with or without a `data:` prefix.
    #[serde(rename = "imageBase64")]
    pub image_base64: Option<String>,
    /// One of the model's aspect ratios.
    #[serde(rename = "aspectRatio")]
    #[schema(example = "3:2")]
    pub aspect_ratio: Option<String>,
    /// `WIDTHxHEIGHT`, each side 64 to 4096, or `auto`: the size of the full result.
    #[schema(example = "1536x1024")]
    pub size: Option<String>,
    /// The longest side of the preview in pixels, 1024 by default.
    #[schema(minimum = 16, maximum = 1024)]
    pub max_side: Option<u32>,
    /// The sizes of the full images, one for each, if the request has reduced copies of them. The
    /// preview then shows what the edit does to the full images.
    pub input_sizes: Option<Vec<ImageSize>>,
}

/// The size of an image.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ImageSize)]
pub struct ImageSize {
    /// Width in pixels.
    #[schema(example = 4000)]
    pub width: u32,
    /// Height in pixels.
    #[schema(example = 3000)]
    pub height: u32,
}

/// A request for a video. Requires one of `instruction` and `prompt`; images are optional.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = VideoRequest, example = json!({
    "instruction": "Zoom in slowly", "imageBase64": PNG, "duration_seconds": 5,
}))]
pub struct VideoRequest {
    /// What to make, at most 800 characters.
    #[schema(max_length = 800, example = "Zoom in slowly")]
    pub instruction: Option<String>,
    /// Another name for `instruction`.
    #[schema(max_length = 800)]
    pub prompt: Option<String>,
    /// One of the models in `GET /api/models?kind=video`. The catalogue has a default.
    #[schema(example = "alpha-video-1")]
    pub model: Option<String>,
    /// An input image: an `http`, `https` or `data:` URL.
    #[serde(rename = "imageUrl")]
    pub image_url: Option<String>,
    /// Several input images.
    #[serde(rename = "imageUrls")]
    pub image_urls: Option<Vec<String>>,
    /// An input image in base64, with or without a `data:` prefix.
    #[serde(rename = "imageBase64")]
    pub image_base64: Option<String>,
    /// The file name of the first input, at most 255 characters. It names downloads of the result.
    #[schema(max_length = 255, example = "portrait.jpg")]
    pub input_name: Option<String>,
    /// The length: one of the model's `durations_seconds`, the first by default.
    #[schema(example = 5)]
    pub duration_seconds: Option<u32>,
    /// Number of videos, 1 by default. Values above 1 are reduced to 1.
    #[schema(minimum = 1)]
    pub n: Option<u64>,
    /// One of the model's aspect ratios.
    #[serde(rename = "aspectRatio")]
    #[schema(example = "16:9")]
    pub aspect_ratio: Option<String>,
    /// Whether to add a watermark, if the provider supports it.
    pub watermark: Option<bool>,
    /// What to avoid in the video, if the provider supports it; at most 800 characters.
    #[schema(max_length = 800)]
    pub negative_prompt: Option<String>,
    /// `WIDTHxHEIGHT`, each side 64 to 4096, or `auto`.
    #[schema(example = "1280x720")]
    pub size: Option<String>,
    /// The quality, if the model offers it.
    pub quality: Option<QualityName>,
    /// Whether the provider may rewrite the instruction.
    pub prompt_extend: Option<bool>,
}

/// The body of any call that charges.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = EstimateRequest, example = json!({
    "instruction": "Zoom in slowly", "imageBase64": PNG, "kind": "video",
}))]
pub struct EstimateRequest {
    /// The fields of an edit. The other calls have some of them.
    #[serde(flatten)]
    pub fields: ImageEditRequest,
    /// The length of a video in seconds.
    #[schema(example = 5)]
    pub duration_seconds: Option<u32>,
    /// Which call you mean. Without it, the other fields decide.
    pub kind: Option<CallKind>,
}

/// A form with a file.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = UploadForm)]
pub struct UploadForm {
    /// The image file.
    #[schema(format = Binary)]
    pub file: String,
}

/// A request or notification of JSON-RPC 2.0.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }))]
pub struct McpMessage {
    /// Always `2.0`.
    #[schema(pattern = r"^2\.0$", example = "2.0")]
    pub jsonrpc: String,
    /// The id of a request. A notification has none.
    #[schema(nullable = false)]
    pub id: Option<McpMessageId>,
    /// The method.
    #[schema(min_length = 1, example = "tools/list")]
    pub method: String,
    /// The parameters.
    #[schema(value_type = Option<Object>)]
    pub params: Option<serde_json::Value>,
}

/// The id of a request of JSON-RPC 2.0.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum McpMessageId {
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
}

/// A note that a part of the request was changed or ignored.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Warning)]
pub struct WarningSchema {
    /// A stable name for programs.
    #[schema(example = "n_clamped")]
    pub code: String,
    /// An explanation for people.
    pub message: String,
    /// The field that the warning is about, or null.
    pub param: Option<String>,
}

/// Token counts from the provider, or zeros if it reports none.
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
