//! Writes encoded frames as an MP4 file that can play while it loads: the index comes first, then
//! the data (ISO/IEC 14496-12 and 14496-15).

use super::h264::Coded;

/// Description of the file's only track.
#[derive(Debug, Clone, Copy)]
pub(super) struct Track {
    /// Width and height in pixels.
    pub(super) size: (u32, u32),
    /// Frames per second.
    pub(super) frames_per_second: u32,
}

/// Builds the whole file. It contains no date, so the same video always has the same bytes.
pub(super) fn file(coded: &Coded, track: Track) -> Vec<u8> {
    let brands = [b"isom".as_slice(), &512_u32.to_be_bytes(), b"isomiso2avc1mp41"].concat();
    let mut file = boxed(*b"ftyp", &[&brands]);
    // The index contains the offset of the data. Its own length does not depend on the offset.
    let index_bytes = movie(coded, track, 0).len();
    let data_at = u32::try_from(file.len() + index_bytes + HEADER_BYTES).unwrap_or(u32::MAX);
    file.reserve_exact(index_bytes + HEADER_BYTES + coded.data.len());
    file.extend_from_slice(&movie(coded, track, data_at));
    let length = u32::try_from(coded.data.len() + HEADER_BYTES).unwrap_or(u32::MAX);
    file.extend_from_slice(&length.to_be_bytes());
    file.extend_from_slice(b"mdat");
    file.extend_from_slice(&coded.data);
    file
}

/// Time units per second, divisible by 24 and 30 frames.
const TIMESCALE: u32 = 90_000;
const HEADER_BYTES: usize = 8;
/// The identity matrix in the standard's fixed-point format.
const MATRIX: [u32; 9] = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000];
/// The language code "und" (undetermined).
const LANGUAGE: u16 = 0x55C4;

fn boxed(kind: [u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let length = HEADER_BYTES + parts.iter().map(|part| part.len()).sum::<usize>();
    let mut whole = Vec::with_capacity(length);
    whole.extend_from_slice(&u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes());
    whole.extend_from_slice(&kind);
    parts.iter().for_each(|part| whole.extend_from_slice(part));
    whole
}

fn longs(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_be_bytes()).collect()
}

/// A table: version and flags, number of entries, entries.
fn table(kind: [u8; 4], entries: u32, values: &[u32]) -> Vec<u8> {
    boxed(kind, &[&longs(&[0, entries]), &longs(values)])
}

fn movie(coded: &Coded, track: Track, data_at: u32) -> Vec<u8> {
    let frames = u32::try_from(coded.lengths.len()).unwrap_or(u32::MAX);
    let each = TIMESCALE / track.frames_per_second;
    let duration = frames * each;
    let head = [
        longs(&[0, 0, 0, TIMESCALE, duration, 0x1_0000, 0x0100_0000, 0, 0]),
        longs(&MATRIX),
        longs(&[0; 6]),
        longs(&[2]),
    ];
    let (width, height) = track.size;
    // Flags 3: track enabled and part of the presentation.
    let track_head = [
        longs(&[3, 0, 0, 1, 0, duration, 0, 0, 0, 0]),
        longs(&MATRIX),
        longs(&[width << 16, height << 16]),
    ];
    let tables = boxed(
        *b"stbl",
        &[
            &boxed(*b"stsd", &[&longs(&[0, 1]), &entry(coded, track)]),
            &table(*b"stts", 1, &[frames, each]),
            &table(*b"stss", u32::try_from(coded.starts.len()).unwrap_or(0), &coded.starts),
            &table(*b"stsc", 1, &[1, frames, 1]),
            &boxed(*b"stsz", &[&longs(&[0, 0, frames]), &longs(&coded.lengths)]),
            &table(*b"stco", 1, &[data_at]),
        ],
    );
    let media = boxed(*b"mdia", &[&clock(duration), &handler(), &information(&tables)]);
    let head = boxed(*b"mvhd", &[&head.concat()]);
    let track = boxed(*b"trak", &[&boxed(*b"tkhd", &[&track_head.concat()]), &media]);
    boxed(*b"moov", &[&head, &track])
}

fn clock(duration: u32) -> Vec<u8> {
    boxed(*b"mdhd", &[&longs(&[0, 0, 0, TIMESCALE, duration]), &LANGUAGE.to_be_bytes(), &[0, 0]])
}

fn handler() -> Vec<u8> {
    boxed(*b"hdlr", &[&[0; 8], b"vide", &[0; 12], b"Camera\0"])
}

fn information(tables: &[u8]) -> Vec<u8> {
    // Flag 1: the media data is in this file.
    let here = boxed(*b"url ", &[&longs(&[1])]);
    let reference = boxed(*b"dinf", &[&boxed(*b"dref", &[&longs(&[0, 1]), &here])]);
    boxed(*b"minf", &[&boxed(*b"vmhd", &[&longs(&[1, 0, 0])]), &reference, tables])
}

/// The sample entry, with the parameter sets that the decoder needs.
fn entry(coded: &Coded, track: Track) -> Vec<u8> {
    let [sequence, picture] = &coded.parameters;
    let short = |value: usize| u16::try_from(value).unwrap_or(u16::MAX).to_be_bytes();
    let profile = sequence.get(1..4).unwrap_or(&[0x42, 0xC0, 0x28]);
    let configuration = boxed(
        *b"avcC",
        &[
            // Version, profile, lengths of four bytes, one set of parameters of each kind.
            &[1],
            profile,
            &[0xFF, 0xE1],
            &short(sequence.len()),
            sequence,
            &[1],
            &short(picture.len()),
            picture,
        ],
    );
    // BT.709 throughout, limited range.
    let colors = boxed(*b"colr", &[b"nclx", &[0, 1, 0, 1, 0, 1, 0]]);
    let square = boxed(*b"pasp", &[&longs(&[1, 1])]);
    let (width, height) = track.size;
    boxed(
        *b"avc1",
        &[
            &[0, 0, 0, 0, 0, 0, 0, 1],
            &[0; 16],
            &short(width as usize),
            &short(height as usize),
            // 72 dpi, one frame per sample, no compressor name, 24-bit depth.
            &longs(&[0x48_0000, 0x48_0000, 0]),
            &[0, 1],
            &[0; 32],
            &[0, 24, 0xFF, 0xFF],
            &configuration,
            &colors,
            &square,
        ],
    )
}
