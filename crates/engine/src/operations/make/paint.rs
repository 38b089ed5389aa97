//! Paints a created image row by row.

use super::{Fill, pattern};
use crate::kernels::{Size, canvas};
use crate::{Color, ExecuteError, Picture, Sample};

/// Paints the image.
pub(super) fn painted<S: Sample>(fill: &Fill, size: Size) -> Result<Picture<S>, ExecuteError> {
    match fill {
        Fill::Plain { color } => canvas::filled(size, *color),
        Fill::Linear { colors, degrees } => {
            let line = Line::new(*degrees, size);
            each(size, |x, y| mixed(colors, line.share(x, y)))
        }
        Fill::Radial { colors } => {
            let (across, down) = (f64::from(size.0) / 2.0, f64::from(size.1) / 2.0);
            each(size, |x, y| {
                let (x, y) = (f64::from(x) + 0.5 - across, f64::from(y) + 0.5 - down);
                mixed(colors, ((x * x + y * y) / (across * across + down * down)).sqrt())
            })
        }
        Fill::Noise { colored } => each(size, |x, y| chance(x, y, *colored)),
        pattern => each(size, |x, y| pattern::pixel(pattern, (x, y), size)),
    }
}

fn each<S: Sample>(
    size: Size,
    color: impl Fn(u32, u32) -> [u8; 4] + Sync,
) -> Result<Picture<S>, ExecuteError> {
    let mut picture = Picture::new(size.0, size.1)?;
    picture.each_row(|y, row| {
        let y = u32::try_from(y).unwrap_or(u32::MAX);
        for (pixel, x) in row.as_chunks_mut::<4>().0.iter_mut().zip(0_u32..) {
            *pixel = color(x, y).map(S::of);
        }
    });
    Ok(picture)
}

/// The gradient line. It is long enough that the corners get the first and the last color (CSS
/// Images 3, section 3.1).
struct Line {
    toward: (f64, f64),
    middle: (f64, f64),
    length: f64,
}

impl Line {
    fn new(degrees: f64, size: Size) -> Self {
        let quarter = |turn: f64| ((degrees - turn).abs() < 1e-9).then_some(());
        // The sine and cosine of quarter turns are not exact, but these values are.
        let toward = match (quarter(90.0), quarter(180.0), quarter(270.0)) {
            (Some(()), ..) => (0.0, 1.0),
            (_, Some(()), _) => (-1.0, 0.0),
            (.., Some(())) => (0.0, -1.0),
            _ => (degrees.to_radians().cos(), degrees.to_radians().sin()),
        };
        let (width, height) = (f64::from(size.0), f64::from(size.1));
        let length = (width * toward.0).abs() + (height * toward.1).abs();
        Self { toward, middle: (width / 2.0, height / 2.0), length }
    }

    fn share(&self, x: u32, y: u32) -> f64 {
        let (x, y) = (f64::from(x) + 0.5 - self.middle.0, f64::from(y) + 0.5 - self.middle.1);
        (x * self.toward.0 + y * self.toward.1) / self.length + 0.5
    }
}

/// The color at a position along a gradient, from 0 to 1.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "limited to the colors that there are"
)]
fn mixed(colors: &[Color], share: f64) -> [u8; 4] {
    let last = colors.len().saturating_sub(1);
    let at = share.clamp(0.0, 1.0) * last as f64;
    let index = (at.floor() as usize).min(last.saturating_sub(1));
    let color = |index: usize| colors.get(index).map_or([0; 4], |color| color.rgba);
    let weight = ((at - index as f64) * 65_536.0).round() as u64;
    pattern::mean(&[(color(index), 65_536 - weight), (color(index + 1), weight)])
}

/// A random color for a position, from a hash that mixes all bits of both coordinates.
fn chance(x: u32, y: u32, colored: bool) -> [u8; 4] {
    let mut bits = (u64::from(x) << 32 | u64::from(y)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    let [red, green, blue, ..] = (bits ^ (bits >> 31)).to_be_bytes();
    if colored { [red, green, blue, 255] } else { [red, red, red, 255] }
}
