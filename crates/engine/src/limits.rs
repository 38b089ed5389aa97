//! The limits for every image: inputs, intermediate steps and results.

/// The longest side of any image that is decoded, edited or returned, in pixels.
pub const SIDE_PX_MAX: u32 = 16_384;

/// The most pixels of any image that is decoded, edited or returned (50 megapixels).
pub const PIXELS_MAX: u64 = 50_000_000;

/// Bytes that one pixel takes in a [`crate::Picture`] of 8 bits a channel.
pub const PIXEL_BYTES: u64 = 4;

/// Longest instruction that is read, in Unicode scalar values.
pub const INSTRUCTION_CHARS_MAX: usize = 800;

/// Most steps that one plan may have.
pub const STEPS_MAX: usize = 32;
