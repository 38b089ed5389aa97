//! The models that make images, according to the provider's documentation.

use super::errors::Error;

/// The services that offer a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Service {
    /// `multimodal-generation`, which returns the result.
    AtOnce,
    /// `multimodal-generation`, and `image-generation` as a task.
    Both,
    /// `image2image`, as a task.
    OutOfPictures,
    /// `text2image`, as a task.
    OutOfWords,
}

/// The sizes and fields of one model.
#[derive(Debug)]
pub(super) struct Model {
    id: &'static str,
    pub(super) service: Service,
    /// Minimum and maximum number of input images.
    pub(super) inputs: (usize, usize),
    /// Minimum and maximum side of an input, in pixels.
    pub(super) input_side_px: (u32, u32),
    /// Maximum number of results.
    pub(super) count_max: i64,
    pub(super) sizes: Sizes,
    /// Whether it has `prompt_extend`.
    pub(super) extends: bool,
    /// Whether it has `negative_prompt`.
    pub(super) has_negative: bool,
}

/// The values of `size`.
#[derive(Debug)]
pub(super) enum Sizes {
    /// The field is not allowed.
    None,
    /// Only these values.
    Listed(&'static [&'static str]),
    /// Each side in this range, in pixels.
    Side(u32, u32),
    /// The area in this range, in pixels, and the longer side at most this many times the shorter.
    Area(u64, u64, u32),
}

const QWEN_1: Sizes =
    Sizes::Listed(&["1664*928", "1472*1104", "1328*1328", "1104*1472", "928*1664"]);
const QWEN_2: Sizes = Sizes::Area(512 * 512, 2048 * 2048, 8);

const fn qwen(id: &'static str, inputs: (usize, usize), sizes: Sizes) -> Model {
    Model {
        id,
        service: Service::AtOnce,
        inputs,
        input_side_px: (11, 8192),
        count_max: 6,
        sizes,
        extends: true,
        has_negative: true,
    }
}

const fn wan(id: &'static str, service: Service, sizes: Sizes) -> Model {
    Model {
        id,
        service,
        inputs: (0, 0),
        input_side_px: (384, 5000),
        count_max: 4,
        sizes,
        extends: true,
        has_negative: true,
    }
}

const fn wan_2_7(id: &'static str) -> Model {
    Model {
        inputs: (0, 9),
        input_side_px: (240, 8000),
        extends: false,
        has_negative: false,
        ..wan(id, Service::Both, Sizes::Area(768 * 768, 2048 * 2048, 8))
    }
}

static MODELS: [Model; 18] = [
    Model { count_max: 1, extends: false, ..qwen("qwen-image-edit", (1, 3), Sizes::None) },
    qwen("qwen-image-edit-plus", (1, 3), Sizes::Side(512, 2048)),
    qwen("qwen-image-edit-plus-2025-12-15", (1, 3), Sizes::Side(512, 2048)),
    qwen("qwen-image-edit-max", (1, 3), Sizes::Side(512, 2048)),
    qwen("qwen-image-2.0", (0, 3), QWEN_2),
    qwen("qwen-image-2.0-pro", (0, 3), QWEN_2),
    qwen("qwen-image-3.0", (0, 3), QWEN_2),
    qwen("qwen-image-3.0-pro", (0, 3), QWEN_2),
    Model { count_max: 1, ..qwen("qwen-image", (0, 0), QWEN_1) },
    Model { count_max: 1, ..qwen("qwen-image-plus", (0, 0), QWEN_1) },
    Model { count_max: 1, ..qwen("qwen-image-max", (0, 0), QWEN_1) },
    Model {
        inputs: (1, 4),
        input_side_px: (240, 8000),
        ..wan("wan2.6-image", Service::Both, Sizes::Area(768 * 768, 1280 * 1280, 4))
    },
    wan_2_7("wan2.7-image"),
    wan_2_7("wan2.7-image-pro"),
    Model {
        inputs: (1, 3),
        ..wan("wan2.5-i2i-preview", Service::OutOfPictures, Sizes::Area(768 * 768, 1280 * 1280, 4))
    },
    wan("wan2.6-t2i", Service::Both, Sizes::Area(1280 * 1280, 1440 * 1440, 4)),
    wan("wan2.5-t2i-preview", Service::OutOfWords, Sizes::Area(1280 * 1280, 1440 * 1440, 4)),
    wan("wan2.2-t2i-flash", Service::OutOfWords, Sizes::Side(512, 1440)),
];

/// The model that a request names, if one of `services` offers it.
pub(super) fn find(id: &str, services: &[Service]) -> Result<&'static Model, Error> {
    let model = MODELS.iter().find(|model| model.id == id);
    let model = model.ok_or_else(|| Error::unknown_model(id))?;
    if services.contains(&model.service) {
        return Ok(model);
    }
    Err(Error::wrong_way("current user api does not support this call of the model"))
}

impl Model {
    /// The size in pixels that `text` requests.
    pub(super) fn size(&self, text: Option<&str>) -> Result<(u32, u32), Error> {
        let Some(text) = text else { return Ok((1024, 1024)) };
        let wrong = |right: String| Error::invalid(format!("The size must be {right}."));
        let (width, height): (u32, u32) = text
            .split_once('*')
            .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)))
            .ok_or_else(|| wrong("WIDTH*HEIGHT".into()))?;
        let area = u64::from(width) * u64::from(height);
        let (short, long) = (width.min(height), width.max(height));
        let is_within = |ratio: u32| u64::from(long) <= u64::from(ratio) * u64::from(short);
        let right = match self.sizes {
            Sizes::None => Some("left out for this model".to_owned()),
            Sizes::Listed(sizes) if sizes.contains(&text) => None,
            Sizes::Listed(sizes) => Some(format!("one of {sizes:?}")),
            Sizes::Side(least, most) if least <= short && long <= most => None,
            Sizes::Side(least, most) => Some(format!("between {least} and {most} on each side")),
            Sizes::Area(least, most, ratio)
                if (least..=most).contains(&area) && is_within(ratio) =>
            {
                None
            }
            Sizes::Area(least, most, ratio) => {
                Some(format!("of {least} to {most} pixels, at most {ratio}:1"))
            }
        };
        right.map_or(Ok((width, height)), |right| Err(wrong(right)))
    }
}
