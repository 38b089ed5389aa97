//! Reads the headers of image files. It is deliberately independent of the service's own decoders,
//! so that tests check them with different code.

use super::Format;

/// What an image's header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sniffed {
    /// Its format.
    pub(crate) format: Format,
    /// The width in pixels.
    pub(crate) width: u32,
    /// The height in pixels.
    pub(crate) height: u32,
}

/// Reads the header of a PNG, JPEG or WebP file. `None` for other files.
pub(crate) fn sniff(bytes: &[u8]) -> Option<Sniffed> {
    png(bytes).or_else(|| jpeg(bytes)).or_else(|| webp(bytes))
}

fn png(bytes: &[u8]) -> Option<Sniffed> {
    let rest = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR")?;
    let (width, rest) = rest.split_first_chunk::<4>()?;
    let (height, _) = rest.split_first_chunk::<4>()?;
    let (width, height) = (u32::from_be_bytes(*width), u32::from_be_bytes(*height));
    Some(Sniffed { format: Format::Png, width, height })
}

fn jpeg(bytes: &[u8]) -> Option<Sniffed> {
    let mut rest = bytes.strip_prefix(b"\xff\xd8")?;
    loop {
        let ([0xff, marker], after) = rest.split_first_chunk::<2>()? else { return None };
        let (length, segment) = after.split_first_chunk::<2>()?;
        let length = usize::from(u16::from_be_bytes(*length));
        // All start-of-frame markers. C4, C8 and CC are others.
        if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            let (&[_, h1, h0, w1, w0], _) = segment.split_first_chunk::<5>()?;
            let (width, height) = (u16::from_be_bytes([w1, w0]), u16::from_be_bytes([h1, h0]));
            return Some(Sniffed {
                format: Format::Jpeg,
                width: width.into(),
                height: height.into(),
            });
        }
        rest = after.get(length..)?;
    }
}

fn webp(bytes: &[u8]) -> Option<Sniffed> {
    let rest = bytes.strip_prefix(b"RIFF")?.get(4..)?.strip_prefix(b"WEBP")?;
    let (kind, rest) = rest.split_first_chunk::<4>()?;
    let data = rest.get(4..)?;
    let little = |at: usize, count: usize| -> Option<u32> {
        let bytes = data.get(at..at + count)?;
        Some(bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
    };
    let (width, height) = match kind {
        b"VP8X" => (little(4, 3)? + 1, little(7, 3)? + 1),
        b"VP8L" => (1 + (little(1, 4)? & 0x3fff), 1 + (little(1, 4)? >> 14 & 0x3fff)),
        b"VP8 " => (little(6, 2)? & 0x3fff, little(8, 2)? & 0x3fff),
        _ => return None,
    };
    Some(Sniffed { format: Format::WebP, width, height })
}
