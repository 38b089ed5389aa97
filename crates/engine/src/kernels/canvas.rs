//! Moving and mixing whole pixels.

use crate::kernels::Size;
use crate::{Color, ExecuteError, Picture, Sample};
use rayon::prelude::*;

/// Creates an image of one color.
pub(crate) fn filled<S: Sample>(size: Size, color: Color) -> Result<Picture<S>, ExecuteError> {
    let mut picture = Picture::new(size.0, size.1)?;
    if color != Color::TRANSPARENT {
        let color = color.rgba.map(S::of);
        picture.each_row(|_, row| {
            row.as_chunks_mut::<4>().0.fill(color);
        });
    }
    Ok(picture)
}

/// Copies the part of an image at a position, byte for byte.
pub(crate) fn part<S: Sample>(
    picture: &Picture<S>,
    from: (u32, u32),
    size: Size,
) -> Result<Picture<S>, ExecuteError> {
    let mut result = Picture::new(size.0, size.1)?;
    let row_samples = result.row_samples();
    let start = from.0 as usize * 4;
    let rows = picture.rows().skip(from.1 as usize);
    for (to, row) in result.pixels_mut().chunks_exact_mut(row_samples).zip(rows) {
        if let Some(part) = row.get(start..start + row_samples) {
            to.copy_from_slice(part);
        }
    }
    Ok(result)
}

/// One pixel over another (Porter-Duff "over"), straight alpha, rounded half up.
pub(crate) fn over_pixel<S: Sample>(upper: [S; 4], lower: [S; 4]) -> [S; 4] {
    let full = S::FULL.whole();
    let (above, below) = (upper[3].whole(), lower[3].whole());
    if above == full || below == 0 {
        return upper;
    }
    if above == 0 {
        return lower;
    }
    // Both weights are products, so that nothing is rounded before the end.
    let (upper_weight, lower_weight) = (above * full, below * (full - above));
    let total = upper_weight + lower_weight;
    let mix = |top: S, bottom: S| {
        let sum = top.whole() * upper_weight + bottom.whole() * lower_weight;
        S::of_whole((sum + total / 2) / total)
    };
    let alpha = S::of_whole((total + full / 2) / full);
    [mix(upper[0], lower[0]), mix(upper[1], lower[1]), mix(upper[2], lower[2]), alpha]
}

/// Converts premultiplied values, where `full` is 1, to a pixel.
#[inline(always)]
pub(crate) fn straight<S: Sample>(premultiplied: [f32; 4], full: f32) -> [S; 4] {
    straight_levels::<S>(premultiplied, full).map(S::rounded)
}

/// Converts premultiplied values to levels that are not rounded yet.
#[inline(always)]
pub(crate) fn straight_levels<S: Sample>(premultiplied: [f32; 4], full: f32) -> [f32; 4] {
    // One division for all three colors.
    let scale = 255.0 / premultiplied[3];
    let scales = [scale, scale, scale, 255.0 / full];
    let mut levels = premultiplied;
    levels.iter_mut().zip(scales).for_each(|(level, scale)| *level *= scale);
    if levels[3] < S::HALF { [0.0; 4] } else { levels }
}

/// Copies an image into another at a position, byte for byte, including transparency.
pub(crate) fn put<S: Sample>(picture: &Picture<S>, into: &mut Picture<S>, at: (u32, u32)) {
    let (row_samples, start) = (into.row_samples(), at.0 as usize * 4);
    let rows = into.pixels_mut().chunks_exact_mut(row_samples).skip(at.1 as usize);
    for (to, row) in rows.zip(picture.rows()) {
        if let Some(to) = to.get_mut(start..start + row.len()) {
            to.copy_from_slice(row);
        }
    }
}

/// A channel times a share from 0 to 1, rounded half up.
pub(crate) fn scaled<S: Sample>(value: S, share: f64) -> S {
    S::rounded_double(f64::from(value.level()) * share)
}

/// The colors of the pixels that are not fully transparent.
pub(crate) fn visible<S: Sample>(samples: &[S]) -> impl Iterator<Item = [S; 3]> {
    let pixels = samples.as_chunks::<4>().0.iter().filter(|[.., alpha]| *alpha > S::default());
    pixels.map(|[red, green, blue, _]| [*red, *green, *blue])
}

/// A pixel with a share of a color, from 0 to 1. A transparent color only changes alpha.
pub(crate) fn faded<S: Sample>(pixel: [S; 4], color: Color, share: f64) -> [S; 4] {
    let mix = |from: S, to: u8| {
        let from = f64::from(from.level());
        S::rounded_double(from + share * (f64::from(to) - from))
    };
    let [red, green, blue, alpha] = pixel;
    if color == Color::TRANSPARENT {
        return [red, green, blue, mix(alpha, 0)];
    }
    let [to_red, to_green, to_blue, _] = color.rgba;
    [mix(red, to_red), mix(green, to_green), mix(blue, to_blue), alpha]
}

/// Changes the pixels of an image that are under another image at a position. `mix` gets the lower
/// and the upper pixel.
pub(crate) fn under<S: Sample>(
    below: &mut Picture<S>,
    (above, at): (&Picture<S>, (u32, u32)),
    mix: impl Fn([S; 4], [S; 4]) -> [S; 4] + Sync,
) {
    let (row_samples, start) = (below.row_samples(), at.0 as usize * 4);
    let from = above.pixels().par_chunks(above.row_samples());
    let rows = below.pixels_mut().par_chunks_mut(row_samples).skip(at.1 as usize);
    rows.zip(from).for_each(|(to, from)| {
        let to = to.get_mut(start..).unwrap_or_default().as_chunks_mut::<4>().0;
        for (to, from) in to.iter_mut().zip(from.as_chunks::<4>().0) {
            *to = mix(*to, *from);
        }
    });
}
