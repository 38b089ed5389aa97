//! How one type of server differs, as data.

use super::size::Sizes;
use crate::upstream::{Auth, PictureRules};

/// A type of server that speaks the OpenAI Images API, and how it differs from others.
#[derive(Debug)]
pub struct Profile {
    /// The name in the configuration.
    pub name: &'static str,
    /// How it expects the key.
    pub auth: Auth,
    /// How its addresses are formed.
    pub paths: Paths,
    /// An example of its base URL, for messages to operators who got it wrong.
    pub base_hint: &'static str,
    /// The names of the parts with input images.
    pub image_part: ImagePart,
    /// The fields that it supports besides `model`, `prompt` and `size`.
    pub fields: Fields,
    /// The sizes of models with unknown names.
    pub sizes: Sizes,
    /// The size to request for an edit if the caller does not ask for one.
    pub unshaped: Unshaped,
    /// Limits on input images.
    pub pictures: PictureRules,
    /// Whether it may be a stable-diffusion.cpp server, which reads arguments from the instruction.
    pub may_read_arguments: bool,
    /// Whether it passes on a refusal as a response without images.
    pub is_empty_refused: bool,
    /// The path to call to check whether it is reachable, below the base URL.
    pub probe: &'static str,
}

/// How addresses are formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paths {
    /// `/images/edits` below the base URL.
    Plain,
    /// Azure's: `/openai/v1/images/edits`, or with a deployment and an `api-version`.
    Azure,
}

/// The names of the parts with input images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImagePart {
    /// `image` for one image, `image[]` for several, as in OpenAI's own clients.
    ByCount,
    /// Always `image[]`.
    Brackets,
}

/// Fields that only some servers support. Fields set to false are not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// `n`, which is always 1.
    pub n: bool,
    /// `quality`, with OpenAI's values.
    pub quality: bool,
    /// `negative_prompt`. For other servers, it is appended to the prompt.
    pub negative_prompt: bool,
    /// `response_format: b64_json`, for servers that may otherwise return a URL.
    pub response_format: bool,
    /// `output_format: png`.
    pub output_format: bool,
    /// `mask`, whose transparent pixels may change.
    pub mask: bool,
    /// `background`, which may be transparent.
    pub background: bool,
    /// `user`: the caller, as a keyed hash.
    pub user: bool,
}

/// The size to request for an edit with a model of unknown name if the caller does not ask for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unshaped {
    /// The one nearest to the shape of the first image.
    FirstPicture,
    /// None: the server keeps the shape.
    Omitted,
}
