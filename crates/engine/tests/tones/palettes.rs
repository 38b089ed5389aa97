//! Palettes of a few colors, and equalized histograms.

use super::support::{colors, edit, edited};
use retouch_engine::{Context, Picture, RefusalKind};
use retouch_language::read;
use std::collections::BTreeSet;

fn row(pixels: &[[u8; 4]]) -> Picture {
    Picture::from_rgba(pixels.len() as u32, 1, pixels.concat()).unwrap()
}

fn pixels(picture: &Picture) -> Vec<[u8; 4]> {
    picture.pixels().as_chunks::<4>().0.to_vec()
}

/// The colors of all pixels that are not fully transparent.
fn seen(picture: &Picture) -> BTreeSet<[u8; 3]> {
    let visible = pixels(picture).into_iter().filter(|[.., alpha]| *alpha > 0);
    visible.map(|[red, green, blue, _]| [red, green, blue]).collect()
}

#[test]
fn each_group_of_colors_becomes_its_mean() {
    let before = row(&[
        [10, 0, 0, 255],
        [14, 0, 0, 255],
        [10, 0, 0, 255],
        [14, 0, 0, 200],
        [200, 40, 80, 255],
        [220, 40, 80, 9],
    ]);
    let after = edit("reduce to 2 colors", &before);
    let (dark, light) = ([12, 0, 0], [210, 40, 80]);
    assert_eq!(seen(&after), BTreeSet::from([dark, light]));
    let alphas = |picture: &Picture| pixels(picture).into_iter().map(|pixel| pixel[3]).collect();
    let (old, new): (Vec<u8>, Vec<u8>) = (alphas(&before), alphas(&after));
    assert_eq!(old, new);
}

#[test]
fn there_are_never_more_colors_than_asked_for() {
    let source = colors();
    let mut last = f64::INFINITY;
    for count in [2, 3, 5, 16, 100, 256] {
        let result = edit(&format!("reduce to {count} colors"), &source);
        let found = seen(&result).len();
        assert!(found <= count && found * 10 >= count * 9, "{found} of {count}");
        let dithered = edit(&format!("reduce to {count} colors with dithering"), &source);
        assert!(seen(&dithered).len() <= count, "{count}");
        let far = source.pixels().iter().zip(result.pixels());
        let far: f64 = far.map(|(old, new)| f64::from(old.abs_diff(*new)).powi(2)).sum();
        assert!(far < last, "{count} colors are worse than fewer");
        last = far;
    }
}

#[test]
fn an_image_of_few_colors_does_not_change() {
    let few = row(&[[1, 2, 3, 255], [2, 2, 3, 255], [1, 2, 4, 128], [9, 9, 9, 0]]);
    assert_eq!(edit("reduce to 3 colors", &few), few);
    assert_eq!(edit("reduce to 3 colors with dithering", &few), few);
    // What is fully transparent has no color, and keeps its bytes.
    assert_eq!(pixels(&edit("reduce to 2 colors", &few))[3], [9, 9, 9, 0]);
    let single = row(&[[7, 77, 177, 255]]);
    assert_eq!(edit("reduce to 2 colors", &single), single);
}

#[test]
fn dithering_mixes_two_colors_in_proportion() {
    let mut gray = vec![[0, 0, 0, 255]; 64 * 32];
    gray.extend(vec![[255, 255, 255, 255]; 64 * 32]);
    gray.extend(vec![[108, 108, 108, 255]; 64 * 8]);
    let picture = Picture::from_rgba(64, 72, gray.concat()).unwrap();
    let light = |words: &str| {
        let result = edit(words, &picture);
        pixels(&result)[64 * 64..].iter().filter(|pixel| pixel[0] > 128).count()
    };
    assert_eq!(light("reduce to 2 colors"), 0);
    let dithered = light("reduce to 2 colors with dithering");
    // The two colors are nearly black and nearly white.
    assert!(dithered.abs_diff(512 * 108 / 255) < 32, "{dithered} of 512");
}

#[test]
fn dithering_keeps_the_tones_of_a_gradient() {
    let ramp: Vec<[u8; 4]> = (0..64 * 256)
        .map(|at| at % 256)
        .map(|level| [level as u8, level as u8, level as u8, 255])
        .collect();
    let ramp = Picture::from_rgba(256, 64, ramp.concat()).unwrap();
    let result = edit("reduce to 4 colors with dithering", &ramp);
    let block = |picture: &Picture, start: usize| {
        let pixels = pixels(picture);
        let levels = pixels.iter().enumerate().filter(|(at, _)| at % 256 / 8 == start / 8);
        levels.map(|(_, pixel)| f64::from(pixel[0])).sum::<f64>() / 512.0
    };
    // The palette has no darker or lighter colors than the middles of its groups.
    for start in (40..216).step_by(8) {
        let (old, new) = (block(&ramp, start), block(&result, start));
        assert!((old - new).abs() < 3.0, "{start}: {old} became {new}");
    }
}

#[test]
fn dark_and_gray_images_use_their_whole_palette() {
    let gray = grays(&(0..=255).collect::<Vec<_>>());
    for count in [100, 255] {
        assert_eq!(seen(&edit(&format!("reduce to {count} colors"), &gray)).len(), count);
    }
    let dark = (0..4096_u16).map(|at| [at >> 8, at >> 4 & 15, at & 15].map(|part| part as u8));
    let dark = row(&dark.map(|[red, green, blue]| [red, green, blue, 255]).collect::<Vec<_>>());
    assert_eq!(seen(&edit("reduce to 64 colors", &dark)).len(), 64);
}

#[test]
fn a_number_of_colors_has_limits() {
    for (words, count) in [("quantize to 1 color", 1), ("quantize to 300 colors", 300)] {
        let refusal = read(words, &Context::default()).unwrap_err();
        assert_eq!(refusal.kind, RefusalKind::OutOfRange, "{words}");
        let message = format!("the number of colors must be between 2 and 256, not {count}");
        assert_eq!(refusal.message, message);
    }
}

fn grays(levels: &[u8]) -> Picture {
    row(&levels.iter().map(|level| [*level, *level, *level, 255]).collect::<Vec<_>>())
}

#[test]
fn equal_shares_of_pixels_get_equal_shares_of_the_tones() {
    let result = edit("equalize the histogram", &grays(&[10, 10, 20, 200]));
    assert_eq!(result, grays(&[0, 0, 128, 255]));
    let half = edit("50% histogram equalization", &grays(&[10, 10, 20, 200]));
    assert_eq!(half, grays(&[5, 5, 74, 228]));
    let ramp: Vec<u8> = (60..=140).collect();
    let result = edit("equalize it", &grays(&ramp));
    let levels: Vec<u8> = pixels(&result).iter().map(|pixel| pixel[0]).collect();
    for (at, level) in levels.iter().enumerate() {
        let wanted = at as f64 / 80.0 * 255.0;
        assert!((f64::from(*level) - wanted).abs() <= 1.0, "{at}: {level}, not {wanted}");
    }
}

#[test]
fn equalizing_keeps_hues_and_alpha() {
    let colors = [[60, 40, 20, 255], [120, 80, 40, 77], [30, 30, 30, 255], [0, 0, 0, 0]];
    // The lightest tone becomes white.
    let before = row(&[&colors[..], &[[200, 200, 200, 255]]].concat());
    let after = edit("equalize the histogram", &before);
    for ([red, green, blue, alpha], old) in pixels(&after).into_iter().zip(pixels(&before)) {
        assert_eq!(alpha, old[3]);
        if alpha > 0 && old[0] != old[2] {
            // Green is halfway between red and blue, before and after.
            let middle = (i32::from(red) + i32::from(blue)) / 2;
            assert!((i32::from(green) - middle).abs() <= 1 && red > blue, "{red} {green} {blue}");
        }
    }
}

#[test]
fn all_of_a_level_is_equalized_to_one_tone() {
    // Both have a luma that rounds to 1.
    let greens = [[0, 1, 0, 255], [0, 2, 0, 255]];
    let before = row(&[[0, 0, 0, 255], greens[0], greens[1], [255, 255, 255, 255]]);
    let after = pixels(&edit("equalize the histogram", &before));
    let luma = |[red, green, blue, _]: [u8; 4]| {
        0.2126 * f64::from(red) + 0.7152 * f64::from(green) + 0.0722 * f64::from(blue)
    };
    assert!((luma(after[1]) - 170.0).abs() < 1.0, "{:?}", after[1]);
    assert!((luma(after[2]) - 170.0).abs() < 1.0, "{:?}", after[2]);
}

#[test]
fn what_is_counted_at_a_level_gets_its_tone() {
    // Its luma is halfway between two levels, up to rounding.
    let before = row(&[[0, 0, 0, 255], [40, 0, 180, 255]]);
    let after = pixels(&edit("equalize the histogram", &before));
    assert_eq!(after, [[0, 0, 0, 255], [255, 255, 255, 255]]);
}

#[test]
fn an_image_of_one_tone_is_not_equalized() {
    let clear = row(&[[9, 99, 199, 0], [50, 50, 50, 0]]);
    for picture in [grays(&[90, 90, 90]), clear] {
        let edited = edited("equalize the histogram", &picture);
        assert!(edited.picture == picture);
        let warning = "apply histogram equalization changed nothing: the image has only one tone";
        assert_eq!(edited.warnings, [warning]);
    }
}
