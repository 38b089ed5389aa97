//! The table of servers. The page of each server under docs/providers/ says what it is based on.

use retouch_engine::codec::Format;

use super::profile::{Fields, ImagePart, Paths, Profile, Unshaped};
use super::size::{Sizes, THREE, Within};
use crate::upstream::shape::Bounds;
use crate::upstream::{Auth, PictureRules};

/// OpenAI itself.
pub static OPENAI: Profile = Profile {
    name: "openai",
    auth: Auth::Bearer,
    paths: Paths::Plain,
    base_hint: "https://api.openai.com/v1",
    image_part: ImagePart::ByCount,
    fields: OPENAI_FIELDS,
    sizes: Sizes::Listed(&THREE),
    unshaped: Unshaped::FirstPicture,
    pictures: PictureRules::GENEROUS,
    may_read_arguments: false,
    is_empty_refused: false,
    probe: "/models",
};

/// The same models at Azure. The model of a route is the name of the deployment.
pub static AZURE: Profile = Profile {
    name: "azure",
    auth: Auth::Header("api-key"),
    paths: Paths::Azure,
    base_hint: "https://RESOURCE.openai.azure.com",
    ..OPENAI
};

/// The LiteLLM proxy. It rejects fields that the provider behind it does not have, so only fields
/// that the caller sets are sent.
pub static LITELLM: Profile = Profile {
    name: "litellm",
    base_hint: "http://HOST:4000/v1",
    image_part: ImagePart::Brackets,
    fields: Fields { quality: true, ..NO_FIELDS },
    unshaped: Unshaped::Omitted,
    is_empty_refused: true,
    ..OPENAI
};

/// vLLM-Omni.
pub static VLLM: Profile = Profile {
    name: "vllm",
    base_hint: "http://HOST:8000/v1",
    image_part: ImagePart::Brackets,
    fields: DIFFUSION_FIELDS,
    sizes: Sizes::Within(DIFFUSION_SIZES),
    pictures: SELF_HOSTED_PICTURES,
    ..OPENAI
};

/// SGLang's server for diffusion models.
pub static SGLANG: Profile = Profile { name: "sglang", base_hint: "http://HOST:30000/v1", ..VLLM };

/// Xinference, which by default returns a URL and keeps the size.
pub static XINFERENCE: Profile = Profile {
    name: "xinference",
    base_hint: "http://HOST:9997/v1",
    fields: Fields { n: true, response_format: true, ..NO_FIELDS },
    unshaped: Unshaped::Omitted,
    ..VLLM
};

/// NVIDIA NIM for visual models, with its OpenAI-compatible calls.
pub static NIM: Profile = Profile {
    name: "nim",
    base_hint: "http://HOST:8000/v1",
    image_part: ImagePart::ByCount,
    fields: NO_FIELDS,
    sizes: Sizes::Within(Within {
        // NVIDIA's reference lists these sides for the FLUX models: 768 to 1344 in steps of 64.
        bounds: Bounds { multiple_px: 64, side_px_min: 768, side_px_max: 1344, ..DIFFUSION_BOUNDS },
        ..DIFFUSION_SIZES
    }),
    unshaped: Unshaped::Omitted,
    probe: "/health/ready",
    ..VLLM
};

/// Any other compatible server. Only what nearly all of them support is sent.
pub static GENERIC: Profile = Profile {
    name: "generic",
    base_hint: "http://HOST:PORT/v1",
    image_part: ImagePart::ByCount,
    fields: Fields { quality: true, ..NO_FIELDS },
    unshaped: Unshaped::Omitted,
    may_read_arguments: true,
    ..VLLM
};

const NO_FIELDS: Fields = Fields {
    n: false,
    quality: false,
    negative_prompt: false,
    response_format: false,
    output_format: false,
    mask: false,
    background: false,
    user: false,
};

const OPENAI_FIELDS: Fields = Fields {
    n: true,
    quality: true,
    output_format: true,
    mask: true,
    background: true,
    user: true,
    ..NO_FIELDS
};

const DIFFUSION_FIELDS: Fields = Fields {
    n: true,
    negative_prompt: true,
    response_format: true,
    output_format: true,
    ..NO_FIELDS
};

/// The sizes of open diffusion models of the 1-megapixel class, whose servers round to multiples of
/// 8 to 32.
const DIFFUSION_BOUNDS: Bounds = Bounds {
    multiple_px: 16,
    side_px_min: 256,
    side_px_max: 2048,
    area_px_min: 256 * 256,
    area_px_max: 2048 * 2048,
};

const DIFFUSION_SIZES: Within =
    Within { bounds: DIFFUSION_BOUNDS, ratio_max: 8.0, area_px: 1024 * 1024, usual: &[] };

/// These models use one to two megapixels of an input image. More would only cost time and memory.
const SELF_HOSTED_PICTURES: PictureRules = PictureRules {
    formats: &[Format::Png, Format::Jpeg],
    side_px_max: 4096,
    pixels_max: 4096 * 4096,
    ..PictureRules::GENEROUS
};
