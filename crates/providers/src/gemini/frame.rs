//! Expresses the caller's shape and size in Gemini's terms: an aspect ratio from a list, and a size
//! tier.

use retouch_core::Warning;
use retouch_core::edit::Edit;
use retouch_core::image::AspectRatio;

use super::models::{Abilities, Ratio, Tier};
use crate::upstream::shape::{asked_ratio, first_ratio, is_same, nearest};
use crate::upstream::{Order, Picture, pixels_max, warnings};

/// A tier may serve sizes with up to this percentage of its pixels. For larger ones, the next tier
/// keeps more detail.
const TIER_PERCENT_MAX: u64 = 125;

/// The ratio to request, from `ratios`. `None`: the provider follows its only image, or decides.
pub(super) fn ratio(order: &Order<'_>, ratios: &[Ratio]) -> Option<Ratio> {
    match asked_ratio(order.edit) {
        Some(ratio) => nearest(ratio, ratios),
        None if follows_last(order.pictures) => None,
        None => first_ratio(order).and_then(|ratio| nearest(ratio, ratios)),
    }
}

/// The warning that the shape of the first image is not kept exactly, if `ratio` was chosen for it.
pub(super) fn first_shape_warning(order: &Order<'_>, ratio: Option<Ratio>) -> Option<Warning> {
    let (ratio, first) = (ratio?, first_ratio(order)?);
    if asked_ratio(order.edit).is_some() || is_same(ratio, first) {
        return None;
    }
    let (width, height) = ratio;
    Some(warnings::approximated(
        "aspectRatio",
        &format!("is {width}:{height}, the nearest to the first image that the provider supports."),
    ))
}

/// The warning that the requested ratio is not in `ratios`. `None` if no ratio was requested.
pub(super) fn ratio_warning(edit: &Edit, ratios: &[Ratio]) -> Option<Warning> {
    let (AspectRatio::Ratio(width, height), None) = (edit.aspect_ratio, edit.size) else {
        return None;
    };
    let asked = f64::from(width) / f64::from(height);
    let (wide, high) = nearest(asked, ratios)?;
    let message = format!(
        "{width}:{height} is approximated as {wide}:{high}, the nearest that the provider supports."
    );
    (!is_same((wide, high), asked)).then(|| warnings::approximated("aspectRatio", &message))
}

/// The tier for the requested size: the first one that is large enough, or else the largest, among
/// those that the price of the call covers.
pub(super) fn tier(edit: &Edit, tiers: &[Tier]) -> Option<Tier> {
    let pixels = pixels(edit)?;
    let covered = || tiers.iter().filter(|tier| tier.pixels <= pixels_max(edit));
    let serves = |tier: &&Tier| pixels * 100 <= tier.pixels * TIER_PERCENT_MAX;
    covered().find(serves).or(covered().next_back()).copied()
}

/// The warning that images do not have exactly the requested size. `None` if no size was requested.
pub(super) fn size_warning(edit: &Edit, abilities: &Abilities) -> Option<Warning> {
    let size = edit.size?;
    let (wide, high) =
        nearest(f64::from(size.width()) / f64::from(size.height()), abilities.ratios)?;
    let tier = tier(edit, abilities.tiers)
        .map_or_else(String::new, |tier| format!(" in size class {}", tier.name));
    let message =
        format!("{size} cannot be exact: the provider makes a {wide}:{high} image{tier}.");
    Some(warnings::approximated("size", &message))
}

/// The number of pixels of the requested size.
fn pixels(edit: &Edit) -> Option<u64> {
    edit.size.map(|size| u64::from(size.width()) * u64::from(size.height()))
}

/// Whether the last image has the shape of the first one. Gemini follows the last image if no ratio
/// is sent.
fn follows_last(pictures: &[Picture]) -> bool {
    match (pictures.first(), pictures.last()) {
        (Some(first), Some(last)) => {
            is_same((first.width, first.height), f64::from(last.width) / f64::from(last.height))
        }
        _ => true,
    }
}
