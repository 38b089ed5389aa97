//! Embedded profiles, against the colors that Little CMS gives (through Pillow 13).

use crate::codec::support::{difference, painted, pattern, shown};

#[test]
fn a_wide_profile_is_converted_to_srgb() {
    let reference = shown("p3.png.png");
    let lossless = [("p3.png", 1), ("p3.webp", 1), ("p3.tif", 1), ("p3_big.tif", 1)];
    for (name, most) in lossless.into_iter().chain([("p3.jpg", 8)]) {
        let found = difference(&shown(name), &reference);
        assert!(found <= most, "{name} differs by {found}, {most} is allowed");
    }
    let as_it_stands = difference(&reference, &painted(pattern));
    assert!(as_it_stands > 20, "the profile must matter for this to prove anything");
}

#[test]
fn a_gray_profile_is_converted() {
    let reference = shown("gray_profile.png.png");
    let found = difference(&shown("gray_profile.png"), &reference);
    assert!(found <= 1, "it differs by {found}");
    assert!(difference(&shown("gray.png"), &reference) > 8, "the profile must matter");
    let jpeg = difference(&shown("gray_profile.jpg"), &reference);
    assert!(jpeg <= 4, "the JPEG differs by {jpeg}");
}

#[test]
fn an_ink_profile_is_converted() {
    let found = difference(&shown("cmyk_profile.tif"), &shown("cmyk_profile.tif.png"));
    assert!(found <= 4, "it differs by {found}");
}

#[test]
fn a_broken_profile_is_left_out() {
    assert_eq!(difference(&shown("broken_profile.png"), &painted(pattern)), 0);
}
