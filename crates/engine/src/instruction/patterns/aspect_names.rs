//! Named aspect ratios for crops and pads.

use crate::instruction::Clause;

/// A name, and its width and height.
type Named = (&'static str, (f64, f64));

/// Names that mean the same aspect ratio everywhere. Names such as "portrait" and "banner" don't.
const NAMED: &[Named] = &[
    ("square", (1.0, 1.0)),
    ("widescreen", (16.0, 9.0)),
    ("wide screen", (16.0, 9.0)),
    ("youtube thumbnail", (16.0, 9.0)),
    ("desktop wallpaper", (16.0, 9.0)),
    ("instagram story", (9.0, 16.0)),
    ("instagram reel", (9.0, 16.0)),
    ("story", (9.0, 16.0)),
    ("reel", (9.0, 16.0)),
    ("tiktok", (9.0, 16.0)),
    ("vertical video", (9.0, 16.0)),
    ("phone wallpaper", (9.0, 16.0)),
    ("instagram portrait", (4.0, 5.0)),
    ("instagram square", (1.0, 1.0)),
    ("cinemascope", (2.39, 1.0)),
    ("cinematic", (2.39, 1.0)),
    ("ultrawide", (21.0, 9.0)),
    ("golden ratio", (1.618, 1.0)),
    ("golden rectangle", (1.618, 1.0)),
    ("upright golden ratio", (1.0, 1.618)),
    ("twitter header", (3.0, 1.0)),
];

/// Takes a named aspect ratio and records what it means.
pub(crate) fn named(clause: &mut Clause<'_>) -> Option<(f64, f64)> {
    let names: Vec<&str> = NAMED.iter().map(|(name, _)| *name).collect();
    let (name, (width, height)) = *NAMED.get(clause.take(&names)?)?;
    if name != "square" {
        clause.assumed.push(format!("{name} means {width}:{height}"));
    }
    Some((width, height))
}
