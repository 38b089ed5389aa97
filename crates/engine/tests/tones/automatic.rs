//! What looks at the picture first.

use super::reference::{coded, linear};
use super::support::{edit, edited};
use retouch_engine::Picture;

/// Grays from `low` to `high`, with a share of strays at either end, tinted by gains.
fn ramp((low, high): (u8, u8), strays: usize, gains: [f64; 3]) -> Picture {
    let mut bytes = Vec::new();
    for at in 0..1000_usize {
        let level = match at {
            _ if at < strays => 0.0,
            _ if at >= 1000 - strays => 255.0,
            _ => f64::from(low) + f64::from(high - low) * at as f64 / 999.0,
        };
        bytes.extend(gains.map(|gain| (level * gain).round().min(255.0) as u8));
        bytes.push(255);
    }
    Picture::from_rgba(100, 10, bytes).unwrap()
}

fn ends(picture: &Picture, channel: usize) -> (u8, u8) {
    let levels = || picture.pixels().iter().skip(channel).step_by(4).copied();
    (levels().min().unwrap(), levels().max().unwrap())
}

#[test]
fn auto_contrast_uses_the_whole_range_and_leaves_the_hue() {
    let dull = ramp((60, 180), 0, [1.0; 3]);
    let result = edit("auto contrast", &dull);
    assert_eq!(ends(&result, 0), (0, 255));
    let strays = ramp((60, 180), 4, [1.0; 3]);
    let result = edit("auto contrast", &strays);
    let middle = result.pixel(0, 5).unwrap();
    assert!(middle[0].abs_diff(128) <= 3, "strays of less than half a percent decide nothing");
    let tinted = edit("auto contrast", &ramp((60, 180), 0, [1.0, 0.9, 0.8]));
    let [red, green, blue, _] = tinted.pixel(50, 5).unwrap();
    assert!(red > green && green > blue, "the channels are stretched together");
}

#[test]
fn auto_levels_stretches_each_channel() {
    let result = edit("auto levels", &ramp((60, 180), 0, [1.0, 0.8, 0.5]));
    for channel in 0..3 {
        assert_eq!(ends(&result, channel), (0, 255));
    }
    let [red, green, blue, _] = result.pixel(50, 5).unwrap();
    assert!(red.abs_diff(green) <= 4 && green.abs_diff(blue) <= 4, "{red} {green} {blue}");
}

#[test]
fn what_uses_the_whole_range_or_has_one_tone_stays_and_is_warned_of() {
    let full = ramp((0, 255), 0, [1.0; 3]);
    let flat = Picture::from_rgba(2, 1, vec![90, 90, 90, 255, 90, 90, 90, 255]).unwrap();
    let clear = Picture::from_rgba(1, 1, vec![9, 99, 199, 0]).unwrap();
    for picture in [flat, clear] {
        for what in ["auto contrast", "auto levels"] {
            let edited = edited(what, &picture);
            assert!(edited.picture == picture, "{what}");
            assert!(edited.warnings.iter().any(|line| line.contains(what)), "{what}");
        }
    }
    let result = edit("auto contrast", &full);
    let far = full.pixels().iter().zip(result.pixels()).map(|(old, new)| old.abs_diff(*new)).max();
    assert!(far <= Some(3), "{far:?}");
}

#[test]
fn transparent_pixels_say_nothing() {
    let mut bytes = ramp((60, 180), 0, [1.0; 3]).pixels().to_vec();
    bytes.extend([0, 0, 0, 0].repeat(500));
    bytes.extend([255, 255, 255, 0].repeat(500));
    let picture = Picture::from_rgba(100, 20, bytes).unwrap();
    assert_eq!(
        ends(&edit("crop to 100x10 at the top", &edit("auto contrast", &picture)), 0),
        (0, 255)
    );
}

#[test]
fn a_cast_is_taken_away_in_linear_light() {
    // A gray ramp under a light whose channels are 1, 0.8 and 0.5 of full.
    let gains = [1.0, 0.8, 0.5];
    let mut bytes = Vec::new();
    for level in 20..220_u8 {
        bytes
            .extend(gains.map(|gain| {
                (coded(linear(f64::from(level) / 255.0) * gain) * 255.0).round() as u8
            }));
        bytes.push(255);
    }
    let cast = Picture::from_rgba(20, 10, bytes).unwrap();
    let result = edit("remove the color cast", &cast);
    for [red, green, blue, _] in result.pixels().as_chunks::<4>().0 {
        let far = red.abs_diff(*green).max(green.abs_diff(*blue));
        assert!(far <= 3, "{red} {green} {blue}");
    }
    let white = Picture::from_rgba(1, 1, vec![255, 255, 255, 255]).unwrap();
    assert!(edit("auto white balance", &white) == white);
    let mut bytes = cast.pixels().to_vec();
    bytes.extend([255, 255, 255, 255].repeat(200));
    let with_white = Picture::from_rgba(20, 20, bytes).unwrap();
    let kept = edit("auto white balance", &with_white);
    assert!(kept == with_white, "what is white already shows that there is no cast");
}

#[test]
fn a_warm_subject_on_a_light_background_is_no_cast() {
    let subject = [230, 120, 50, 255].repeat(300);
    for gray in [230, 255] {
        let background = [gray, gray, gray, 255].repeat(100);
        let bytes = [subject.clone(), background].concat();
        let picture = Picture::from_rgba(20, 20, bytes).unwrap();
        assert!(edit("auto white balance", &picture) == picture, "on {gray}");
    }
}

#[test]
fn the_picture_is_looked_at_after_the_steps_before() {
    let dull = ramp((60, 180), 0, [1.0; 3]);
    let once = edit("reduce the brightness by 50%, then auto contrast, then invert", &dull);
    let slowly =
        edit("invert", &edit("auto contrast", &edit("reduce the brightness by 50%", &dull)));
    let far = once.pixels().iter().zip(slowly.pixels()).map(|(one, two)| one.abs_diff(*two)).max();
    assert!(far <= Some(1), "{far:?}");
}
