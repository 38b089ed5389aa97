//! The limits of the models that make images, as data. They come from the provider's documentation
//! and SDK as of November 2026; docs/providers/dashscope.md summarizes them.

use retouch_engine::codec::Format;

use crate::upstream::PictureRules;
use crate::upstream::shape::Bounds;

/// One and four megapixels, which the provider calls `1K` and `2K`.
const PX_1K: u64 = 1024 * 1024;
const PX_2K: u64 = 2048 * 2048;
/// Every model's encoder accepts multiples of this.
const MULTIPLE_PX: u32 = 16;

/// A family of models that make images.
#[derive(Debug, PartialEq)]
pub(super) struct Model {
    /// The beginning of its IDs.
    prefix: &'static str,
    /// How it is called.
    pub(super) way: Way,
    /// Minimum and maximum number of input images.
    pub(super) pictures: (usize, usize),
    /// Minimum and maximum side of an input image, in pixels.
    input_side_px: (u32, u32),
    /// The sizes that it makes.
    pub(super) sizes: Sizes,
    /// Whether it can turn prompt rewriting on and off.
    pub(super) extends: bool,
    /// Whether it has a field for the negative prompt.
    pub(super) has_negative: bool,
}

/// How a model is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// A message with images and text. The response is the result.
    Message,
    /// A message with images and text, sent as a task. The response names the task.
    MessageTask,
    /// A message sent as a task, for a model that would mix text with its images by default.
    MessageTaskWithoutWords,
    /// A list of images and a prompt, as a task.
    PicturesTask,
    /// A prompt, as a task.
    WordsTask,
}

/// The sizes that a model makes.
#[derive(Debug, PartialEq)]
pub(super) enum Sizes {
    /// The model chooses the size and has no parameter for it.
    Own,
    /// Only these sizes.
    Listed(&'static [(u32, u32)]),
    /// Any size within limits.
    Within(Limits),
}

/// Limits on sizes.
#[derive(Debug, PartialEq)]
pub(super) struct Limits {
    /// Minimum and maximum side, in pixels.
    side_px: (u32, u32),
    /// Minimum and maximum area, width times height.
    area_px: (u64, u64),
    /// The default area, width times height.
    pub(super) usual_px: u64,
    /// The most extreme shape, as the ratio of the longer side to the shorter.
    pub(super) ratio_max: f64,
}

impl Limits {
    pub(super) fn bounds(&self) -> Bounds {
        Bounds {
            multiple_px: MULTIPLE_PX,
            side_px_min: self.side_px.0,
            side_px_max: self.side_px.1,
            area_px_min: self.area_px.0,
            area_px_max: self.area_px.1,
        }
    }
}

/// Any size with such an area, up to a ratio of 8:1.
const fn of_area(area_px: (u64, u64), usual_px: u64) -> Sizes {
    Sizes::Within(Limits { side_px: (MULTIPLE_PX, 8192), area_px, usual_px, ratio_max: 8.0 })
}

/// Any size with such an area, up to a ratio of 4:1.
const fn of_area_to_4(area_px: (u64, u64), usual_px: u64) -> Sizes {
    Sizes::Within(Limits { side_px: (MULTIPLE_PX, 4096), area_px, usual_px, ratio_max: 4.0 })
}

/// Any size with sides in this range.
const fn of_side(side_px: (u32, u32), area_px_max: u64) -> Sizes {
    let area_px = (0, area_px_max);
    Sizes::Within(Limits { side_px, area_px, usual_px: PX_1K, ratio_max: 4.0 })
}

const QWEN_EDIT_SIZES: Sizes = of_side((512, 2048), PX_2K);
const QWEN_2_SIZES: Sizes = of_area((512 * 512, PX_2K), PX_2K);
const QWEN_1_SIZES: Sizes =
    Sizes::Listed(&[(1664, 928), (1472, 1104), (1328, 1328), (1104, 1472), (928, 1664)]);
const PX_1280: u64 = 1280 * 1280;
const PX_1440: u64 = 1440 * 1440;

const fn qwen(prefix: &'static str, pictures: (usize, usize), sizes: Sizes) -> Model {
    Model {
        prefix,
        way: Way::Message,
        pictures,
        // The provider's recommendation. It accepts other sizes, but the results are worse.
        input_side_px: (384, 3072),
        sizes,
        extends: true,
        has_negative: true,
    }
}

const fn wan(prefix: &'static str, way: Way, sizes: Sizes) -> Model {
    Model {
        prefix,
        way,
        pictures: (0, 0),
        input_side_px: (384, 5000),
        sizes,
        extends: true,
        has_negative: true,
    }
}

static MODELS: [Model; 16] = [
    Model { extends: false, ..qwen("qwen-image-edit", (1, 3), Sizes::Own) },
    qwen("qwen-image-edit-plus", (1, 3), QWEN_EDIT_SIZES),
    qwen("qwen-image-edit-max", (1, 3), QWEN_EDIT_SIZES),
    qwen("qwen-image", (0, 0), QWEN_1_SIZES),
    qwen("qwen-image-plus", (0, 0), QWEN_1_SIZES),
    qwen("qwen-image-max", (0, 0), QWEN_1_SIZES),
    // Later versions, known and unknown.
    qwen("qwen-image-", (0, 3), QWEN_2_SIZES),
    qwen("qwen-image-2.1-pro", (0, 10), QWEN_2_SIZES),
    Model {
        pictures: (1, 4),
        input_side_px: (240, 8000),
        ..wan(
            "wan2.6-image",
            Way::MessageTaskWithoutWords,
            of_area_to_4((768 * 768, PX_1280), PX_1280),
        )
    },
    wan_2_7("wan2.7-image"),
    wan_2_7("wan2.7-image-pro"),
    Model {
        pictures: (1, 3),
        ..wan("wan2.5-i2i", Way::PicturesTask, of_area_to_4((768 * 768, PX_1280), PX_1280))
    },
    wan("wan2.6-t2i", Way::MessageTask, of_area_to_4((PX_1280, PX_1440), PX_1280)),
    wan("wan2.5-t2i", Way::WordsTask, of_area_to_4((PX_1280, PX_1440), PX_1280)),
    wan("wan2.2-t2i", Way::WordsTask, of_side((512, 1440), PX_1440)),
    wan("wanx2.1-t2i", Way::WordsTask, of_side((512, 1440), PX_1440)),
];

const fn wan_2_7(prefix: &'static str) -> Model {
    Model {
        prefix,
        way: Way::MessageTask,
        pictures: (0, 9),
        input_side_px: (240, 8000),
        sizes: of_area((768 * 768, PX_2K), PX_2K),
        extends: false,
        has_negative: false,
    }
}

/// An unknown name. It is called like the newest models, with only what every model supports.
static UNKNOWN: Model = Model {
    prefix: "",
    way: Way::Message,
    pictures: (0, 3),
    input_side_px: (384, 3072),
    sizes: of_area_to_4((768 * 768, PX_1280), PX_1280),
    extends: false,
    has_negative: false,
};
/// An unknown name in the Wan family. It is called like Wan 2.7, with sizes that every model
/// supports.
static UNKNOWN_WAN: Model =
    Model { sizes: of_area_to_4((768 * 768, PX_1280), PX_1280), ..wan_2_7("wan") };

/// The limits of the model with this ID.
pub(super) fn model(id: &str) -> &'static Model {
    let known = MODELS.iter().filter(|model| id.starts_with(model.prefix));
    let fallback = if id.starts_with("wan") { &UNKNOWN_WAN } else { &UNKNOWN };
    known.max_by_key(|model| model.prefix.len()).unwrap_or(fallback)
}

/// The limits on input images of `model`.
pub(super) fn picture_rules(model: &Model) -> PictureRules {
    rules(model.input_side_px, model.pictures.1)
}

/// Limits on the sides, in pixels, and the number of input images.
pub(super) fn rules((side_px_min, side_px_max): (u32, u32), count_max: usize) -> PictureRules {
    PictureRules {
        formats: &[Format::Png, Format::Jpeg],
        // The provider's limit is 10 MB per image as base64, which makes four bytes out of three.
        bytes_max: 7_000_000,
        total_bytes_max: 30_000_000,
        side_px_min,
        side_px_max,
        pixels_max: 36_000_000,
        count_max,
    }
}
