//! Operations that mix neighbors, at 16 bits, premultiplied.

use crate::deep::support::{Exact, Pixel, exposed, follows, opaque, png, ramp};
use png::ColorType;

const SIZE: (usize, usize) = (96, 64);

/// Multiplied by alpha, or divided by it again.
fn premultiplied([red, green, blue, alpha]: Pixel) -> Pixel {
    [red * alpha, green * alpha, blue * alpha, alpha]
}

fn straight([red, green, blue, alpha]: Pixel) -> Pixel {
    if alpha == 0.0 { [0.0; 4] } else { [red / alpha, green / alpha, blue / alpha, alpha] }
}

/// The weighted mean of pixels, each with its weight.
fn mean(pixels: impl Iterator<Item = (Pixel, f64)>) -> Pixel {
    let (mut sum, mut total) = ([0.0; 4], 0.0);
    for (pixel, weight) in pixels {
        total += weight;
        sum.iter_mut().zip(premultiplied(pixel)).for_each(|(sum, value)| *sum += weight * value);
    }
    straight(sum.map(|sum| sum / total))
}

fn across(picture: &Exact, width: usize, weigh: impl Fn(usize) -> Vec<(usize, f64)>) -> Exact {
    let weights: Vec<_> = (0..width).map(weigh).collect();
    let rows = picture.pixels.chunks(picture.width);
    let pixels = rows.flat_map(|row| {
        let mixed =
            |taps: &Vec<(usize, f64)>| mean(taps.iter().map(|(at, weight)| (row[*at], *weight)));
        weights.iter().map(mixed).collect::<Vec<_>>()
    });
    Exact { width, pixels: pixels.collect() }
}

fn turned(picture: &Exact) -> Exact {
    let (width, height) = (picture.width, picture.height());
    let pixels = (0..width).flat_map(|x| (0..height).map(move |y| y * width + x));
    Exact { width: height, pixels: pixels.map(|at| picture.pixels[at]).collect() }
}

/// The same along both sides; each has its own number of places and weights.
fn both_ways(
    picture: &Exact,
    (width, height): (usize, usize),
    weigh: impl Fn(usize, usize, usize) -> Vec<(usize, f64)>,
) -> Exact {
    let (from_width, from_height) = (picture.width, picture.height());
    let once = across(picture, width, |at| weigh(at, from_width, width));
    turned(&across(&turned(&once), height, |at| weigh(at, from_height, height)))
}

fn gaussian(sigma: f64) -> impl Fn(usize, usize, usize) -> Vec<(usize, f64)> {
    move |at, from, _| {
        let reach = (sigma * 6.0).ceil() as isize;
        let weight = |by: isize| (-(by * by) as f64 / (2.0 * sigma * sigma)).exp();
        let place = |by: isize| (at as isize + by).clamp(0, from as isize - 1) as usize;
        (-reach..=reach).map(|by| (place(by), weight(by))).collect()
    }
}

/// Lanczos3 as Pillow defines it: wider by as much as the picture shrinks.
fn lanczos(at: usize, from: usize, to: usize) -> Vec<(usize, f64)> {
    let scale = from as f64 / to as f64;
    let stretch = scale.max(1.0);
    let middle = (at as f64 + 0.5) * scale;
    let start = (middle - 3.0 * stretch + 0.5).max(0.0) as usize;
    let end = ((middle + 3.0 * stretch + 0.5) as usize).min(from);
    let sinc = |x: f64| {
        if x == 0.0 { 1.0 } else { (x * std::f64::consts::PI).sin() / (x * std::f64::consts::PI) }
    };
    let kernel = |x: f64| if x.abs() < 3.0 { sinc(x) * sinc(x / 3.0) } else { 0.0 };
    (start..end).map(|x| (x, kernel((x as f64 + 0.5 - middle) / stretch))).collect()
}

/// Waves of a faint light, so that neighbors differ and nothing is cut off.
fn faint(alpha: fn(usize) -> u16) -> Vec<u16> {
    let mut samples = ramp(SIZE, 2_000, alpha);
    for (at, pixel) in samples.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let wave = ((at as f64 / 7.0).sin() * 300.0 + 1_000.0) as u16;
        pixel.iter_mut().take(3).for_each(|value| *value += wave);
    }
    samples
}

/// So that even where Lanczos3 swings over, it is never more than opaque.
fn half_clear(at: usize) -> u16 {
    20_000 + (at % 60 * 300) as u16
}

#[test]
fn blurs_keep_the_bits() {
    for alpha in [opaque, half_clear] {
        let samples = faint(alpha);
        let file = png(SIZE.0, &samples, ColorType::Rgba);
        for sigma in [1.5, 4.0] {
            let exact = both_ways(&Exact::of(SIZE.0, &samples), SIZE, gaussian(sigma));
            let words = format!("blur by {sigma}px, then increase the exposure by 4 stops");
            follows(&words, &file, &exact.each(exposed(4.0)));
        }
    }
}

#[test]
fn resizing_keeps_the_bits() {
    for alpha in [opaque, half_clear] {
        let samples = faint(alpha);
        let file = png(SIZE.0, &samples, ColorType::Rgba);
        for to in [(48, 32), (144, 96)] {
            let exact = both_ways(&Exact::of(SIZE.0, &samples), to, lanczos);
            let words =
                format!("resize to {}x{}, then increase the exposure by 4 stops", to.0, to.1);
            follows(&words, &file, &exact.each(exposed(4.0)));
        }
    }
}

#[test]
fn what_lies_on_a_color_keeps_its_bits() {
    let samples = faint(half_clear);
    let file = png(SIZE.0, &samples, ColorType::Rgba);
    let mut exact = Exact::of(SIZE.0, &samples);
    for pixel in &mut exact.pixels {
        let [red, green, blue, _] = premultiplied(*pixel);
        *pixel = [red, green, blue, 1.0];
    }
    let words = "put it on a black background, then increase the exposure by 4 stops";
    follows(words, &file, &exact.each(exposed(4.0)));
}
