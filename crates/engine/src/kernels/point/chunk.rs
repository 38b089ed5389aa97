//! A chunk of pixels with separate channels, which lets the compiler use vector instructions.

use super::table::Lines;
use super::{Change, LUMA, Matrix, whole_luma};

/// The number of pixels in a chunk: few enough for the first-level cache, and enough for every
/// vector unit.
pub(super) const LANES: usize = 64;

/// The largest value of a 16-bit channel.
const DEEP_FULL: f32 = 65_535.0;

/// One channel of all pixels of a chunk.
pub(super) type Lanes = [f32; LANES];

/// The colors of a chunk, channel by channel.
pub(crate) struct Chunk {
    pub(super) channels: [Lanes; 3],
}

impl Chunk {
    /// Converts RGBA bytes to channels from 0 to 1.
    #[inline(always)]
    pub(super) fn of(pixels: &[u32; LANES]) -> Self {
        let mut chunk = Self { channels: [[0.0; LANES]; 3] };
        for (values, shift) in chunk.channels.iter_mut().zip([0, 8, 16]) {
            for (value, pixel) in values.iter_mut().zip(pixels) {
                *value = channel(*pixel, shift);
            }
        }
        chunk
    }

    /// Writes the channels back, rounded half away from zero. Alpha doesn't change.
    #[inline(always)]
    pub(super) fn store(&self, pixels: &mut [u32; LANES]) {
        for pixel in pixels.iter_mut() {
            *pixel &= 0xff00_0000;
        }
        for (values, shift) in self.channels.iter().zip([0, 8, 16]) {
            for (pixel, value) in pixels.iter_mut().zip(values) {
                *pixel |= level(*value) << shift;
            }
        }
    }

    /// Converts at most [`LANES`] pixels of 16-bit RGBA to channels from 0 to 1.
    pub(super) fn of_deep(pixels: &[[u16; 4]]) -> Self {
        let mut chunk = Self { channels: [[0.0; LANES]; 3] };
        for (channel, values) in chunk.channels.iter_mut().enumerate() {
            for (value, pixel) in values.iter_mut().zip(pixels) {
                *value = f32::from(pixel[channel]) / DEEP_FULL;
            }
        }
        chunk
    }

    /// Writes the channels back as 16 bits, rounded half away from zero. Alpha doesn't change.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 65535")]
    pub(super) fn store_deep(&self, pixels: &mut [[u16; 4]]) {
        for (channel, values) in self.channels.iter().enumerate() {
            for (pixel, value) in pixels.iter_mut().zip(values) {
                pixel[channel] = (value * DEEP_FULL + 0.5) as u16;
            }
        }
    }

    /// Changes every color with a function.
    pub(super) fn each(&mut self, change: impl Fn([f32; 3]) -> [f32; 3]) {
        let [red, green, blue] = &mut self.channels;
        for ((red, green), blue) in red.iter_mut().zip(green).zip(blue) {
            [*red, *green, *blue] =
                change([*red, *green, *blue]).map(|channel| channel.clamp(0.0, 1.0));
        }
    }

    /// Multiplies each luma by a gain, and keeps the hue ([`super::by_luma`]). `find` gets the
    /// channels and the lumas, and writes the gains.
    #[inline(always)]
    fn change_lumas(&mut self, find: impl Fn(&[Lanes; 3], &Lanes, &mut Lanes)) {
        let [reds, greens, blues] = &self.channels;
        let (mut lumas, mut gains) = ([0.0; LANES], [0.0; LANES]);
        let (mut above, mut colorfulness) = ([0.0; LANES], [0.0; LANES]);
        let colors = reds.iter().zip(greens).zip(blues);
        for ((luma, above), ((red, green), blue)) in lumas.iter_mut().zip(&mut above).zip(colors) {
            *luma = (LUMA[0] * red + LUMA[1] * green + LUMA[2] * blue).min(1.0);
            *above = (red.max(*green).max(*blue) - *luma).max(1e-6);
        }
        find(&self.channels, &lumas, &mut gains);
        let lights = lumas.iter().zip(&gains).zip(&above);
        for (colorfulness, ((luma, gain), above)) in colorfulness.iter_mut().zip(lights) {
            let room = (1.0 - luma * gain).max(0.0) / above;
            *colorfulness = gain.min(gain.sqrt()).min(room);
        }
        for values in &mut self.channels {
            let lights = lumas.iter().zip(&gains).zip(&colorfulness);
            for (value, ((luma, gain), colorfulness)) in values.iter_mut().zip(lights) {
                *value = (luma * gain + (*value - luma) * colorfulness).clamp(0.0, 1.0);
            }
        }
    }

    /// Replaces each channel by a weighted sum of all channels.
    #[inline(always)]
    pub(super) fn transform(&mut self, matrix: &Matrix) {
        let [red, green, blue] = self.channels;
        for (values, [r, g, b, constant]) in self.channels.iter_mut().zip(matrix) {
            for (((value, red), green), blue) in values.iter_mut().zip(&red).zip(&green).zip(&blue)
            {
                *value = (r * red + g * green + b * blue + constant).clamp(0.0, 1.0);
            }
        }
    }
}

/// Multiplies the luma by a gain that depends on it, and keeps the hue ([`super::by_luma`]).
pub(super) struct Gains(pub(super) Lines);

impl Change for Gains {
    fn change(&self, chunk: &mut Chunk) {
        chunk.change_lumas(|_, lumas, gains| {
            gains.copy_from_slice(lumas);
            self.0.replace(gains);
        });
    }
}

/// Moves the luma towards the tone of its level, and keeps the hue ([`super::by_level`]).
pub(super) struct Tones {
    pub(super) tones: Box<[f32; 256]>,
    /// How far it moves, from 0 to 1.
    pub(super) share: f32,
}

impl Change for Tones {
    fn change(&self, chunk: &mut Chunk) {
        chunk.change_lumas(|[reds, greens, blues], lumas, gains| {
            let colors = reds.iter().zip(greens).zip(blues).zip(lumas);
            for (gain, (((red, green), blue), luma)) in gains.iter_mut().zip(colors) {
                let level = whole_luma([*red, *green, *blue].map(level));
                let tone = self.tones.get(level).copied().unwrap_or(1.0);
                *gain = 1.0 + self.share * (tone / luma.max(1e-6) - 1.0);
            }
        });
    }
}

/// A function of one color as a change of a chunk.
pub(super) struct Each<F>(pub(super) F);

impl<F: Fn([f32; 3]) -> [f32; 3] + Send + Sync> Change for Each<F> {
    fn change(&self, chunk: &mut Chunk) {
        chunk.each(&self.0);
    }
}

#[expect(clippy::cast_precision_loss, reason = "a byte")]
#[inline(always)]
fn channel(pixel: u32, shift: u32) -> f32 {
    // Convert to a signed number first, because every vector unit can convert that to a float.
    ((pixel >> shift) & 255).cast_signed() as f32 * (1.0 / 255.0)
}

#[expect(clippy::cast_possible_truncation, reason = "from 0 to 255")]
#[inline(always)]
fn level(value: f32) -> u32 {
    ((value * 255.0 + 0.5) as i32).cast_unsigned()
}
