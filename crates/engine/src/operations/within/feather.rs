//! Mixes an edit into an image with soft edges.

use crate::kernels::{Size, canvas, ellipse};
use crate::region::{Area, Ellipse, Rectangle};
use crate::{Picture, Sample};
use rayon::prelude::*;

/// The part that changes, and the width over which its edges fade, in pixels.
pub(super) struct Soft {
    pub(super) area: Area,
    pub(super) width_px: f64,
}

/// Bytes for the weights of the columns.
pub(super) fn scratch_bytes(input: Size) -> u64 {
    const RECTANGLES_MAX: u64 = 4;
    const WEIGHT_BYTES: u64 = 4;
    u64::from(input.0) * RECTANGLES_MAX * WEIGHT_BYTES
}

impl Soft {
    /// Mixes `inside` into `picture`, which has the same size.
    pub(super) fn mix<S: Sample>(&self, picture: &mut Picture<S>, inside: &Picture<S>) {
        match &self.area {
            Area::Rectangles(rectangles) => self.mix_rectangles(rectangles, picture, inside),
            Area::Ellipse(ellipse) => self.mix_ellipse(*ellipse, picture, inside),
        }
    }

    fn mix_ellipse<S: Sample>(
        &self,
        Ellipse { center, half }: Ellipse,
        picture: &mut Picture<S>,
        inside: &Picture<S>,
    ) {
        each_pixel(picture, inside, |y| {
            let down = f64::from(y) + 0.5 - center.1;
            move |x| self.risen(-ellipse::distance((f64::from(x) + 0.5 - center.0, down), half))
        });
    }

    fn mix_rectangles<S: Sample>(
        &self,
        rectangles: &[Rectangle],
        picture: &mut Picture<S>,
        inside: &Picture<S>,
    ) {
        let size = picture.size();
        let columns = |[left, _, right, _]: &Rectangle| -> Vec<f32> {
            (0..size.0).map(|x| self.weight(x, (*left, *right), size.0)).collect()
        };
        let columns: Vec<_> = rectangles.iter().map(columns).collect();
        each_pixel(picture, inside, |y| {
            let rows: Vec<f32> = rectangles
                .iter()
                .map(|[_, top, _, bottom]| self.weight(y, (*top, *bottom), size.1))
                .collect();
            let columns = &columns;
            move |x| {
                let across = |weights: &Vec<f32>| weights.get(x as usize).copied().unwrap_or(0.0);
                columns.iter().zip(&rows).map(|(weights, down)| across(weights) * down).sum()
            }
        });
    }

    /// How much of a row or column from `start` to `end` there is at a pixel. The edges of the image
    /// are no edges of a part, and the weights of parts next to each other add up to 1.
    fn weight(&self, at: u32, (start, end): (u32, u32), side: u32) -> f32 {
        let beyond = |edge: u32| self.risen(f64::from(at) + 0.5 - f64::from(edge));
        let from = if start == 0 { 1.0 } else { beyond(start) };
        let to = if end == side { 0.0 } else { beyond(end) };
        from - to
    }

    /// Rises from 0 to 1 across an edge (`smoothstep` of GLSL), at a distance behind it in pixels.
    #[expect(clippy::cast_possible_truncation, reason = "a share from 0 to 1")]
    fn risen(&self, apart_px: f64) -> f32 {
        let share = (apart_px / self.width_px + 0.5).clamp(0.0, 1.0);
        (share * share * (3.0 - 2.0 * share)) as f32
    }
}

/// Mixes the pixels of `inside` into `picture` with a weight for each row and column.
fn each_pixel<S: Sample, W: FnMut(u32) -> f32>(
    picture: &mut Picture<S>,
    inside: &Picture<S>,
    weights: impl Fn(u32) -> W + Sync,
) {
    let row_samples = picture.row_samples();
    let height = picture.height();
    let lines = picture
        .pixels_mut()
        .par_chunks_mut(row_samples)
        .zip(inside.pixels().par_chunks(row_samples));
    lines.zip(0..height).for_each(|((to, from), y)| {
        let mut weight = weights(y);
        let pixels = to.as_chunks_mut::<4>().0.iter_mut().zip(from.as_chunks::<4>().0);
        for ((to, from), x) in pixels.zip(0..) {
            *to = mixed(*to, *from, weight(x));
        }
    });
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
