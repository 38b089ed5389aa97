//! Several inputs in one picture.

use crate::shaping::{
    assert_near, at, attempt, drawn, edit, edit_all, noise, opaque_noise, over, refusal,
};
use retouch_engine::{Edited, Picture};

fn whole(picture: &Picture, into: &Picture, (left, top): (u32, u32)) {
    for (x, y) in (0..picture.height()).flat_map(|y| (0..picture.width()).map(move |x| (x, y))) {
        assert_eq!(into.pixel(x + left, y + top), picture.pixel(x, y), "at {x},{y}");
    }
}

#[test]
fn joined_pictures_lie_where_they_should_with_a_gap_between() {
    let (a, b, c) = (noise(12, 8), noise(20, 8), noise(12, 8));
    let row = edit_all("put them side by side with a 3px red gap", &[a.clone(), b.clone()]);
    assert_eq!(row.size(), (35, 8));
    whole(&a, &row, (0, 0));
    whole(&b, &row, (15, 0));
    assert_eq!(row.pixel(13, 4), Some([255, 0, 0, 255]));
    let kept = edit_all("stack the pictures in their original sizes", &[a.clone(), b.clone()]);
    assert_eq!(kept.size(), (20, 16));
    whole(&a, &kept, (4, 0));
    whole(&b, &kept, (0, 8));
    let grid = edit_all(
        "arrange the pictures in a 2x2 grid with a gap of 2px in white",
        &[a.clone(), c.clone(), a.clone()],
    );
    assert_eq!(grid.size(), (26, 18));
    whole(&a, &grid, (0, 0));
    whole(&c, &grid, (14, 0));
    whole(&a, &grid, (0, 10));
    assert_eq!(grid.pixel(20, 14), Some([255; 4]));
    assert_eq!(
        edit_all("arrange them in a grid", &[a.clone(), c.clone(), a.clone()]).size(),
        (24, 16)
    );
    // What is wider or higher than the cell loses the same at both sides.
    let tall = drawn(12, 16, |_, y| if (4..12).contains(&y) { [9, 8, 7, 255] } else { [0; 4] });
    let wide = drawn(20, 8, |x, _| if (4..16).contains(&x) { [1, 2, 3, 255] } else { [0; 4] });
    let all = [a.clone(), tall, wide, c.clone()];
    let Edited { picture: full, warnings, .. } =
        attempt("arrange them in a 2x2 grid", &all).unwrap();
    assert_eq!(warnings, ["images 2, 3 were cropped to fill their cells"]);
    assert_eq!(full.size(), (24, 16));
    whole(&drawn(12, 8, |_, _| [9, 8, 7, 255]), &full, (12, 0));
    whole(&drawn(12, 8, |_, _| [1, 2, 3, 255]), &full, (0, 8));
    let over = attempt("arrange them in a 1x2 grid", &[a.clone(), c, a]).unwrap_err().to_string();
    assert!(over.contains("3 images"), "{over}");
}

#[test]
fn joined_pictures_lie_in_the_order_that_is_asked_for() {
    let (a, b, c) = (noise(12, 8), noise(20, 8), noise(12, 8));
    let row = edit_all("put them side by side in the order 2, 1", &[a.clone(), b.clone()]);
    assert_eq!(row.size(), (32, 8));
    whole(&b, &row, (0, 0));
    whole(&a, &row, (20, 0));
    let column = edit_all("stack them in the order 3, 1, 2", &[a.clone(), b, c.clone()]);
    whole(&c, &column, (0, 0));
    whole(&a, &column, (0, 8));
    let twice = "put them side by side in the order 1, 1";
    assert!(refusal(twice, 2).contains("name each image once"));
    let few = refusal("put them side by side in the order 2, 1", 3);
    assert!(few.contains("name each image once"), "{few}");
}

#[test]
fn captions_lie_on_a_strip_below_each_picture() {
    let (a, b) = (opaque_noise(120, 80), opaque_noise(200, 80));
    let words = "put them side by side with a 4px black gap with the captions \"I\", \"W\"";
    let row = edit_all(words, &[a.clone(), b.clone()]);
    // The strip is a tenth of the shorter side of the first picture.
    assert_eq!(row.size(), (120 + 4 + 200, 88));
    whole(&a, &row, (0, 0));
    whole(&b, &row, (124, 0));
    let letters = |from: u32, to: u32| {
        let all = (80..88).flat_map(|y| (from..to).map(move |x| (x, y)));
        all.filter(|(x, y)| row.pixel(*x, *y) != Some([0, 0, 0, 255])).count()
    };
    assert!((1..100).contains(&letters(50, 70)), "the first caption is in the middle");
    assert!(letters(214, 234) > letters(50, 70), "a W is wider than an I");
    assert_eq!(letters(0, 50) + letters(70, 214) + letters(234, 324), 0);
    let column = edit_all("stack them, captions A and B", &[a.clone(), a.clone()]);
    assert_eq!(column.size(), (120, 2 * 88));
    whole(&a, &column, (0, 88));
    let few = refusal("stack them, captions A, B, C", 2);
    assert!(few.contains("3 captions for 2 images"), "{few}");
}

#[test]
fn one_of_several_pictures_is_edited_alone() {
    let (a, b) = (opaque_noise(12, 8), opaque_noise(12, 8));
    let both = [a.clone(), b.clone()];
    let row = edit_all("invert picture 2, then put them side by side", &both);
    whole(&a, &row, (0, 0));
    whole(&edit("invert it", &b), &row, (12, 0));
    let late = edit_all("put them side by side, but invert only the second one", &both);
    assert_eq!(late, row);
    let lone = refusal("invert the second picture", 2);
    assert!(lone.contains("one by one"), "{lone}");
}

#[test]
fn an_overlay_lies_over_the_first_picture_alone() {
    let (below, above) = (noise(60, 40), noise(12, 10));
    let words = "put the second picture at the bottom right in its own size with a margin of 5px and an opacity of 50%";
    let result = edit_all(words, &[below.clone(), above.clone()]);
    let (left, top) = (60 - 5 - 12, 40 - 5 - 10);
    assert_near(
        &result,
        |x, y| {
            let mut upper = at(&above, x - left, y - top);
            upper[3] *= 0.5;
            over(upper, at(&below, x, y))
        },
        words,
    );
    let sized = edit_all(
        "put the second picture at the top left at 50% with a margin of 0px",
        &[opaque_noise(60, 40), drawn(8, 4, |_, _| [1, 2, 3, 255])],
    );
    let covered = (0..40)
        .flat_map(|y| (0..60).map(move |x| (x, y)))
        .filter(|(x, y)| sized.pixel(*x, *y) == Some([1, 2, 3, 255]));
    assert_eq!(covered.count(), 30 * 15);
    let tall = attempt("put the second picture at the top at 50%", &[below, noise(4, 40)])
        .unwrap_err()
        .to_string();
    assert!(tall.contains("30x300") && tall.contains("60x40"), "{tall}");
}

#[test]
fn an_overlay_lies_where_its_coordinates_say() {
    let (below, above) = (opaque_noise(60, 40), noise(12, 10));
    let inputs = [below.clone(), above.clone()];
    for words in [
        "put the second picture at 40,25 in its own size",
        "overlay picture 2 at x 40 y 25 in its own size",
    ] {
        let result = edit_all(words, &inputs);
        assert_near(&result, |x, y| over(at(&above, x - 40, y - 25), at(&below, x, y)), words);
    }
    let outside = attempt("put the second picture at 50,25 in its own size", &inputs);
    let told = outside.unwrap_err().to_string();
    assert!(told.contains("12x10") && told.contains("50,25") && told.contains("60x40"), "{told}");
}

#[test]
fn steps_before_an_overlay_change_the_first_picture_only() {
    let (below, above) = (opaque_noise(20, 20), drawn(4, 4, |_, _| [200, 10, 10, 255]));
    let result = edit_all(
        "make it black and white, then put the second picture in the center in its own size",
        &[below, above],
    );
    assert_eq!(result.pixel(10, 10), Some([200, 10, 10, 255]));
    let [red, green, blue, _] = result.pixel(0, 0).unwrap();
    assert!(red == green && green == blue);
}

#[test]
fn another_picture_can_be_used_twice_and_a_third_one_too() {
    let red = drawn(2, 2, |_, _| [255, 0, 0, 255]);
    let blue = drawn(2, 2, |_, _| [0, 0, 255, 255]);
    let words = "overlay picture 2 at the top left in its own size with a margin of 0px, then overlay picture 2 at the bottom \
                 right in its own size with a margin of 0px, then overlay picture 3 at the top right in its own size with a margin of 0px";
    let result = edit_all(words, &[opaque_noise(9, 9), red, blue]);
    assert_eq!(result.pixel(0, 0), Some([255, 0, 0, 255]));
    assert_eq!(result.pixel(8, 8), Some([255, 0, 0, 255]));
    assert_eq!(result.pixel(8, 0), Some([0, 0, 255, 255]));
}

#[test]
fn blends_follow_the_formulas_of_the_compositing_specification() {
    let (below, above) = (noise(24, 18), noise(24, 18));
    let above = drawn(24, 18, |x, y| above.pixel(23 - x, 17 - y).unwrap());
    type Mixed = fn(f64, f64) -> f64;
    let modes: [(&str, Mixed); 9] = [
        ("normal", |_, s| s),
        ("multiply", |b, s| b * s),
        ("screen", |b, s| 1.0 - (1.0 - b) * (1.0 - s)),
        ("overlay", |b, s| if b <= 0.5 { 2.0 * b * s } else { 1.0 - 2.0 * (1.0 - b) * (1.0 - s) }),
        ("darken", f64::min),
        ("lighten", f64::max),
        ("difference", |b, s| (b - s).abs()),
        ("add", |b, s| (b + s).min(1.0)),
        ("subtract", |b, s| (b - s).max(0.0)),
    ];
    for (mode, mixed) in modes {
        for percent in [100.0, 40.0] {
            let words = format!("blend with picture 2 in {mode} mode at {percent}%");
            let result = edit_all(&words, &[below.clone(), above.clone()]);
            assert_near(
                &result,
                |x, y| {
                    let (b, s) =
                        (at(&below, x, y).map(|v| v / 255.0), at(&above, x, y).map(|v| v / 255.0));
                    let (under, over) = (b[3], s[3] * percent / 100.0);
                    let alpha = under + over - under * over;
                    let channel = |c: usize| {
                        let sum = s[c] * over * (1.0 - under)
                            + mixed(b[c], s[c]) * over * under
                            + b[c] * under * (1.0 - over);
                        sum / alpha * 255.0
                    };
                    [channel(0), channel(1), channel(2), alpha * 255.0]
                },
                &words,
            );
        }
    }
    for words in
        ["show the difference between the two pictures", "subtract picture 2 from picture 1"]
    {
        let sizes = attempt(words, &[below.clone(), noise(9, 9)]).unwrap_err().to_string();
        assert!(sizes.contains("24x18") && sizes.contains("9x9"), "{sizes}");
    }
}

#[test]
fn the_second_picture_is_subtracted_from_the_first() {
    let below = drawn(2, 1, |x, _| [[200, 100, 10, 255], [50, 60, 70, 0]][x as usize]);
    let above = drawn(2, 1, |_, _| [50, 100, 90, 255]);
    let result = edit_all("subtract picture 2 from picture 1", &[below.clone(), above.clone()]);
    assert_eq!(result.pixel(0, 0), Some([150, 0, 0, 255]));
    // Nothing can be taken from a transparent pixel, so the other image shows there.
    assert_eq!(result.pixel(1, 0), Some([50, 100, 90, 255]));
    let sum = edit_all("blend with picture 2 in add mode", &[below, above]);
    assert_eq!(sum.pixel(0, 0), Some([250, 200, 100, 255]));
    let swapped = refusal("subtract picture 1 from picture 2", 2);
    assert!(swapped.contains("the first image is at the bottom"), "{swapped}");
}

#[test]
fn a_mask_lets_the_picture_show_as_far_as_it_is_light() {
    let (source, mask) = (noise(20, 15), noise(20, 15));
    let mask = drawn(20, 15, |x, y| mask.pixel(19 - x, y).unwrap());
    for (words, share) in [
        ("use the second picture as a mask", 0),
        ("mask with the alpha of picture 2", 1),
        ("mask with the inverted luminance of picture 2", 2),
    ] {
        let result = edit_all(words, &[source.clone(), mask.clone()]);
        assert_near(
            &result,
            |x, y| {
                let mut pixel = at(&source, x, y);
                let [red, green, blue, alpha] = at(&mask, x, y).map(|value| value / 255.0);
                let light = (0.2126 * red + 0.7152 * green + 0.0722 * blue) * alpha;
                pixel[3] *= [light, alpha, 1.0 - light][share];
                pixel
            },
            words,
        );
    }
}

#[test]
fn pictures_that_were_not_sent_are_asked_for() {
    let context = retouch_engine::Context { inputs: 3, ..Default::default() };
    let refusal =
        retouch_language::read("put the other picture at the top left", &context).unwrap_err();
    assert!(refusal.message.contains("3 images"), "{}", refusal.message);
    let plan = retouch_language::read("put picture 3 at the top left", &context).unwrap();
    assert_eq!(plan.unused_inputs, [1]);
    let one = retouch_engine::Context::default();
    assert!(retouch_language::read("put picture 2 at the top left", &one).is_err());
}
