//! One track: its content, size and duration.

use super::Mp4Error;
use super::boxes::{Boxed, boxes, inside, long, only, wide};

/// What a track's boxes declare.
#[derive(Debug)]
pub(super) struct Track<'a> {
    pub(super) number: u32,
    handler: [u8; 4],
    /// Width and height in pixels.
    pub(super) size: (u32, u32),
    /// Time units per second.
    pub(super) timescale: u32,
    /// The duration in those units, or 0 if unknown.
    pub(super) duration: u64,
    pub(super) codec: [u8; 4],
    /// The tables that locate its samples.
    pub(super) tables: Vec<Boxed<'a>>,
}

impl<'a> Track<'a> {
    /// Reads a track box.
    pub(super) fn read(track: &Boxed<'a>) -> Result<Self, Mp4Error> {
        let parts = boxes(track.content, track.at)?;
        let lacking = |reason| Mp4Error::Damaged { reason };
        let head = only(&parts, *b"tkhd").ok_or(lacking("a track has no header"))?;
        let media = only(&parts, *b"mdia").ok_or(lacking("a track has no media"))?;
        let clock = inside(media, &[b"mdhd"])?.ok_or(lacking("a track has no time scale"))?;
        let handler = inside(media, &[b"hdlr"])?.ok_or(lacking("a track has no handler"))?;
        let tables = inside(media, &[b"minf", b"stbl"])?.ok_or(lacking("a track has no tables"))?;
        let tables = boxes(tables.content, tables.at)?;
        let entry = only(&tables, *b"stsd").map_or(&[][..], |table| table.content);
        let (timescale, duration) = times(clock.content);
        Ok(Self {
            number: if version(head.content) == 1 {
                long(head.content, 20)
            } else {
                long(head.content, 12)
            },
            handler: long(handler.content, 8).to_be_bytes(),
            size: size(head.content, entry),
            timescale,
            duration,
            codec: long(entry, 12).to_be_bytes(),
            tables,
        })
    }

    pub(super) fn is_video(&self) -> bool {
        &self.handler == b"vide"
    }

    pub(super) fn is_sound(&self) -> bool {
        &self.handler == b"soun"
    }
}

fn version(content: &[u8]) -> u8 {
    content.first().copied().unwrap_or_default()
}

/// The time scale and duration of a media header. A duration of all ones means unknown.
fn times(clock: &[u8]) -> (u32, u64) {
    let (timescale, duration) = match version(clock) {
        1 => (long(clock, 20), wide(clock, 24)),
        _ => (long(clock, 12), u64::from(long(clock, 16))),
    };
    let is_known = duration != u64::MAX && duration != u64::from(u32::MAX);
    (timescale, if is_known { duration } else { 0 })
}

/// The display size of the track (16.16 fixed point), or else its coded size.
fn size(head: &[u8], entry: &[u8]) -> (u32, u32) {
    let at = if version(head) == 1 { 88 } else { 76 };
    let shown = (long(head, at) >> 16, long(head, at + 4) >> 16);
    if shown.0 > 0 && shown.1 > 0 {
        return shown;
    }
    // Eight bytes of the table, eight of the entry's header, then 24 before width and height.
    let sides = long(entry, 40);
    (sides >> 16, sides & 0xFFFF)
}
