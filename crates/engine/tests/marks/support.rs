//! Pictures to mark.

use retouch_engine::{Context, Edited, Picture, execute};
use retouch_language::read;

pub(crate) fn edited(instruction: &str, picture: &Picture) -> Edited {
    let plan = read(instruction, &Context::default())
        .unwrap_or_else(|refusal| panic!("{instruction}: {refusal}"));
    execute(&plan, vec![picture.clone()]).unwrap_or_else(|error| panic!("{instruction}: {error}"))
}

pub(crate) fn edit(instruction: &str, picture: &Picture) -> Picture {
    edited(instruction, picture).picture
}

pub(crate) fn flat(width: u32, height: u32, pixel: [u8; 4]) -> Picture {
    Picture::from_rgba(width, height, pixel.repeat((width * height) as usize)).unwrap()
}

pub(crate) fn black(width: u32, height: u32) -> Picture {
    flat(width, height, [0, 0, 0, 255])
}

/// The box around everything that is not black: left, top, right, bottom.
pub(crate) fn inked(picture: &Picture) -> Option<[u32; 4]> {
    let mut found: Option<[u32; 4]> = None;
    for (y, row) in (0_u32..).zip(picture.rows()) {
        for (x, pixel) in (0_u32..).zip(row.chunks(4)) {
            if pixel[..3] != [0, 0, 0] {
                let [left, top, right, bottom] = found.unwrap_or([x, y, x, y]);
                found = Some([left.min(x), top.min(y), right.max(x), bottom.max(y)]);
            }
        }
    }
    found
}

/// The sum of the shares of white, in pixels.
pub(crate) fn ink(picture: &Picture) -> f64 {
    picture.pixels().chunks(4).map(|pixel| f64::from(pixel[0]) / 255.0).sum()
}
