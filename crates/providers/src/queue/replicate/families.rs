//! The fields and limits of Replicate's models; docs/providers/replicate.md summarizes them.

use crate::queue::family::{
    Family, Fixed, Form, Frame, Pictures, Pixels, Ratios, Taken, Tiers, Unasked, find,
};
use crate::upstream::PictureRules;
use crate::upstream::shape::Bounds;

mod videos;

const PNG: (&str, Fixed) = ("output_format", Fixed::Text("png"));
/// Uploaded files may have 100 MB, but the models' makers accept less.
const RULES: PictureRules = PictureRules {
    bytes_max: 10 << 20,
    side_px_min: 64,
    side_px_max: 6_000,
    pixels_max: 36_000_000,
    count_max: 10,
    ..PictureRules::GENEROUS
};

const RATIOS: Ratios = Ratios {
    field: "aspect_ratio",
    taken: Taken::Listed(&[
        (21, 9),
        (16, 9),
        (3, 2),
        (4, 3),
        (5, 4),
        (1, 1),
        (4, 5),
        (3, 4),
        (2, 3),
        (9, 16),
    ]),
    unasked: Unasked::Word("match_input_image"),
    tiers: None,
    exact: None,
};
const NANO_BANANA: Family = Family {
    names: &["google/nano-banana"],
    pictures: Pictures::List("image_input"),
    rules: PictureRules { count_max: 14, ..RULES },
    frame: Frame::Ratio(RATIOS),
    fixed: &[PNG],
    ..Family::PLAIN
};

/// The sizes of Seedream: sides of 1024 to 4096 pixels.
const SEEDREAM_PIXELS: Pixels = Pixels {
    form: Form::Sides,
    bounds: Bounds {
        multiple_px: 1,
        side_px_min: 1_024,
        side_px_max: 4_096,
        area_px_min: 921_600,
        area_px_max: 1 << 24,
    },
    area_px: 1 << 22,
    unasked: Unasked::Omitted,
    also: &[("size", Fixed::Text("custom"))],
};
const SEEDREAM: Family = Family {
    names: &["bytedance/seedream-4"],
    pictures: Pictures::List("image_input"),
    rules: RULES,
    frame: Frame::Ratio(Ratios {
        taken: Taken::Listed(&[(21, 9), (16, 9), (3, 2), (4, 3), (1, 1), (3, 4), (2, 3), (9, 16)]),
        tiers: Some(Tiers {
            field: "size",
            steps: &[("1K", 1 << 20), ("2K", 1 << 22), ("4K", 1 << 24)],
            usual: Some("2K"),
        }),
        exact: Some(SEEDREAM_PIXELS),
        ..RATIOS
    }),
    fixed: &[
        ("max_images", Fixed::Whole(1)),
        ("sequential_image_generation", Fixed::Text("disabled")),
    ],
    ..Family::PLAIN
};
/// For later versions, no custom size is documented.
const SEEDREAM_5: Family = Family {
    names: &["bytedance/seedream-5*"],
    frame: Frame::Ratio(Ratios {
        tiers: Some(Tiers { field: "size", steps: &[("2K", 1 << 22)], usual: Some("2K") }),
        ..RATIOS
    }),
    fixed: &[PNG],
    ..SEEDREAM
};

const KONTEXT: Family = Family {
    names: &["black-forest-labs/flux-kontext-*"],
    pictures: Pictures::One("input_image"),
    rules: PictureRules { count_max: 1, ..RULES },
    frame: Frame::Ratio(RATIOS),
    rewriting: Some("prompt_upsampling"),
    fixed: &[PNG],
    ..Family::PLAIN
};
const FLUX_2: Family = Family {
    names: &["black-forest-labs/flux-2*"],
    pictures: Pictures::List("input_images"),
    rules: PictureRules { count_max: 8, ..RULES },
    frame: Frame::Ratio(RATIOS),
    fixed: &[PNG],
    ..Family::PLAIN
};
const FLUX_3: Family = Family {
    names: &["black-forest-labs/flux-3-image"],
    pictures: Pictures::List("images"),
    rules: PictureRules { side_px_min: 256, pixels_max: 16_000_000, ..RULES },
    frame: Frame::Ratio(Ratios {
        unasked: Unasked::Word("auto"),
        tiers: Some(Tiers {
            field: "resolution",
            steps: &[("1k", 1 << 20), ("2k", 1 << 22), ("4k", 1 << 24)],
            usual: None,
        }),
        ..RATIOS
    }),
    fixed: &[PNG],
    ..Family::PLAIN
};

const GPT_IMAGE: Family = Family {
    names: &["openai/gpt-image-*"],
    pictures: Pictures::List("input_images"),
    frame: Frame::Ratio(Ratios {
        taken: Taken::Listed(&[(1, 1), (3, 2), (2, 3)]),
        unasked: Unasked::OfFirst,
        ..RATIOS
    }),
    quality: Some("quality"),
    fixed: &[("number_of_images", Fixed::Whole(1)), PNG],
    rules: RULES,
    ..Family::PLAIN
};
const QWEN: Family = Family {
    names: &["qwen/qwen-image-edit*"],
    pictures: Pictures::List("image"),
    needs_picture: true,
    rules: PictureRules { count_max: 3, ..RULES },
    frame: Frame::Ratio(Ratios {
        taken: Taken::Listed(&[(1, 1), (16, 9), (9, 16), (4, 3), (3, 4)]),
        ..RATIOS
    }),
    fixed: &[PNG],
    ..Family::PLAIN
};
const QWEN_2: Family = Family {
    names: &["qwen/qwen-image-2*"],
    needs_picture: false,
    negative: Some("negative_prompt"),
    rewriting: Some("enable_prompt_expansion"),
    fixed: &[],
    ..QWEN
};

/// The families of models. The first match counts.
const FAMILIES: &[Family] = &[
    NANO_BANANA,
    Family {
        names: &["google/nano-banana-*"],
        frame: Frame::Ratio(Ratios {
            tiers: Some(Tiers {
                field: "resolution",
                steps: &[("1K", 1 << 20), ("2K", 1 << 22), ("4K", 1 << 24)],
                usual: Some("1K"),
            }),
            ..RATIOS
        }),
        ..NANO_BANANA
    },
    SEEDREAM,
    Family {
        names: &["bytedance/seedream-4.5"],
        frame: Frame::Ratio(Ratios {
            tiers: Some(Tiers {
                field: "size",
                steps: &[("2K", 1 << 22), ("4K", 1 << 24)],
                usual: Some("2K"),
            }),
            exact: Some(Pixels {
                bounds: Bounds { area_px_min: 3_686_400, ..SEEDREAM_PIXELS.bounds },
                ..SEEDREAM_PIXELS
            }),
            ..RATIOS
        }),
        ..SEEDREAM
    },
    SEEDREAM_5,
    KONTEXT,
    FLUX_2,
    FLUX_3,
    GPT_IMAGE,
    QWEN,
    QWEN_2,
    videos::SEEDANCE,
    videos::VEO,
    videos::KLING,
];

/// For models that are not in the table: the names that many of Replicate's models use.
const UNKNOWN: Family = Family {
    is_guess: true,
    pictures: Pictures::List("image_input"),
    rules: RULES,
    frame: Frame::Ratio(Ratios { unasked: Unasked::Omitted, ..RATIOS }),
    ..Family::PLAIN
};

/// The family of `model`, whose name may end in a version. A deployment or a version without a name
/// is not in the table.
pub(super) fn of(model: &str) -> &'static Family {
    let model = model.trim_matches('/');
    let name = model.split_once(':').map_or(model, |(name, _)| name);
    find(FAMILIES, name, &UNKNOWN)
}
