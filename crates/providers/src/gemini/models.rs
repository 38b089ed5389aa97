//! The limits of Google's models, by their names. Dated and preview names start with the name of
//! the model.

use retouch_engine::codec::Format;

use crate::upstream::PictureRules;

/// An aspect ratio: width and height.
pub(super) type Ratio = (u32, u32);

/// What can be requested from an image model in `imageConfig`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Abilities {
    /// The values of `aspectRatio`.
    pub(super) ratios: &'static [Ratio],
    /// The values of `imageSize`, ascending. Empty if the model rejects the field or supports one
    /// value only.
    pub(super) tiers: &'static [Tier],
    /// Maximum number of input images.
    pub(super) pictures_max: usize,
}

/// A value of `imageSize`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tier {
    /// The name as it is sent. The K must be upper case.
    pub(super) name: &'static str,
    /// Approximate number of pixels of an image.
    pub(super) pixels: u64,
}

const HALF_K: Tier = Tier { name: "512", pixels: 512 * 512 };
const ONE_K: Tier = Tier { name: "1K", pixels: 1024 * 1024 };
const TWO_K: Tier = Tier { name: "2K", pixels: 2048 * 2048 };
const FOUR_K: Tier = Tier { name: "4K", pixels: 4096 * 4096 };

/// The aspect ratios that every image model makes.
const RATIOS: &[Ratio] =
    &[(1, 1), (2, 3), (3, 2), (3, 4), (4, 3), (4, 5), (5, 4), (9, 16), (16, 9), (21, 9)];
/// `RATIOS` and the long aspect ratios of the newer flash models.
const RATIOS_AND_LONG: &[Ratio] = &[
    (1, 1),
    (2, 3),
    (3, 2),
    (3, 4),
    (4, 3),
    (4, 5),
    (5, 4),
    (9, 16),
    (16, 9),
    (21, 9),
    (1, 4),
    (4, 1),
    (1, 8),
    (8, 1),
];

/// A model that is not in the table: what all models have in common.
const UNKNOWN: Abilities = Abilities { ratios: RATIOS, tiers: &[], pictures_max: 14 };

/// The beginnings of model names, and the limits. The first match counts.
const TABLE: &[(&str, Abilities)] = &[
    ("gemini-2.5-flash-image", Abilities { ratios: RATIOS, tiers: &[], pictures_max: 3 }),
    ("gemini-3.1-flash-lite-image", UNKNOWN),
    (
        "gemini-3.1-flash-image",
        Abilities {
            ratios: RATIOS_AND_LONG,
            tiers: &[HALF_K, ONE_K, TWO_K, FOUR_K],
            pictures_max: 14,
        },
    ),
    (
        // Sources disagree on whether it supports 512, so this is never requested.
        "gemini-nano-banana-2.1",
        Abilities { ratios: RATIOS_AND_LONG, tiers: &[ONE_K, TWO_K, FOUR_K], pictures_max: 14 },
    ),
    ("gemini-3-pro-image", PRO),
    ("nano-banana-pro", PRO),
];

const PRO: Abilities =
    Abilities { ratios: RATIOS, tiers: &[ONE_K, TWO_K, FOUR_K], pictures_max: 14 };

/// Maximum size of all images together, in bytes. Base64 makes them a third larger, and Google
/// accepts requests of about 20 MB.
const TOTAL_BYTES_MAX: usize = 14 << 20;

/// The limits of the image model `model`.
pub(super) fn abilities(model: &str) -> Abilities {
    let model = bare(model);
    let found = TABLE.iter().find(|(beginning, _)| model.starts_with(beginning));
    found.map_or(UNKNOWN, |(_, abilities)| *abilities)
}

/// Whether `model` makes videos.
pub(super) fn is_veo(model: &str) -> bool {
    bare(model).starts_with("veo-")
}

/// Whether the video model `model` makes 4k videos. The newest ones do, except for the lite model.
pub(super) fn makes_4k_videos(model: &str) -> bool {
    let model = bare(model);
    model.starts_with("veo-3.1-") && !model.starts_with("veo-3.1-lite")
}

/// The limits on input images of `model`. Google scales images itself, so only their size in bytes
/// and their number are limited.
pub(super) fn picture_rules(model: &str) -> PictureRules {
    let common = PictureRules {
        bytes_max: TOTAL_BYTES_MAX,
        total_bytes_max: TOTAL_BYTES_MAX,
        ..PictureRules::GENEROUS
    };
    if is_veo(model) {
        // The first frame and the last.
        return PictureRules { count_max: 2, ..common };
    }
    PictureRules {
        formats: &[Format::Png, Format::Jpeg, Format::WebP],
        count_max: abilities(model).pictures_max,
        ..common
    }
}

fn bare(model: &str) -> &str {
    model.strip_prefix("models/").unwrap_or(model)
}
