//! The requests and answers of this protocol in the OpenAPI document.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A request to create images.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct GenerationRequestOpenai {
    /// What to make. The built-in editor reads at most 800 characters.
    #[schema(max_length = 32_000, example = "A gradient from red to blue, left to right")]
    pub prompt: String,
    /// A model of this service, or one of OpenAI's names that the catalogue lists for it.
    #[schema(example = "gpt-image-2")]
    pub model: Option<String>,
    /// How many images to make. Each is charged.
    #[schema(minimum = 1, maximum = 10, default = 1)]
    pub n: Option<u32>,
    /// `WIDTHxHEIGHT`, each side 64 to 4096, or `auto`.
    #[schema(example = "1024x1024")]
    pub size: Option<String>,
    /// `low`, `medium` or `high`, if the model offers it. `auto` and `standard` are `medium`, `hd` is
    /// `high`.
    pub quality: Option<String>,
    /// `transparent`, `opaque` or `auto`.
    pub background: Option<String>,
    /// `png`, `jpeg` or `webp`.
    #[schema(default = "png")]
    pub output_format: Option<String>,
    /// The quality of a JPEG.
    #[schema(minimum = 0, maximum = 100)]
    pub output_compression: Option<u32>,
    /// `b64_json` or `url`. The default is `b64_json` for names that contain `gpt-image` and for
    /// calls without a model, and `url` for others.
    pub response_format: Option<String>,
    /// Whether to answer with a stream of events.
    #[schema(default = false)]
    pub stream: Option<bool>,
    /// Accepted. No provider here makes partial images.
    #[schema(minimum = 0, maximum = 3)]
    pub partial_images: Option<u32>,
    /// Accepted and not passed on.
    pub user: Option<String>,
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

/// The images of a call.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImagesOpenai {
    /// When the first image was made, in seconds since 1970.
    pub created: i64,
    /// The images that were made.
    pub data: Vec<ImageOpenai>,
    /// `transparent` or `opaque`, if that was asked for.
    pub background: Option<String>,
    /// The file format.
    pub output_format: String,
    /// The quality, if it was asked for and the provider has a choice.
    pub quality: Option<String>,
    /// `WIDTHxHEIGHT`, if it is known.
    pub size: Option<String>,
    /// Token counts, if the provider reports them. The split of the input tokens is always zero.
    #[schema(value_type = Option<Object>)]
    pub usage: Option<serde_json::Value>,
    /// Warnings. Absent when there are none.
    #[schema(value_type = Option<Vec<crate::api::schema::WarningSchema>>)]
    pub warnings: Option<Vec<retouch_core::Warning>>,
}

/// An image, in one of two forms.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImageOpenai {
    /// The file in base64.
    pub b64_json: Option<String>,
    /// The address of the stored file.
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
