//! Changes of tones and colors, one and many.

use crate::deep::support::{Exact, exposed, follows, opaque, png, ramp, tiff};
use crate::tones::reference::rolled_off;
use png::ColorType;
use tiff::encoder::colortype;

const SIZE: (usize, usize) = (256, 128);

#[test]
fn a_dark_gradient_can_be_lifted_without_bands() {
    let samples = ramp(SIZE, 9_000, opaque);
    let exact = Exact::of(SIZE.0, &samples).each(exposed(3.0));
    follows("increase the exposure by 3 stops", &png(SIZE.0, &samples, ColorType::Rgba), &exact);
}

#[test]
fn many_changes_in_one_pass_round_once() {
    let samples = ramp(SIZE, 20_000, opaque);
    let file = png(SIZE.0, &samples, ColorType::Rgba);
    let exact = Exact::of(SIZE.0, &samples)
        .each(|value| value.powf(1.0 / 2.2))
        .each(|value| value.powf(2.0))
        .each(|value| (value - 0.5).mul_add(1.2, 0.5))
        .each(|value| rolled_off(value * 4.0, 4.0));
    let words = "set the gamma to 2.2, then set the gamma to 0.5, \
                 then increase the contrast by 20%, then increase the brightness by 300%";
    follows(words, &file, &exact);
}

#[test]
fn pixels_that_move_between_changes_keep_their_bits() {
    let samples = ramp(SIZE, 9_000, opaque);
    let file = png(SIZE.0, &samples, ColorType::Rgba);
    let mut exact = Exact::of(SIZE.0, &samples).each(|value| value * 0.5).each(exposed(4.0));
    exact.pixels.reverse();
    let words = "decrease the brightness by 50%, then rotate 180 degrees, then increase the \
                 exposure by 4 stops";
    follows(words, &file, &exact);
}

#[test]
fn grays_and_files_without_alpha_are_as_deep() {
    let grays: Vec<u16> = (0..SIZE.0 * SIZE.1).map(|at| (at / 4) as u16).collect();
    let rgba: Vec<u16> = grays.iter().flat_map(|gray| [*gray, *gray, *gray, u16::MAX]).collect();
    let rgb: Vec<u16> = grays.iter().flat_map(|gray| [*gray; 3]).collect();
    let exact = Exact::of(SIZE.0, &rgba).each(exposed(3.0));
    let files = [
        png(SIZE.0, &grays, ColorType::Grayscale),
        png(SIZE.0, &rgb, ColorType::Rgb),
        tiff::<colortype::Gray16>(SIZE.0, &grays),
        tiff::<colortype::RGB16>(SIZE.0, &rgb),
        tiff::<colortype::RGBA16>(SIZE.0, &rgba),
    ];
    for file in files {
        follows("increase the exposure by 3 stops", &file, &exact);
    }
}

#[test]
fn alpha_stays_in_all_its_bits() {
    let samples = ramp(SIZE, 9_000, |at| (at * 2) as u16);
    let exact = Exact::of(SIZE.0, &samples).each(exposed(3.0));
    follows("increase the exposure by 3 stops", &png(SIZE.0, &samples, ColorType::Rgba), &exact);
    let coarse: Vec<u16> = ramp(SIZE, 9_000, |at| (at * 2) as u16);
    let mut exact = Exact::of(SIZE.0, &coarse);
    exact.pixels.iter_mut().for_each(|pixel| pixel[3] *= 0.5);
    let result = crate::deep::support::edited(
        "set the opacity to 50%",
        &png(SIZE.0, &coarse, ColorType::Rgba),
    );
    assert!(exact.levels_apart(&result) <= 0.51);
}
