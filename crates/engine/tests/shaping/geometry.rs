//! Turns, flips, crops, sizes.

use crate::shaping::{assert_near, at, drawn, edit, noise, opaque_noise, over};
use retouch_engine::Picture;

/// A picture whose pixels come from another one, by position.
fn moved(size: (u32, u32), from: &Picture, place: impl Fn(u32, u32) -> (u32, u32)) -> Picture {
    drawn(size.0, size.1, |x, y| {
        let (x, y) = place(x, y);
        from.pixel(x, y).unwrap()
    })
}

#[test]
fn quarter_turns_and_flips_are_byte_exact_at_every_size() {
    for (width, height) in [(1, 1), (1, 9), (33, 32), (31, 65), (70, 3)] {
        let source = noise(width, height);
        let (right, below) = (width - 1, height - 1);
        let check = |words: &str, turned: bool, place: &dyn Fn(u32, u32) -> (u32, u32)| {
            let size = if turned { (height, width) } else { (width, height) };
            assert_eq!(
                edit(words, &source),
                moved(size, &source, place),
                "{words} {width}x{height}"
            );
        };
        check("rotate 90 degrees clockwise", true, &|x, y| (y, below - x));
        check("rotate 90 degrees counterclockwise", true, &|x, y| (right - y, x));
        check("rotate 180 degrees", false, &|x, y| (right - x, below - y));
        check("flip horizontally", false, &|x, y| (right - x, y));
        check("flip vertically", false, &|x, y| (x, below - y));
        check("transpose", true, &|x, y| (y, x));
        check("transverse", true, &|x, y| (right - y, below - x));
    }
}

#[test]
fn tiles_are_byte_exact_copies_and_every_second_one_may_be_mirrored() {
    for (width, height) in [(1, 1), (5, 3), (33, 8)] {
        let source = noise(width, height);
        let size = (width * 3, height * 4);
        let plain = moved(size, &source, |x, y| (x % width, y % height));
        assert_eq!(edit("tile it 3 across and 4 down", &source), plain);
        let back = |at: u32, side: u32| match at / side % 2 {
            0 => at % side,
            _ => side - 1 - at % side,
        };
        let mirrored = moved(size, &source, |x, y| (back(x, width), back(y, height)));
        assert_eq!(edit("tile it 3 across and 4 down, mirrored", &source), mirrored);
    }
}

/// A free turn in double precision.
fn turned(source: &Picture, degrees: f64, size: (u32, u32), at: (i64, i64)) -> [f64; 4] {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    sampled(source, size, at, |across, down| {
        (across * cosine + down * sine, down * cosine - across * sine)
    })
}

/// Bilinear between pixel centers, premultiplied, nothing outside. `from` has positions in the source
/// for those in the result, both from the center.
fn sampled(
    source: &Picture,
    size: (u32, u32),
    (x, y): (i64, i64),
    from: impl Fn(f64, f64) -> (f64, f64),
) -> [f64; 4] {
    let across = x as f64 + 0.5 - f64::from(size.0) / 2.0;
    let down = y as f64 + 0.5 - f64::from(size.1) / 2.0;
    let (from_x, from_y) = from(across, down);
    let from_x = from_x + f64::from(source.width()) / 2.0 - 0.5;
    let from_y = from_y + f64::from(source.height()) / 2.0 - 0.5;
    let mut sum = [0.0; 4];
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let (left, top) = (from_x.floor(), from_y.floor());
        let share = |part: f64, side: i64| if side == 1 { part } else { 1.0 - part };
        let weight = share(from_x - left, dx) * share(from_y - top, dy);
        let [red, green, blue, alpha] = at(source, left as i64 + dx, top as i64 + dy);
        for (sum, part) in sum.iter_mut().zip([red * alpha, green * alpha, blue * alpha, alpha]) {
            *sum += weight * part;
        }
    }
    let alpha = sum[3];
    if alpha == 0.0 { [0.0; 4] } else { [sum[0] / alpha, sum[1] / alpha, sum[2] / alpha, alpha] }
}

#[test]
fn free_turns_are_bilinear_within_a_level() {
    for source in [noise(31, 22), opaque_noise(31, 22)] {
        for degrees in [3.0, 33.0, -57.5, 135.0] {
            let way = if degrees < 0.0 { "counterclockwise" } else { "clockwise" };
            let angle = f64::abs(degrees);
            for corners in ["", " keeping the size", " cropping the corners"] {
                let words = format!("rotate {angle} degrees {way}{corners}");
                let result = edit(&words, &source);
                assert_near(
                    &result,
                    |x, y| {
                        let wanted = turned(&source, degrees, result.size(), (x, y));
                        // What is hardly there has a color that no 8 bits can hold.
                        if wanted[3] < 2.0 { at(&result, x, y) } else { wanted }
                    },
                    &words,
                );
            }
            let filled =
                edit(&format!("rotate {angle} degrees {way} with a white background"), &source);
            assert_near(
                &filled,
                |x, y| over(turned(&source, degrees, filled.size(), (x, y)), [255.0; 4]),
                "filled",
            );
        }
    }
}

#[test]
fn a_skew_moves_rows_or_columns_by_the_tangent() {
    for source in [noise(31, 22), opaque_noise(31, 22)] {
        for (way, degrees) in
            [("to the right", 10.0), ("to the left", 35.5), ("down", 20.0), ("up", 60.0)]
        {
            let slope = f64::tan(f64::to_radians(degrees));
            let from = |across: f64, down: f64| match way {
                "to the right" => (across + slope * down, down),
                "to the left" => (across - slope * down, down),
                "down" => (across, down - slope * across),
                _ => (across, down + slope * across),
            };
            let grown = |side: f64, by: f64| (side + by * slope - 1e-3).ceil() as u32;
            let size = if way.starts_with("to") {
                (grown(31.0, 22.0), 22)
            } else {
                (31, grown(22.0, 31.0))
            };
            let words = format!("skew {degrees} degrees {way}");
            let result = edit(&words, &source);
            assert_eq!(result.size(), size, "{words}");
            let wanted = |x, y| sampled(&source, size, (x, y), from);
            // What is hardly there has a color that no 8 bits can hold.
            let seen = |x, y| if wanted(x, y)[3] < 2.0 { at(&result, x, y) } else { wanted(x, y) };
            assert_near(&result, seen, &words);
            let filled = edit(&format!("{words} with a white background"), &source);
            assert_near(&filled, |x, y| over(wanted(x, y), [255.0; 4]), "filled");
        }
    }
    // Italics lean to the right: the top of a bar moves to the right.
    let bar = drawn(40, 40, |x, _| if (18..22).contains(&x) { [0, 0, 0, 255] } else { [255; 4] });
    let result = edit("skew it 20 degrees to the right", &bar);
    let dark = |y| {
        (0..result.width()).find(|x| result.pixel(*x, y).is_some_and(|p| p[0] < 99 && p[3] > 99))
    };
    assert!(dark(2) > dark(37), "{:?} {:?}", dark(2), dark(37));
}

#[test]
fn cropped_corners_leave_no_bare_pixel_and_the_pictures_own_shape() {
    for (width, height) in [(120, 80), (41, 97), (300, 20), (64, 64)] {
        let source = opaque_noise(width, height);
        for degrees in [0.5, 2.0, 11.0, 45.0, 89.0, 130.0, 200.0] {
            let result =
                edit(&format!("rotate {degrees} degrees clockwise cropping the corners"), &source);
            assert!(
                result.pixels().chunks(4).all(|pixel| pixel[3] == 255),
                "{width}x{height} by {degrees}: a bare corner in {result:?}"
            );
            let shape = f64::from(width) / f64::from(height);
            let apart = f64::from(result.width()) - f64::from(result.height()) * shape;
            assert!(apart.abs() <= shape.max(1.0) + 1.0, "{result:?} of {width}x{height}");
        }
    }
    let result = edit("straighten by 1 degree to the right", &opaque_noise(600, 400));
    assert!(result.width() > 570, "a small turn costs little: {result:?}");
}

#[test]
fn crops_by_position_and_by_words_take_the_bytes_they_say() {
    let source = noise(100, 60);
    for (words, from, size) in [
        ("crop to a 20x10 box at 50,30", (50, 30), (20, 10)),
        ("crop from 10,20 to 30,60", (10, 20), (20, 40)),
        ("crop to a 100x60 box at 0,0", (0, 0), (100, 60)),
        ("crop a bit tighter", (5, 3), (90, 54)),
        ("crop the middle third", (33, 20), (33, 20)),
        ("crop to the middle third of the height", (0, 20), (100, 20)),
        ("crop to widescreen", (0, 2), (100, 56)),
        ("crop a little off the left", (5, 0), (95, 60)),
    ] {
        let wanted = moved(size, &source, |x, y| (x + from.0, y + from.1));
        assert_eq!(edit(words, &source), wanted, "{words}");
    }
    let over =
        crate::shaping::attempt("crop to a 20x10 box at 90,30", &[source]).unwrap_err().to_string();
    assert!(over.contains("100x60") && over.contains("20x10 at 90,30"), "{over}");
}

#[test]
fn a_zoom_is_a_crop_in_the_size_of_the_whole() {
    for (words, same) in [
        ("zoom in 25%", "crop to 80x48, then resize to exactly 100x60 pixels"),
        ("zoom in 2x", "crop to 50x30, then resize to exactly 100x60 pixels"),
        (
            "zoom in on the top left by 50%",
            "crop to 67x40 at the top left, then resize to exactly 100x60 pixels",
        ),
        ("zoom to 1000%", "crop to 10x6, then resize to exactly 100x60 pixels"),
        ("zoom to 100%", "crop to 100x60"),
    ] {
        for source in [noise(100, 60), opaque_noise(100, 60)] {
            assert_eq!(edit(words, &source), edit(same, &source), "{words}");
        }
    }
}

#[test]
fn sizes_follow_their_limits() {
    for (words, from, to) in [
        ("resize the shortest side to 30px", (120, 60), (60, 30)),
        ("resize to 0.5 megapixels", (2000, 1000), (1000, 500)),
        ("resize to at most 2 megapixels", (1000, 500), (1000, 500)),
        ("resize to at least 0.125 megapixels", (250, 125), (500, 250)),
        ("make it no larger than 100x100", (80, 60), (80, 60)),
        ("make it no larger than 100x100", (400, 200), (100, 50)),
        ("resize to 100 pixels wide without upscaling", (80, 60), (80, 60)),
        ("resize to at least 100 pixels wide", (50, 20), (100, 40)),
        ("resize to at least 100 pixels wide", (150, 20), (150, 20)),
        ("resize to at most 100 pixels high", (50, 200), (25, 100)),
        ("stretch the width by 50%", (40, 30), (60, 30)),
        ("make it 20px wider", (40, 30), (60, 45)),
        ("make it 10px narrower", (40, 30), (30, 23)),
        ("make it 15 pixels taller", (40, 30), (60, 45)),
        ("make it 29 pixels shorter", (40, 30), (1, 1)),
        ("make it 10% wider", (40, 30), (44, 33)),
        ("squash it vertically to 50%", (40, 30), (40, 15)),
    ] {
        assert_eq!(edit(words, &noise(from.0, from.1)).size(), to, "{words} of {from:?}");
    }
    let kept = noise(80, 60);
    assert_eq!(edit("make it no larger than 100x100", &kept), kept, "byte for byte");
}

#[test]
fn nothing_is_left_of_an_image_that_loses_its_whole_width() {
    let attempt = |words| crate::shaping::attempt(words, &[noise(40, 30)]);
    for (words, why) in [
        ("make it 40px narrower", "40x30 pixels can't become 40 pixels narrower"),
        ("make it 31 pixels shorter", "40x30 pixels can't become 31 pixels shorter"),
        ("make it 16350px wider", "16390"),
    ] {
        let refusal = attempt(words).unwrap_err().to_string();
        assert!(refusal.contains(why), "{words}: {refusal}");
    }
}
