//! Measures an image: counts how often each whole level occurs.

use crate::kernels::canvas::visible;
use crate::kernels::point::whole_luma;
use crate::kernels::transfer::decoded;
use crate::{Picture, Sample};
use rayon::prelude::*;

/// How often each of the 256 levels occurs.
pub(super) type Levels = [u64; 256];

/// The levels of the channels and of the luma, over all pixels that are not fully transparent.
pub(super) struct Histograms {
    pub(super) channels: [Levels; 3],
    pub(super) luma: Levels,
}

/// Share of the values that is ignored at either end, so that single pixels have no influence.
const LEFT_OUT: f64 = 0.005;
/// The order of the mean that estimates the color of the light: G. Finlayson and E. Trezzi, "Shades
/// of Gray and Color Constancy", 2004.
const ORDER: i32 = 6;
/// How much of the largest channel's light the smallest has in an almost neutral pixel.
const NEUTRAL: f64 = 0.85;
/// Parts of full light: the sums of the largest images fit in 64 bits.
const LIGHT_PARTS: f64 = 1_048_576.0;
/// The level from which on a channel may be clipped.
const CLIPPED: u8 = 254;
/// Samples per unit of work for a thread.
const BLOCK_SAMPLES: usize = 1 << 18;

impl Histograms {
    /// Counts all visible pixels.
    pub(super) fn of<S: Sample>(picture: &Picture<S>) -> Self {
        let none = || Self { channels: [[0; 256]; 3], luma: [0; 256] };
        let counted = |mut sum: Self, block: &[S]| {
            visible(block).for_each(|color| sum.count(color.map(S::nearest)));
            sum
        };
        let blocks = picture.pixels().par_chunks(BLOCK_SAMPLES);
        blocks.fold(none, counted).reduce(none, |sum, other| sum.plus(&other))
    }

    fn count(&mut self, [red, green, blue]: [u8; 3]) {
        let [reds, greens, blues] = &mut self.channels;
        let luma = whole_luma([red, green, blue].map(u32::from));
        reds[usize::from(red)] += 1;
        greens[usize::from(green)] += 1;
        blues[usize::from(blue)] += 1;
        self.luma[luma & 255] += 1;
    }

    fn plus(mut self, other: &Self) -> Self {
        let all = self.channels.iter_mut().chain([&mut self.luma]);
        for (levels, others) in all.zip(other.channels.iter().chain([&other.luma])) {
            levels.iter_mut().zip(others).for_each(|(level, other)| *level += other);
        }
        self
    }
}

/// The lowest and the highest level after the ignored ends; `None` if they are the same.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a part of at most 50 million pixels"
)]
pub(super) fn ends(levels: &Levels) -> Option<(f32, f32)> {
    let spare = (levels.iter().sum::<u64>() as f64 * LEFT_OUT) as u64;
    let low = reached(levels.iter(), spare)?;
    let high = 255 - reached(levels.iter().rev(), spare)?;
    (low < high).then(|| (f32::from(low), f32::from(high)))
}

/// The index of the level at which more than `spare` pixels have been counted.
fn reached<'l>(levels: impl Iterator<Item = &'l u64>, spare: u64) -> Option<u8> {
    let mut seen = 0;
    let at = levels.into_iter().position(|count| {
        seen += count;
        seen > spare
    })?;
    u8::try_from(at).ok()
}

/// The light of all pixels that are light and almost neutral, added up, if there are enough of them.
/// They are taken for white or gray, so they show the color of the light, whatever else is in the
/// image.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "parts of at most 50 million pixels"
)]
pub(super) fn neutral<S: Sample>(picture: &Picture<S>, luma: &Levels) -> Option<[f64; 3]> {
    let spare = luma.iter().sum::<u64>() / 100;
    let light_from = 0.7 * decoded(f64::from(255 - reached(luma.iter().rev(), spare)?) / 255.0);
    // Whole numbers, so that the order in which threads add them up changes nothing.
    let parts = |level: u8| (decoded(f64::from(level) / 255.0) * LIGHT_PARTS).round() as u64;
    let light: Vec<u64> = (0..=255).map(parts).collect();
    let counted = |[mut below, mut clipped]: [Sum; 2], block: &[S]| {
        for channels in visible(block).map(|color| color.map(S::nearest)) {
            let lights = channels.map(|level| light.get(usize::from(level)).copied().unwrap_or(0));
            let color = lights.map(|light| light as f64 / LIGHT_PARTS);
            let [least, most] = [f64::min, f64::max].map(|of| of(of(color[0], color[1]), color[2]));
            if luminance(color) > light_from && least > NEUTRAL * most {
                let is_clipped = channels.iter().any(|level| *level >= CLIPPED);
                if is_clipped { &mut clipped } else { &mut below }.add(lights);
            }
        }
        [below, clipped]
    };
    let blocks = picture.pixels().par_chunks(BLOCK_SAMPLES);
    let both = |[below, clipped]: [Sum; 2], [more_below, more_clipped]: [Sum; 2]| {
        [below.plus(more_below), clipped.plus(more_clipped)]
    };
    let [below, clipped] = blocks.fold(Default::default, counted).reduce(Default::default, both);
    let all = luma.iter().sum::<u64>();
    // A few clipped pixels are overexposed, whatever the light. Many are a white background.
    let found = if clipped.count >= all / 10 { below.plus(clipped) } else { below };
    (found.count > 0 && found.count >= all / 100).then(|| found.lights.map(|light| light as f64))
}

/// The light of several pixels.
#[derive(Clone, Copy, Default)]
struct Sum {
    /// In parts of [`LIGHT_PARTS`].
    lights: [u64; 3],
    count: u64,
}

impl Sum {
    fn add(&mut self, lights: [u64; 3]) {
        *self = self.plus(Self { lights, count: 1 });
    }

    fn plus(mut self, other: Self) -> Self {
        self.lights.iter_mut().zip(other.lights).for_each(|(light, other)| *light += other);
        self.count += other.count;
        self
    }
}

/// The luminance of linear light (IEC 61966-2-1).
pub(super) fn luminance([red, green, blue]: [f64; 3]) -> f64 {
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// The Minkowski mean of linear light, which estimates the color of the light.
#[expect(clippy::cast_precision_loss, reason = "at most 50 million pixels")]
pub(super) fn light_of(levels: &Levels) -> f64 {
    let pixels = levels.iter().sum::<u64>() as f64;
    let powers = levels
        .iter()
        .zip(0_u8..=255)
        .map(|(count, level)| *count as f64 * decoded(f64::from(level) / 255.0).powi(ORDER));
    if pixels == 0.0 { 0.0 } else { (powers.sum::<f64>() / pixels).powf(1.0 / f64::from(ORDER)) }
}
