//! A JPEG's segments, walked without decoding any of them.

use super::super::limits::PROFILE_BYTES_MAX;
use super::super::{DecodeError, Format};
use memchr::{memchr, memchr_iter};

/// What the markers of a JPEG say (ISO/IEC 10918-1, annex B).
#[derive(Debug, Default)]
pub(in super::super) struct Outline<'a> {
    pub(in super::super) width: u32,
    pub(in super::super) height: u32,
    pub(in super::super) scans: u32,
    /// Whether the end-of-image marker was reached.
    pub(in super::super) is_ended: bool,
    pub(super) has_adobe: bool,
    pub(in super::super) exif: Option<&'a [u8]>,
    /// Memory for the coefficients where they are kept until the last scan.
    pub(in super::super) coefficient_bytes: u64,
    is_progressive: bool,
    pub(in super::super) components: u32,
    frame_bytes: u64,
    profile_parts: Vec<&'a [u8]>,
    /// Units that are coded together in a scan of all components.
    units: u64,
    /// Such units between two restart markers; 0 where there are none.
    restart_units: u64,
    /// The segments before the first scan that pixels depend on, each with its marker.
    tables: Vec<(u8, &'a [u8])>,
    /// How many segments there are, so that they can be bounded.
    segments: usize,
    /// Whether the first scan leaves components to later ones.
    is_apart: bool,
    /// From the first scan's marker to the marker at the end of the image.
    scan_data: &'a [u8],
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

    /// The embedded color profile, put together from its numbered parts (ICC.1, annex B.4).
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

    /// The file with nothing but what pixels depend on: metadata and stray bytes between segments,
    /// which strict decoding stumbles over, are left out.
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

    /// Whether data are missing although the end is marked, as far as the markers tell: fewer runs
    /// between restart markers than the picture has.
    pub(super) fn lacks_restarts(&self) -> bool {
        if self.is_progressive || self.scans != 1 || self.restart_units == 0 {
            return false;
        }
        let codes = memchr_iter(0xFF, self.scan_data).map(|at| self.scan_data.get(at + 1));
        let restarts = codes.filter(|code| matches!(code, Some(0xD0..=0xD7))).count();
        (restarts as u64) < self.units.div_ceil(self.restart_units).saturating_sub(1)
    }

    /// Whether all data are one run of codes. Only then a decoder that comes upon its end too early
    /// has been cut off. Of progressive data nobody can tell: each scan refines the one before, and
    /// how many there are is the writer's choice.
    fn is_one_run(&self) -> bool {
        !self.is_progressive && self.scans == 1 && self.restart_units == 0
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
        Ok(())
    }

    /// Units of a scan of all components: of one component a unit is a block of 8 by 8, of several
    /// as many blocks of each as it is sampled (section A.2).
    fn units(&self, components: &[u8]) -> u64 {
        let factors = components.as_chunks::<3>().0.iter().map(|c| (c[1] >> 4, c[1] & 15));
        let (across, down) = match self.components {
            1 => (1, 1),
            _ => factors.fold((1, 1), |most, each| (most.0.max(each.0), most.1.max(each.1))),
        };
        let units = |side_px: u32, most: u8| u64::from(side_px.div_ceil(8 * u32::from(most)));
        units(self.width, across) * units(self.height, down)
    }

    /// Coefficients of all components, each padded to whole blocks of 8 by 8 of its sampling.
    fn coefficients(&self, components: &[u8]) -> u64 {
        let factors = || components.as_chunks::<3>().0.iter().map(|c| (c[1] >> 4, c[1] & 15));
        let (across_max, down_max) =
            factors().fold((1, 1), |most, each| (most.0.max(each.0), most.1.max(each.1)));
        let units = |side_px: u32, most: u8| u64::from(side_px.div_ceil(8 * u32::from(most)));
        let all = units(self.width, across_max) * units(self.height, down_max) * 64;
        factors().map(|(across, down)| all * u64::from(across) * u64::from(down)).sum()
    }
}

/// Whether these are tables alone, one right behind the other from the start of the image to its end
/// (section B.5): nothing among them that a decoder could take for a picture.
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

/// What [`are_tables`] lets pass, in words.
pub(in super::super) const TABLES_MARKERS: &str =
    "quantization and coding tables, a restart interval and the marks of their writer";

/// The next marker's code and what follows it; fill bytes, stuffed bytes and restart markers,
/// which belong to the data between markers, are passed over.
fn next_marker(mut bytes: &[u8]) -> Option<(u8, &[u8])> {
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

/// A segment's content and what follows it; `None` when the file ends inside.
fn segment(marker: u8, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    debug_assert_ne!(marker, END_OF_IMAGE);
    let (length, rest) = bytes.split_first_chunk::<2>()?;
    let length = usize::from(u16::from_be_bytes(*length)).checked_sub(2)?;
    rest.split_at_checked(length)
}

/// Frames, quantizers, Huffman tables, restart intervals; of the application segments the first,
/// which tells motion JPEG, and Adobe's, which tells the colors.
fn shapes_pixels(marker: u8, segment: &[u8]) -> bool {
    match marker {
        APP14 => segment.starts_with(b"Adobe") && segment.len() >= ADOBE_BYTES,
        0xC0..=0xCF | 0xDB | 0xDD | 0xE0 => true,
        _ => false,
    }
}

/// SOF0 to SOF15 but for the codes that other segments have among them.
fn is_start_of_frame(marker: u8) -> bool {
    matches!(marker, 0xC0..=0xCF) && !matches!(marker, 0xC4 | 0xC8 | 0xCC)
}

/// What stands behind the data instead of the mark of the end: bytes that no whole picture's codes
/// reach, for decoders look up to eight bytes ahead, and then a reserved marker, at which strict
/// decoding stops. At the mark of the end it would go on and make up what is missing.
const OVERRUN: [u8; 10] = [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0x02];

/// Segments of one file; the largest profile has 255 parts, and XMP of 20 MB 320.
pub(in super::super) const SEGMENTS_MAX: usize = 10_000;
/// Parts of a profile: they are numbered by a byte.
const PROFILE_PARTS_MAX: usize = 255;
const MARKER_BYTES: usize = 2;
/// Adobe's segment (Technical Note 5116, section 18).
const ADOBE_BYTES: usize = 12;
const START_OF_IMAGE: u8 = 0xD8;
const PROGRESSIVE_FRAME: u8 = 0xC2;
const END_OF_IMAGE: u8 = 0xD9;
const START_OF_SCAN: u8 = 0xDA;
const RESTART_INTERVAL: u8 = 0xDD;
const APP1: u8 = 0xE1;
const APP2: u8 = 0xE2;
const APP14: u8 = 0xEE;
const COMMENT: u8 = 0xFE;
