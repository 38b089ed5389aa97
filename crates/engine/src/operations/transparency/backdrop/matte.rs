//! Computes how much of each pixel is not background.

use crate::kernels::canvas;
use crate::{Color, Picture, Sample};
use rayon::prelude::*;

/// How far from the background a pixel can be a mix with it.
const SOFT_PX: usize = 2;

/// The share of each pixel that is not background, in 255ths: 0 for pixels within the tolerance of
/// the background's color that are connected to the edge, 255 for pixels away from them.
pub(super) fn of<S: Sample>(picture: &Picture<S>, background: [u8; 3], tolerance: u8) -> Vec<u8> {
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let pixels = picture.pixels().as_chunks::<4>().0;
    let pixel = |at: usize| pixels.get(at).map(|pixel| pixel.map(S::nearest));
    let connected = connected((width, height), |at| {
        pixel(at).is_some_and(|pixel| pixel[3] == 0 || distance(pixel, background) <= tolerance)
    });
    let mut matte = vec![255_u8; pixels.len()];
    matte.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        let rows = y.saturating_sub(SOFT_PX)..(y + SOFT_PX + 1).min(height);
        for (x, share) in row.iter_mut().enumerate() {
            let at = y * width + x;
            if connected.get(at).copied().unwrap_or(false) {
                *share = 0;
                continue;
            }
            let columns = x.saturating_sub(SOFT_PX)..(x + SOFT_PX + 1).min(width);
            let near = || rows.clone().flat_map(|y| columns.clone().map(move |x| y * width + x));
            let is_background = |at: &usize| connected.get(*at).copied().unwrap_or(false);
            if !near().any(|at| is_background(&at)) {
                continue;
            }
            let own = near()
                .filter(|at| !is_background(at))
                .filter_map(pixel)
                .filter(|pixel| pixel[3] > 0);
            if let (Some(pixel), Some(subject)) = (pixel(at), farthest(own, background)) {
                *share = mixed(pixel, subject, background);
            }
        }
    });
    matte
}

/// Replaces the background's share of a pixel with another color.
pub(super) fn without<S: Sample>(
    pixel: [S; 4],
    (background, share): ([u8; 3], u8),
    to: Color,
) -> [S; 4] {
    if share == 0 {
        return to.rgba.map(S::of);
    }
    let own = f64::from(share) / 255.0;
    let mut result = pixel;
    let channels = result.iter_mut().zip(background).zip(to.rgba).take(3);
    if to == Color::TRANSPARENT {
        for ((value, from), _) in channels {
            let from = f64::from(from);
            *value = S::rounded_double(from + (f64::from(value.level()) - from) / own);
        }
        result[3] = canvas::scaled(pixel[3], own);
    } else {
        for ((value, from), to) in channels {
            let put = (1.0 - own) * (f64::from(to) - f64::from(from));
            *value = S::rounded_double(f64::from(value.level()) + put);
        }
    }
    result
}

/// The largest difference of a channel.
fn distance(pixel: [u8; 4], background: [u8; 3]) -> u8 {
    pixel.iter().zip(background).map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0)
}

/// The color that differs most from the background; the first one if several are equal.
fn farthest(pixels: impl Iterator<Item = [u8; 4]>, background: [u8; 3]) -> Option<[u8; 4]> {
    let mut found: Option<(u8, [u8; 4])> = None;
    for pixel in pixels {
        let distance = distance(pixel, background);
        if found.is_none_or(|(most, _)| distance > most) {
            found = Some((distance, pixel));
        }
    }
    found.map(|(_, pixel)| pixel)
}

/// The share of the subject in a mixed pixel, in 255ths. It is at least 1, so that only background
/// disappears entirely.
fn mixed(pixel: [u8; 4], subject: [u8; 4], background: [u8; 3]) -> u8 {
    let (mut along, mut whole) = (0_i32, 0_i32);
    for ((pixel, subject), background) in pixel.iter().zip(subject).zip(background) {
        let way = i32::from(subject) - i32::from(background);
        along += (i32::from(*pixel) - i32::from(background)) * way;
        whole += way * way;
    }
    if whole == 0 {
        return 255;
    }
    u8::try_from(((along * 255 + whole / 2) / whole).clamp(1, 255)).unwrap_or(255)
}

/// Which pixels have the property and are connected, horizontally or vertically, to a pixel at the
/// edge that has it.
fn connected((width, height): (usize, usize), has: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut found = vec![false; width * height];
    let mut open: Vec<u32> = Vec::new();
    let mut visit = |at: usize, open: &mut Vec<u32>| {
        if let Some(found) = found.get_mut(at)
            && !*found
            && has(at)
        {
            *found = true;
            open.extend(u32::try_from(at));
        }
    };
    for x in 0..width {
        visit(x, &mut open);
        visit((height - 1) * width + x, &mut open);
    }
    for y in 0..height {
        visit(y * width, &mut open);
        visit(y * width + width - 1, &mut open);
    }
    while let Some(at) = open.pop() {
        let at = at as usize;
        let x = at % width;
        if x > 0 {
            visit(at - 1, &mut open);
        }
        if x + 1 < width {
            visit(at + 1, &mut open);
        }
        if at >= width {
            visit(at - width, &mut open);
        }
        visit(at + width, &mut open);
    }
    found
}
