//! Pictures to filter, and how results are judged.

use retouch_engine::{Context, Picture, execute};
use retouch_language::read;

pub(crate) fn edit(instruction: &str, picture: &Picture) -> Picture {
    let plan = read(instruction, &Context::default())
        .unwrap_or_else(|refusal| panic!("{instruction}: {refusal}"));
    let edited = execute(&plan, vec![picture.clone()]);
    edited.unwrap_or_else(|error| panic!("{instruction}: {error}")).picture
}

/// Every pixel differs from its neighbors; alpha too where `alpha` is none.
pub(crate) fn noise(width: u32, height: u32, alpha: Option<u8>) -> Picture {
    let mut state = 0x1234_5678_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let mut bytes: Vec<u8> = (0..width * height * 4).map(|_| next()).collect();
    for pixel in bytes.chunks_exact_mut(4) {
        pixel[3] = alpha.unwrap_or(pixel[3]);
    }
    Picture::from_rgba(width, height, bytes).unwrap()
}

/// Hard edges between black and white, which show a wrong kernel most.
pub(crate) fn steps(width: u32, height: u32) -> Picture {
    let value = |at: u32| {
        let (x, y) = (at % width, at / width);
        if (x / 9 + y / 23).is_multiple_of(2) { 255 } else { 0 }
    };
    let bytes = (0..width * height).flat_map(|at| [value(at), 255 - value(at), value(at), 255]);
    Picture::from_rgba(width, height, bytes.collect()).unwrap()
}

/// The pixel at a place, the nearest one beyond the edges.
pub(crate) fn at(picture: &Picture, x: i64, y: i64) -> [f64; 4] {
    let x = x.clamp(0, i64::from(picture.width()) - 1) as u32;
    let y = y.clamp(0, i64::from(picture.height()) - 1) as u32;
    picture.pixel(x, y).unwrap().map(f64::from)
}

/// The same, premultiplied, alpha from 0 to 1.
pub(crate) fn light(picture: &Picture, x: i64, y: i64) -> [f64; 4] {
    let [red, green, blue, alpha] = at(picture, x, y);
    let alpha = alpha / 255.0;
    [red * alpha, green * alpha, blue * alpha, alpha]
}

/// A straight pixel, alpha from 0 to 255, from sums of lights and weights.
pub(crate) fn straight(sum: [f64; 4], total: f64) -> [f64; 4] {
    [sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3], sum[3] / total * 255.0]
}

pub(crate) fn luma([red, green, blue, _]: [f64; 4]) -> f64 {
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// Asserts that a pixel is at most one level off.
pub(crate) fn close(got: &Picture, (x, y): (i64, i64), wanted: [f64; 4], what: &str) {
    for (got, wanted) in at(got, x, y).into_iter().zip(wanted) {
        let apart = (got - wanted.clamp(0.0, 255.0)).abs();
        assert!(apart <= 1.0, "{what} at {x},{y}: {got} for {wanted}");
    }
}

/// Corners, edges and places between.
pub(crate) fn places(picture: &Picture) -> Vec<(i64, i64)> {
    let (width, height) = (i64::from(picture.width()), i64::from(picture.height()));
    let across = [0, 1, width / 3, width / 2 + 1, width - 2, width - 1];
    let down = [0, 2, height / 2, height - 1];
    across.iter().flat_map(|x| down.iter().map(|y| (*x, *y))).collect()
}

/// The Gaussian in double precision, far enough out that more would change nothing.
pub(crate) fn gaussian(picture: &Picture, sigma: f64, (x, y): (i64, i64)) -> [f64; 4] {
    let radius = (sigma * 6.0).ceil() as i64;
    let weights: Vec<f64> =
        (-radius..=radius).map(|at| (-(at * at) as f64 / (2.0 * sigma * sigma)).exp()).collect();
    let (mut sum, mut total) = ([0.0; 4], 0.0);
    for (dy, down) in (-radius..).zip(&weights) {
        for (dx, across) in (-radius..).zip(&weights) {
            total += down * across;
            let light = light(picture, x + dx, y + dy);
            sum.iter_mut().zip(light).for_each(|(sum, light)| *sum += down * across * light);
        }
    }
    straight(sum, total)
}
