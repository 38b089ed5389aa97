//! The fields and limits of fal's models; docs/providers/fal.md summarizes them.

use retouch_engine::codec::Format;

use crate::queue::family::{
    Family, Fixed, Form, Frame, Pictures, Pixels, Ratios, Taken, Tiers, Unasked, find,
};
use crate::upstream::PictureRules;
use crate::upstream::shape::Bounds;

mod videos;

const ONE_PNG: &[(&str, Fixed)] =
    &[("num_images", Fixed::Whole(1)), ("output_format", Fixed::Text("png"))];
/// fal documents no limit for `data:` URIs, so requests follow the limits of the models' makers.
const RULES: PictureRules = PictureRules {
    formats: &[Format::Png, Format::Jpeg],
    bytes_max: 10 << 20,
    total_bytes_max: 30 << 20,
    side_px_min: 64,
    side_px_max: 6_000,
    pixels_max: 36_000_000,
    count_max: 10,
};

const NANO_BANANA: Ratios = Ratios {
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
    unasked: Unasked::Word("auto"),
    tiers: None,
    exact: None,
};
const NANO_BANANA_TIERS: Tiers = Tiers {
    field: "resolution",
    steps: &[("1K", 1 << 20), ("2K", 1 << 22), ("4K", 1 << 24)],
    usual: Some("1K"),
};
const NANO_BANANA_EDIT: Family = Family {
    names: &["fal-ai/nano-banana/edit"],
    pictures: Pictures::List("image_urls"),
    needs_picture: true,
    rules: PictureRules { count_max: 14, ..RULES },
    frame: Frame::Ratio(NANO_BANANA),
    fixed: ONE_PNG,
    ..Family::PLAIN
};

/// `image_size` as an object.
const fn object(bounds: Bounds, area_px: u64, unasked: Unasked) -> Frame {
    Frame::Pixels(Pixels { form: Form::Object("image_size"), bounds, area_px, unasked, also: &[] })
}

/// The smallest image of Seedream 4.0 has 921,600 pixels, and that of later versions 3,686,400. The
/// largest has 4096 x 4096.
const fn seedream(area_px_min: u64) -> Frame {
    let bounds = Bounds {
        multiple_px: 16,
        side_px_min: 256,
        side_px_max: 8_192,
        area_px_min,
        area_px_max: 1 << 24,
    };
    object(bounds, 1 << 22, Unasked::OfFirst)
}
const SEEDREAM_EDIT: Family = Family {
    names: &["*/seedream/v4/edit"],
    pictures: Pictures::List("image_urls"),
    needs_picture: true,
    rules: RULES,
    frame: seedream(921_600),
    fixed: &[("num_images", Fixed::Whole(1)), ("max_images", Fixed::Whole(1))],
    ..Family::PLAIN
};

const KONTEXT: Family = Family {
    names: &["fal-ai/flux-pro/kontext", "fal-ai/flux-pro/kontext/max"],
    pictures: Pictures::One("image_url"),
    needs_picture: true,
    rules: PictureRules { count_max: 1, ..RULES },
    frame: Frame::Ratio(Ratios {
        taken: Taken::Listed(&[
            (21, 9),
            (16, 9),
            (4, 3),
            (3, 2),
            (1, 1),
            (2, 3),
            (3, 4),
            (9, 16),
            (9, 21),
        ]),
        unasked: Unasked::Omitted,
        ..NANO_BANANA
    }),
    rewriting: Some("enhance_prompt"),
    fixed: ONE_PNG,
    ..Family::PLAIN
};

/// The limits of FLUX.2 and Qwen-Image: multiples of 16, up to four megapixels.
const FOUR_MEGAPIXELS: Bounds = Bounds {
    multiple_px: 16,
    side_px_min: 256,
    side_px_max: 2_048,
    area_px_min: 1 << 16,
    area_px_max: 1 << 22,
};
const FLUX_2_EDIT: Family = Family {
    names: &["fal-ai/flux-2*/edit"],
    pictures: Pictures::List("image_urls"),
    needs_picture: true,
    rules: RULES,
    frame: object(FOUR_MEGAPIXELS, 1 << 20, Unasked::OfFirst),
    fixed: &[("output_format", Fixed::Text("png"))],
    ..Family::PLAIN
};
const FLUX_3_EDIT: Family = Family {
    names: &["blackforestlabs/flux-3/edit-image"],
    frame: Frame::Ratio(Ratios {
        tiers: Some(Tiers {
            field: "resolution",
            steps: &[("1k", 1 << 20), ("2k", 1 << 22), ("4k", 1 << 24)],
            usual: None,
        }),
        ..NANO_BANANA
    }),
    fixed: &[("output_format", Fixed::Text("png"))],
    ..FLUX_2_EDIT
};

const GPT_IMAGE_EDIT: Family = Family {
    names: &["fal-ai/gpt-image-1*/edit*"],
    pictures: Pictures::List("image_urls"),
    needs_picture: true,
    rules: PictureRules { count_max: 16, ..RULES },
    frame: Frame::Sizes { field: "image_size", sizes: &[(1024, 1024), (1536, 1024), (1024, 1536)] },
    quality: Some("quality"),
    fixed: ONE_PNG,
    ..Family::PLAIN
};
/// Multiples of 16 within 3:1, as in OpenAI's own API.
const GPT_IMAGE_2_EDIT: Family = Family {
    names: &["openai/gpt-image-2*/edit"],
    frame: object(
        Bounds {
            side_px_max: 3_840,
            area_px_min: 655_360,
            area_px_max: 8_294_400,
            ..FOUR_MEGAPIXELS
        },
        1 << 20,
        Unasked::OfFirst,
    ),
    ..GPT_IMAGE_EDIT
};

const QWEN_EDIT: Family = Family {
    names: &["fal-ai/qwen-image-edit-*", "fal-ai/qwen-image-2/*edit", "fal-ai/qwen-image-2*/edit"],
    pictures: Pictures::List("image_urls"),
    needs_picture: true,
    rules: PictureRules { count_max: 3, ..RULES },
    frame: object(FOUR_MEGAPIXELS, 1 << 20, Unasked::OfFirst),
    negative: Some("negative_prompt"),
    fixed: ONE_PNG,
    ..Family::PLAIN
};

/// The text-to-image variant of `family`, which has another name and no fields for images.
const fn from_words(family: Family, names: &'static [&'static str]) -> Family {
    let rules = PictureRules { count_max: 0, ..family.rules };
    Family { names, pictures: Pictures::None, needs_picture: false, rules, ..family }
}

/// The variant of `family` that has the field `resolution`.
const fn with_tiers(family: Family, names: &'static [&'static str]) -> Family {
    let frame = Frame::Ratio(Ratios { tiers: Some(NANO_BANANA_TIERS), ..NANO_BANANA });
    Family { names, frame, ..family }
}

/// The families of models. The first match counts.
const FAMILIES: &[Family] = &[
    NANO_BANANA_EDIT,
    with_tiers(NANO_BANANA_EDIT, &["fal-ai/nano-banana-*/edit", "google/nano-banana-*/edit"]),
    from_words(NANO_BANANA_EDIT, &["fal-ai/nano-banana"]),
    from_words(
        with_tiers(NANO_BANANA_EDIT, &[]),
        &["fal-ai/nano-banana-*", "google/nano-banana-*"],
    ),
    SEEDREAM_EDIT,
    Family { names: &["*/seedream/*/edit"], frame: seedream(3_686_400), ..SEEDREAM_EDIT },
    from_words(SEEDREAM_EDIT, &["*/seedream/v4/text-to-image"]),
    from_words(
        Family { frame: seedream(3_686_400), ..SEEDREAM_EDIT },
        &["*/seedream/*/text-to-image"],
    ),
    KONTEXT,
    Family {
        names: &["fal-ai/flux-pro/kontext/multi", "fal-ai/flux-pro/kontext/max/multi"],
        pictures: Pictures::List("image_urls"),
        rules: PictureRules { count_max: 4, ..RULES },
        ..KONTEXT
    },
    from_words(KONTEXT, &["fal-ai/flux-pro/kontext/*text-to-image"]),
    FLUX_2_EDIT,
    from_words(FLUX_2_EDIT, &["fal-ai/flux-2*"]),
    FLUX_3_EDIT,
    from_words(FLUX_3_EDIT, &["blackforestlabs/flux-3/*"]),
    GPT_IMAGE_EDIT,
    from_words(GPT_IMAGE_EDIT, &["fal-ai/gpt-image-1*"]),
    GPT_IMAGE_2_EDIT,
    from_words(GPT_IMAGE_2_EDIT, &["openai/gpt-image-2*"]),
    QWEN_EDIT,
    Family {
        names: &["fal-ai/qwen-image-edit"],
        pictures: Pictures::One("image_url"),
        rules: PictureRules { count_max: 1, ..RULES },
        ..QWEN_EDIT
    },
    from_words(QWEN_EDIT, &["fal-ai/qwen-image*"]),
    videos::SEEDANCE,
    videos::SEEDANCE_FROM_WORDS,
    videos::VEO,
    videos::VEO_FROM_WORDS,
    videos::KLING,
    videos::KLING_FROM_WORDS,
];

/// For models that are not in the table: the names that most of fal's models use.
const UNKNOWN: Family = Family {
    is_guess: true,
    pictures: Pictures::List("image_urls"),
    rules: RULES,
    frame: Frame::Ratio(Ratios { unasked: Unasked::Omitted, ..NANO_BANANA }),
    ..Family::PLAIN
};

/// The family of `model`.
pub(super) fn of(model: &str) -> &'static Family {
    find(FAMILIES, model.trim_matches('/'), &UNKNOWN)
}
