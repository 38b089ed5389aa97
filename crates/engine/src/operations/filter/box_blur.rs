//! Box blur: the mean of a square of pixels, premultiplied, computed exactly in integers.

use crate::kernels::Size;
use crate::kernels::premultiplied::{light, padded, straight_sum};
use crate::operation::{Capability, Control, Described, Effect, Parameter, scaled_side};
use crate::{Picture, Sample};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Blurs by averaging squares.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoxBlur {
    /// How far the square extends to each side, in whole pixels; its width is 2 * radius + 1.
    pub radius_px: u32,
}

const SCALE: [f64; 5] = [1.0, 2.0, 4.0, 10.0, 20.0];

/// Largest radius, in pixels, for which the sums fit 32 bits: 257 * 257 * 255 * 255 < 2^32.
const RADIUS_PX_MAX: u32 = 128;
const RADIUS: Parameter =
    Parameter::new("the radius of a box blur", "px", (1.0, RADIUS_PX_MAX as f64)).scaled(SCALE);

impl Described for BoxBlur {
    const CAPABILITY: Capability = Capability {
        name: "box_blur",
        parameters: &[RADIUS],
        controls: &[Control::whole("radius_px", "Radius", RADIUS)],
        summary: "Blurs the image by averaging squares.",
        definition: "The mean of the square of 2 * radius + 1 pixels around each pixel, \
                     premultiplied, edges repeated, in integers, rounded half up.",
        examples: &["box blur by 5px", "apply a slight box blur"],
    };
}

impl Effect for BoxBlur {
    fn words(&self) -> String {
        format!("box blur by {}px", self.radius_px)
    }

    fn check(&self) -> Result<(), String> {
        RADIUS.check(f64::from(self.radius_px))
    }

    fn scale(&mut self, factor: f64) {
        self.radius_px = scaled_side(self.radius_px, factor);
    }

    fn scratch_bytes(&self, input: Size, _: u64) -> u64 {
        const ROWS_BYTES: u64 = 64 * 32;
        (u64::from(input.0) + 256) * (u64::from(input.1) * 16 + ROWS_BYTES)
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        let radius = self.radius_px.min(RADIUS_PX_MAX) as usize;
        let sums = across(picture, radius);
        down(picture, &sums, radius);
    }
}

/// The sums of each pixel and its neighbors to the left and right.
fn across<S: Sample>(picture: &Picture<S>, radius: usize) -> Vec<[u32; 4]> {
    let width = picture.width() as usize;
    let mut sums = vec![[0_u32; 4]; width * picture.height() as usize];
    let rows = picture.pixels().par_chunks(picture.row_samples());
    sums.par_chunks_mut(width).zip(rows).for_each(|(to, row)| {
        let lights: Vec<_> = row.as_chunks::<4>().0.iter().map(|pixel| light(*pixel)).collect();
        let line = padded(&lights, radius);
        let mut sum = [0_u32; 4];
        line.iter().take(2 * radius).for_each(|light| add(&mut sum, *light));
        let windows = line.windows(2 * radius + 1);
        for (to, window) in to.iter_mut().zip(windows) {
            window.last().into_iter().for_each(|light| add(&mut sum, *light));
            *to = sum;
            window.first().into_iter().for_each(|light| remove(&mut sum, *light));
        }
    });
    sums
}

/// The means of these sums and those above and below, band by band.
fn down<S: Sample>(picture: &mut Picture<S>, sums: &[[u32; 4]], radius: usize) {
    const BAND_ROWS: usize = 128;
    let width = picture.width() as usize;
    let last = picture.height() as usize - 1;
    let row = |y: isize| {
        let y = usize::try_from(y).unwrap_or(0).min(last);
        sums.get(y * width..(y + 1) * width).unwrap_or_default()
    };
    let (reach, row_samples) = (radius.cast_signed(), picture.row_samples());
    let area = (2 * radius as u64 + 1).pow(2);
    picture.each_band(BAND_ROWS, |band, rows| {
        let first = (band * BAND_ROWS).cast_signed();
        let mut total = vec![[0_u32; 4]; width];
        for y in first - reach..first + reach {
            total
                .iter_mut()
                .zip(row(y))
                .for_each(|(total, sum)| change(total, sum, u32::wrapping_add));
        }
        for (y, to) in (first..).zip(rows.chunks_exact_mut(row_samples)) {
            let lines = row(y + reach).iter().zip(row(y - reach));
            let pixels = to.as_chunks_mut::<4>().0.iter_mut();
            for ((total, (below, above)), pixel) in total.iter_mut().zip(lines).zip(pixels) {
                change(total, below, u32::wrapping_add);
                *pixel = straight_sum(total.map(u64::from), area);
                change(total, above, u32::wrapping_sub);
            }
        }
    });
}

fn add(sum: &mut [u32; 4], light: [u16; 4]) {
    change(sum, &light.map(u32::from), u32::wrapping_add);
}

fn remove(sum: &mut [u32; 4], light: [u16; 4]) {
    change(sum, &light.map(u32::from), u32::wrapping_sub);
}

fn change(sum: &mut [u32; 4], by: &[u32; 4], how: impl Fn(u32, u32) -> u32) {
    sum.iter_mut().zip(by).for_each(|(sum, by)| *sum = how(*sum, *by));
}
