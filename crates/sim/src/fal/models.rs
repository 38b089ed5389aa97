//! fal's models and their fields.

use crate::schema::{Model, Pictures, Rule};

const RATIOS: Rule =
    Rule::OneOf(&["auto", "21:9", "16:9", "3:2", "4:3", "5:4", "1:1", "4:5", "3:4", "2:3", "9:16"]);
const FORMATS: Rule = Rule::OneOf(&["png", "jpeg", "webp"]);
const COUNT: (&str, Rule) = ("num_images", Rule::Whole(1, 4));
const SEED: (&str, Rule) = ("seed", Rule::Whole(0, i64::MAX));
const SYNC: (&str, Rule) = ("sync_mode", Rule::Flag);
const SAFETY: (&str, Rule) = ("safety_tolerance", Rule::OneOf(&["1", "2", "3", "4", "5", "6"]));
const CHECKER: (&str, Rule) = ("enable_safety_checker", Rule::Flag);
const PLAIN: Model = Model {
    names: &[],
    pictures: Pictures::None,
    needs_picture: false,
    fields: &[],
    makes_videos: false,
};

const NANO_BANANA: &[(&str, Rule)] = &[
    COUNT,
    ("aspect_ratio", RATIOS),
    ("output_format", FORMATS),
    SYNC,
    ("limit_generations", Rule::Flag),
    SEED,
    SAFETY,
];
const NANO_BANANA_TIERS: &[(&str, Rule)] = &[
    COUNT,
    ("aspect_ratio", RATIOS),
    ("output_format", FORMATS),
    ("resolution", Rule::OneOf(&["0.5K", "1K", "2K", "4K"])),
    SYNC,
    ("limit_generations", Rule::Flag),
    SEED,
    SAFETY,
];
const SEEDREAM: [(&str, Rule); 6] = [
    COUNT,
    ("max_images", Rule::Whole(1, 6)),
    SEED,
    SYNC,
    CHECKER,
    ("enhance_prompt_mode", Rule::OneOf(&["standard", "fast"])),
];
const SEEDREAM_4: &[(&str, Rule)] = &[
    ("image_size", Rule::Size(921_600, 16_777_216)),
    SEEDREAM[0],
    SEEDREAM[1],
    SEEDREAM[2],
    SEEDREAM[3],
    SEEDREAM[4],
    SEEDREAM[5],
];
const SEEDREAM_LATER: &[(&str, Rule)] = &[
    ("image_size", Rule::Size(3_686_400, 16_777_216)),
    SEEDREAM[0],
    SEEDREAM[1],
    SEEDREAM[2],
    SEEDREAM[3],
    SEEDREAM[4],
    SEEDREAM[5],
];
const KONTEXT: &[(&str, Rule)] = &[
    COUNT,
    ("guidance_scale", Rule::Number(1.0, 20.0)),
    ("output_format", Rule::OneOf(&["png", "jpeg"])),
    SAFETY,
    (
        "aspect_ratio",
        Rule::OneOf(&["21:9", "16:9", "4:3", "3:2", "1:1", "2:3", "3:4", "9:16", "9:21"]),
    ),
    SEED,
    SYNC,
    ("enhance_prompt", Rule::Flag),
];
const FLUX_2: &[(&str, Rule)] = &[
    ("image_size", Rule::Size(64 * 64, 4 << 20)),
    ("output_format", Rule::OneOf(&["png", "jpeg"])),
    SEED,
    SYNC,
    SAFETY,
    CHECKER,
];
const FLUX_3: &[(&str, Rule)] = &[
    ("aspect_ratio", RATIOS),
    ("resolution", Rule::OneOf(&["1k", "2k", "4k"])),
    ("grounding", Rule::Flag),
    ("output_format", Rule::OneOf(&["png", "jpeg"])),
    SEED,
];
const GPT_IMAGE: [(&str, Rule); 5] = [
    COUNT,
    ("quality", Rule::OneOf(&["auto", "low", "medium", "high"])),
    ("background", Rule::OneOf(&["auto", "transparent", "opaque"])),
    ("output_format", FORMATS),
    SYNC,
];
const GPT_IMAGE_1: &[(&str, Rule)] = &[
    GPT_IMAGE[0],
    GPT_IMAGE[1],
    GPT_IMAGE[2],
    GPT_IMAGE[3],
    GPT_IMAGE[4],
    ("image_size", Rule::OneOf(&["auto", "1024x1024", "1536x1024", "1024x1536"])),
    ("input_fidelity", Rule::OneOf(&["low", "high"])),
];
const GPT_IMAGE_2: &[(&str, Rule)] = &[
    GPT_IMAGE[0],
    GPT_IMAGE[1],
    GPT_IMAGE[2],
    GPT_IMAGE[3],
    GPT_IMAGE[4],
    ("image_size", Rule::Size(655_360, 8_294_400)),
];
const QWEN: &[(&str, Rule)] = &[
    COUNT,
    ("image_size", Rule::Size(64 * 64, 4 << 20)),
    ("negative_prompt", Rule::Text),
    ("guidance_scale", Rule::Number(0.0, 20.0)),
    ("num_inference_steps", Rule::Whole(1, 100)),
    ("acceleration", Rule::OneOf(&["none", "regular", "high"])),
    ("output_format", FORMATS),
    SEED,
    SYNC,
    CHECKER,
];
const SEEDANCE: &[(&str, Rule)] = &[
    ("aspect_ratio", Rule::OneOf(&["auto", "21:9", "16:9", "4:3", "1:1", "3:4", "9:16"])),
    ("resolution", Rule::OneOf(&["480p", "720p", "1080p"])),
    ("duration", Rule::OneOf(&["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"])),
    ("camera_fixed", Rule::Flag),
    SEED,
    CHECKER,
];
const VEO: &[(&str, Rule)] = &[
    ("aspect_ratio", Rule::OneOf(&["auto", "16:9", "9:16"])),
    ("duration", Rule::OneOf(&["4s", "6s", "8s"])),
    ("resolution", Rule::OneOf(&["720p", "1080p"])),
    ("generate_audio", Rule::Flag),
];
const KLING: &[(&str, Rule)] = &[
    ("duration", Rule::OneOf(&["5", "10"])),
    ("negative_prompt", Rule::Text),
    ("aspect_ratio", Rule::OneOf(&["16:9", "1:1", "9:16"])),
    ("cfg_scale", Rule::Number(0.0, 1.0)),
];

const fn edits(
    names: &'static [&'static str],
    pictures: Pictures,
    fields: &'static [(&'static str, Rule)],
) -> Model {
    Model { names, pictures, needs_picture: true, fields, ..PLAIN }
}

const fn words(names: &'static [&'static str], fields: &'static [(&'static str, Rule)]) -> Model {
    Model { names, fields, ..PLAIN }
}

/// The models. The first match counts.
pub(super) const MODELS: &[Model] = &[
    edits(&["fal-ai/nano-banana/edit"], Pictures::Many("image_urls", 14), NANO_BANANA),
    edits(
        &["fal-ai/nano-banana-*/edit", "google/nano-banana-*/edit"],
        Pictures::Many("image_urls", 14),
        NANO_BANANA_TIERS,
    ),
    words(&["fal-ai/nano-banana"], NANO_BANANA),
    words(&["fal-ai/nano-banana-*", "google/nano-banana-*"], NANO_BANANA_TIERS),
    edits(&["fal-ai/bytedance/seedream/v4/edit"], Pictures::Many("image_urls", 10), SEEDREAM_4),
    edits(
        &["fal-ai/bytedance/seedream/*/edit", "bytedance/seedream/*/edit"],
        Pictures::Many("image_urls", 10),
        SEEDREAM_LATER,
    ),
    words(&["fal-ai/bytedance/seedream/v4/text-to-image"], SEEDREAM_4),
    words(
        &["fal-ai/bytedance/seedream/*/text-to-image", "bytedance/seedream/*/text-to-image"],
        SEEDREAM_LATER,
    ),
    edits(
        &["fal-ai/flux-pro/kontext", "fal-ai/flux-pro/kontext/max"],
        Pictures::One("image_url"),
        KONTEXT,
    ),
    edits(&["fal-ai/flux-pro/kontext*/multi"], Pictures::Many("image_urls", 4), KONTEXT),
    words(&["fal-ai/flux-pro/kontext*/text-to-image"], KONTEXT),
    edits(&["fal-ai/flux-2*/edit"], Pictures::Many("image_urls", 10), FLUX_2),
    words(&["fal-ai/flux-2*"], FLUX_2),
    edits(&["blackforestlabs/flux-3/edit-image"], Pictures::Many("image_urls", 10), FLUX_3),
    words(&["blackforestlabs/flux-3/*"], FLUX_3),
    edits(&["fal-ai/gpt-image-1*/edit"], Pictures::Many("image_urls", 16), GPT_IMAGE_1),
    words(&["fal-ai/gpt-image-1*"], GPT_IMAGE_1),
    edits(&["openai/gpt-image-2*/edit"], Pictures::Many("image_urls", 16), GPT_IMAGE_2),
    words(&["openai/gpt-image-2*"], GPT_IMAGE_2),
    edits(&["fal-ai/qwen-image-edit"], Pictures::One("image_url"), QWEN),
    edits(
        &["fal-ai/qwen-image-edit-*", "fal-ai/qwen-image-2*/edit"],
        Pictures::Many("image_urls", 3),
        QWEN,
    ),
    words(&["fal-ai/qwen-image*"], QWEN),
    video(&["fal-ai/bytedance/seedance/*/image-to-video"], true, SEEDANCE),
    video(&["fal-ai/bytedance/seedance/*/text-to-video"], false, SEEDANCE),
    video(&["fal-ai/veo3*/image-to-video"], true, VEO),
    video(&["fal-ai/veo3*"], false, VEO),
    video(&["fal-ai/kling-video/*/image-to-video"], true, KLING),
    video(&["fal-ai/kling-video/*/text-to-video"], false, KLING),
];

const fn video(
    names: &'static [&'static str],
    needs_picture: bool,
    fields: &'static [(&'static str, Rule)],
) -> Model {
    let pictures = if needs_picture { Pictures::One("image_url") } else { Pictures::None };
    Model { names, pictures, needs_picture, fields, makes_videos: true }
}
