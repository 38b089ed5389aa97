//! Pixels against values worked out by hand or in double precision.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail like tests")]

use retouch_engine::{Context, Edited, Picture, execute};
use retouch_language::read;

fn picture(width: u32, pixels: &[[u8; 4]]) -> Picture {
    let height = u32::try_from(pixels.len()).unwrap() / width;
    Picture::from_rgba(width, height, pixels.concat()).unwrap()
}

fn edit_all(instruction: &str, pictures: Vec<Picture>) -> Edited {
    let context = Context { inputs: pictures.len(), ..Context::default() };
    let plan =
        read(instruction, &context).unwrap_or_else(|refusal| panic!("{instruction}: {refusal}"));
    execute(&plan, pictures).unwrap_or_else(|error| panic!("{instruction}: {error}"))
}

fn edit(instruction: &str, picture: &Picture) -> Picture {
    edit_all(instruction, vec![picture.clone()]).picture
}

fn one(instruction: &str, pixel: [u8; 4]) -> [u8; 4] {
    edit(instruction, &picture(1, &[pixel])).pixel(0, 0).unwrap()
}

/// A picture in which every pixel differs from its neighbors, with every kind of alpha.
fn noise(width: u32, height: u32) -> Picture {
    let mut state = 0x1234_5678_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let bytes = (0..width * height * 4).map(|_| next()).collect();
    Picture::from_rgba(width, height, bytes).unwrap()
}

const COLOR: [u8; 4] = [200, 100, 50, 128];

#[test]
fn tone_and_color_follow_their_formulas_and_keep_alpha() {
    // 0.2126 * 200 + 0.7152 * 100 + 0.0722 * 50 = 117.65
    assert_eq!(one("grayscale", COLOR), [118, 118, 118, 128]);
    assert_eq!(one("50% grayscale", COLOR), [159, 109, 84, 128]);
    // 0.393 * 200 + 0.769 * 100 + 0.189 * 50 = 164.95 and so on
    assert_eq!(one("sepia", COLOR), [165, 147, 114, 128]);
    assert_eq!(one("invert", COLOR), [55, 155, 205, 128]);
    // c * k, and above half 1 - 0.5 * ((k - ck) / (k - 0.5))^(2k - 1)
    assert_eq!(one("increase the brightness by 20%", COLOR), [223, 120, 60, 128]);
    assert_eq!(one("make it twice as bright", COLOR), [252, 187, 100, 128]);
    // (c - 127.5) * 1.25 + 127.5
    assert_eq!(one("increase the contrast by 25%", COLOR), [218, 93, 31, 128]);
    assert_eq!(one("reduce the contrast by 100%", COLOR), [128, 128, 128, 128]);
    // luma + 1.5 * (c - luma)
    assert_eq!(one("increase the saturation by 50%", COLOR), [241, 91, 16, 128]);
    assert_eq!(one("desaturate by 100%", COLOR), [118, 118, 118, 128]);
    // 200 * 1.25, 100 * 1.05, 50 * 0.75
    assert_eq!(one("increase the warmth by 100%", COLOR), [250, 105, 38, 128]);
    assert_eq!(one("make it cooler by 100%", COLOR), [150, 95, 63, 128]);
    // c * 0.8 + luma * tint * 0.2
    assert_eq!(one("tint it red at 20%", COLOR), [184, 80, 40, 128]);
}

#[test]
fn a_hue_shift_is_the_matrix_of_css() {
    // Computed in double precision from the matrix of Filter Effects Level 1.
    assert_eq!(one("shift the hue by 0 degrees", COLOR), COLOR);
    assert_eq!(one("shift the hue by 180 degrees", COLOR), [35, 135, 185, 128]);
}

#[test]
fn neighboring_changes_are_limited_between_but_rounded_once() {
    // (200 - 127.5) * 2 + 127.5 is limited to 255 before it is halved.
    assert_eq!(
        one("increase the contrast by 100%, then reduce the brightness by 50%", COLOR)[0],
        128
    );
    assert_eq!(
        one("reduce the brightness by 90%, then increase the brightness by 400%", [101, 3, 0, 255])
            [1],
        2
    );
}

#[test]
fn quarter_turns_and_flips_move_whole_pixels() {
    let [a, b, c, d, e, f] = [1, 2, 3, 4, 5, 6].map(|value| [value; 4]);
    let source = picture(3, &[a, b, c, d, e, f]);
    assert_eq!(edit("rotate right", &source), picture(2, &[d, a, e, b, f, c]));
    assert_eq!(edit("rotate left", &source), picture(2, &[c, f, b, e, a, d]));
    assert_eq!(edit("turn it upside down", &source), picture(3, &[f, e, d, c, b, a]));
    assert_eq!(edit("flip horizontally", &source), picture(3, &[c, b, a, f, e, d]));
    assert_eq!(edit("flip vertically", &source), picture(3, &[d, e, f, a, b, c]));
    let large = noise(37, 53);
    assert_eq!(edit("rotate left, then rotate right", &large), large);
    assert_eq!(
        edit("rotate right, then rotate right, then rotate right", &large),
        edit("rotate left", &large)
    );
}

#[test]
fn a_free_rotation_grows_the_canvas_and_leaves_the_corners_see_through() {
    let source = picture(4, &[[9, 99, 199, 255]; 16]);
    let turned = edit("rotate 45 degrees", &source);
    assert_eq!(turned.size(), (6, 6));
    assert_eq!(turned.pixel(0, 0), Some([0; 4]));
    assert_eq!(turned.pixel(3, 3), Some([9, 99, 199, 255]));
    let edge = turned.pixel(1, 2).unwrap();
    assert_eq!(&edge[..3], &[9, 99, 199], "the color does not darken towards the edge");
    let filled = edit("rotate 45 degrees with a white background", &source);
    assert_eq!(filled.pixel(0, 0), Some([255; 4]));
}

#[test]
fn crops_take_the_part_that_is_said() {
    let source = noise(20, 10);
    let taken = |instruction: &str, from: (u32, u32), size: (u32, u32)| {
        let part = edit(instruction, &source);
        assert_eq!(part.size(), size, "{instruction}");
        assert_eq!(part.pixel(0, 0), source.pixel(from.0, from.1), "{instruction}");
        let last = source.pixel(from.0 + size.0 - 1, from.1 + size.1 - 1);
        assert_eq!(part.pixel(size.0 - 1, size.1 - 1), last, "{instruction}");
    };
    taken("crop to a square", (5, 0), (10, 10));
    taken("crop to a square on the right", (10, 0), (10, 10));
    taken("crop to 4:1", (0, 2), (20, 5));
    taken("crop to 7x3 at the bottom right", (13, 7), (7, 3));
    taken("crop 10% off the left", (2, 0), (18, 10));
    taken("crop 1px off all sides", (1, 1), (18, 8));
    taken("crop to the left half", (0, 0), (10, 10));
    taken("crop to the middle 50%", (5, 2), (10, 5));
}

#[test]
fn pads_and_borders_keep_the_picture_and_fill_the_rest() {
    let source = noise(4, 2);
    let square = edit("pad to a square with red", &source);
    assert_eq!(square.size(), (4, 4));
    assert_eq!(square.pixel(0, 0), Some([255, 0, 0, 255]));
    assert_eq!(square.pixel(2, 1), source.pixel(2, 0));
    assert_eq!(edit("pad to a square", &source).pixel(0, 0), Some([0; 4]));
    let framed = edit("add a 3px blue border", &source);
    assert_eq!(framed.size(), (10, 8));
    assert_eq!(framed.pixel(2, 2), Some([0, 0, 255, 255]));
    assert_eq!(framed.pixel(3, 3), source.pixel(0, 0));
    assert_eq!(framed.pixel(6, 4), source.pixel(3, 1));
}

#[test]
fn sizes_come_out_as_said() {
    let source = noise(40, 20);
    for (instruction, size) in [
        ("resize to 13x7", (13, 7)),
        ("resize to 10 pixels wide", (10, 5)),
        ("resize to 50%", (20, 10)),
        ("fit within 10x10", (10, 5)),
        ("resize to fill 10x10", (10, 10)),
        ("double the size", (80, 40)),
        ("put the pictures side by side", (60, 20)),
        ("stack the pictures", (40, 60)),
    ] {
        let pictures = if size.0 == 60 || size.1 == 60 {
            vec![source.clone(), noise(10, 10)]
        } else {
            vec![source.clone()]
        };
        assert_eq!(edit_all(instruction, pictures).picture.size(), size, "{instruction}");
    }
}

#[test]
fn a_resize_does_not_mix_in_the_color_of_transparent_pixels() {
    let pixels: Vec<[u8; 4]> =
        (0..64).map(|at| if at % 2 == 0 { [200, 100, 50, 255] } else { [0, 255, 0, 0] }).collect();
    let small = edit("resize to 4x4", &picture(8, &pixels));
    let [red, green, blue, alpha] = small.pixel(2, 2).unwrap();
    assert!((118..=138).contains(&alpha), "{alpha}");
    assert!(
        red.abs_diff(200) <= 2 && green.abs_diff(100) <= 2 && blue.abs_diff(50) <= 2,
        "{red} {green} {blue}"
    );
}

/// A Gaussian in double precision, premultiplied, with repeated edges.
fn blurred(source: &Picture, sigma: f64, at: (i64, i64)) -> [f64; 4] {
    let radius = (sigma * 3.0).ceil() as i64;
    let weight = |offset: i64| (-(offset * offset) as f64 / (2.0 * sigma * sigma)).exp();
    let (mut sum, mut total) = ([0.0; 4], 0.0);
    for dy in -radius..=radius {
        for dx in -radius..=radius {
            let x = (at.0 + dx).clamp(0, i64::from(source.width()) - 1) as u32;
            let y = (at.1 + dy).clamp(0, i64::from(source.height()) - 1) as u32;
            let [red, green, blue, alpha] = source.pixel(x, y).unwrap().map(f64::from);
            let share = weight(dx) * weight(dy);
            total += share;
            for (sum, part) in sum.iter_mut().zip([red * alpha, green * alpha, blue * alpha, alpha])
            {
                *sum += share * part;
            }
        }
    }
    let alpha = sum[3];
    [sum[0] / alpha, sum[1] / alpha, sum[2] / alpha, alpha / total]
}

#[test]
fn a_blur_is_the_gaussian_within_one_level() {
    let source = noise(24, 17);
    for sigma in [0.7, 2.0, 6.0] {
        let result = edit(&format!("blur by {sigma}px"), &source);
        for (x, y) in [(0, 0), (5, 3), (23, 16), (12, 8), (0, 9)] {
            let wanted = blurred(&source, sigma, (x, y));
            let got = result.pixel(x as u32, y as u32).unwrap();
            for (got, wanted) in got.iter().zip(wanted) {
                assert!(
                    (f64::from(*got) - wanted).abs() <= 1.0,
                    "sigma {sigma} at {x},{y}: {got} for {wanted}"
                );
            }
        }
    }
}

#[test]
fn sharpening_is_the_unsharp_mask_and_keeps_alpha() {
    let source = noise(16, 16);
    let result = edit("sharpen by 100%", &source);
    for (x, y) in [(3, 4), (8, 8), (0, 0)] {
        let soft = blurred(&source, 1.0, (x, y));
        let old = source.pixel(x as u32, y as u32).unwrap();
        let got = result.pixel(x as u32, y as u32).unwrap();
        assert_eq!(got[3], old[3]);
        for channel in 0..3 {
            let wanted = (2.0 * f64::from(old[channel]) - soft[channel]).clamp(0.0, 255.0);
            assert!((f64::from(got[channel]) - wanted).abs() <= 1.0);
        }
    }
}

#[test]
fn frames_and_marks_touch_what_they_say() {
    let white = picture(40, &vec![[255; 4]; 1600]);
    let vignette = edit("add a vignette of 100%", &white);
    assert_eq!(vignette.pixel(20, 20), Some([255; 4]));
    assert!(vignette.pixel(0, 0).unwrap()[0] < 20);
    let rounded = edit("round the corners with a radius of 10px", &white);
    assert_eq!(rounded.pixel(0, 0).unwrap()[3], 0);
    assert_eq!(rounded.pixel(10, 0).unwrap()[3], 255);
    assert_eq!(rounded.pixel(20, 20).unwrap()[3], 255);
    let text = edit("add the text \"H\" in red in the center with a size of 30px", &white);
    let red = text
        .rows()
        .flat_map(|row| row.chunks(4))
        .filter(|pixel| *pixel == [255, 0, 0, 255])
        .count();
    assert!((50..600).contains(&red), "{red} red pixels");
    assert_eq!(text.pixel(0, 0), Some([255; 4]));
}

#[test]
fn transparency_changes_only_where_it_is_asked_for() {
    assert_eq!(one("set the opacity to 50%", COLOR), [200, 100, 50, 64]);
    // 128/255 over white
    assert_eq!(one("put it on a white background", COLOR), [227, 177, 152, 255]);
    let opaque = edit_all("put it on a white background", vec![picture(1, &[[1, 2, 3, 255]])]);
    assert_eq!(opaque.picture.pixel(0, 0), Some([1, 2, 3, 255]));
    assert_eq!(opaque.warnings.len(), 1);
}

#[test]
fn the_same_bytes_come_out_on_any_number_of_threads() {
    let source = noise(201, 147);
    let work = "make it warmer, then rotate 33 degrees, then blur by 2px, then sharpen, then add a vignette, \
                then resize to 120x90, then add the text \"same\" at the top, then rotate left, then flip horizontally";
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| edit(work, &source))
    };
    assert!(on(1) == on(4));
}

#[test]
fn an_edit_of_a_part_leaves_every_other_byte_alone() {
    let before = noise(41, 30);
    let edited = |words: &str| edit(words, &before);
    // Rounded half up: the left third of 41 columns is 14, the corners of 25% of 30 are 8 wide.
    type Inside = fn(u32, u32) -> bool;
    let cases: [(&str, &str, Inside); 6] = [
        ("sepia", "the top half", |_, y| y < 15),
        ("sepia", "the left third", |x, _| x < 14),
        ("blur by 2px", "a 10x5 box at 3,4", |x, y| (3..13).contains(&x) && (4..9).contains(&y)),
        ("invert", "the box from 30,20 to 100,100", |x, y| x >= 30 && y >= 20),
        ("invert", "the corners", |x, y| !(8..33).contains(&x) && !(8..22).contains(&y)),
        ("sharpen by 80%", "the edges", |x, y| !(3..38).contains(&x) || !(3..27).contains(&y)),
    ];
    for (words, part, inside) in cases {
        let (whole, limited) = (edited(words), edited(&format!("{words} in {part}")));
        for (x, y) in (0..30).flat_map(|y| (0..41).map(move |x| (x, y))) {
            let wanted = if inside(x, y) { &whole } else { &before };
            assert_eq!(limited.pixel(x, y), wanted.pixel(x, y), "{words} in {part} at {x},{y}");
        }
    }
}

#[test]
fn a_box_outside_the_picture_is_refused_with_the_numbers() {
    let plan = read("invert a 5x5 box at 50,4", &Context::default()).unwrap();
    let refusal = plan.working_bytes(&[(41, 30)]).unwrap_err();
    assert!(refusal.message.contains("50,4") && refusal.message.contains("41x30"), "{refusal}");
}
