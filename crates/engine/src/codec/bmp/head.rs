//! A bitmap's headers, masks and palette.

use super::super::limits::PROFILE_BYTES_MAX;
use super::super::{DecodeError, Format};

/// How pixels are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage {
    /// Palette indices of 1, 2, 4 or 8 bits.
    Palette { bits: u32 },
    /// Palette indices of 4 or 8 bits in run lengths.
    Runs { bits: u32 },
    /// Words of 2, 3 or 4 bytes with a mask for red, green, blue and alpha each.
    Masks { bytes: usize, masks: [u32; 4] },
}

/// The file header and the information header of any version (12 to 124 bytes).
#[derive(Debug)]
pub(super) struct Head {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) is_bottom_up: bool,
    pub(super) data_start: usize,
    pub(super) storage: Storage,
    palette: Vec<[u8; 4]>,
    profile: Option<(usize, usize)>,
}

impl Head {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, DecodeError> {
        let info_bytes = long(bytes, 14).ok_or(TRUNCATED)?;
        let is_old = info_bytes == OS2_HEADER_BYTES;
        // With a header of unknown length, the position of the palette is unknown too.
        if !is_old && !MODERN_HEADERS_BYTES.contains(&info_bytes) {
            let reason = format!("its header of {info_bytes} bytes is unknown");
            return Err(DecodeError::unsupported(Format::Bmp, reason));
        }
        let (width, height, bits) = match is_old {
            true => (short(bytes, 18), short(bytes, 20).map(|high| high as i32), short(bytes, 24)),
            false => (long(bytes, 18), long(bytes, 22).map(|high| high as i32), short(bytes, 28)),
        };
        let (width, height) = (width.ok_or(TRUNCATED)?, height.ok_or(TRUNCATED)?);
        if width == 0 || height == 0 || i32::try_from(width).is_err() {
            return Err(DecodeError::damaged(Format::Bmp, "it has no size"));
        }
        let mut head = Self {
            width,
            height: height.unsigned_abs(),
            is_bottom_up: height > 0,
            data_start: long(bytes, 10).ok_or(TRUNCATED)? as usize,
            storage: Storage::Palette { bits: 0 },
            palette: Vec::new(),
            profile: profile_place(bytes, info_bytes),
        };
        let compression = if is_old { 0 } else { long(bytes, 30).ok_or(TRUNCATED)? };
        head.storage = storage(bytes, (bits.ok_or(TRUNCATED)?, compression, info_bytes))?;
        let palette_start = FILE_HEADER_BYTES + info_bytes as usize;
        head.palette = head.read_palette(bytes, palette_start, is_old);
        // Pixels can't start inside the headers. If the file says so, they follow the palette.
        if head.data_start <= palette_start {
            let color_bytes = if is_old { OS2_COLOR_BYTES } else { COLOR_BYTES };
            head.data_start = palette_start + head.palette.len() * color_bytes;
        }
        Ok(head)
    }

    /// Whether pixels may be transparent.
    pub(super) fn has_alpha(&self) -> bool {
        matches!(self.storage, Storage::Masks { masks: [.., alpha], .. } if alpha != 0)
            || matches!(self.storage, Storage::Runs { .. })
    }

    /// The color of a palette index. As in viewers, indices outside the palette are black.
    pub(super) fn color(&self, index: u8) -> [u8; 4] {
        self.palette.get(usize::from(index)).copied().unwrap_or([0, 0, 0, 255])
    }

    /// The color of a word under the masks.
    pub(super) fn masked(&self, word: u32) -> [u8; 4] {
        let Storage::Masks { masks, .. } = self.storage else { return [0; 4] };
        let [red, green, blue, alpha] = masks;
        let opacity = if alpha == 0 { 255 } else { field(word, alpha) };
        [field(word, red), field(word, green), field(word, blue), opacity]
    }

    /// The embedded color profile of a version 5 header.
    pub(super) fn profile(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let (start, length) = self.profile?;
        let end = start.checked_add(length).filter(|_| length <= PROFILE_BYTES_MAX)?;
        bytes.get(start..end).map(<[u8]>::to_vec)
    }

    fn read_palette(&self, bytes: &[u8], start: usize, is_old: bool) -> Vec<[u8; 4]> {
        let (Storage::Palette { bits } | Storage::Runs { bits }) = self.storage else {
            return Vec::new();
        };
        let stated = if is_old { 0 } else { long(bytes, 46).unwrap_or_default() as usize };
        let most = 1 << bits;
        let colors = if stated == 0 { most } else { stated.min(most) };
        // If the pixels claim to start inside the headers, the palette is still there.
        let end = if self.data_start > start { self.data_start } else { bytes.len() };
        let stored = bytes.get(start..end.min(bytes.len())).unwrap_or_default();
        let opaque = |bgr: &[u8]| match bgr {
            [blue, green, red, ..] => [*red, *green, *blue, 255],
            _ => [0, 0, 0, 255],
        };
        let color_bytes = if is_old { OS2_COLOR_BYTES } else { COLOR_BYTES };
        stored.chunks_exact(color_bytes).take(colors).map(opaque).collect()
    }
}

fn storage(
    bytes: &[u8],
    (bits, compression, info): (u32, u32, u32),
) -> Result<Storage, DecodeError> {
    let masks = |bits: u32, masks| Storage::Masks { bytes: bits as usize / 8, masks };
    match (compression, bits) {
        (0, 1 | 2 | 4 | 8) => Ok(Storage::Palette { bits }),
        (0, 16) => Ok(masks(16, [0x7C00, 0x03E0, 0x001F, 0])),
        (0, 24 | 32) => Ok(masks(bits, [0x00FF_0000, 0xFF00, 0xFF, 0])),
        (1, 8) | (2, 4) => Ok(Storage::Runs { bits }),
        (3 | 6, 16 | 32) => {
            // The fourth mask exists from the 56-byte header on, or with compression 6.
            let has_alpha = compression == 6 || info >= 56;
            let mask = |index: usize| long(bytes, 54 + 4 * index).ok_or(TRUNCATED);
            let alpha = if has_alpha { mask(3)? } else { 0 };
            Ok(masks(bits, [mask(0)?, mask(1)?, mask(2)?, alpha]))
        }
        _ => {
            let reason = format!("{bits} bits per pixel with compression {compression}");
            Err(DecodeError::unsupported(Format::Bmp, reason))
        }
    }
}

/// Offset and length of the profile in a version 5 header, which stores the offset relative to its
/// own start.
fn profile_place(bytes: &[u8], info_bytes: u32) -> Option<(usize, usize)> {
    if info_bytes != LARGEST_HEADER_BYTES || long(bytes, 70)? != PROFILE_EMBEDDED {
        return None;
    }
    Some((FILE_HEADER_BYTES.checked_add(long(bytes, 126)? as usize)?, long(bytes, 130)? as usize))
}

/// A field of a word, scaled to 8 bits with rounding.
fn field(word: u32, mask: u32) -> u8 {
    if mask == 0 {
        return 0;
    }
    let shift = mask.trailing_zeros();
    let most = u64::from(mask >> shift);
    let value = u64::from((word & mask) >> shift);
    ((value * 255 + most / 2) / most).min(255) as u8
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|value| u32::from_le_bytes(*value))
}

fn short(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|value| u32::from(u16::from_le_bytes(*value)))
}

const TRUNCATED: DecodeError = DecodeError::Truncated { format: Format::Bmp };
const FILE_HEADER_BYTES: usize = 14;
const OS2_HEADER_BYTES: u32 = 12;
const OS2_COLOR_BYTES: usize = 3;
const COLOR_BYTES: usize = 4;
/// `BITMAPINFOHEADER` with its additions, OS/2's second, and versions 4 and 5 (wingdi.h).
const MODERN_HEADERS_BYTES: [u32; 6] = [40, 52, 56, 64, 108, LARGEST_HEADER_BYTES];
const LARGEST_HEADER_BYTES: u32 = 124;
/// `PROFILE_EMBEDDED` of wingdi.h, the letters "MBED".
const PROFILE_EMBEDDED: u32 = 0x4D42_4544;
