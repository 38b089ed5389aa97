//! Chooses the size to request: the one that a model makes that is nearest to the caller's wish.

use retouch_core::Kind;
use retouch_core::edit::Edit;
use retouch_core::image::AspectRatio;

use super::profile::{Profile, Unshaped};
use crate::upstream::Order;
use crate::upstream::shape::{self, Bounds};

/// A width and a height in pixels.
pub(super) type Pixels = (u32, u32);

/// The sizes that a model makes.
#[derive(Clone, Copy, Debug)]
pub enum Sizes {
    /// One of these.
    Listed(&'static [(u32, u32)]),
    /// Any within bounds.
    Within(Within),
}

/// Limits on sizes, and what to choose if only the shape is given.
#[derive(Clone, Copy, Debug)]
pub struct Within {
    /// Limits on sides and area.
    pub bounds: Bounds,
    /// The maximum ratio of the long side to the short one.
    pub ratio_max: f64,
    /// The area, width times height, if only the shape is given.
    pub area_px: u64,
    /// Sizes that are preferred to others of the same shape.
    pub usual: &'static [(u32, u32)],
}

/// The sizes of the first GPT image models.
pub(super) const THREE: [Pixels; 3] = [(1024, 1024), (1536, 1024), (1024, 1536)];

/// The sizes of GPT Image 2 and later: multiples of 16, sides up to 3840, 655,360 to 8,294,400
/// pixels, 1:3 to 3:1 (OpenAI's guide to image generation).
const GPT_IMAGE_2: Within = Within {
    bounds: Bounds {
        multiple_px: 16,
        side_px_min: 16,
        side_px_max: 3840,
        area_px_min: 655_360,
        area_px_max: 8_294_400,
    },
    ratio_max: 3.0,
    area_px: 1024 * 1024,
    usual: &THREE,
};

/// The sizes of the GPT image model with this name, which may have a prefix such as `openai/`.
/// `None` for other models.
pub(super) fn of_gpt_image(model: &str) -> Option<Sizes> {
    let name = model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase();
    if name.starts_with("gpt-image-1") || name.starts_with("chatgpt-image") {
        return Some(Sizes::Listed(&THREE));
    }
    name.starts_with("gpt-image-").then_some(Sizes::Within(GPT_IMAGE_2))
}

/// Whether `model` is GPT Image 2, and not a later version. It makes no transparent background.
pub(super) fn is_first_gpt_image_2(model: &str) -> bool {
    let name = model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase();
    name == "gpt-image-2" || name.starts_with("gpt-image-2-")
}

/// The sizes of `model` on servers with this profile.
pub(super) fn of_model(profile: &Profile, model: &str) -> Sizes {
    of_gpt_image(model).unwrap_or(profile.sizes)
}

/// The size nearest to the caller's wish. `None` if there is none.
pub(super) fn asked(edit: &Edit, sizes: Sizes) -> Option<Pixels> {
    match (edit.size, edit.aspect_ratio) {
        (Some(size), _) => sizes.near_size((size.width(), size.height())),
        (None, AspectRatio::Ratio(wide, high)) => {
            sizes.near_ratio(f64::from(wide) / f64::from(high))
        }
        (None, AspectRatio::Auto) => None,
    }
}

/// The size nearest to the shape of the first image, if that is what should be requested.
pub(super) fn of_first(profile: &Profile, order: &Order<'_>) -> Option<Pixels> {
    let is_edit = order.edit.kind == Kind::ImageEdit;
    let known = of_gpt_image(order.model);
    if !is_edit || (known.is_none() && profile.unshaped == Unshaped::Omitted) {
        return None;
    }
    known.unwrap_or(profile.sizes).near_ratio(shape::first_ratio(order)?)
}

/// The size to request. `None` if the server should decide.
pub(super) fn chosen(profile: &Profile, order: &Order<'_>) -> Option<Pixels> {
    asked(order.edit, of_model(profile, order.model)).or_else(|| of_first(profile, order))
}

impl Sizes {
    /// The size whose shape is nearest to `ratio`.
    pub(super) fn near_ratio(self, ratio: f64) -> Option<Pixels> {
        match self {
            Self::Listed(sizes) => shape::nearest(ratio, sizes),
            Self::Within(within) => {
                let usual = within.usual.iter().copied().find(|size| shape::is_same(*size, ratio));
                let ratio = within.clamp(ratio);
                let size =
                    || within.square_up(shape::of_area(ratio, within.area_px, within.bounds));
                Some(usual.unwrap_or_else(size))
            }
        }
    }

    /// The size nearest to `width` by `height`.
    pub(super) fn near_size(self, (width, height): Pixels) -> Option<Pixels> {
        let ratio = f64::from(width) / f64::from(height);
        match self {
            Self::Listed(sizes) => shape::nearest(ratio, sizes),
            Self::Within(within) if within.clamp(ratio) == ratio => {
                Some(within.square_up(shape::of_size((width, height), within.bounds)))
            }
            Self::Within(within) => {
                let area_px = u64::from(width) * u64::from(height);
                let ratio = within.clamp(ratio);
                Some(within.square_up(shape::of_area(ratio, area_px, within.bounds)))
            }
        }
    }
}

impl Within {
    fn clamp(&self, ratio: f64) -> f64 {
        ratio.clamp(1.0 / self.ratio_max, self.ratio_max)
    }

    /// Lengthens the short side if rounding went beyond the most extreme shape.
    fn square_up(&self, (mut width, mut height): Pixels) -> Pixels {
        let step = self.bounds.multiple_px.max(1);
        while f64::from(width) > f64::from(height) * self.ratio_max {
            height += step;
        }
        while f64::from(height) > f64::from(width) * self.ratio_max {
            width += step;
        }
        (width, height)
    }
}
