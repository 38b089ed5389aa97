//! Expresses the length, shape and resolution of a video in Veo's terms.

use retouch_core::Warning;
use retouch_core::edit::Edit;

use super::super::frame;
use super::super::models::{self, Ratio};
use crate::upstream::shape::{asked_ratio, first_ratio, nearest};
use crate::upstream::{Order, short_px, warnings};

/// The lengths that Veo makes, in seconds.
const SECONDS: &[u32] = &[4, 6, 8];
/// The only length of videos with a resolution above 720p.
const SHARP_SECONDS: u32 = 8;
/// The aspect ratios that Veo makes.
const RATIOS: &[Ratio] = &[(16, 9), (9, 16)];

/// What to request from Veo. `None` leaves the choice to Veo.
pub(super) struct Plan {
    pub(super) seconds: Option<u32>,
    pub(super) ratio: Option<Ratio>,
    pub(super) resolution: Option<&'static str>,
}

impl Plan {
    /// The plan for `order`. Without a requested shape, the video has that of the first image.
    pub(super) fn of(order: &Order<'_>) -> Self {
        let ratio = asked_ratio(order.edit).or_else(|| first_ratio(order));
        Self {
            seconds: order.edit.duration_seconds.map(seconds),
            ratio: ratio.and_then(|ratio| nearest(ratio, RATIOS)),
            resolution: resolution(order.edit, order.model),
        }
    }
}

/// Warnings about a length, shape or size that is not made exactly.
pub(super) fn warnings(edit: &Edit, model: &str) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if let Some(asked) = edit.duration_seconds {
        let made = seconds(asked);
        let message =
            format!("{asked} is approximated as {made}: the provider makes 4, 6 or 8 seconds.");
        if made != asked {
            warnings.push(warnings::approximated("duration_seconds", &message));
        }
    }
    warnings.extend(frame::ratio_warning(edit, RATIOS));
    if let (Some(size), Some(made)) = (edit.size, resolution(edit, model)) {
        let asked = f64::from(size.width()) / f64::from(size.height());
        let (wide, high) = nearest(asked, RATIOS).unwrap_or((16, 9));
        let message = format!(
            "{size} is approximated as {wide}:{high} in {made}, the nearest that the provider supports."
        );
        if (size.width(), size.height()) != exact(made, (wide, high)) {
            warnings.push(warnings::approximated("size", &message));
        }
    }
    warnings
}

/// The warning that the video will have another shape than the first image.
pub(super) fn first_shape_warning(order: &Order<'_>) -> Option<Warning> {
    frame::first_shape_warning(order, Plan::of(order).ratio)
}

/// The nearest length that Veo makes; of two, the longer one.
fn seconds(asked: u32) -> u32 {
    let nearest = SECONDS.iter().rev().min_by_key(|seconds| seconds.abs_diff(asked));
    nearest.copied().unwrap_or(SHARP_SECONDS)
}

/// The resolution that the price covers. `None` if the default is fine and no size was requested. A
/// resolution above 720p has a fixed length, and the requested length takes precedence, because
/// videos are billed by the second.
fn resolution(edit: &Edit, model: &str) -> Option<&'static str> {
    let lines = short_px(edit);
    if edit.size.is_none() && lines <= 720 {
        return None;
    }
    let is_sharp = edit.duration_seconds.is_none_or(|asked| seconds(asked) == SHARP_SECONDS);
    Some(match lines {
        ..=720 => "720p",
        _ if !is_sharp => "720p",
        1081.. if models::makes_4k_videos(model) => "4k",
        _ => "1080p",
    })
}

/// The size in pixels of a `resolution` in this aspect ratio.
fn exact(resolution: &str, (width, height): Ratio) -> (u32, u32) {
    let (long, short) = match resolution {
        "720p" => (1280, 720),
        "1080p" => (1920, 1080),
        _ => (3840, 2160),
    };
    if width > height { (long, short) } else { (short, long) }
}
