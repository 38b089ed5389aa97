//! The shape and size that a caller asks for, in Gemini's terms: one of a list of ratios, and a
//! tier of pixels.

use retouch_core::Warning;
use retouch_core::edit::Edit;
use retouch_core::image::AspectRatio;

use super::models::{Abilities, Ratio, Tier};
use crate::upstream::shape::{asked_ratio, first_ratio, is_same, nearest};
use crate::upstream::{Order, Picture, pixels_max, words};

/// How many more pixels than a tier's a size may have and still be served by it, in per cent of
/// the tier's: beyond that the next tier keeps the detail.
const TIER_PERCENT_MAX: u64 = 125;

/// The ratio to ask for, out of `ratios`; none: the provider follows its only picture, or decides.
pub(super) fn ratio(order: &Order<'_>, ratios: &[Ratio]) -> Option<Ratio> {
    match asked_ratio(order.edit) {
        Some(ratio) => nearest(ratio, ratios),
        None if follows_last(order.pictures) => None,
        None => first_ratio(order).and_then(|ratio| nearest(ratio, ratios)),
    }
}

/// The warning that the shape of the first picture is not quite kept, where `ratio` was chosen
/// for it.
pub(super) fn first_shape_warning(order: &Order<'_>, ratio: Option<Ratio>) -> Option<Warning> {
    let (ratio, first) = (ratio?, first_ratio(order)?);
    if asked_ratio(order.edit).is_some() || is_same(ratio, first) {
        return None;
    }
    let (width, height) = ratio;
    Some(words::approximated(
        "aspectRatio",
        &format!("is {width}:{height}, the nearest to the first image that the provider supports."),
    ))
}

/// The warning that the asked ratio is not among `ratios`; nothing where none is asked for.
pub(super) fn ratio_warning(edit: &Edit, ratios: &[Ratio]) -> Option<Warning> {
    let (AspectRatio::Ratio(width, height), None) = (edit.aspect_ratio, edit.size) else {
        return None;
    };
    let asked = f64::from(width) / f64::from(height);
    let (wide, high) = nearest(asked, ratios)?;
    let message = format!(
        "{width}:{height} is approximated as {wide}:{high}, the nearest that the provider supports."
    );
    (!is_same((wide, high), asked)).then(|| words::approximated("aspectRatio", &message))
}

/// The tier that serves the size that is asked for: the first that is large enough, else the
/// last, among those that the price of the call covers.
pub(super) fn tier(edit: &Edit, tiers: &[Tier]) -> Option<Tier> {
    let pixels = pixels(edit)?;
    let covered = || tiers.iter().filter(|tier| tier.pixels <= pixels_max(edit));
    let serves = |tier: &&Tier| pixels * 100 <= tier.pixels * TIER_PERCENT_MAX;
    covered().find(serves).or(covered().next_back()).copied()
}

/// The warning that pictures are not made to the pixel; nothing where no size is asked for.
pub(super) fn size_warning(edit: &Edit, abilities: &Abilities) -> Option<Warning> {
    let size = edit.size?;
    let (wide, high) =
        nearest(f64::from(size.width()) / f64::from(size.height()), abilities.ratios)?;
    let tier = tier(edit, abilities.tiers)
        .map_or_else(String::new, |tier| format!(" in size class {}", tier.name));
    let message =
        format!("{size} cannot be exact: the provider makes a {wide}:{high} image{tier}.");
    Some(words::approximated("size", &message))
}

/// The pixels of the size that is asked for.
fn pixels(edit: &Edit) -> Option<u64> {
    edit.size.map(|size| u64::from(size.width()) * u64::from(size.height()))
}

/// Whether the last picture, which Gemini follows where no ratio is sent, has the first one's
/// shape.
fn follows_last(pictures: &[Picture]) -> bool {
    match (pictures.first(), pictures.last()) {
        (Some(first), Some(last)) => {
            is_same((first.width, first.height), f64::from(last.width) / f64::from(last.height))
        }
        _ => true,
    }
}
