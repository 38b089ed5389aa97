//! How files say how many pixels are an inch, so that they are printed in the right size. JPEG says it
//! in dots per inch, so only the others need more than the number.

use png::{PixelDimensions, Unit};

const METER_INCHES: f64 = 1.0 / 0.0254;

/// The chunk `pHYs` of a PNG, which counts pixels per meter (PNG, third edition, 11.3.4.3).
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "16 bits times 39.4 have at most 22"
)]
pub(super) fn per_meter(dpi: u16) -> PixelDimensions {
    let pixels = (f64::from(dpi) * METER_INCHES).round() as u32;
    PixelDimensions { xppu: pixels, yppu: pixels, unit: Unit::Meter }
}

/// Exif metadata that only has the resolution (Exif 3.0, 4.6.4: `XResolution`, `YResolution`,
/// `ResolutionUnit`), for WebP.
pub(super) fn exif(dpi: u16) -> Vec<u8> {
    const ENTRIES: u8 = 3;
    const RATIO: u8 = 5;
    const SHORT: u8 = 3;
    const INCH: u8 = 2;
    // The ratios are behind the directory: its number of entries, the entries, and the end.
    const RATIOS_AT: u8 = 8 + 2 + ENTRIES * 12 + 4;
    let entry = |tag: u8, kind: u8, value: u8| [tag, 1, kind, 0, 1, 0, 0, 0, value, 0, 0, 0];
    let [low, high] = dpi.to_le_bytes();
    let ratio = [low, high, 0, 0, 1, 0, 0, 0];
    let mut exif = b"II\x2A\x00\x08\x00\x00\x00".to_vec();
    exif.extend_from_slice(&[ENTRIES, 0]);
    exif.extend(entry(0x1A, RATIO, RATIOS_AT));
    exif.extend(entry(0x1B, RATIO, RATIOS_AT + 8));
    exif.extend(entry(0x28, SHORT, INCH));
    exif.extend_from_slice(&[0; 4]);
    exif.extend(ratio);
    exif.extend(ratio);
    exif
}
