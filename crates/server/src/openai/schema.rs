//! The requests and answers of this protocol in the OpenAPI document.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::schema::{BackgroundName, InstructionReaderName, OutputFormatName, WarningSchema};

/// The header with which OpenAI's clients count their attempts.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
pub struct RetryHeader {
    /// How many times the client has tried before. A repeated call gets the answer of the first one,
    /// within ten minutes.
    #[param(rename = "x-stainless-retry-count")]
    pub retry_count: Option<String>,
}

/// A quality. `auto` and `standard` are `medium`, `hd` is `high`. Not every model offers each of them.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum QualityOpenai {
    /// Fewest details.
    Low,
    /// The default.
    Medium,
    /// Most details.
    High,
    /// The default.
    Auto,
    /// The default.
    Standard,
    /// Most details.
    Hd,
}

/// How a response contains its images.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResponseFormatOpenai {
    /// The file in base64.
    B64Json,
    /// The address of the stored file.
    Url,
}

/// A request to create images.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct GenerationRequestOpenai {
    /// What to make. The built-in editor reads at most 800 characters.
    #[schema(max_length = 32_000, example = "A gradient from red to blue, left to right")]
    pub prompt: String,
    /// A model of this service, or one of OpenAI's names that the catalogue lists for it.
    #[schema(example = "gpt-image-2")]
    pub model: Option<String>,
    /// How many images to make, 1 by default. Each is charged.
    #[schema(minimum = 1, maximum = 10)]
    pub n: Option<u32>,
    /// `WIDTHxHEIGHT`, each side 64 to 4096, or `auto`.
    #[schema(example = "1024x1024")]
    pub size: Option<String>,
    /// The quality, if the model offers it.
    pub quality: Option<QualityOpenai>,
    /// The background, `auto` by default.
    pub background: Option<BackgroundName>,
    /// The file format. By default, it is what the instruction says, or `png`.
    pub output_format: Option<OutputFormatName>,
    /// The quality of a JPEG.
    #[schema(minimum = 0, maximum = 100)]
    pub output_compression: Option<u32>,
    /// How the response contains the images. The default is `b64_json` for names that contain
    /// `gpt-image` and for calls without a model, and `url` for others.
    pub response_format: Option<ResponseFormatOpenai>,
    /// Whether to answer with a stream of events.
    pub stream: Option<bool>,
    /// Accepted. No provider here makes partial images.
    #[schema(minimum = 0, maximum = 3)]
    pub partial_images: Option<u32>,
    /// One of the model's aspect ratios.
    #[serde(rename = "aspectRatio")]
    pub aspect_ratio: Option<String>,
    /// What to avoid in the image, if the provider supports it; at most 800 characters.
    #[schema(max_length = 800)]
    pub negative_prompt: Option<String>,
    /// Whether to add a watermark, if the provider supports it.
    pub watermark: Option<bool>,
    /// `strict` if no language model may read the prompt for the built-in editor; `auto` by default.
    pub instruction_reader: Option<InstructionReaderName>,
    /// Whether the provider may rewrite the prompt.
    pub prompt_extend: Option<bool>,
    /// Accepted and not passed on.
    pub user: Option<String>,
    /// Accepted and not passed on.
    pub safety_identifier: Option<String>,
    /// Has no effect: each provider moderates by its own rules.
    pub moderation: Option<String>,
    /// Has no effect: each provider keeps as much of the images as it can.
    pub input_fidelity: Option<String>,
    /// Has no effect: describe the style in the prompt.
    pub style: Option<String>,
}

/// A request to edit images that have an address.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct EditRequestOpenai {
    /// The images, in the order in which the prompt counts them.
    #[schema(min_items = 1, max_items = 16)]
    pub images: Vec<ImageReference>,
    /// A PNG of the size of the first image. Its transparent pixels may change. Refused if no
    /// provider of the model applies masks.
    pub mask: Option<ImageReference>,
    /// The other fields.
    #[serde(flatten)]
    pub rest: GenerationRequestOpenai,
}

/// A form with images to edit.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct EditFormOpenai {
    /// The image files. `image[]` is another name.
    #[schema(value_type = Vec<String>, format = Binary)]
    pub image: Vec<String>,
    /// A PNG of the size of the first image. Its transparent pixels may change. Refused if no
    /// provider of the model applies masks.
    #[schema(format = Binary)]
    pub mask: Option<String>,
    /// The other fields.
    #[serde(flatten)]
    pub rest: GenerationRequestOpenai,
}

/// Where an image is. One of the two.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ImageReference {
    /// An `http`, `https` or `data:` URL.
    pub image_url: Option<String>,
    /// The id of an upload.
    pub file_id: Option<String>,
}

/// The images of a call. Fields that are not known are absent.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImagesOpenai {
    /// When the first image was made, in seconds since 1970.
    pub created: i64,
    /// The images that were made.
    pub data: Vec<ImageOpenai>,
    /// `transparent` or `opaque`, if that was asked for.
    #[schema(nullable = false)]
    pub background: Option<String>,
    /// The file format.
    pub output_format: String,
    /// The quality, if it was asked for and the provider has a choice.
    #[schema(nullable = false)]
    pub quality: Option<String>,
    /// `WIDTHxHEIGHT`, if it is known.
    #[schema(nullable = false)]
    pub size: Option<String>,
    /// Token counts, if the provider reports them.
    #[schema(nullable = false)]
    pub usage: Option<UsageOpenai>,
    /// Warnings. Absent when there are none.
    #[schema(nullable = false)]
    pub warnings: Option<Vec<WarningSchema>>,
}

/// An event of a stream: a finished image, or the error that ended the call.
#[derive(Debug, ToSchema)]
pub struct EventOpenai {
    /// `image_generation.completed`, `image_edit.completed` or `error`.
    pub event: String,
    /// The image or the error as JSON.
    pub data: String,
}

/// Token counts.
#[derive(Debug, Serialize, ToSchema)]
pub struct UsageOpenai {
    /// Tokens of the prompt and the images.
    pub input_tokens: u64,
    /// Always zero, because the split is not recorded.
    pub input_tokens_details: TokensOpenai,
    /// Tokens of the result.
    pub output_tokens: u64,
    /// All tokens.
    pub total_tokens: u64,
}

/// Input tokens by what they are for.
#[derive(Debug, Serialize, ToSchema)]
pub struct TokensOpenai {
    /// Tokens of images.
    pub image_tokens: u64,
    /// Tokens of texts.
    pub text_tokens: u64,
}

/// An image, in one of two forms.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImageOpenai {
    /// The file in base64.
    #[schema(nullable = false)]
    pub b64_json: Option<String>,
    /// The address of the stored file.
    #[schema(nullable = false)]
    pub url: Option<String>,
}

/// A name that requests may use as `model`.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModelOpenai {
    /// The name.
    #[schema(example = "gpt-image-2")]
    pub id: String,
    /// Always `model`.
    #[schema(example = "model")]
    pub object: String,
    /// Always 0: the catalogue has no dates.
    pub created: i64,
    /// Always `retouch`.
    #[schema(example = "retouch")]
    pub owned_by: String,
}

impl ModelOpenai {
    /// The model with this name.
    pub fn named(name: &str) -> Self {
        Self { id: name.into(), object: "model".into(), created: 0, owned_by: "retouch".into() }
    }
}

/// A list of models.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModelListOpenai {
    /// Always `list`.
    #[schema(example = "list")]
    pub object: String,
    /// The models.
    pub data: Vec<ModelOpenai>,
}
