//! Backgrounds, colors and margins that are measured.

use crate::shaping::{assert_near, at, attempt, drawn, edit, noise};
use retouch_engine::{ExecuteError, Picture, RefusalKind};

/// A dark disc with a soft edge on a plain ground with a little noise.
fn disc(ground: [u8; 3]) -> Picture {
    drawn(60, 50, |x, y| {
        let distance = (f64::from(x) + 0.5 - 30.0).hypot(f64::from(y) + 0.5 - 25.0);
        let share = (15.5 - distance).clamp(0.0, 1.0);
        let wobble = f64::from((x * 7 + y * 13) % 5);
        let mix = |subject: f64, ground: u8| {
            (subject * share + (f64::from(ground) - wobble) * (1.0 - share))
                .round()
                .clamp(0.0, 255.0) as u8
        };
        [mix(40.0, ground[0]), mix(60.0, ground[1]), mix(90.0, ground[2]), 255]
    })
}

#[test]
fn a_plain_background_goes_and_the_subject_stays() {
    let source = disc([250, 250, 250]);
    let result = edit("remove the white background", &source);
    for (x, y) in [(0, 0), (59, 49), (30, 5), (3, 40)] {
        assert_eq!(result.pixel(x, y), Some([0; 4]), "{x},{y}");
    }
    for (x, y) in [(30, 25), (25, 20), (38, 30)] {
        assert_eq!(result.pixel(x, y), source.pixel(x, y), "{x},{y}");
    }
    // At the soft edge the alpha is the share of the disc, and the color is the disc's own.
    let mut soft = 0;
    for (x, y) in (0..50).flat_map(|y| (0..60).map(move |x| (x, y))) {
        let got = at(&result, x, y);
        let distance = (x as f64 + 0.5 - 30.0).hypot(y as f64 + 0.5 - 25.0);
        let share = (15.5 - distance).clamp(0.0, 1.0);
        if got[3] > 60.0 && got[3] < 250.0 {
            soft += 1;
            assert!((got[3] / 255.0 - share).abs() < 0.06, "{x},{y}: {got:?} for {share}");
            assert!((got[0] - 40.0).abs() <= 12.0 && (got[2] - 90.0).abs() <= 12.0, "{got:?}");
        }
    }
    assert!(soft > 30, "{soft} soft pixels");
    let blue = edit("replace the plain background with blue", &source);
    assert_eq!(blue.pixel(0, 0), Some([0, 0, 255, 255]));
    assert!(blue.pixels().chunks(4).all(|pixel| pixel[3] == 255));
}

#[test]
fn white_inside_the_subject_is_no_background() {
    let mut source = disc([250, 250, 250]);
    let at = (25 * 60 + 30) * 4;
    source.pixels_mut()[at..at + 4].copy_from_slice(&[250, 250, 250, 255]);
    assert_eq!(
        edit("remove the white background", &source).pixel(30, 25),
        Some([250, 250, 250, 255])
    );
}

fn refused(instruction: &str, picture: &Picture) -> (RefusalKind, String) {
    match attempt(instruction, std::slice::from_ref(picture)) {
        Err(ExecuteError::Refused(refusal)) => (refusal.kind, refusal.message),
        other => panic!("{instruction}: {other:?}"),
    }
}

#[test]
fn what_measures_otherwise_than_it_was_said_is_refused_with_the_numbers() {
    let (kind, message) = refused("remove the plain background", &noise(40, 30));
    assert_eq!(kind, RefusalKind::NeedsGenerativeModel);
    assert!(message.contains("not plain") && message.contains('%'), "{message}");
    let (_, message) = refused("remove the black background", &disc([250, 250, 250]));
    assert!(message.contains("black") && message.contains('#'), "{message}");
    let white = drawn(20, 20, |_, _| [255; 4]);
    let (_, message) = refused("remove the white background", &white);
    assert!(message.contains("100.0%"), "{message}");
    let (_, message) = refused("trim the margins", &white);
    assert!(message.contains("nothing would be left"), "{message}");
    let (_, message) = refused("remove the black bars", &disc([250, 250, 250]));
    assert!(message.contains("black"), "{message}");
}

#[test]
fn a_key_follows_its_formula() {
    let source = noise(30, 20);
    let result = edit("make white transparent with a tolerance of 20%", &source);
    assert_near(
        &result,
        |x, y| {
            let [red, green, blue, alpha] = at(&source, x, y);
            let apart = (255.0 - red).max(255.0 - green).max(255.0 - blue);
            [red, green, blue, alpha * ((apart - 51.0) / 51.0).clamp(0.0, 1.0)]
        },
        "keyed",
    );
}

#[test]
fn margins_are_cut_to_the_smallest_box() {
    let inside = |x: u32, y: u32| (12..47).contains(&x) && (5..30).contains(&y);
    for (margin, words) in [
        ([0, 0, 0, 255], "trim the black margins"),
        ([255; 4], "crop away the white border"),
        ([7, 7, 7, 0], "trim the transparent edges"),
    ] {
        let source =
            drawn(
                60,
                40,
                |x, y| if inside(x, y) { [10 + x as u8 * 4, 90, 200, 255] } else { margin },
            );
        let wanted = drawn(35, 25, |x, y| source.pixel(x + 12, y + 5).unwrap());
        assert_eq!(edit(words, &source), wanted, "{words}");
        assert_eq!(edit("autocrop", &source), wanted);
    }
    let plain = noise(20, 20);
    let kept = attempt("trim the margins", std::slice::from_ref(&plain)).unwrap();
    assert_eq!(kept.picture, plain);
    assert_eq!(kept.warnings.len(), 1, "{:?}", kept.warnings);
}

#[test]
fn steps_after_a_cut_fit_what_is_left() {
    let source = drawn(60, 40, |x, y| if x == 30 && y == 20 { [0, 0, 0, 255] } else { [255; 4] });
    assert_eq!(edit("trim the margins, then resize to 200%", &source).size(), (2, 2));
    let (_, message) = refused("trim the margins, then crop to 30x30", &source);
    assert!(message.contains("1x1"), "{message}");
}
