//! One frame: the image as the camera sees it, as the YUV planes that the encoder needs.

use super::camera::View;
use crate::Picture;
use openh264::formats::YUVSource;
use rayon::prelude::*;

/// A frame as planes: luma at full resolution, color at half (4:2:0), BT.709, limited range (16 to
/// 235).
pub(super) struct Planes {
    size: (usize, usize),
    light: Vec<u8>,
    blue: Vec<u8>,
    red: Vec<u8>,
}

impl Planes {
    /// Planes of a frame with even sides.
    pub(super) fn new(size: (u32, u32)) -> Self {
        let size = (size.0 as usize, size.1 as usize);
        let pixels = size.0 * size.1;
        Self { size, light: vec![0; pixels], blue: vec![0; pixels / 4], red: vec![0; pixels / 4] }
    }

    /// Fills the planes with a view of an opaque image; `strength` is from 0 (black) to 256
    /// (unchanged).
    pub(super) fn film(&mut self, picture: &Picture, view: View, strength: u32) {
        let (width, height) = self.size;
        let lens = Lens::new(picture, view, self.size);
        let rows = self.light.par_chunks_mut(2 * width);
        let colors = self.blue.par_chunks_mut(width / 2).zip(self.red.par_chunks_mut(width / 2));
        rows.zip(colors).enumerate().for_each(|(pair, (light, (blue, red)))| {
            let (upper, lower) = light.split_at_mut(width);
            let y = pair * 2;
            debug_assert!(y + 1 < height, "sides are even");
            for (x, (blue, red)) in blue.iter_mut().zip(red).enumerate() {
                let mut sum = [0; 3];
                for (row, line) in [&mut *upper, &mut *lower].into_iter().enumerate() {
                    for column in [2 * x, 2 * x + 1] {
                        let pixel =
                            lens.pixel(column, y + row).map(|level| (level * strength) >> 8);
                        if let Some(place) = line.get_mut(column) {
                            *place = luma(pixel);
                        }
                        sum.iter_mut().zip(pixel).for_each(|(sum, level)| *sum += level);
                    }
                }
                (*blue, *red) = chroma(sum);
            }
        });
    }
}

impl YUVSource for Planes {
    fn dimensions(&self) -> (usize, usize) {
        self.size
    }

    fn strides(&self) -> (usize, usize, usize) {
        (self.size.0, self.size.0 / 2, self.size.0 / 2)
    }

    fn y(&self) -> &[u8] {
        &self.light
    }

    fn u(&self) -> &[u8] {
        &self.blue
    }

    fn v(&self) -> &[u8] {
        &self.red
    }
}

/// BT.709 luma of 8-bit limited range (ITU-R BT.709-6, section 3), in 16-bit fixed point.
fn luma([red, green, blue]: [u32; 3]) -> u8 {
    let sum = 11_966 * red + 40_254 * green + 4_064 * blue;
    (16 + ((sum + 0x8000) >> 16)).min(255) as u8
}

/// BT.709 color differences of the sum of four pixels.
fn chroma(sum: [u32; 3]) -> (u8, u8) {
    let [red, green, blue] = sum.map(|level| level as i32);
    let level = |value: i32| (128 + ((value + 0x2_0000) >> 18)).clamp(0, 255) as u8;
    (
        level(-6_596 * red - 22_189 * green + 28_784 * blue),
        level(28_784 * red - 26_145 * green - 2_639 * blue),
    )
}

/// Maps each pixel of the frame to a position in the image, in 65536ths of a pixel.
struct Lens<'p> {
    picture: &'p [[u8; 4]],
    size: (i64, i64),
    origin: (i64, i64),
    across: (i64, i64),
    down: (i64, i64),
    /// Whether each pixel is the mean of four, because the image is much finer than the frame.
    is_fine: bool,
}

const ONE: f64 = 65_536.0;
/// With more image pixels per frame pixel than this, single samples would flicker.
const FINE_STEP: f64 = 1.3;

impl<'p> Lens<'p> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "pictures have at most 16384 pixels a side"
    )]
    fn new(picture: &'p Picture, view: View, frame: (usize, usize)) -> Self {
        let fixed = |value: f64| (value * ONE).round() as i64;
        let (cosine, sine) = (view.angle.cos() * view.step, view.angle.sin() * view.step);
        // The center of the first pixel, relative to the center of the frame.
        let (x, y) = ((1.0 - frame.0 as f64) / 2.0, (1.0 - frame.1 as f64) / 2.0);
        let origin = (
            view.center.0 + x * cosine - y * sine - 0.5,
            view.center.1 + x * sine + y * cosine - 0.5,
        );
        Self {
            picture: picture.pixels().as_chunks().0,
            size: (i64::from(picture.width()), i64::from(picture.height())),
            origin: (fixed(origin.0), fixed(origin.1)),
            across: (fixed(cosine), fixed(sine)),
            down: (fixed(-sine), fixed(cosine)),
            is_fine: view.step > FINE_STEP,
        }
    }

    /// The color of a frame pixel.
    fn pixel(&self, x: usize, y: usize) -> [u32; 3] {
        let (x, y) = (x as i64, y as i64);
        let at = (
            self.origin.0 + x * self.across.0 + y * self.down.0,
            self.origin.1 + x * self.across.1 + y * self.down.1,
        );
        if !self.is_fine {
            return self.sample(at);
        }
        let mut sum = [2; 3];
        for (right, below) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
            let beside = (
                at.0 + (right * self.across.0 + below * self.down.0) / 4,
                at.1 + (right * self.across.1 + below * self.down.1) / 4,
            );
            sum.iter_mut().zip(self.sample(beside)).for_each(|(sum, level)| *sum += level);
        }
        sum.map(|level| level / 4)
    }

    /// The color at a position, interpolated from the four pixels around it.
    fn sample(&self, at: (i64, i64)) -> [u32; 3] {
        let (left, top) = (at.0 >> 16, at.1 >> 16);
        let (right, below) = ((at.0 >> 8 & 255) as u32, (at.1 >> 8 & 255) as u32);
        let corners = [(left, top), (left + 1, top), (left, top + 1), (left + 1, top + 1)]
            .map(|at| self.at(at));
        let weights = [
            (256 - right) * (256 - below),
            right * (256 - below),
            (256 - right) * below,
            right * below,
        ];
        let mut sum = [0x8000; 3];
        for (corner, weight) in corners.iter().zip(weights) {
            sum.iter_mut().zip(corner).for_each(|(sum, level)| *sum += u32::from(*level) * weight);
        }
        sum.map(|level| level >> 16)
    }

    /// The pixel at a position, or the nearest edge pixel outside the image.
    fn at(&self, (x, y): (i64, i64)) -> [u8; 4] {
        let (x, y) = (x.clamp(0, self.size.0 - 1), y.clamp(0, self.size.1 - 1));
        self.picture.get((y * self.size.0 + x) as usize).copied().unwrap_or_default()
    }
}
