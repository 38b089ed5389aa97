//! The models that make images, according to the provider's documentation.

use super::errors::Error;

/// The sizes and fields of one model.
#[derive(Debug)]
pub(super) struct Model {
    id: &'static str,
    /// The names of sizes, with the side of a square of that size.
    pub(super) tiers: &'static [(&'static str, u32)],
    /// Minimum and maximum area, width times height.
    pub(super) area_px: (u64, u64),
    /// Minimum and maximum number of input images.
    pub(super) inputs: (usize, usize),
    /// Whether it has `sequential_image_generation` and `stream`.
    pub(super) makes_series: bool,
    /// Whether it has `output_format`.
    pub(super) has_format: bool,
}

const K1: (&str, u32) = ("1K", 1024);
const K1_5: (&str, u32) = ("1.5K", 1536);
const K2: (&str, u32) = ("2K", 2048);
const K3: (&str, u32) = ("3K", 3072);
const K4: (&str, u32) = ("4K", 4096);

const fn model(
    id: &'static str,
    tiers: &'static [(&'static str, u32)],
    area_px: (u64, u64),
) -> Model {
    Model { id, tiers, area_px, inputs: (0, 14), makes_series: true, has_format: false }
}

const fn model_5(
    id: &'static str,
    tiers: &'static [(&'static str, u32)],
    area_px: (u64, u64),
) -> Model {
    Model { inputs: (0, 10), makes_series: false, has_format: true, ..model(id, tiers, area_px) }
}

static MODELS: [Model; 9] = [
    model("seedream-4-0-250828", &[K1, K2, K4], (921_600, 16_777_216)),
    model("seedream-4-5-251128", &[K2, K4], (3_686_400, 16_777_216)),
    Model { has_format: true, ..model("seedream-5-0-260128", &[K2, K3], (3_686_400, 10_404_496)) },
    Model {
        has_format: true,
        ..model("seedream-5-0-lite-260128", &[K2, K3], (3_686_400, 10_404_496))
    },
    model_5("seedream-5-0-pro-260628", &[K1, K2], (921_600, 4_194_304)),
    model_5("seedream-5-0-flash-260915", &[K1, K1_5, K2], (921_600, 4_624_220)),
    model_5("seedream-5-5-261028", &[K1, K1_5, K2], (921_600, 4_624_220)),
    Model {
        inputs: (0, 0),
        makes_series: false,
        ..model("seedream-3-0-t2i-250415", &[], (262_144, 4_194_304))
    },
    Model {
        inputs: (1, 1),
        makes_series: false,
        ..model("seededit-3-0-i2i-250628", &[("adaptive", 1024)], (0, 0))
    },
];

/// The model that a request names, with or without its region's prefix.
pub(super) fn find(id: &str) -> Result<&'static Model, Error> {
    let bare = ["doubao-", "dola-"].iter().find_map(|region| id.strip_prefix(region));
    let bare = bare.unwrap_or(id);
    MODELS.iter().find(|model| model.id == bare).ok_or_else(|| Error::unknown_model(id))
}

impl Model {
    /// The size in pixels that `text` requests.
    pub(super) fn size(&self, text: Option<&str>) -> Result<(u32, u32), Error> {
        let Some(text) = text else { return Ok((2048, 2048)) };
        if let Some((_, side)) = self.tiers.iter().find(|(name, _)| *name == text) {
            return Ok((*side, *side));
        }
        let wrong = |message: String| Error::invalid("size", message);
        let (width, height): (u32, u32) = text
            .split_once('x')
            .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)))
            .ok_or_else(|| wrong(format!("{text} is neither a tier of the model nor WxH")))?;
        let (wide, high) = (u64::from(width), u64::from(height));
        let area = wide * high;
        let (least, most) = self.area_px;
        if area < least {
            return Err(wrong(format!("image size must be at least {least} pixels")));
        }
        if area > most {
            return Err(wrong(format!("image size must be at most {most} pixels")));
        }
        if wide > 16 * high || high > 16 * wide {
            return Err(wrong("the ratio must be between 1:16 and 16:1".into()));
        }
        Ok((width, height))
    }
}
