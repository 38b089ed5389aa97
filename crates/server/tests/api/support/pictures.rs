//! Small images for requests.

use base64_simd::STANDARD;
use retouch_engine::{Picture, codec};

/// An image of `width` x `height` with a different color in every pixel.
pub fn picture(width: u32, height: u32) -> Picture {
    let pixels = (0..height).flat_map(|y| {
        (0..width).flat_map(move |x| {
            [(x * 37 % 256) as u8, (y * 53 % 256) as u8, ((x + y) * 11 % 256) as u8, 255]
        })
    });
    Picture::from_rgba(width, height, pixels.collect()).unwrap()
}

/// That image as a PNG.
pub fn png(width: u32, height: u32) -> Vec<u8> {
    codec::encode_png(&picture(width, height)).unwrap()
}

/// A square PNG that hardly compresses.
pub fn noise(side: u32) -> Vec<u8> {
    let mut state = 1_u32;
    let pixels = (0..side * side).flat_map(|_| {
        // Marsaglia's xorshift, https://doi.org/10.18637/jss.v008.i14
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state | 0xFF).to_be_bytes()
    });
    codec::encode_png(&Picture::from_rgba(side, side, pixels.collect()).unwrap()).unwrap()
}

/// A small PNG in base64.
pub fn base64(width: u32, height: u32) -> String {
    STANDARD.encode_to_string(png(width, height))
}

/// The image in a response of the service.
pub fn of_data_uri(uri: &str) -> Picture {
    let text = uri.strip_prefix("data:image/png;base64,").unwrap();
    let bytes = STANDARD.decode_to_vec(text).unwrap();
    codec::decode(&bytes, &codec::Limits::default()).unwrap()
}
