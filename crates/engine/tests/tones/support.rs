//! Pictures to work on, and how far a result is from a reference.

use retouch_engine::{Context, Edited, Picture, execute};
use retouch_language::read;

/// A color from 0 to 1.
pub(crate) type Color = [f64; 3];

/// A picture of many colors: every gray, every strong hue in many shades, noise, every kind of alpha.
pub(crate) fn colors() -> Picture {
    let mut state = 0x1234_5678_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let mut bytes = Vec::new();
    for level in 0..=255_u8 {
        bytes.extend([level, level, level, 255]);
        for shift in 0..6_u8 {
            let parts = [level, level.wrapping_mul(shift), 255 - level / 2];
            let at = |offset: u8| parts[usize::from((shift + offset) % 3)];
            bytes.extend([at(0), at(1), at(2), 255 - level]);
        }
        for _ in 0..10 {
            bytes.extend([next(), next(), next(), next()]);
        }
    }
    Picture::from_rgba(17, 256, bytes).unwrap()
}

pub(crate) fn edited(instruction: &str, picture: &Picture) -> Edited {
    let plan = read(instruction, &Context::default())
        .unwrap_or_else(|refusal| panic!("{instruction}: {refusal}"));
    execute(&plan, vec![picture.clone()]).unwrap_or_else(|error| panic!("{instruction}: {error}"))
}

pub(crate) fn edit(instruction: &str, picture: &Picture) -> Picture {
    edited(instruction, picture).picture
}

/// Every pixel of a result is within one level of the reference, and alpha is as it was.
pub(crate) fn follows(instruction: &str, reference: impl Fn(Color) -> Color) {
    let source = colors();
    let result = edit(instruction, &source);
    let pairs = source.pixels().as_chunks::<4>().0.iter().zip(result.pixels().as_chunks::<4>().0);
    for (old, new) in pairs {
        assert_eq!(old[3], new[3], "{instruction} changes the alpha of {old:?}");
        let wanted = reference([old[0], old[1], old[2]].map(|level| f64::from(level) / 255.0));
        for (got, wanted) in new.iter().zip(wanted) {
            let wanted = wanted.clamp(0.0, 1.0) * 255.0;
            assert!(
                (f64::from(*got) - wanted).abs() <= 1.0,
                "{instruction}: {old:?} becomes {new:?}, not {wanted}"
            );
        }
    }
}
