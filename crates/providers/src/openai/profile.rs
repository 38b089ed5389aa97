//! What one kind of server takes, as data.

use super::size::Sizes;
use crate::upstream::{Auth, PictureRules};

/// One kind of server that speaks the OpenAI Images protocol, and how it differs from the others.
#[derive(Debug)]
pub struct Profile {
    /// The name in the configuration.
    pub name: &'static str,
    /// How it takes the key.
    pub auth: Auth,
    /// How its addresses are formed.
    pub paths: Paths,
    /// What the base address looks like, for an operator who got it wrong.
    pub base_hint: &'static str,
    /// How the parts with input pictures are called.
    pub image_part: ImagePart,
    /// Fields that it takes beyond `model`, `prompt` and `size`.
    pub fields: Fields,
    /// Sizes of models whose name says nothing.
    pub sizes: Sizes,
    /// What size an edit asks for when the caller does not.
    pub unshaped: Unshaped,
    /// What input pictures must be.
    pub pictures: PictureRules,
    /// Whether a stable-diffusion.cpp server may be behind it, which reads arguments out of the
    /// instruction.
    pub may_read_arguments: bool,
    /// Whether an answer without pictures is how it passes on a refusal.
    pub is_empty_refused: bool,
    /// What is asked for to see whether it is there: a path like those of the images.
    pub probe: &'static str,
}

/// How addresses are formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paths {
    /// `/images/edits` below the base address.
    Plain,
    /// Azure's: `/openai/v1/images/edits`, or with a deployment and an `api-version`.
    Azure,
}

/// How the parts with input pictures are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImagePart {
    /// `image` for one, `image[]` for several, as OpenAI's own clients do.
    ByCount,
    /// `image[]`, however many.
    Brackets,
}

/// Fields that a server takes beyond those that all take. What stands as false is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// `n`, always 1, which is everybody's default.
    pub n: bool,
    /// `quality`, with OpenAI's values.
    pub quality: bool,
    /// `negative_prompt`; elsewhere it is put into words behind the instruction.
    pub negative_prompt: bool,
    /// `response_format: b64_json`, for servers whose default may be an address.
    pub response_format: bool,
    /// `output_format: png`, for servers that take it.
    pub output_format: bool,
    /// `user`, who asks, as a keyed hash.
    pub user: bool,
}

/// What size an edit asks for when the caller does not, and the model's name says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unshaped {
    /// The one nearest to the shape of the first picture.
    FirstPicture,
    /// None: the server keeps the shape of its own accord.
    Omitted,
}
