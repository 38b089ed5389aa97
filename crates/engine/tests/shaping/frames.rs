//! Pads, borders, corners, cutouts, shadows.

use crate::shaping::{assert_near, at, drawn, edit, noise, opaque_noise, over};
use retouch_engine::Picture;

/// A picture on a canvas of a size at a position; elsewhere another function of the position.
fn placed(
    size: (u32, u32),
    (picture, left, top): (&Picture, i64, i64),
    elsewhere: impl Fn(i64, i64) -> [u8; 4],
) -> Picture {
    drawn(size.0, size.1, |x, y| {
        let (x, y) = (i64::from(x) - left, i64::from(y) - top);
        let inside = u32::try_from(x).ok().zip(u32::try_from(y).ok());
        inside.and_then(|(x, y)| picture.pixel(x, y)).unwrap_or_else(|| elsewhere(x, y))
    })
}

#[test]
fn pads_keep_the_picture_and_fill_the_rest_as_said() {
    let source = noise(10, 6);
    let red = [255, 0, 0, 255];
    assert_eq!(
        edit("pad 3px on the left and 50% on the bottom with red", &source),
        placed((13, 9), (&source, 3, 0), |_, _| red)
    );
    assert_eq!(edit("pad by 10% with red", &source), placed((12, 8), (&source, 1, 1), |_, _| red));
    let repeated =
        |x: i64, y: i64| source.pixel(x.clamp(0, 9) as u32, y.clamp(0, 5) as u32).unwrap();
    assert_eq!(
        edit("pad by 4px with repeated edges", &source),
        placed((18, 14), (&source, 4, 4), repeated)
    );
    let mirror = |at: i64, side: i64| {
        let inside = if at < 0 { -1 - at } else { at };
        (if inside >= side { 2 * side - 1 - inside } else { inside }) as u32
    };
    assert_eq!(
        edit("pad by 5px with a mirrored copy", &source),
        placed((20, 16), (&source, 5, 5), |x, y| source
            .pixel(mirror(x, 10), mirror(y, 6))
            .unwrap())
    );
}

#[test]
fn a_blurred_backing_is_the_picture_itself_without_its_detail() {
    // Left half red, right half blue: the bars above and below are too, and smooth between.
    let source =
        drawn(160, 90, |x, _| if x < 80 { [200, 20, 20, 255] } else { [20, 20, 200, 255] });
    let result = edit("pad to a square with a blurred copy", &source);
    assert_eq!(result.size(), (160, 160));
    for (x, wanted) in [(10, [200.0, 20.0, 20.0, 255.0]), (149, [20.0, 20.0, 200.0, 255.0])] {
        for y in [3, 156] {
            let got = at(&result, x, y);
            assert!(
                got.iter().zip(wanted).all(|(a, b)| (a - b).abs() <= 3.0),
                "{got:?} at {x},{y}"
            );
        }
    }
    let step = (60..100).map(|x| (at(&result, x, 5)[0] - at(&result, x + 1, 5)[0]).abs());
    assert!(step.fold(0.0, f64::max) < 20.0, "no edge is left");
    for (x, y) in [(0, 0), (79, 44), (159, 89)] {
        assert_eq!(result.pixel(x, y + 35), source.pixel(x, y));
    }
}

#[test]
fn borders_go_where_they_are_said() {
    let source = noise(20, 10);
    let blue = [0, 0, 255, 255];
    assert_eq!(
        edit("add a 3px blue border at the top and right", &source),
        placed((23, 13), (&source, 0, 3), |_, _| blue)
    );
    let double = edit("add a double border of 2px blue inside 3px red", &source);
    let wanted = placed((30, 20), (&source, 5, 5), |x, y| {
        let inner = (-2..22).contains(&x) && (-2..12).contains(&y);
        if inner { blue } else { [255, 0, 0, 255] }
    });
    assert_eq!(double, wanted);
    // 6% and 22% of 100.
    let photo = noise(150, 100);
    assert_eq!(
        edit("add a polaroid frame", &photo),
        placed((162, 128), (&photo, 6, 6), |_, _| [255; 4])
    );
}

#[test]
fn only_the_chosen_corners_are_rounded() {
    let source = drawn(60, 40, |_, _| [9, 99, 199, 200]);
    let (radius, half) = (12.0, (30.0, 20.0));
    let result = edit("round the top left and bottom right corners by 12px", &source);
    assert_near(
        &result,
        |x, y| {
            let (x, y) = (x as f64 + 0.5, y as f64 + 0.5);
            let chosen = (x < half.0) == (y < half.1);
            let across = (radius - x).max(x - (60.0 - radius)).max(0.0);
            let down = (radius - y).max(y - (40.0 - radius)).max(0.0);
            let outside = across > 0.0 && down > 0.0 && chosen;
            let share = (radius + 0.5 - across.hypot(down)).clamp(0.0, 1.0);
            [9.0, 99.0, 199.0, if outside { 200.0 * share } else { 200.0 }]
        },
        "rounded",
    );
}

#[test]
fn a_cutout_covers_what_lies_inside_the_outline() {
    let source = drawn(90, 50, |x, y| [(x * 2) as u8, (y * 4) as u8, 77, 255]);
    for (words, size, left) in
        [("crop to a circle on the left", (50, 50), 0), ("crop to an ellipse", (90, 50), 0)]
    {
        let result = edit(words, &source);
        assert_eq!(result.size(), size, "{words}");
        // The share inside, of 32x32 places in each pixel.
        let (a, b) = (f64::from(size.0) / 2.0, f64::from(size.1) / 2.0);
        for y in 0..i64::from(size.1) {
            for x in 0..i64::from(size.0) {
                let places = (0..1024).filter(|at| {
                    let across = (x as f64 + (f64::from(at % 32) + 0.5) / 32.0 - a) / a;
                    let down = (y as f64 + (f64::from(at / 32) + 0.5) / 32.0 - b) / b;
                    across * across + down * down <= 1.0
                });
                let (share, got) = (places.count() as f64 / 1024.0 * 255.0, at(&result, x, y));
                // The definition is of the first order; the true cover is within a twelfth.
                assert!((got[3] - share).abs() <= 22.0, "{words} at {x},{y}: {got:?} for {share}");
                assert!(got[3] == 0.0 || got[..3] == at(&source, x + left, y)[..3]);
            }
        }
    }
    let white = edit("crop to a circle on white", &source);
    assert_eq!(white.pixel(0, 0), Some([255; 4]));
    assert_eq!(white.pixel(25, 25), source.pixel(45, 25));
}

#[test]
fn a_shadow_is_the_blurred_outline_behind_the_picture() {
    for source in [opaque_noise(24, 16), noise(24, 16)] {
        let words = "add a red drop shadow with an opacity of 60% a blur of 2px and a distance of 5px to the bottom right";
        let result = edit(words, &source);
        // 3 sigma on each side, moved by 5 / sqrt 2 = 3.54, rounded to 4.
        assert_eq!(result.size(), (24 + 12, 16 + 12));
        let (left, top, shift, sigma) = (2, 2, 4, 2.0_f64);
        let weight = |d: i64| (-((d * d) as f64) / (2.0 * sigma * sigma)).exp();
        let total: f64 = (-6..=6).map(weight).sum();
        let wanted = |x: i64, y: i64| {
            let mut alpha = 0.0;
            for dy in -6..=6 {
                for dx in -6..=6 {
                    let (from_x, from_y) = (x + dx - left - shift, y + dy - top - shift);
                    alpha += weight(dx) * weight(dy) * at(&source, from_x, from_y)[3];
                }
            }
            let shadow = [255.0, 0.0, 0.0, 0.6 * alpha / (total * total)];
            over(at(&source, x - left, y - top), shadow)
        };
        // The shadow is rounded before the picture comes over it, so that colors are as right as
        // they show: times their alpha.
        for (x, y) in (0..28).flat_map(|y| (0..36).map(move |x| (x, y))) {
            let (got, wanted) = (at(&result, x, y), wanted(x, y));
            assert!((got[3] - wanted[3]).abs() <= 1.0, "{x},{y}: {got:?} for {wanted:?}");
            for channel in 0..3 {
                let apart = got[channel] * got[3] - wanted[channel] * wanted[3];
                assert!(apart.abs() / 255.0 <= 1.0, "{x},{y}: {got:?} for {wanted:?}");
            }
        }
    }
}
