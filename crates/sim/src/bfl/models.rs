//! The endpoints of Black Forest Labs and their fields.

use crate::schema::{Model, Pictures, Rule};

const FORMAT: (&str, Rule) = ("output_format", Rule::OneOf(&["jpeg", "png", "webp"]));
const SEED: (&str, Rule) = ("seed", Rule::Whole(0, i64::MAX));
const REWRITING: (&str, Rule) = ("prompt_upsampling", Rule::Flag);
const HOOK: (&str, Rule) = ("webhook_url", Rule::Text);
const HOOK_SECRET: (&str, Rule) = ("webhook_secret", Rule::Text);

const KONTEXT: &[(&str, Rule)] = &[
    ("aspect_ratio", Rule::AnyRatio(21.0 / 9.0)),
    SEED,
    FORMAT,
    REWRITING,
    ("safety_tolerance", Rule::Whole(0, 6)),
    HOOK,
    HOOK_SECRET,
];
const FLUX_2: &[(&str, Rule)] = &[
    ("width", Rule::Side(16, 64, 4096)),
    ("height", Rule::Side(16, 64, 4096)),
    SEED,
    FORMAT,
    REWRITING,
    ("safety_tolerance", Rule::Whole(0, 5)),
    ("steps", Rule::Whole(1, 50)),
    ("guidance", Rule::Number(1.5, 10.0)),
    HOOK,
    HOOK_SECRET,
];
const FLUX_3_IMAGE: &[(&str, Rule)] = &[
    (
        "aspect_ratio",
        Rule::OneOf(&[
            "auto", "21:9", "2:1", "16:9", "3:2", "7:5", "4:3", "5:4", "1:1", "4:5", "3:4", "5:7",
            "2:3", "9:16", "1:2", "9:21",
        ]),
    ),
    ("resolution", Rule::OneOf(&["768sq", "1k", "1.5k", "2k", "4k"])),
    ("grounding", Rule::Flag),
    ("safety_tolerance", Rule::Whole(0, 4)),
    ("version", Rule::Text),
];
const FLUX_3_VIDEO: &[(&str, Rule)] = &[
    ("mode", Rule::OneOf(&["t2v"])),
    ("aspect_ratio", Rule::OneOf(&["21:9", "16:9", "4:3", "1:1", "3:4", "9:16", "9:21"])),
    ("resolution", Rule::OneOf(&["hd", "fhd"])),
    ("duration", Rule::Whole(5, 20)),
    ("generate_audio", Rule::Flag),
];

/// The endpoints. The first match counts.
pub(super) const MODELS: &[Model] = &[
    model(&["flux-kontext-pro", "flux-kontext-max"], Pictures::Numbered("input_image", 4), KONTEXT),
    model(&["flux-2-klein-*"], Pictures::Numbered("input_image", 4), FLUX_2),
    model(&["flux-2-*"], Pictures::Numbered("input_image", 8), FLUX_2),
    model(&["flux-3-image"], Pictures::Many("images", 10), FLUX_3_IMAGE),
    Model { makes_videos: true, ..model(&["flux-3-video"], Pictures::None, FLUX_3_VIDEO) },
];

const fn model(
    names: &'static [&'static str],
    pictures: Pictures,
    fields: &'static [(&'static str, Rule)],
) -> Model {
    Model { names, pictures, needs_picture: false, fields, makes_videos: false }
}
