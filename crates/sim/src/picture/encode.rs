//! Creates pixels and encodes them as files.

use bytes::Bytes;

use super::{Drawing, Format};

/// Number of blocks in each direction. One byte of the seed determines the color of each.
const BLOCKS: u64 = 8;

/// Encodes a drawing. Encoding into memory only fails for sizes that no provider supports. The file
/// is then empty, which no client accepts as an image.
pub(super) fn encode(drawing: Drawing) -> Bytes {
    let pixels = pixels(drawing);
    let file = match drawing.format {
        Format::Png => png(drawing, &pixels),
        Format::Jpeg => jpeg(drawing, &pixels),
        Format::WebP => webp(drawing, &pixels),
    };
    file.unwrap_or_default().into()
}

/// A small PNG whose header claims 60,000 x 60,000 pixels. It catches programs that allocate memory
/// before they check.
pub(crate) fn claiming_to_be_huge() -> Bytes {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 60_000, 60_000);
    encoder.set_color(png::ColorType::Rgb);
    // The header, a little data and the end of a PNG.
    if let Ok(mut writer) = encoder.write_header() {
        let _ = writer.write_chunk(png::chunk::IDAT, &[0x78, 0x01, 0x03, 0x00, 0, 0, 0, 1]);
    }
    file.into()
}

fn png(drawing: Drawing, pixels: &[u8]) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, drawing.width, drawing.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fastest);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(pixels).ok()?;
    writer.finish().ok()?;
    Some(file)
}

fn jpeg(drawing: Drawing, pixels: &[u8]) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let (width, height) = (drawing.width.try_into().ok()?, drawing.height.try_into().ok()?);
    let encoder = jpeg_encoder::Encoder::new(&mut file, 90);
    encoder.encode(pixels, width, height, jpeg_encoder::ColorType::Rgb).ok()?;
    Some(file)
}

fn webp(drawing: Drawing, pixels: &[u8]) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let encoder = image_webp::WebPEncoder::new(&mut file);
    let color = image_webp::ColorType::Rgb8;
    encoder.encode(pixels, drawing.width, drawing.height, color).ok()?;
    Some(file)
}

/// Eight by eight blocks, each with a color from the seed.
fn pixels(drawing: Drawing) -> Vec<u8> {
    let (width, height) = (u64::from(drawing.width), u64::from(drawing.height));
    let mut pixels = Vec::new();
    let mut row = Vec::new();
    for y in 0..height {
        let across = y * BLOCKS / height;
        if y == 0 || across != (y - 1) * BLOCKS / height {
            let colours = (0..width).map(|x| colour(&drawing.seed, across, x * BLOCKS / width));
            row = colours.flatten().collect();
        }
        pixels.extend_from_slice(&row);
    }
    pixels
}

fn colour(seed: &[u8; 32], across: u64, down: u64) -> [u8; 3] {
    let block = usize::try_from(across * BLOCKS + down).unwrap_or_default();
    let byte = |at: usize| seed.get(at % 32).copied().unwrap_or_default();
    [byte(block), byte(block * 7 + 3), byte(block / 2 + 11)]
}
