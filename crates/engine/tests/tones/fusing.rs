//! Neighbors in one pass: limited in between, rounded once, the same on any number of threads.

use super::reference::{coded, linear, luma, rolled_off};
use super::support::{colors, edit, follows};

#[test]
fn tables_matrices_and_functions_in_any_order_round_once() {
    follows(
        "saturate by 30%, then set the gamma to 1.8, then increase the exposure by 0.5 stops",
        |color| {
            color.map(|channel| {
                let strong = (luma(color) + 1.3 * (channel - luma(color))).clamp(0.0, 1.0);
                let brightened = coded(linear(strong.powf(1.0 / 1.8)) * f64::sqrt(2.0));
                rolled_off(brightened, coded(f64::sqrt(2.0)))
            })
        },
    );
    follows(
        "set the gamma to 0.5, then grayscale, then set the gamma to 4, then invert",
        |color| [1.0 - luma(color.map(|channel| channel * channel)).powf(0.25); 3],
    );
    follows(
        "increase the contrast by 50%, then reduce the contrast by 50%, then boost the reds by 10%",
        |color| {
            let [red, green, blue] = color.map(|channel| {
                let hard = ((channel - 0.5) * 1.5 + 0.5).clamp(0.0, 1.0);
                (hard - 0.5) * 0.5 + 0.5
            });
            [red * 1.1, green, blue]
        },
    );
}

#[test]
fn steps_after_other_changes_stay_where_they_are() {
    let source = colors();
    let at_once = edit("grayscale, then posterize to 4 levels", &source);
    for [red, green, blue, _] in at_once.pixels().as_chunks::<4>().0 {
        assert!(red == green && green == blue && red % 85 == 0, "{red} {green} {blue}");
    }
}

/// The changes that are matrices are worked out in single precision, as they always were.
#[test]
fn matrices_give_the_bytes_of_plain_arithmetic() {
    let source = colors();
    let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
    let check = |words: &str, change: &dyn Fn([f32; 3]) -> [f32; 3]| {
        let result = edit(words, &source);
        for (old, new) in
            source.pixels().as_chunks::<4>().0.iter().zip(result.pixels().as_chunks::<4>().0)
        {
            let color = [old[0], old[1], old[2]].map(|level| f32::from(level) / 255.0);
            assert_eq!(change(color).map(byte), [new[0], new[1], new[2]], "{words}: {old:?}");
        }
    };
    check("grayscale", &|[r, g, b]| [0.2126 * r + 0.7152 * g + 0.0722 * b; 3]);
    check("reduce the brightness by 20%", &|color| color.map(|c| c * 0.8_f32));
    check("invert", &|color| color.map(|c| 1.0 - c));
    check("increase the contrast by 50%, then grayscale", &|color| {
        let [r, g, b] = color.map(|c| (c * 1.5_f32 - 0.25).clamp(0.0, 1.0));
        [0.2126 * r + 0.7152 * g + 0.0722 * b; 3]
    });
}

#[test]
fn the_same_bytes_come_out_on_any_number_of_threads() {
    let source = edit("resize to 700x501", &colors());
    let work = "auto levels, then lift the shadows, then increase the vibrance by 40%, then auto white balance, \
                then set the gamma to 1.3, then black and white except orange";
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| edit(work, &source))
    };
    assert!(on(1) == on(4));
}
