//! The fields and limits of Black Forest Labs' models: docs/providers/bfl.md.

use retouch_engine::codec::Format;

use crate::queue::family::{
    Family, Fixed, Form, Frame, Makes, Pictures, Pixels, Ratios, Seconds, SecondsForm, Taken,
    Tiers, Unasked, find,
};
use crate::upstream::PictureRules;
use crate::upstream::shape::Bounds;

const PNG: &[(&str, Fixed)] = &[("output_format", Fixed::Text("png"))];
/// The limits are 20 MB and 20 megapixels per image. The number of bytes is lower here, because the
/// limit may apply to the base64, which is a third larger.
const RULES: PictureRules = PictureRules {
    formats: &[Format::Png, Format::Jpeg],
    bytes_max: 14_000_000,
    total_bytes_max: 42_000_000,
    side_px_min: 64,
    side_px_max: 8_192,
    pixels_max: 20_000_000,
    count_max: 8,
};

const KONTEXT: Family = Family {
    names: &["flux-kontext*"],
    pictures: Pictures::Numbered("input_image"),
    rules: PictureRules { count_max: 4, ..RULES },
    frame: Frame::Ratio(Ratios {
        field: "aspect_ratio",
        taken: Taken::AnyWithin((21, 9)),
        unasked: Unasked::Omitted,
        tiers: None,
        exact: None,
    }),
    rewriting: Some("prompt_upsampling"),
    fixed: PNG,
    ..Family::PLAIN
};
const FLUX_2: Family = Family {
    names: &["flux-2-*"],
    pictures: Pictures::Numbered("input_image"),
    rules: RULES,
    frame: Frame::Pixels(Pixels {
        form: Form::Sides,
        bounds: Bounds {
            multiple_px: 16,
            side_px_min: 64,
            side_px_max: 4_096,
            area_px_min: 64 * 64,
            area_px_max: 4_000_000,
        },
        area_px: 1 << 20,
        unasked: Unasked::Omitted,
        also: &[],
    }),
    rewriting: Some("prompt_upsampling"),
    fixed: PNG,
    ..Family::PLAIN
};
/// FLUX.3 for images. It rejects unknown fields, including `output_format` and `seed`.
const FLUX_3_IMAGE: Family = Family {
    names: &["flux-3-image"],
    pictures: Pictures::List("images"),
    rules: PictureRules { side_px_min: 256, pixels_max: 16_000_000, count_max: 10, ..RULES },
    frame: Frame::Ratio(Ratios {
        field: "aspect_ratio",
        taken: Taken::Listed(&[
            (21, 9),
            (2, 1),
            (16, 9),
            (3, 2),
            (7, 5),
            (4, 3),
            (5, 4),
            (1, 1),
            (4, 5),
            (3, 4),
            (5, 7),
            (2, 3),
            (9, 16),
            (1, 2),
            (9, 21),
        ]),
        unasked: Unasked::Word("auto"),
        tiers: Some(Tiers {
            field: "resolution",
            steps: &[
                ("768sq", 768 * 768),
                ("1k", 1 << 20),
                ("1.5k", 1536 * 1536),
                ("2k", 1 << 22),
                ("4k", 1 << 24),
            ],
            usual: Some("1k"),
        }),
        exact: None,
    }),
    ..Family::PLAIN
};
/// FLUX.3 for videos, from text only, because the format for key frames is not published.
const FLUX_3_VIDEO: Family = Family {
    names: &["flux-3-video"],
    makes: Makes::Videos,
    frame: Frame::Ratio(Ratios {
        field: "aspect_ratio",
        taken: Taken::Listed(&[(16, 9), (4, 3), (1, 1), (3, 4), (9, 16)]),
        unasked: Unasked::Omitted,
        tiers: Some(Tiers {
            field: "resolution",
            steps: &[("hd", 1280 * 720), ("fhd", 1920 * 1080)],
            usual: None,
        }),
        exact: None,
    }),
    seconds: Some(Seconds {
        field: "duration",
        form: SecondsForm::Number,
        choices: &[5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
    }),
    fixed: &[("mode", Fixed::Text("t2v"))],
    ..Family::PLAIN
};

/// The families of models. The first match counts.
const FAMILIES: &[Family] = &[
    KONTEXT,
    Family { names: &["flux-2-klein-*"], rules: PictureRules { count_max: 4, ..RULES }, ..FLUX_2 },
    FLUX_2,
    FLUX_3_IMAGE,
    FLUX_3_VIDEO,
];

/// For models that are not in the table.
const UNKNOWN: Family = Family {
    is_guess: true,
    rewriting: None,
    fixed: &[],
    rules: PictureRules { count_max: 1, ..RULES },
    ..KONTEXT
};

/// The family of `model`.
pub(super) fn of(model: &str) -> &'static Family {
    find(FAMILIES, model.trim_matches('/'), &UNKNOWN)
}
