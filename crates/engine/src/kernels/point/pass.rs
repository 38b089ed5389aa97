//! Applies any number of changes to an image in one pass.

use super::chunk::{Chunk, LANES};
use super::table::{Table, limited};
use super::{Change, Curve, Matrix, Point};
use crate::kernels::vectors::vectorized;
use crate::{Depth, Picture, Sample};
use rayon::prelude::*;

/// How many samples a thread processes at a time. It is a whole number of chunks.
const BLOCK_SAMPLES: usize = LANES * 4 * 256;

/// The new values of the 256 levels of each channel.
type Levels<T> = [[T; 256]; 3];

/// Applies all changes in order to every pixel, in place, on all threads.
pub(crate) fn apply_all<S: Sample>(picture: &mut Picture<S>, points: &[Point]) {
    if points.is_empty() {
        return;
    }
    match S::DEPTH {
        Depth::Eight => apply_to_levels(bytemuck::cast_slice_mut(picture.pixels_mut()), points),
        Depth::Sixteen => apply_to_deep(bytemuck::cast_slice_mut(picture.pixels_mut()), points),
    }
}

/// Applies changes to 8-bit samples. As long as the changes treat channels separately, they are
/// combined into a table of the 256 levels.
fn apply_to_levels(samples: &mut [u8], points: &[Point]) {
    let alone = points.iter().take_while(|point| point.is_per_channel()).count();
    let (first, rest) = points.split_at(alone);
    let levels = (alone > 0).then(|| tabulated(first));
    let blocks = samples.par_chunks_mut(BLOCK_SAMPLES);
    match levels {
        Some(levels) if rest.is_empty() => {
            let levels = levels.map(|channel| channel.map(to_byte));
            blocks.for_each(|block| replace(block, &levels));
        }
        levels => {
            let stages: Vec<Stage<'_>> = rest.iter().map(Stage::of).collect();
            blocks.for_each(|block| work(block, (levels.as_ref(), &stages)));
        }
    }
}

/// Applies changes to 16-bit samples, which have too many values for such tables.
fn apply_to_deep(samples: &mut [u16], points: &[Point]) {
    let stages: Vec<Stage<'_>> = points.iter().map(Stage::of).collect();
    samples.par_chunks_mut(BLOCK_SAMPLES).for_each(|block| {
        for part in block.chunks_mut(LANES * 4) {
            let pixels = part.as_chunks_mut::<4>().0;
            let mut chunk = Chunk::of_deep(pixels);
            stages.iter().for_each(|stage| stage.change(&mut chunk));
            chunk.store_deep(pixels);
        }
    });
}

impl Point {
    /// Whether each channel depends only on itself.
    fn is_per_channel(&self) -> bool {
        match self {
            Self::Matrix(matrix) => matrix.iter().enumerate().all(|(row, line)| {
                line.iter().take(3).enumerate().all(|(column, cell)| row == column || *cell == 0.0)
            }),
            Self::Curve(_) | Self::Steps(_) => true,
            Self::Colors(_) => false,
        }
    }

    /// The new value of one channel, for changes that treat channels separately.
    fn of_channel(&self, channel: usize, value: f32) -> f32 {
        match self {
            Self::Matrix(matrix) => matrix.get(channel).map_or(value, |line| {
                let gain = line.get(channel).copied().unwrap_or(1.0);
                (gain * value + line[3]).clamp(0.0, 1.0)
            }),
            Self::Curve(curve) | Self::Steps(curve) => limited(curve(channel, f64::from(value))),
            Self::Colors(_) => value,
        }
    }
}

/// One change in the form in which it is applied to chunks.
enum Stage<'p> {
    Matrix(&'p Matrix),
    Table(Table),
    Steps(&'p Curve),
    Colors(&'p dyn Change),
}

impl<'p> Stage<'p> {
    fn of(point: &'p Point) -> Self {
        match point {
            Point::Matrix(matrix) => Self::Matrix(matrix),
            Point::Curve(curve) => Self::Table(Table::of(curve)),
            Point::Steps(steps) => Self::Steps(steps),
            Point::Colors(change) => Self::Colors(change.as_ref()),
        }
    }

    #[inline(always)]
    fn change(&self, chunk: &mut Chunk) {
        match self {
            Self::Matrix(matrix) => chunk.transform(matrix),
            Self::Colors(change) => change.change(chunk),
            Self::Table(table) => {
                for (channel, values) in chunk.channels.iter_mut().enumerate() {
                    table.replace(channel, values);
                }
            }
            Self::Steps(steps) => {
                for (channel, values) in chunk.channels.iter_mut().enumerate() {
                    for value in values {
                        *value = limited(steps(channel, f64::from(*value)));
                    }
                }
            }
        }
    }
}

/// The result of several changes for every level, without rounding in between.
fn tabulated(points: &[Point]) -> Levels<f32> {
    [0, 1, 2].map(|channel| {
        let mut level = 0_u8;
        [(); 256].map(|()| {
            let value = f32::from(level) / 255.0;
            level = level.wrapping_add(1);
            points.iter().fold(value, |value, point| point.of_channel(channel, value))
        })
    })
}

/// Replaces every channel by its entry in the tables.
fn replace(block: &mut [u8], levels: &Levels<u8>) {
    let [reds, greens, blues] = levels;
    for pixel in block.as_chunks_mut::<4>().0 {
        let [red, green, blue, _] = pixel;
        *red = reds[usize::from(*red)];
        *green = greens[usize::from(*green)];
        *blue = blues[usize::from(*blue)];
    }
}

vectorized! {
    /// Applies all stages to one chunk after another. The last chunk may be shorter.
    fn work<'a>(block: &'a mut [u8], how: (Option<&'a Levels<f32>>, &'a [Stage<'a>])) {
        for part in block.chunks_mut(LANES * 4) {
            let mut pixels = [0; LANES];
            for (pixel, bytes) in pixels.iter_mut().zip(part.as_chunks::<4>().0) {
                *pixel = u32::from_le_bytes(*bytes);
            }
            let mut chunk = match how.0 {
                Some(levels) => looked_up(&pixels, levels),
                None => Chunk::of(&pixels),
            };
            how.1.iter().for_each(|stage| stage.change(&mut chunk));
            chunk.store(&mut pixels);
            for (pixel, bytes) in pixels.iter().zip(part.as_chunks_mut::<4>().0) {
                *bytes = pixel.to_le_bytes();
            }
        }
    }
}

#[inline(always)]
fn looked_up(pixels: &[u32; LANES], levels: &Levels<f32>) -> Chunk {
    let mut chunk = Chunk { channels: [[0.0; LANES]; 3] };
    let [reds, greens, blues] = levels;
    let [red, green, blue] = &mut chunk.channels;
    for (((pixel, red), green), blue) in pixels.iter().zip(red).zip(green).zip(blue) {
        let [r, g, b, _] = pixel.to_le_bytes().map(usize::from);
        (*red, *green, *blue) = (reds[r], greens[g], blues[b]);
    }
    chunk
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limited to 0..=255")]
fn to_byte(value: f32) -> u8 {
    (value * 255.0 + 0.5) as u8
}
