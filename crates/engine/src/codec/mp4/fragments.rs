//! Videos whose samples are in fragments after the index (ISO/IEC 14496-12, section 8.8).

use super::Mp4Error;
use super::boxes::{Boxed, boxes, inside, long, only};
use super::track::Track;

/// How many samples the fragments have for a track, and their duration in units of the track.
pub(super) fn count(
    top: &[Boxed<'_>],
    movie: &[Boxed<'_>],
    track: &Track<'_>,
) -> Result<(u64, u64), Mp4Error> {
    let Some(extends) = only(movie, *b"mvex") else { return Ok((0, 0)) };
    let defaults = boxes(extends.content, extends.at)?;
    let of_track =
        |found: &&Boxed<'_>| &found.kind == b"trex" && long(found.content, 4) == track.number;
    let each = defaults.iter().find(of_track).map_or(0, |found| long(found.content, 12));
    let (mut frames, mut duration) = (0_u64, 0_u64);
    for fragment in top.iter().filter(|found| &found.kind == b"moof") {
        for part in
            boxes(fragment.content, fragment.at)?.iter().filter(|part| &part.kind == b"traf")
        {
            let Some(head) = inside(part, &[b"tfhd"])? else { continue };
            if long(head.content, 4) != track.number {
                continue;
            }
            let each = default_duration(head.content).unwrap_or(each);
            for run in boxes(part.content, part.at)?.iter().filter(|run| &run.kind == b"trun") {
                frames += u64::from(long(run.content, 4));
                duration = duration.saturating_add(run_duration(run.content, each));
            }
        }
    }
    Ok((frames, duration))
}

/// The default duration of a fragment's samples, if its header has one.
fn default_duration(head: &[u8]) -> Option<u32> {
    let flags = long(head, 0);
    let before = [(0x1, 8), (0x2, 4)].iter().filter(|(flag, _)| flags & flag != 0);
    let at = 8 + before.map(|(_, bytes)| bytes).sum::<usize>();
    (flags & 0x8 != 0).then(|| long(head, at))
}

/// The duration of a run: the sum of its samples' durations, or `each` per sample if it has none.
fn run_duration(run: &[u8], each: u32) -> u64 {
    let (flags, count) = (long(run, 0), u64::from(long(run, 4)));
    if flags & 0x100 == 0 {
        return count * u64::from(each);
    }
    let start = 8 + 4 * [0x1, 0x4].iter().filter(|flag| flags & **flag != 0).count();
    let fields = [0x100, 0x200, 0x400, 0x800].iter().filter(|flag| flags & **flag != 0).count();
    let samples = run.get(start..).unwrap_or_default().chunks_exact(fields * 4);
    samples.take(count as usize).map(|sample| u64::from(long(sample, 0))).sum()
}
