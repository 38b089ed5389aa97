//! Median: the median of a square of pixels, computed for each channel separately, premultiplied.
//! Isolated wrong pixels vanish, and edges stay.

use crate::kernels::Size;
use crate::kernels::premultiplied::{rounded, row_around, straight};
use crate::operation::{
    Capability, Control, Described, Operation, Parameter, on_levels, only, scaled_side,
};
use crate::{ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};

/// Removes isolated wrong pixels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Median {
    /// How far the square extends from its center, in whole pixels.
    pub radius_px: u32,
}

const SCALE: [f64; 5] = [1.0, 1.0, 1.0, 2.0, 3.0];

const RADIUS_PX_MAX: u32 = 20;
const RADIUS: Parameter =
    Parameter::new("the radius of a median filter", "px", (1.0, RADIUS_PX_MAX as f64))
        .scaled(SCALE);

impl Described for Median {
    const CAPABILITY: Capability = Capability {
        name: "median",
        parameters: &[RADIUS],
        controls: &[Control::whole("radius_px", "Radius", RADIUS)],
        summary: "Removes isolated wrong pixels (salt-and-pepper noise).",
        definition: "The median of the square of 2 * radius + 1 pixels, for each channel, \
                     including alpha, of the premultiplied image in 8 bits per channel; edges \
                     repeated.",
        examples: &["apply a median filter of 2px", "remove the salt and pepper noise"],
    };
}

impl Operation for Median {
    fn words(&self) -> String {
        format!("apply a median filter of {}px", self.radius_px)
    }

    fn check(&self) -> Result<(), String> {
        RADIUS.check(f64::from(self.radius_px))
    }

    fn scale(&mut self, factor: f64) {
        self.radius_px = scaled_side(self.radius_px, factor);
    }

    fn regional(&self) -> bool {
        true
    }

    fn scratch_bytes(&self, input: Size, _: Size, _: u64) -> u64 {
        const ROWS_BYTES: u64 = 64 * 4 * (2 * RADIUS_PX_MAX as u64 + 1);
        (u64::from(input.0) + 2 * u64::from(RADIUS_PX_MAX)) * (u64::from(input.1) * 4 + ROWS_BYTES)
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        Ok(on_levels(only(pictures)?, |picture| self.filter(picture)))
    }
}

impl Median {
    fn filter(&self, picture: &mut Picture) {
        let pixels = rounded(picture);
        let radius = self.radius_px.min(RADIUS_PX_MAX) as usize;
        let width = picture.width() as usize;
        picture.each_row(|y, row| {
            let first = y.cast_signed() - radius.cast_signed();
            let lines: Vec<Vec<[u8; 4]>> = (first..=first + 2 * radius.cast_signed())
                .map(|y| row_around(&pixels, width, y, radius))
                .collect();
            let mut window = Window::default();
            (0..2 * radius).for_each(|x| window.column(&lines, x, Middle::add));
            for (x, pixel) in row.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                window.column(&lines, x + 2 * radius, Middle::add);
                let half = (lines.len() * lines.len() / 2) as u32;
                *pixel = straight(window.channels.each_mut().map(|channel| channel.at(half)));
                window.column(&lines, x, Middle::remove);
            }
        });
    }
}

/// The values in the window around a pixel, for each channel.
#[derive(Default)]
struct Window {
    channels: [Middle; 4],
}

impl Window {
    fn column(&mut self, lines: &[Vec<[u8; 4]>], x: usize, how: impl Fn(&mut Middle, u8)) {
        for pixel in lines.iter().filter_map(|line| line.get(x)) {
            self.channels.iter_mut().zip(pixel).for_each(|(channel, value)| how(channel, *value));
        }
    }
}

/// The number of occurrences of each value, and a position in sorted order. From pixel to pixel, it
/// moves only a little (Huang, 1979).
struct Middle {
    counts: [u32; 256],
    value: u8,
    below: u32,
}

impl Default for Middle {
    fn default() -> Self {
        Self { counts: [0; 256], value: 0, below: 0 }
    }
}

impl Middle {
    fn add(&mut self, value: u8) {
        self.counts[usize::from(value)] += 1;
        self.below += u32::from(value < self.value);
    }

    fn remove(&mut self, value: u8) {
        self.counts[usize::from(value)] -= 1;
        self.below -= u32::from(value < self.value);
    }

    /// The value at a position in sorted order, counted from 0.
    fn at(&mut self, rank: u32) -> u8 {
        while self.below > rank {
            self.value -= 1;
            self.below -= self.counts[usize::from(self.value)];
        }
        while self.below + self.counts[usize::from(self.value)] <= rank && self.value < 255 {
            self.below += self.counts[usize::from(self.value)];
            self.value += 1;
        }
        self.value
    }
}
