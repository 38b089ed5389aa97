//! Previews: a scaled plan on a smaller image gives what the plan gives on the image itself, made
//! smaller.

use crate::every::table::{Case, Size, cases, makes};
use retouch_engine::{Edited, ExecuteError, Picture, Plan, execute};

/// A photo's shape, large enough that half of it fits every example.
const FULL: Size = (520, 380);
const FACTOR: f64 = 0.5;

/// Operations that work on single pixels or lay a pattern on them, so that they look different at any
/// other size.
const FIXED: &[&str] = &[
    "denoise",
    "dither",
    "edges",
    "emboss",
    "grain",
    "halftone",
    "pixelate",
    "qr_code",
    "reduce_colors",
    "scan_lines",
];

/// How far a side may be from its share, in pixels: where an edge is found in the image, it lies
/// between two pixels of the smaller one.
const SIDE_OFF_MAX: f64 = 3.0;

/// The mean difference of the channels that nobody sees side by side, of 255 levels. Letters and
/// lines have other edges at a smaller size.
const MEAN_LEVELS_MAX: f64 = 4.0;

/// A smooth scene with dark and light parts, colors and a plain border.
fn scene(size: Size) -> Picture {
    let (width, height) = (f64::from(size.0), f64::from(size.1));
    let mut pixels = Vec::new();
    for y in 0..size.1 {
        for x in 0..size.0 {
            let (across, down) = (f64::from(x) / width, f64::from(y) / height);
            let wave = |turns: f64, at: f64| (at * turns * std::f64::consts::TAU).sin() * 0.5 + 0.5;
            let is_border = across < 0.1 || down < 0.1 || across > 0.9 || down > 0.9;
            let color = match is_border {
                true => [0.92, 0.92, 0.92],
                false => [wave(1.0, across), wave(1.5, down), wave(0.7, across + down)],
            };
            pixels.extend(color.map(|level| (level * 255.0).round() as u8));
            pixels.push(255);
        }
    }
    Picture::from_rgba(size.0, size.1, pixels).unwrap()
}

fn done(plan: &Plan, pictures: &[Picture]) -> Option<Edited> {
    let pictures = if makes(plan) { Vec::new() } else { pictures.to_vec() };
    match execute(plan, pictures) {
        Ok(edited) => Some(edited),
        Err(ExecuteError::Refused(_)) => None,
        Err(error) => panic!("{}: {error}", plan.render()),
    }
}

/// The mean difference of the channels. Nobody sees the color of transparent pixels.
fn difference(one: &Picture, other: &Picture) -> f64 {
    let seen = |picture: &Picture| -> Vec<f64> {
        let pixels = picture.pixels().chunks_exact(4);
        let seen = pixels.flat_map(|pixel| {
            let alpha = f64::from(pixel[3]);
            [0, 1, 2]
                .map(|channel| f64::from(pixel[channel]) * alpha / 255.0)
                .into_iter()
                .chain([alpha])
        });
        seen.collect()
    };
    let (one, other) = (seen(one), seen(other));
    let sum: f64 = one.iter().zip(&other).map(|(one, other)| (one - other).abs()).sum();
    sum / one.len() as f64
}

/// What is wrong with the scaled plan of a case, if anything.
fn trouble(case: &Case, full: &[Picture; 2], small: &[Picture; 2]) -> Option<String> {
    let scaled = case.plan.scaled(FACTOR);
    if let Err(refusal) = scaled.check() {
        return Some(format!("cannot be scaled: {}", refusal.message));
    }
    let whole = done(&case.plan, full)?;
    let Some(preview) = done(&scaled, small) else { return Some("is refused".to_owned()) };
    let (size, shown) = (whole.picture.size(), preview.picture.size());
    let expected = [size.0, size.1].map(|side| f64::from(side) * FACTOR);
    let off = [shown.0, shown.1].map(f64::from);
    if expected.iter().zip(off).any(|(expected, side)| (expected - side).abs() > SIDE_OFF_MAX) {
        return Some(format!("{shown:?} pixels instead of half of {size:?}"));
    }
    if FIXED.contains(&case.name) {
        return None;
    }
    let reduced = whole.picture.resized(shown).unwrap();
    let levels = difference(&reduced, &preview.picture);
    (levels > MEAN_LEVELS_MAX).then(|| format!("differs by {levels:.1} levels"))
}

#[test]
fn a_scaled_plan_looks_like_the_plan() {
    let full = [scene(FULL), scene((FULL.0 / 2, FULL.1 / 2))];
    let small = full.each_ref().map(|picture| {
        let (width, height) = picture.size();
        picture.resized((width / 2, height / 2)).unwrap()
    });
    let wrong: Vec<_> = cases(FULL)
        .iter()
        .filter_map(|case| Some(format!("{:?}: {}", case.example, trouble(case, &full, &small)?)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn lengths_in_pixels_are_scaled_and_shares_are_not() {
    let plan = |text: &str| -> Plan {
        let steps: serde_json::Value = serde_json::from_str(text).unwrap();
        serde_json::from_value(serde_json::json!({ "version": 1, "steps": steps })).unwrap()
    };
    for (full, half) in [
        (r#"[{"operation":"blur","sigma_px":8.0}]"#, r#"[{"operation":"blur","sigma_px":4.0}]"#),
        (
            r##"[{"operation":"border","width":"20px","color":"#ffffff"}]"##,
            r##"[{"operation":"border","width":"10px","color":"#ffffff"}]"##,
        ),
        (
            r##"[{"operation":"border","width":"20%","color":"#ffffff"}]"##,
            r##"[{"operation":"border","width":"20%","color":"#ffffff"}]"##,
        ),
        (
            r#"[{"operation":"crop","to":"box","left_px":11,"top_px":8,"width":100,"height":1}]"#,
            r#"[{"operation":"crop","to":"box","left_px":5,"top_px":4,"width":50,"height":1}]"#,
        ),
        (
            r#"[{"operation":"resize","to":"megapixels","megapixels":2.0}]"#,
            r#"[{"operation":"resize","to":"megapixels","megapixels":0.5}]"#,
        ),
    ] {
        assert_eq!(plan(full).scaled(0.5), plan(half), "{full}");
    }
}

#[test]
fn the_longest_side_is_that_of_any_image_on_the_way() {
    let plan = |words: &str| retouch_language::read(words, &Default::default()).unwrap();
    let sides = |words: &str| plan(words).longest_side(&[(400, 300)]).unwrap();
    assert_eq!(sides("sepia"), 400);
    assert_eq!(sides("resize to 4000x3000, then crop to 100x100"), 4000);
    assert!(plan("trim the margins").finds_size() && !plan("sepia").finds_size());
}
