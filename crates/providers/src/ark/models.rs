//! The limits of the Seedream models, as data. They come from the provider's documentation and SDK
//! as of November 2026; docs/providers/ark.md summarizes them.

use retouch_engine::codec::Format;

use crate::upstream::PictureRules;
use crate::upstream::shape::Bounds;

/// Pixels of the tier `2K`, the provider's default: 2048 by 2048.
const TIER_2K_PX: u64 = 2048 * 2048;
/// Every model's encoder accepts multiples of this.
const MULTIPLE_PX: u32 = 16;
/// The most extreme shape of input and output images, as the ratio of the longer side to the
/// shorter.
pub(super) const RATIO_MAX: f64 = 16.0;

/// A family of models that make images.
#[derive(Debug, PartialEq)]
pub(super) struct Model {
    /// The beginning of its IDs, after the region's prefix.
    pub(super) prefix: &'static str,
    /// The sizes that it makes.
    pub(super) sizes: Sizes,
    /// Minimum and maximum number of input images.
    pub(super) pictures: (usize, usize),
    /// Whether it supports `output_format`, and can therefore return a lossless file.
    pub(super) has_output_format: bool,
    /// Whether `optimize_prompt_options.thinking` controls how much the model thinks about the
    /// prompt.
    pub(super) thinks: bool,
}

/// The sizes that a model makes.
#[derive(Debug, PartialEq)]
pub(super) enum Sizes {
    /// Only the size of the input image.
    Adaptive,
    /// Any size with an area in this range, in pixels. The third value is the default area.
    Area(u64, u64, u64),
}

const fn model_of(prefix: &'static str, sizes: Sizes) -> Model {
    Model { prefix, sizes, pictures: (0, 14), has_output_format: false, thinks: false }
}

const fn model_of_5(prefix: &'static str, sizes: Sizes, pictures_max: usize) -> Model {
    Model { prefix, sizes, pictures: (0, pictures_max), has_output_format: true, thinks: true }
}

static MODELS: [Model; 8] = [
    model_of("seedream-4-0", Sizes::Area(1280 * 720, 4096 * 4096, TIER_2K_PX)),
    model_of("seedream-4-5", Sizes::Area(2560 * 1440, 4096 * 4096, TIER_2K_PX)),
    // `seedream-5-0-260128` is 5.0 lite.
    model_of_5("seedream-5-0", Sizes::Area(2560 * 1440, 10_404_496, TIER_2K_PX), 14),
    model_of_5("seedream-5-0-pro", Sizes::Area(1024 * 1024, TIER_2K_PX, TIER_2K_PX), 10),
    model_of_5("seedream-5-0-flash", Sizes::Area(1280 * 720, 4_624_220, TIER_2K_PX), 10),
    model_of_5("seedream-5-5", Sizes::Area(1280 * 720, 4_624_220, TIER_2K_PX), 10),
    Model {
        prefix: "seedream-3-0-t2i",
        sizes: Sizes::Area(512 * 512, TIER_2K_PX, 1024 * 1024),
        pictures: (0, 0),
        has_output_format: false,
        thinks: false,
    },
    Model {
        prefix: "seededit-3-0",
        sizes: Sizes::Adaptive,
        pictures: (1, 1),
        has_output_format: false,
        thinks: false,
    },
];

/// A model whose name does not reveal what it is, such as an endpoint `ep-…`. These limits fit
/// every model since 4.0.
static UNKNOWN: Model = Model {
    prefix: "",
    sizes: Sizes::Area(2560 * 1440, TIER_2K_PX, TIER_2K_PX),
    pictures: (0, 10),
    has_output_format: false,
    thinks: false,
};

/// The limits of the model with this ID.
pub(super) fn model(id: &str) -> &'static Model {
    let name = without_region(id);
    let known = MODELS.iter().filter(|model| name.starts_with(model.prefix));
    known.max_by_key(|model| model.prefix.len()).unwrap_or(&UNKNOWN)
}

/// The ID without the region's prefix.
pub(super) fn without_region(id: &str) -> &str {
    const REGIONS: [&str; 3] = ["doubao-", "dreamina-", "dola-"];
    REGIONS.iter().find_map(|region| id.strip_prefix(region)).unwrap_or(id)
}

impl Model {
    /// The limits on sizes and the default area. `None` if the input determines the size.
    pub(super) fn bounds(&self) -> Option<(Bounds, u64)> {
        let Sizes::Area(area_px_min, area_px_max, usual_px) = self.sizes else { return None };
        let longest = (area_px_max as f64 * RATIO_MAX).sqrt() as u32;
        let bounds = Bounds {
            multiple_px: MULTIPLE_PX,
            side_px_min: MULTIPLE_PX,
            side_px_max: longest,
            area_px_min,
            area_px_max,
        };
        Some((bounds, usual_px))
    }
}

/// The limits on input images of `model`.
pub(super) fn picture_rules(model: &Model) -> PictureRules {
    PictureRules {
        formats: &[Format::Png, Format::Jpeg],
        bytes_max: 10_000_000,
        // A request may have 64 MB, and base64 makes four bytes out of three.
        total_bytes_max: 44_000_000,
        side_px_min: 15,
        side_px_max: 6000,
        pixels_max: 36_000_000,
        count_max: model.pictures.1,
    }
}
