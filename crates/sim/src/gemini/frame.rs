//! The size in pixels of an aspect ratio at a given image size.

use super::models::Family;

/// Width and height in pixels.
type Size = (u32, u32);

/// The aspect ratios that every model makes, with their pixels at 1K: for 2.5, and for 3 and later.
const SHAPES: [(&str, Size, Size); 10] = [
    ("1:1", (1024, 1024), (1024, 1024)),
    ("2:3", (832, 1248), (848, 1264)),
    ("3:2", (1248, 832), (1264, 848)),
    ("3:4", (864, 1184), (896, 1200)),
    ("4:3", (1184, 864), (1200, 896)),
    ("4:5", (896, 1152), (928, 1152)),
    ("5:4", (1152, 896), (1152, 928)),
    ("9:16", (768, 1344), (768, 1376)),
    ("16:9", (1344, 768), (1376, 768)),
    ("21:9", (1536, 672), (1584, 672)),
];

/// The additional aspect ratios of the newer flash models, with their pixels at 1K.
const LONG_SHAPES: [(&str, Size); 4] =
    [("1:4", (512, 2048)), ("4:1", (2048, 512)), ("1:8", (352, 2928)), ("8:1", (2928, 352))];

/// Approximate number of pixels of an image at 1K.
const PIXELS_1K: f64 = 1024.0 * 1024.0;

/// Width and height at 1K for the aspect ratio `name`, if `family` makes it.
pub(super) fn of_shape(family: Family, name: &str) -> Option<Size> {
    let usual = SHAPES.iter().find(|(shape, _, _)| *shape == name);
    if let Some((_, older, newer)) = usual {
        return Some(if family == Family::Flash25 { *older } else { *newer });
    }
    let long = LONG_SHAPES.iter().find(|(shape, _)| *shape == name);
    long.filter(|_| family.makes_long_shapes()).map(|(_, size)| *size)
}

/// Width and height at 1K in the shape of an image, in steps of 16.
pub(super) fn like((width, height): Size) -> Size {
    let ratio = (f64::from(width) / f64::from(height)).clamp(0.125, 8.0);
    let side = |pixels: f64| (pixels / 16.0).round() as u32 * 16;
    (side((PIXELS_1K * ratio).sqrt()), side((PIXELS_1K / ratio).sqrt()))
}

/// Scales the size of an image at 1K to `size`.
pub(super) fn scaled((width, height): Size, size: &str) -> Size {
    match size {
        "512" => (width / 2, height / 2),
        "2K" => (width * 2, height * 2),
        "4K" => (width * 4, height * 4),
        _ => (width, height),
    }
}
