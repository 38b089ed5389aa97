//! Transparency: what is clear has no color that could show, and opaque stays opaque.

use crate::every::SMALL;
use crate::every::table::{Case, cases, firsts, framed, opaque};
use retouch_engine::{AnyPicture, Picture, Sample, capabilities};
use std::collections::BTreeSet;

/// Operations that leave every pixel's alpha where and as it is.
const KEEPS: &[&str] = &[
    "auto",
    "blacks",
    "brightness",
    "channel",
    "chromatic_aberration",
    "clarity",
    "color_tones",
    "colorize",
    "contrast",
    "dehaze",
    "denoise",
    "dither",
    "duotone",
    "edges",
    "emboss",
    "equalize",
    "exposure",
    "fade",
    "gamma",
    "glow",
    "grain",
    "grayscale",
    "halftone",
    "highlights",
    "hue",
    "invert",
    "keep_color",
    "levels",
    "midtones",
    "posterize",
    "reduce_colors",
    "replace_color",
    "s_curve",
    "saturation",
    "scan_lines",
    "sepia",
    "shadows",
    "sharpen",
    "single_channel",
    "sketch",
    "soft_focus",
    "solarize",
    "split_tone",
    "swap_channels",
    "threshold",
    "tint",
    "vibrance",
    "warmth",
    "white_balance",
    "whites",
];

/// Operations that move pixels, mix them or lay others on them, or do so in a part; opaque stays
/// opaque.
const MIXES: &[&str] = &[
    "background",
    "blend",
    "blur",
    "border",
    "box_blur",
    "crop",
    "flip",
    "grid_lines",
    "join",
    "mark",
    "median",
    "motion_blur",
    "overlay",
    "pad",
    "pixelate",
    "polaroid",
    "qr_code",
    "resize",
    "shape",
    "text",
    "tile",
    "trim",
    "watermark",
    "within",
    "zoom",
];

/// Operations that are asked to make something see-through.
const CLEARS: &[&str] = &[
    "backdrop",
    "color_key",
    "cutout",
    "edge_gradient",
    "mask",
    "opacity",
    "rotate",
    "round_corners",
    "shadow",
    "skew",
    "soft_edges",
    "vignette",
];

#[test]
fn it_is_said_of_every_operation_what_it_does_to_alpha() {
    let said: Vec<&str> = [KEEPS, MIXES, CLEARS].concat();
    let known: BTreeSet<&str> = capabilities().iter().map(|entry| entry.name).collect();
    assert_eq!(said.iter().copied().collect::<BTreeSet<_>>(), known);
    assert_eq!(said.len(), known.len(), "one is in two lists");
}

/// A third clear and a third half clear, in the upper half.
fn spotted((_, y): (u32, u32), chance: u16) -> u16 {
    match chance % 3 {
        _ if y > SMALL.1 / 2 => u16::MAX,
        0 => 0,
        1 => chance,
        _ => u16::MAX,
    }
}

/// The same, with a frame that is opaque, for what measures it.
fn spotted_inside((x, y): (u32, u32), chance: u16) -> u16 {
    let inside = (20..SMALL.0 - 20).contains(&x) && (20..SMALL.1 - 20).contains(&y);
    if inside { spotted((x, y), chance) } else { u16::MAX }
}

/// Changing the colors of clear pixels must change nothing that can be seen.
fn hides<S: Sample>(cases: &[Case], alpha: impl Fn((u32, u32), u16) -> u16 + Copy)
where
    Picture<S>: Into<AnyPicture>,
{
    let pictures = |clear: [u8; 3]| {
        let picture: AnyPicture = framed::<S>(SMALL, clear, alpha).into();
        [picture.clone(), picture]
    };
    let (red, green) = (pictures([255, 0, 0]), pictures([0, 255, 40]));
    let mut shown = Vec::new();
    for case in cases {
        let (first, second) = (case.done(&red), case.done(&green));
        let (Some(first), Some(second)) = (&first, &second) else {
            assert!(first.is_none() && second.is_none(), "{}: one is refused", case.example);
            continue;
        };
        let warned = first.warnings != second.warnings;
        let warned = warned.then(|| format!("{:?} and {:?}", first.warnings, second.warnings));
        if let Some(why) = apart(&first.picture, &second.picture).or(warned) {
            shown.push(format!("{}: {why}", case.example));
        }
    }
    assert!(shown.is_empty(), "{}", shown.join("\n"));
}

/// The first pixel in which two results look different.
fn apart(first: &Picture, second: &Picture) -> Option<String> {
    if first.size() != second.size() {
        return Some(format!("{first:?} and {second:?}"));
    }
    let pairs = first.pixels().as_chunks::<4>().0.iter().zip(second.pixels().as_chunks::<4>().0);
    let differs = |(one, other): &(&[u8; 4], &[u8; 4])| {
        one[3] != other[3] || (one[3] > 0 && one[..3] != other[..3])
    };
    let (at, (one, other)) = pairs.enumerate().find(|(_, pair)| differs(pair))?;
    let (x, y) = (at % first.width() as usize, at / first.width() as usize);
    Some(format!("{one:?} and {other:?} at {x},{y}"))
}

#[test]
fn colors_of_clear_pixels_never_show() {
    hides::<u8>(&cases(SMALL), spotted_inside);
}

#[test]
fn nor_do_they_along_the_edges() {
    hides::<u8>(&firsts(SMALL), spotted);
}

/// Three quarters clear, everywhere.
fn mostly_clear(_: (u32, u32), chance: u16) -> u16 {
    if chance.is_multiple_of(4) { u16::MAX } else { 0 }
}

#[test]
fn nor_are_they_measured() {
    hides::<u8>(&firsts(SMALL), mostly_clear);
}

#[test]
fn nor_do_they_in_16_bits_a_channel() {
    hides::<u16>(&firsts(SMALL), spotted_inside);
}

fn stays_opaque<S: Sample>()
where
    Picture<S>: Into<AnyPicture>,
{
    let picture: AnyPicture = opaque::<S>(SMALL).into();
    let pictures = [picture.clone(), picture];
    for case in firsts(SMALL).iter().filter(|case| !CLEARS.contains(&case.name)) {
        let Some(edited) = case.done(&pictures) else { continue };
        let pixels = edited.picture.pixels().as_chunks::<4>().0;
        let clearest = pixels.iter().map(|pixel| pixel[3]).min();
        assert_eq!(clearest, Some(255), "{}", case.example);
    }
}

#[test]
fn what_is_opaque_stays_opaque() {
    stays_opaque::<u8>();
    stays_opaque::<u16>();
}

#[test]
fn changes_of_color_leave_alpha_alone() {
    let picture: Picture = framed(SMALL, [7, 77, 177], spotted);
    let pictures = [AnyPicture::from(picture.clone()), AnyPicture::from(picture.clone())];
    for case in cases(SMALL).iter().filter(|case| KEEPS.contains(&case.name)) {
        let edited = case.done(&pictures).unwrap_or_else(|| panic!("{} is refused", case.example));
        let alphas = |picture: &Picture| -> Vec<u8> {
            picture.pixels().as_chunks::<4>().0.iter().map(|pixel| pixel[3]).collect()
        };
        assert!(alphas(&edited.picture) == alphas(&picture), "{}", case.example);
    }
}
