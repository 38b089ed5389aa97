//! The request's own `aspectRatio` and `size`, as the last steps of the plan.

use super::{AspectRatio, Context};
use crate::operations::{Backing, Crop, Pad, Resize};
use crate::{Place, Plan, Step};

/// Adds the steps. A shape is cut around the center, or padded where the words pad; a size is
/// covered and cut around the center, so that nothing is distorted.
pub(super) fn add(plan: &mut Plan, context: &Context) {
    if let Some((width, height)) = context.size {
        plan.steps.push(Resize::Fill { width, height }.into());
        plan.assumed.push(format!(
            "the image is resized and cropped from the center to {width}x{height} as requested"
        ));
        return;
    }
    let Some(AspectRatio::Ratio { width, height }) = context.aspect else { return };
    let (across, down) = (f64::from(width), f64::from(height));
    let padded = plan.steps.iter().rev().find_map(pad_color);
    let (step, how) = match padded {
        Some(color) => (
            Pad::Ratio { width: across, height: down, color, place: Place::Center }.into(),
            "padded",
        ),
        None => {
            let place = Place::Center;
            (Crop::Ratio { width: across, height: down, place }.into(), "cropped from the center")
        }
    };
    plan.steps.push(step);
    plan.assumed.push(format!("the image is {how} to the requested {width}:{height}"));
}

fn pad_color(step: &Step) -> Option<Backing> {
    match step {
        Step::Pad(pad) => Some(pad.backing()),
        _ => None,
    }
}
