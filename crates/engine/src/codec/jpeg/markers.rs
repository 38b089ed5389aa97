//! Walks the segments of a JPEG without decoding them.

use super::super::limits::PROFILE_BYTES_MAX;
use super::super::{DecodeError, Format};
use memchr::{memchr, memchr_iter};

/// What the markers of a JPEG declare (ISO/IEC 10918-1, annex B).
#[derive(Debug, Default)]
pub(in super::super) struct Outline<'a> {
    pub(in super::super) width: u32,
    pub(in super::super) height: u32,
    pub(in super::super) scans: u32,
    /// Whether the end-of-image marker was reached.
    pub(in super::super) is_ended: bool,
    pub(super) has_adobe: bool,
    pub(in super::super) exif: Option<&'a [u8]>,
    /// Bytes for the coefficients if they have to be kept until the last scan, otherwise 0.
    pub(in super::super) coefficient_bytes: u64,
    is_progressive: bool,
    pub(in super::super) components: u32,
    frame_bytes: u64,
    profile_parts: Vec<&'a [u8]>,
    /// How many units a scan of all components has. The blocks of a unit are coded together.
    units: u64,
    /// How many units there are between two restart markers, or 0 if there are no restart markers.
    restart_units: u64,
    /// The segments before the first scan that affect pixels, each with its marker.
    pub(super) tables: Vec<(u8, &'a [u8])>,
    /// The number of segments so far, which is limited.
    segments: usize,
    /// Whether the first scan doesn't have all components, so that later scans have the others.
    is_apart: bool,
    /// Whether another component has more samples in a row than the first one.
    pub(super) is_first_coarser: bool,
    /// The data from the marker of the first scan to the marker at the end of the image.
    pub(super) scan_data: &'a [u8],
}

impl<'a> Outline<'a> {
    /// Walks the segments up to the end of the image.
    pub(in super::super) fn read(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let mut outline = Self::default();
        let mut rest = bytes.get(2..).unwrap_or_default();
        while let Some((marker, after)) = next_marker(rest) {
            if marker == END_OF_IMAGE {
                let behind = after.len() + MARKER_BYTES;
                let scans_bytes = outline.scan_data.len().saturating_sub(behind);
                outline.scan_data = outline.scan_data.get(..scans_bytes).unwrap_or_default();
                outline.is_ended = true;
                break;
            }
            if marker == START_OF_SCAN && outline.scans == 0 {
                let at = bytes.len() - after.len() - MARKER_BYTES;
                outline.scan_data = bytes.get(at..).unwrap_or_default();
            }
            let Some((segment, after)) = segment(marker, after) else { break };
            outline.count()?;
            outline.take(marker, segment)?;
            rest = after;
        }
        if outline.width == 0 || outline.height == 0 {
            let reason = "no frame with a size was found";
            return Err(match outline.is_ended {
                true => DecodeError::damaged(Format::Jpeg, reason),
                false => DecodeError::Truncated { format: Format::Jpeg },
            });
        }
        let keeps_coefficients = outline.is_progressive || outline.is_apart || outline.scans > 1;
        outline.coefficient_bytes = if keeps_coefficients { outline.frame_bytes } else { 0 };
        Ok(outline)
    }

    /// The embedded color profile, assembled from its numbered parts (ICC.1, annex B.4).
    pub(in super::super) fn profile(&self) -> Option<Vec<u8>> {
        let mut parts = self.profile_parts.clone();
        parts.sort_by_key(|part| part.first().copied());
        let whole: usize = parts.iter().map(|part| part.len()).sum();
        let is_complete = parts.iter().enumerate().all(|(index, part)| {
            part.first().map(|number| usize::from(*number)) == Some(index + 1)
                && part.get(1).map(|count| usize::from(*count)) == Some(parts.len())
        });
        if parts.is_empty() || !is_complete || whole > PROFILE_BYTES_MAX {
            return None;
        }
        Some(parts.iter().flat_map(|part| part.iter().skip(2)).copied().collect())
    }

    /// The file reduced to what affects pixels. Metadata and stray bytes between segments, which
    /// strict decoding rejects, are left out.
    pub(super) fn bare(&self) -> Vec<u8> {
        let tables_bytes: usize = self.tables.iter().map(|(_, table)| table.len() + 4).sum();
        let mut bare = Vec::with_capacity(tables_bytes + self.scan_data.len() + 16);
        bare.extend_from_slice(&[0xFF, START_OF_IMAGE]);
        for (marker, table) in &self.tables {
            let length = u16::try_from(table.len() + MARKER_BYTES).unwrap_or(u16::MAX);
            bare.extend_from_slice(&[0xFF, *marker]);
            bare.extend_from_slice(&length.to_be_bytes());
            bare.extend_from_slice(table);
        }
        bare.extend_from_slice(self.scan_data);
        match self.is_one_run() {
            true => bare.extend_from_slice(&OVERRUN),
            false => bare.extend_from_slice(&[0xFF, END_OF_IMAGE]),
        }
        bare
    }

    /// Whether data is missing although the file has an end marker, as far as the markers show:
    /// there are fewer restart markers than the size of the image requires.
    pub(super) fn lacks_restarts(&self) -> bool {
        if self.is_progressive || self.scans != 1 || self.restart_units == 0 {
            return false;
        }
        let codes = memchr_iter(0xFF, self.scan_data).map(|at| self.scan_data.get(at + 1));
        let restarts = codes.filter(|code| matches!(code, Some(0xD0..=0xD7))).count();
        (restarts as u64) < self.units.div_ceil(self.restart_units).saturating_sub(1)
    }

    /// Whether all data is a single run of codes. Only then does reaching its end too early prove
    /// that data is missing. Progressive data proves nothing: each scan refines the one before, and
    /// the encoder decides how many scans there are.
    fn is_one_run(&self) -> bool {
        !self.is_progressive && self.scans == 1 && self.restart_units == 0
    }

    /// Whether components are in scans of their own, without being progressive.
    pub(super) const fn has_planes(&self) -> bool {
        self.is_apart && !self.is_progressive
    }

    fn count(&mut self) -> Result<(), DecodeError> {
        self.segments += 1;
        if self.segments > SEGMENTS_MAX {
            let reason = format!("it has more than {SEGMENTS_MAX} segments");
            return Err(DecodeError::unsupported(Format::Jpeg, reason));
        }
        Ok(())
    }

    fn take(&mut self, marker: u8, segment: &'a [u8]) -> Result<(), DecodeError> {
        if self.scans == 0 && shapes_pixels(marker, segment) {
            self.tables.push((marker, segment));
        }
        match marker {
            START_OF_SCAN => {
                let components = segment.first().copied().unwrap_or_default();
                self.is_apart |= self.scans == 0 && u32::from(components) != self.components;
                self.scans = self.scans.saturating_add(1);
            }
            APP1 if self.exif.is_none() => self.exif = segment.strip_prefix(b"Exif\0\0"),
            APP2 if self.profile_parts.len() <= PROFILE_PARTS_MAX => {
                self.profile_parts.extend(segment.strip_prefix(b"ICC_PROFILE\0"));
            }
            APP14 => self.has_adobe |= segment.starts_with(b"Adobe"),
            RESTART_INTERVAL => {
                let units =
                    segment.first_chunk::<2>().map_or(0, |units| u16::from_be_bytes(*units));
                self.restart_units = u64::from(units);
            }
            _ if is_start_of_frame(marker) => self.take_frame(marker, segment)?,
            _ => {}
        }
        Ok(())
    }

    fn take_frame(&mut self, marker: u8, segment: &[u8]) -> Result<(), DecodeError> {
        if self.components > 0 {
            return Err(DecodeError::damaged(Format::Jpeg, "it has more than one frame"));
        }
        let [_, high_y, low_y, high_x, low_x, components, rest @ ..] = segment else {
            return Err(DecodeError::damaged(Format::Jpeg, "its frame header is too short"));
        };
        self.height = u32::from(u16::from_be_bytes([*high_y, *low_y]));
        self.width = u32::from(u16::from_be_bytes([*high_x, *low_x]));
        self.components = u32::from((*components).max(1));
        self.is_progressive = marker == PROGRESSIVE_FRAME;
        self.frame_bytes = self.coefficients(rest).saturating_mul(2);
        self.units = self.units(rest);
        let across = || rest.as_chunks::<3>().0.iter().map(|c| c[1] >> 4);
        self.is_first_coarser = across().max() > across().next();
        Ok(())
    }

    /// How many units a scan of all components has. With one component, a unit is one block of 8 by
    /// 8 samples. With several, it has as many blocks of each as the sampling factors say (section
    /// A.2).
    fn units(&self, components: &[u8]) -> u64 {
        let factors = components.as_chunks::<3>().0.iter().map(|c| (c[1] >> 4, c[1] & 15));
        let (across, down) = match self.components {
            1 => (1, 1),
            _ => factors.fold((1, 1), |most, each| (most.0.max(each.0), most.1.max(each.1))),
        };
        let units = |side_px: u32, most: u8| u64::from(side_px.div_ceil(8 * u32::from(most)));
        units(self.width, across) * units(self.height, down)
    }

    /// How many coefficients all components have. Each is padded to whole blocks of 8 by 8 at its
    /// own sampling.
    fn coefficients(&self, components: &[u8]) -> u64 {
        let factors = || components.as_chunks::<3>().0.iter().map(|c| (c[1] >> 4, c[1] & 15));
        let (across_max, down_max) =
            factors().fold((1, 1), |most, each| (most.0.max(each.0), most.1.max(each.1)));
        let units = |side_px: u32, most: u8| u64::from(side_px.div_ceil(8 * u32::from(most)));
        let all = units(self.width, across_max) * units(self.height, down_max) * 64;
        factors().map(|(across, down)| all * u64::from(across) * u64::from(down)).sum()
    }
}

/// Whether the bytes are only tables, without gaps, from the marker at the start of the image to
/// the marker at its end (section B.5). Then there is nothing that a decoder could take for an
/// image.
pub(in super::super) fn are_tables(bytes: &[u8]) -> bool {
    let Some(mut rest) = bytes.strip_prefix(&[0xFF, START_OF_IMAGE]) else { return false };
    loop {
        rest = match rest {
            [0xFF, END_OF_IMAGE] => return true,
            [
                0xFF,
                marker @ (0xC4 | 0xCC | 0xDB | RESTART_INTERVAL | 0xE0 | APP14 | COMMENT),
                after @ ..,
            ] => match segment(*marker, after) {
                Some((_, after)) => after,
                None => return false,
            },
            _ => return false,
        };
    }
}

/// The segments that [`are_tables`] accepts, for error messages.
pub(in super::super) const TABLES_MARKERS: &str =
    "quantization and coding tables, a restart interval and the marks of their writer";

/// Returns the code of the next marker and what follows it. Skips fill bytes, stuffed bytes and
/// restart markers, which belong to the data between markers.
pub(super) fn next_marker(mut bytes: &[u8]) -> Option<(u8, &[u8])> {
    loop {
        let at = memchr(0xFF, bytes)?;
        let (&code, after) = bytes.get(at + 1..)?.split_first()?;
        match code {
            0x00 | 0x01 | 0xD0..=0xD8 => bytes = after,
            0xFF => bytes = bytes.get(at + 1..)?,
            _ => return Some((code, after)),
        }
    }
}

/// Returns the content of a segment and what follows it, or `None` if the file ends inside it.
pub(super) fn segment(marker: u8, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    debug_assert_ne!(marker, END_OF_IMAGE);
    let (length, rest) = bytes.split_first_chunk::<2>()?;
    let length = usize::from(u16::from_be_bytes(*length)).checked_sub(2)?;
    rest.split_at_checked(length)
}

/// Whether a segment affects pixels: frames, quantization tables, Huffman tables and restart
/// intervals. Of the application segments these are the first, which identifies motion JPEG, and
/// Adobe's, which identifies the color model.
fn shapes_pixels(marker: u8, segment: &[u8]) -> bool {
    match marker {
        APP14 => segment.starts_with(b"Adobe") && segment.len() >= ADOBE_BYTES,
        0xC0..=0xCF | 0xDB | 0xDD | 0xE0 => true,
        _ => false,
    }
}

/// SOF0 to SOF15, except for the codes in that range that other segments have.
pub(super) fn is_start_of_frame(marker: u8) -> bool {
    matches!(marker, 0xC0..=0xCF) && !matches!(marker, 0xC4 | 0xC8 | 0xCC)
}

/// Replaces the end marker after the data. Decoders look up to eight bytes ahead, so the codes of a
/// complete image never reach beyond the zeros. Strict decoding stops at the reserved marker after
/// them, whereas at an end marker it would continue and invent the missing data.
const OVERRUN: [u8; 10] = [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0x02];

/// The most segments of a file. The largest profile has 255 parts, and 20 MB of XMP has 320.
pub(in super::super) const SEGMENTS_MAX: usize = 10_000;
/// The most parts of a profile, which are numbered with one byte.
const PROFILE_PARTS_MAX: usize = 255;
const MARKER_BYTES: usize = 2;
/// The length of Adobe's segment (Technical Note 5116, section 18).
const ADOBE_BYTES: usize = 12;
pub(super) const START_OF_IMAGE: u8 = 0xD8;
const PROGRESSIVE_FRAME: u8 = 0xC2;
pub(super) const END_OF_IMAGE: u8 = 0xD9;
pub(super) const START_OF_SCAN: u8 = 0xDA;
const RESTART_INTERVAL: u8 = 0xDD;
const APP1: u8 = 0xE1;
const APP2: u8 = 0xE2;
const APP14: u8 = 0xEE;
const COMMENT: u8 = 0xFE;
