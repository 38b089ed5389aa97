//! The limits for every image: inputs, intermediate steps and results.

/// The longest side of any image that is decoded, edited or returned, in pixels.
pub const SIDE_PX_MAX: u32 = 16_384;

/// The most pixels of any image that is decoded, edited or returned (50 megapixels).
pub const PIXELS_MAX: u64 = 50_000_000;

/// The number of bytes per pixel of a [`crate::Picture`] with 8 bits per channel.
pub const PIXEL_BYTES: u64 = 4;

/// The longest instruction that is accepted, in Unicode scalar values.
pub const INSTRUCTION_CHARS_MAX: usize = 800;

/// The most steps that a plan may have.
pub const STEPS_MAX: usize = 32;
