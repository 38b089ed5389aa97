//! Walks the chunks of a PNG without decoding the image.

use super::super::limits::PROFILE_BYTES_MAX;
use super::super::{DecodeError, Format};

/// What the chunks other than the image data declare (PNG, third edition, section 11).
pub(in super::super) struct Chunks<'a> {
    pub(in super::super) width: u32,
    pub(in super::super) height: u32,
    pub(in super::super) has_alpha: bool,
    /// Bits per sample.
    pub(in super::super) bits: u8,
    pub(in super::super) exif: Option<&'a [u8]>,
    /// Bytes of the longest Exif chunk. The decoder collects every one of them, so it may not be
    /// the one in `exif`.
    pub(in super::super) exif_bytes_max: usize,
    profile: Option<&'a [u8]>,
}

impl<'a> Chunks<'a> {
    /// Walks all chunks, because metadata may follow the image data.
    pub(in super::super) fn read(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let rest = bytes.get(SIGNATURE_BYTES..).unwrap_or_default();
        let (header, mut rest) = Chunk::first(rest).ok_or(TRUNCATED)?;
        let [w3, w2, w1, w0, h3, h2, h1, h0, bits, color, ..] = header.content() else {
            return Err(DecodeError::damaged(Format::Png, "its header is too short"));
        };
        let mut chunks = Self {
            width: u32::from_be_bytes([*w3, *w2, *w1, *w0]),
            height: u32::from_be_bytes([*h3, *h2, *h1, *h0]),
            has_alpha: color & COLOR_HAS_ALPHA != 0,
            bits: *bits,
            exif: None,
            exif_bytes_max: 0,
            profile: None,
        };
        if !header.is(b"IHDR") || chunks.width == 0 || chunks.height == 0 {
            return Err(DecodeError::damaged(Format::Png, "it has no size"));
        }
        while let Some((chunk, after)) = Chunk::first(rest) {
            if *color == COLOR_INDEXED && chunk.is(b"PLTE") {
                check_palette(chunk.content())?;
            }
            chunks.take(&chunk);
            rest = after;
        }
        Ok(chunks)
    }

    /// The embedded color profile, inflated up to a limit. Returns `None` if it is broken or too
    /// large.
    pub(in super::super) fn profile(&self) -> Option<Vec<u8>> {
        let content = self.profile?;
        let name_ends = content.iter().take(NAME_BYTES_MAX + 1).position(|byte| *byte == 0)?;
        let (method, deflated) = content.get(name_ends + 1..)?.split_first()?;
        if *method != 0 {
            return None;
        }
        fdeflate::decompress_to_vec_bounded(deflated, PROFILE_BYTES_MAX).ok()
    }

    fn take(&mut self, chunk: &Chunk<'a>) {
        let content = chunk.content();
        match &chunk.kind {
            b"tRNS" => self.has_alpha = true,
            b"eXIf" => {
                self.exif = self.exif.or(Some(content));
                self.exif_bytes_max = self.exif_bytes_max.max(content.len());
            }
            b"iCCP" => self.profile = self.profile.or(Some(content)),
            _ => {}
        }
    }
}

/// One chunk (PNG, section 5.3).
pub(super) struct Chunk<'a> {
    pub(super) kind: [u8; 4],
    /// The type and the content, which the checksum covers.
    summed: &'a [u8],
    sum: Option<[u8; CHECK_SUM_BYTES]>,
}

impl<'a> Chunk<'a> {
    /// Returns the first chunk and what follows it. The checksum is left to the decoder, which
    /// verifies those that matter.
    pub(super) fn first(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (summed, rest) = rest.split_at_checked(KIND_BYTES.checked_add(length)?)?;
        let kind = *summed.first_chunk()?;
        let sum = rest.first_chunk().copied();
        Some((Self { kind, summed, sum }, rest.get(CHECK_SUM_BYTES..).unwrap_or_default()))
    }

    pub(super) fn is(&self, kind: &[u8; 4]) -> bool {
        &self.kind == kind
    }

    pub(super) fn content(&self) -> &'a [u8] {
        self.summed.get(KIND_BYTES..).unwrap_or_default()
    }

    /// Whether the checksum is correct.
    pub(super) fn is_whole(&self) -> bool {
        self.sum == Some(crc32fast::hash(self.summed).to_be_bytes())
    }
}

/// Rejects a palette that doesn't have 1 to 256 whole entries (PNG, section 11.2.2), because the
/// decoder would index past its end.
fn check_palette(entries: &[u8]) -> Result<(), DecodeError> {
    let bytes = entries.len();
    if bytes.is_multiple_of(PALETTE_ENTRY_BYTES) && (1..=PALETTE_BYTES_MAX).contains(&bytes) {
        return Ok(());
    }
    let reason = format!("its palette has {bytes} bytes instead of 3 for each of 1 to 256 colors");
    Err(DecodeError::damaged(Format::Png, reason))
}

const TRUNCATED: DecodeError = DecodeError::Truncated { format: Format::Png };
pub(super) const SIGNATURE_BYTES: usize = 8;
const KIND_BYTES: usize = 4;
const CHECK_SUM_BYTES: usize = 4;
const COLOR_HAS_ALPHA: u8 = 4;
const COLOR_INDEXED: u8 = 3;
const PALETTE_ENTRY_BYTES: usize = 3;
const PALETTE_BYTES_MAX: usize = 256 * PALETTE_ENTRY_BYTES;
/// The longest name of a profile, in bytes (PNG, section 11.3.2.3).
const NAME_BYTES_MAX: usize = 79;
