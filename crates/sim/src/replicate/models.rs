//! Replicate's models and their fields.

use crate::schema::{Model, Pictures, Rule};

const MATCHING: Rule = Rule::OneOf(&[
    "match_input_image",
    "21:9",
    "16:9",
    "3:2",
    "4:3",
    "5:4",
    "1:1",
    "4:5",
    "3:4",
    "2:3",
    "9:16",
]);
const FORMATS: Rule = Rule::OneOf(&["webp", "jpg", "png"]);
const PNG_OR_JPEG: (&str, Rule) = ("output_format", Rule::OneOf(&["jpg", "png"]));
const SEED: (&str, Rule) = ("seed", Rule::Whole(0, 4_294_967_295));
const VIDEO_STEPS: (&str, Rule) = ("resolution", Rule::OneOf(&["480p", "720p", "1080p"]));

const NANO_BANANA: &[(&str, Rule)] = &[("aspect_ratio", MATCHING), PNG_OR_JPEG];
const NANO_BANANA_LATER: &[(&str, Rule)] = &[
    ("aspect_ratio", MATCHING),
    PNG_OR_JPEG,
    ("resolution", Rule::OneOf(&["1K", "2K", "4K"])),
    ("safety_filter_level", Rule::OneOf(&["block_low_and_above", "block_only_high"])),
];
const SEEDREAM_4: &[(&str, Rule)] = &[
    ("aspect_ratio", MATCHING),
    ("width", Rule::Side(1, 1024, 4096)),
    ("height", Rule::Side(1, 1024, 4096)),
    ("max_images", Rule::Whole(1, 15)),
    ("sequential_image_generation", Rule::OneOf(&["disabled", "auto"])),
    ("size", Rule::OneOf(&["1K", "2K", "4K", "custom"])),
    ("enhance_prompt", Rule::Flag),
];
const SEEDREAM_5: &[(&str, Rule)] = &[
    ("aspect_ratio", MATCHING),
    ("max_images", Rule::Whole(1, 15)),
    ("sequential_image_generation", Rule::OneOf(&["disabled", "auto"])),
    ("size", Rule::OneOf(&["2K", "3K"])),
    ("output_format", Rule::OneOf(&["png", "jpeg"])),
];
const KONTEXT: &[(&str, Rule)] = &[
    ("aspect_ratio", MATCHING),
    SEED,
    PNG_OR_JPEG,
    ("safety_tolerance", Rule::Whole(0, 6)),
    ("prompt_upsampling", Rule::Flag),
];
const FLUX_2: &[(&str, Rule)] = &[
    ("aspect_ratio", MATCHING),
    ("resolution", Rule::OneOf(&["match_input_image", "0.5 MP", "1 MP", "2 MP", "4 MP"])),
    SEED,
    ("output_format", FORMATS),
    ("safety_tolerance", Rule::Whole(1, 5)),
];
const FLUX_3: &[(&str, Rule)] = &[
    (
        "aspect_ratio",
        Rule::OneOf(&[
            "auto", "21:9", "16:9", "3:2", "4:3", "5:4", "1:1", "4:5", "3:4", "2:3", "9:16",
        ]),
    ),
    ("resolution", Rule::OneOf(&["1k", "2k", "4k"])),
    ("grounding", Rule::Flag),
    ("safety_tolerance", Rule::Whole(0, 4)),
    ("output_format", FORMATS),
];
const GPT_IMAGE: &[(&str, Rule)] = &[
    ("aspect_ratio", Rule::OneOf(&["1:1", "3:2", "2:3"])),
    ("quality", Rule::OneOf(&["low", "medium", "high", "auto"])),
    ("number_of_images", Rule::Whole(1, 10)),
    ("output_format", FORMATS),
    ("background", Rule::OneOf(&["auto", "transparent", "opaque"])),
    ("input_fidelity", Rule::OneOf(&["low", "high"])),
];
const QWEN_RATIOS: (&str, Rule) =
    ("aspect_ratio", Rule::OneOf(&["match_input_image", "1:1", "16:9", "9:16", "4:3", "3:4"]));
const QWEN_EDIT: &[(&str, Rule)] =
    &[QWEN_RATIOS, ("output_format", FORMATS), ("go_fast", Rule::Flag), SEED];
const QWEN_2: &[(&str, Rule)] =
    &[QWEN_RATIOS, ("negative_prompt", Rule::Text), ("enable_prompt_expansion", Rule::Flag), SEED];
const SEEDANCE: &[(&str, Rule)] = &[
    ("duration", Rule::Whole(2, 12)),
    VIDEO_STEPS,
    ("aspect_ratio", Rule::OneOf(&["16:9", "4:3", "1:1", "3:4", "9:16", "21:9", "9:21"])),
    ("camera_fixed", Rule::Flag),
    SEED,
];
const VEO: &[(&str, Rule)] = &[
    ("duration", Rule::Whole(4, 8)),
    VIDEO_STEPS,
    ("aspect_ratio", Rule::OneOf(&["16:9", "9:16"])),
    ("negative_prompt", Rule::Text),
    SEED,
];
const KLING: &[(&str, Rule)] = &[
    ("duration", Rule::Whole(5, 10)),
    ("aspect_ratio", Rule::OneOf(&["16:9", "1:1", "9:16"])),
    ("negative_prompt", Rule::Text),
];

/// The models. The first match counts.
pub(super) const MODELS: &[Model] = &[
    model(&["google/nano-banana"], Pictures::Many("image_input", 14), NANO_BANANA),
    model(&["google/nano-banana-*"], Pictures::Many("image_input", 14), NANO_BANANA_LATER),
    model(&["bytedance/seedream-4*"], Pictures::Many("image_input", 10), SEEDREAM_4),
    model(&["bytedance/seedream-5*"], Pictures::Many("image_input", 10), SEEDREAM_5),
    model(&["black-forest-labs/flux-kontext-*"], Pictures::One("input_image"), KONTEXT),
    model(&["black-forest-labs/flux-2*"], Pictures::Many("input_images", 8), FLUX_2),
    model(&["black-forest-labs/flux-3-image"], Pictures::Many("images", 10), FLUX_3),
    model(&["openai/gpt-image-*"], Pictures::Many("input_images", 10), GPT_IMAGE),
    Model {
        needs_picture: true,
        ..model(&["qwen/qwen-image-edit*"], Pictures::Many("image", 3), QWEN_EDIT)
    },
    model(&["qwen/qwen-image-2*"], Pictures::Many("image", 3), QWEN_2),
    video(&["bytedance/seedance-*"], "image", SEEDANCE),
    video(&["google/veo-3*"], "image", VEO),
    video(&["kwaivgi/kling-*"], "start_image", KLING),
];

const fn model(
    names: &'static [&'static str],
    pictures: Pictures,
    fields: &'static [(&'static str, Rule)],
) -> Model {
    Model { names, pictures, needs_picture: false, fields, makes_videos: false }
}

const fn video(
    names: &'static [&'static str],
    picture: &'static str,
    fields: &'static [(&'static str, Rule)],
) -> Model {
    Model { makes_videos: true, ..model(names, Pictures::One(picture), fields) }
}
