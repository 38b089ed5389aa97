//! Converts YCbCr as JPEG and TIFF use it.

/// BT.601 full-range YCbCr to RGB (JFIF 1.02), in 16-bit fixed point, rounded to nearest.
pub(super) fn to_rgb([luma, blue, red]: [u8; 3]) -> [u8; 3] {
    let luma = (i32::from(luma) << 16) + 0x8000;
    let (blue, red) = (i32::from(blue) - 128, i32::from(red) - 128);
    let level = |value: i32| (value >> 16).clamp(0, 255) as u8;
    [
        level(luma + 91_881 * red),
        level(luma - 22_554 * blue - 46_802 * red),
        level(luma + 116_130 * blue),
    ]
}
