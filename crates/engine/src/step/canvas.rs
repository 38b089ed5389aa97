//! Moving and mixing whole pixels.

use super::Size;
use crate::{Colour, ExecuteError, Picture};
use rayon::prelude::*;

/// A picture of one colour.
pub(super) fn filled(size: Size, colour: Colour) -> Result<Picture, ExecuteError> {
    let mut picture = Picture::new(size.0, size.1)?;
    if colour != Colour::TRANSPARENT {
        let row_bytes = picture.row_bytes();
        picture.pixels_mut().par_chunks_mut(row_bytes).for_each(|row| {
            row.chunks_exact_mut(4).for_each(|pixel| pixel.copy_from_slice(&colour.rgba));
        });
    }
    Ok(picture)
}

/// The part of a picture from a position on, byte for byte.
pub(super) fn part(
    picture: &Picture,
    from: (u32, u32),
    size: Size,
) -> Result<Picture, ExecuteError> {
    let mut result = Picture::new(size.0, size.1)?;
    let row_bytes = result.row_bytes();
    let start = from.0 as usize * 4;
    let rows = picture.rows().skip(from.1 as usize);
    for (to, row) in result.pixels_mut().chunks_exact_mut(row_bytes).zip(rows) {
        if let Some(part) = row.get(start..start + row_bytes) {
            to.copy_from_slice(part);
        }
    }
    Ok(result)
}

/// One pixel over another (Porter-Duff "over"), straight alpha, rounded half up.
pub(super) fn over_pixel(upper: [u8; 4], lower: [u8; 4]) -> [u8; 4] {
    match (upper[3], lower[3]) {
        (255, _) | (_, 0) => return upper,
        (0, _) => return lower,
        _ => {}
    }
    let (above, below) = (u32::from(upper[3]), u32::from(lower[3]));
    // Weights in 255ths of 255ths, so that nothing is rounded before the end.
    let (upper_weight, lower_weight) = (above * 255, below * (255 - above));
    let total = upper_weight + lower_weight;
    let mix = |top: u8, bottom: u8| {
        let sum = u32::from(top) * upper_weight + u32::from(bottom) * lower_weight;
        u8::try_from((sum + total / 2) / total).unwrap_or(255)
    };
    let alpha = u8::try_from((total + 127) / 255).unwrap_or(255);
    [mix(upper[0], lower[0]), mix(upper[1], lower[1]), mix(upper[2], lower[2]), alpha]
}

/// A pixel from premultiplied values, all in the same unit of `full` for 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limited to 0..=255")]
#[inline(always)]
pub(super) fn straight(premultiplied: [f32; 4], full: f32) -> [u8; 4] {
    // One quotient for all three colours.
    let scale = 255.0 / premultiplied[3];
    let scales = [scale, scale, scale, 255.0 / full];
    let mut levels = [0.0_f32; 4];
    for ((level, value), scale) in levels.iter_mut().zip(premultiplied).zip(scales) {
        *level = (value * scale + 0.5).clamp(0.0, 255.0);
    }
    let levels = levels.map(|level| level as u8);
    if levels[3] == 0 { [0; 4] } else { levels }
}

/// Puts a picture into another at a position, byte for byte, transparency included.
pub(super) fn put(picture: &Picture, into: &mut Picture, at: (u32, u32)) {
    let (row_bytes, start) = (into.row_bytes(), at.0 as usize * 4);
    let rows = into.pixels_mut().chunks_exact_mut(row_bytes).skip(at.1 as usize);
    for (to, row) in rows.zip(picture.rows()) {
        if let Some(to) = to.get_mut(start..start + row.len()) {
            to.copy_from_slice(row);
        }
    }
}

/// A value from 0 to 255 times a share from 0 to 1, rounded half up.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limited to 0..=255")]
pub(super) fn scaled(value: u8, share: f64) -> u8 {
    (f64::from(value) * share + 0.5).clamp(0.0, 255.0) as u8
}

/// Changes the pixels of a picture under those of another one, which lies on it at a position;
/// `mix` gets the lower and the upper pixel.
pub(super) fn under(
    below: &mut Picture,
    (above, at): (&Picture, (u32, u32)),
    mix: impl Fn([u8; 4], [u8; 4]) -> [u8; 4] + Sync,
) {
    let (row_bytes, start) = (below.row_bytes(), at.0 as usize * 4);
    let from = above.pixels().par_chunks(above.row_bytes());
    let rows = below.pixels_mut().par_chunks_mut(row_bytes).skip(at.1 as usize);
    rows.zip(from).for_each(|(to, from)| {
        let to = to.get_mut(start..).unwrap_or_default().as_chunks_mut::<4>().0;
        for (to, from) in to.iter_mut().zip(from.as_chunks::<4>().0) {
            *to = mix(*to, *from);
        }
    });
}
