//! Mixes an edit into an image with soft edges.

use crate::kernels::{Size, canvas};
use crate::{Picture, Sample};
use rayon::prelude::*;

/// The part that changes: rectangles without overlap (first column and row, and one past the last),
/// and the width over which their edges fade, in pixels.
pub(super) struct Soft {
    pub(super) rectangles: Vec<[u32; 4]>,
    pub(super) width_px: f32,
}

/// Bytes for the weights of the columns.
pub(super) fn scratch_bytes(input: Size) -> u64 {
    const RECTANGLES_MAX: u64 = 4;
    const WEIGHT_BYTES: u64 = 4;
    u64::from(input.0) * RECTANGLES_MAX * WEIGHT_BYTES
}

impl Soft {
    /// Mixes `edited` into `picture`, which has the same size.
    pub(super) fn mix<S: Sample>(&self, picture: &mut Picture<S>, edited: &Picture<S>) {
        let size = picture.size();
        let columns = |[left, _, right, _]: &[u32; 4]| -> Vec<f32> {
            (0..size.0).map(|x| self.weight(x, (*left, *right), size.0)).collect()
        };
        let columns: Vec<_> = self.rectangles.iter().map(columns).collect();
        let row_samples = picture.row_samples();
        let lines = picture
            .pixels_mut()
            .par_chunks_mut(row_samples)
            .zip(edited.pixels().par_chunks(row_samples));
        lines.zip(0..size.1).for_each(|((to, from), y)| {
            let rows: Vec<f32> = self
                .rectangles
                .iter()
                .map(|[_, top, _, bottom]| self.weight(y, (*top, *bottom), size.1))
                .collect();
            let pixels = to.as_chunks_mut::<4>().0.iter_mut().zip(from.as_chunks::<4>().0);
            for (x, (to, from)) in pixels.enumerate() {
                let across = columns.iter().map(|weights| weights.get(x).copied().unwrap_or(0.0));
                let weight = across.zip(&rows).map(|(across, down)| across * down).sum::<f32>();
                *to = mixed(*to, *from, weight);
            }
        });
    }

    /// How much of a row or column from `start` to `end` there is at a pixel. The edges of the image
    /// are no edges of a part, and the weights of parts next to each other add up to 1.
    fn weight(&self, at: u32, (start, end): (u32, u32), side: u32) -> f32 {
        let from = if start == 0 { 1.0 } else { self.beyond(at, start) };
        let to = if end == side { 0.0 } else { self.beyond(at, end) };
        from - to
    }

    /// Rises from 0 to 1 across an edge (`smoothstep` of GLSL).
    #[expect(clippy::cast_precision_loss, reason = "positions of at most some 2^14 pixels")]
    fn beyond(&self, at: u32, edge: u32) -> f32 {
        let apart = at as f32 + 0.5 - edge as f32;
        let share = (apart / self.width_px + 0.5).clamp(0.0, 1.0);
        share * share * (3.0 - 2.0 * share)
    }
}

/// A mix of two pixels, premultiplied.
fn mixed<S: Sample>(one: [S; 4], other: [S; 4], weight: f32) -> [S; 4] {
    if weight <= 0.0 || one == other {
        return one;
    }
    if weight >= 1.0 {
        return other;
    }
    let light = |[red, green, blue, alpha]: [S; 4], weight: f32| {
        let alpha = alpha.level() * weight;
        [red.level() * alpha, green.level() * alpha, blue.level() * alpha, alpha * 255.0]
    };
    let (one, other) = (light(one, 1.0 - weight), light(other, weight));
    let mut sum = one;
    sum.iter_mut().zip(other).for_each(|(sum, light)| *sum += light);
    canvas::straight(sum, 255.0 * 255.0)
}
