//! Which images each step works on, how large they become, and how much memory that takes.

use super::Plan;
use crate::kernels::Size;
use crate::limits::{PIXELS_MAX, SIDE_PX_MAX};
use crate::{Depth, Refusal};

/// The images that a step works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// All images, which become one.
    All,
    /// Each image separately, because a later step joins them.
    Each,
    /// One of the images, given by its number (from 1).
    One(usize),
    /// The first image, with another one given by its number (from 1), which is not changed.
    With(usize),
}

impl Plan {
    /// The images that the step with this number works on.
    pub(crate) fn reach(&self, number: usize) -> Reach {
        let Some(step) = self.steps.get(number) else { return Reach::One(1) };
        let operation = step.operation();
        if operation.joins() || operation.makes() {
            return Reach::All;
        }
        match (operation.takes(), operation.picks()) {
            (Some(other), _) => Reach::With(other),
            (None, Some(number)) => Reach::One(number),
            (None, None) if self.steps.iter().skip(number).any(|step| step.operation().joins()) => {
                Reach::Each
            }
            (None, None) => Reach::One(1),
        }
    }

    /// How many of the given inputs the plan works on: all up to the last one that it names.
    pub(crate) fn inputs_used(&self, inputs: usize) -> usize {
        if self.makes() {
            return 0;
        }
        if self.joins() { inputs } else { inputs.min(self.inputs_named()) }
    }

    /// Whether the plan works on this input, counted from 0.
    pub(crate) fn uses(&self, input: usize) -> bool {
        let named = || self.steps.iter().any(|step| step.operation().names() == Some(input + 1));
        self.joins() || input == 0 || named()
    }

    /// The highest input number that a step names, counted from 1.
    pub(crate) fn inputs_named(&self) -> usize {
        self.steps.iter().filter_map(|step| step.operation().names()).max().unwrap_or(1)
    }
}

/// Computes the sizes and bytes of a plan's images, which all have the same depth.
pub(super) struct Sizing<'p> {
    pub(super) plan: &'p Plan,
    pub(super) depth: Depth,
}

impl Sizing<'_> {
    /// The bytes that images of these sizes take.
    pub(super) fn bytes(&self, sizes: &[Size]) -> u64 {
        sizes.iter().map(|size| area(*size) * self.depth.pixel_bytes()).sum()
    }

    /// The sizes of the images after a step, and its peak memory in bytes.
    pub(super) fn stepped(
        &self,
        number: usize,
        held: &[Size],
    ) -> Result<(Vec<Size>, u64), Refusal> {
        match self.plan.reach(number) {
            Reach::All => {
                let (result, more_bytes) = self.done(number, held)?;
                Ok((vec![result], self.bytes(held) + more_bytes))
            }
            Reach::Each => {
                let (mut results, mut most_bytes) =
                    (Vec::with_capacity(held.len()), self.bytes(held));
                for group in held.chunks(1) {
                    let (result, more_bytes) = self.done(number, group)?;
                    most_bytes =
                        most_bytes.max(self.bytes(held) + self.bytes(&results) + more_bytes);
                    results.push(result);
                }
                Ok((results, most_bytes))
            }
            // Without an image, the step is measured all the same.
            Reach::One(1) if held.is_empty() => {
                let (result, more_bytes) = self.done(number, held)?;
                Ok((vec![result], more_bytes))
            }
            Reach::One(image) => {
                let one = self.held(number, held, image)?;
                self.replaced(number, held, (image, &[one]))
            }
            Reach::With(other) => {
                let (first, second) =
                    (self.held(number, held, 1)?, self.held(number, held, other)?);
                // The other image is copied, because a later step may need it again.
                let (next, most_bytes) = self.replaced(number, held, (1, &[first, second]))?;
                Ok((next, most_bytes + self.bytes(&[second])))
            }
        }
    }

    /// The size of one of the images, by its number.
    fn held(&self, number: usize, held: &[Size], image: usize) -> Result<Size, Refusal> {
        image.checked_sub(1).and_then(|at| held.get(at)).copied().ok_or_else(|| {
            let message = format!("image {image} is missing; images sent: {}", held.len());
            self.plan.refused(number, message)
        })
    }

    /// The sizes after a step that replaces one image by the result for a group of them.
    fn replaced(
        &self,
        number: usize,
        held: &[Size],
        (image, group): (usize, &[Size]),
    ) -> Result<(Vec<Size>, u64), Refusal> {
        let (result, more_bytes) = self.done(number, group)?;
        let mut next = held.to_vec();
        if let Some(size) = next.get_mut(image - 1) {
            *size = result;
        }
        Ok((next, self.bytes(held) + more_bytes))
    }

    /// The size of the result of a step for a group of images, and the bytes it needs in addition.
    fn done(&self, number: usize, group: &[Size]) -> Result<(Size, u64), Refusal> {
        let Some(step) = self.plan.steps.get(number) else { return Ok(((1, 1), 0)) };
        let operation = step.operation();
        let (width, height) =
            operation.result_size(group).map_err(|message| self.plan.refused(number, message))?;
        let side_max = u64::from(SIDE_PX_MAX);
        let pixels = width.checked_mul(height);
        if width > side_max || height > side_max || pixels.is_none_or(|pixels| pixels > PIXELS_MAX)
        {
            let message = format!(
                "the result would be {width}x{height} pixels; the limits are {SIDE_PX_MAX} pixels \
                 per side and {} megapixels in total",
                PIXELS_MAX / 1_000_000
            );
            return Err(self.plan.refused(number, message));
        }
        let result = (u32::try_from(width).unwrap_or(1), u32::try_from(height).unwrap_or(1));
        let largest = group.iter().copied().max_by_key(|size| area(*size)).unwrap_or((1, 1));
        let new_bytes = if operation.in_place() { 0 } else { self.bytes(&[result]) };
        let scratch_bytes = operation.scratch_bytes(largest, result, self.depth.pixel_bytes());
        Ok((result, new_bytes + scratch_bytes))
    }
}

/// The number of pixels of an image of this size.
pub(super) fn area(size: Size) -> u64 {
    u64::from(size.0) * u64::from(size.1)
}
