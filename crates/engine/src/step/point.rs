//! Changes of each pixel's colour alone, done in one pass whatever their number.

use crate::Picture;
use rayon::prelude::*;

/// A colour change: three rows of red, green, blue and constant, on sRGB values from 0 to 1.
///
/// Each matrix's result is limited to 0..=1 before the next (as CSS filters do), and only the
/// last is rounded to 8 bits, half away from zero. Alpha stays.
pub(crate) type Matrix = [[f32; 4]; 3];

/// Rec. 709 luma weights (ITU-R BT.709-6, item 3.2), as CSS `grayscale()` uses them.
pub(super) const LUMA: [f32; 3] = [0.2126, 0.7152, 0.0722];

/// The matrix that scales each channel by itself and adds a constant.
pub(super) const fn diagonal(gain: [f32; 3], constant: f32) -> Matrix {
    [[gain[0], 0.0, 0.0, constant], [0.0, gain[1], 0.0, constant], [0.0, 0.0, gain[2], constant]]
}

/// The factor that a change in percent stands for.
#[expect(clippy::cast_possible_truncation, reason = "checked to be a few hundred percent")]
pub(super) fn factor(change_percent: f64) -> f32 {
    (1.0 + change_percent / 100.0) as f32
}

/// The mix of the unchanged colour and a full effect; `share` 1 is the full effect.
pub(super) fn mix(effect: Matrix, share: f32) -> Matrix {
    let mut mixed = effect;
    for (row, line) in mixed.iter_mut().enumerate() {
        for (column, value) in line.iter_mut().enumerate() {
            let identity = if row == column { 1.0 } else { 0.0 };
            *value = identity + (*value - identity) * share;
        }
    }
    mixed
}

/// Applies all matrices in order to every pixel, in place, rows in parallel.
pub(crate) fn apply_all(picture: &mut Picture, matrices: &[Matrix]) {
    let row_bytes = picture.row_bytes();
    picture.pixels_mut().par_chunks_mut(row_bytes).for_each(|row| {
        for pixel in row.chunks_exact_mut(4) {
            if let [red, green, blue, _] = pixel {
                let colour = [*red, *green, *blue].map(|channel| f32::from(channel) / 255.0);
                let colour = matrices.iter().fold(colour, transformed);
                [*red, *green, *blue] = colour.map(to_byte);
            }
        }
    });
}

fn transformed(colour: [f32; 3], matrix: &Matrix) -> [f32; 3] {
    let [red, green, blue] = colour;
    matrix.map(|[r, g, b, constant]| (r * red + g * green + b * blue + constant).clamp(0.0, 1.0))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limited to 0..=255")]
fn to_byte(value: f32) -> u8 {
    (value * 255.0 + 0.5) as u8
}
