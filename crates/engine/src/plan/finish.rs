//! What a request adds to a plan: its own `aspectRatio` and `size`, as the last steps.

use crate::operations::{Backing, Crop, Pad, Resize};
use crate::{AspectRatio, Context, Place, Plan, Refusal, RefusalKind, Step};

impl Plan {
    /// Adds what the request itself asks for, checks every parameter, and finds the inputs that no
    /// step uses.
    ///
    /// # Errors
    /// As [`Self::check`].
    pub fn finish(mut self, context: &Context) -> Result<Self, Refusal> {
        if context.inputs > 0 {
            add_output(&mut self, context);
        }
        self.check()?;
        self.unused_inputs = (1..context.inputs).filter(|input| !self.uses(*input)).collect();
        Ok(self)
    }

    /// Prepares an earlier plan, instead of an instruction, to be run on other images.
    ///
    /// # Errors
    /// A [`Refusal`] if the plan has no steps, has an impossible step, or doesn't fit the number of
    /// images.
    pub fn replay(self, context: &Context) -> Result<Self, Refusal> {
        let misfit = match context.inputs {
            _ if self.steps.is_empty() && self.output.is_none() => {
                let message = "the plan has no steps, so there is nothing to do";
                return Err(Refusal::new(RefusalKind::AsksForNothing, message));
            }
            0 if !self.makes() => Some("this plan edits an image, but none was sent"),
            1.. if self.makes() => Some("this plan creates an image; send it without one"),
            1 if self.joins() => Some("this plan combines images; send at least two"),
            _ => None,
        };
        if let Some(message) = misfit {
            return Err(Refusal::missing(message));
        }
        // What was understood and assumed belongs to the original instruction, so it is dropped.
        let (version, output) = (self.version, self.output);
        Self { version, output, ..Self::new(self.steps) }.finish(context)
    }
}

/// Adds the steps. A ratio is reached by cropping around the center, or by padding if the words pad.
/// A size is covered and cropped around the center, so that nothing is distorted.
fn add_output(plan: &mut Plan, context: &Context) {
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
