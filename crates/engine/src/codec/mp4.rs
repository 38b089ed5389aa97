//! MP4 files of providers: whole, with a picture track that has a size and a duration. Nothing is
//! decoded (ISO/IEC 14496-12).

mod boxes;
mod fragments;
mod samples;
mod track;

use boxes::{Boxed, boxes, only};
use thiserror::Error;
use track::Track;

/// What a video file says of itself, checked against the data that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mp4Info {
    /// Width in pixels, as shown.
    pub width: u32,
    /// Height in pixels, as shown.
    pub height: u32,
    /// How long it plays, in milliseconds, at least 1.
    pub duration_ms: u64,
    /// How many pictures it has, at least 1.
    pub frames: u64,
    /// The code of the picture track's coding, such as `avc1`.
    pub codec: String,
    /// Whether it has sound.
    pub has_sound: bool,
}

/// Why bytes are no video that can be handed out.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Mp4Error {
    /// The bytes are of another kind.
    #[error("These bytes are not an MP4 file: they do not begin with a file type box.")]
    NotMp4,
    /// The bytes end before the video does.
    #[error("The video is cut off: its bytes end before its {part} does.")]
    Truncated {
        /// Which part is cut.
        part: String,
    },
    /// The file contradicts itself, or lacks what every video has.
    #[error("The video is damaged: {reason}.")]
    Damaged {
        /// What is wrong, without a full stop.
        reason: &'static str,
    },
    /// There is nothing to be seen in it.
    #[error("The file has no picture track.")]
    NoPictures,
}

/// Walks the file to its end, and every sample that its picture track names.
///
/// # Errors
/// [`Mp4Error`] when it is no MP4, is cut off, or has nothing to show.
pub fn verify_mp4(bytes: &[u8]) -> Result<Mp4Info, Mp4Error> {
    if bytes.get(4..8) != Some(b"ftyp") {
        return Err(Mp4Error::NotMp4);
    }
    let top = boxes(bytes, 0)?;
    let movie = only(&top, *b"moov").ok_or(Mp4Error::Truncated { part: "index".into() })?;
    let data: Vec<&Boxed<'_>> = top.iter().filter(|found| &found.kind == b"mdat").collect();
    if data.is_empty() {
        return Err(Mp4Error::Truncated { part: "data".into() });
    }
    let parts = boxes(movie.content, movie.at)?;
    let tracks: Vec<Track<'_>> = parts
        .iter()
        .filter(|part| &part.kind == b"trak")
        .map(Track::read)
        .collect::<Result<_, _>>()?;
    let pictures = tracks.iter().find(|track| track.is_video()).ok_or(Mp4Error::NoPictures)?;
    let (mut frames, mut duration) = (0, pictures.duration);
    for track in &tracks {
        let counted = samples::check(track, &data)?;
        frames = if track.is_video() { frames.max(counted) } else { frames };
    }
    if frames == 0 {
        (frames, duration) = fragments::count(&top, &parts, pictures)?;
    }
    info(pictures, (frames, duration), tracks.iter().any(Track::is_sound))
}

fn info(
    pictures: &Track<'_>,
    (frames, duration): (u64, u64),
    has_sound: bool,
) -> Result<Mp4Info, Mp4Error> {
    let damaged = |reason| Err(Mp4Error::Damaged { reason });
    let (width, height) = pictures.size;
    if width == 0 || height == 0 {
        return damaged("its pictures have no size");
    }
    if frames == 0 {
        return damaged("it has no pictures");
    }
    let duration_ms = duration.saturating_mul(1000) / u64::from(pictures.timescale.max(1));
    if duration_ms == 0 {
        return damaged("it has no duration");
    }
    let codec = pictures.codec.escape_ascii().to_string();
    Ok(Mp4Info { width, height, duration_ms, frames, codec, has_sound })
}
