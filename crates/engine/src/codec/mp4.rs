//! Checks that the MP4 files of providers are complete and have a video track with a size and a
//! duration (ISO/IEC 14496-12). Nothing is decoded.

mod boxes;
mod fragments;
mod samples;
mod track;

use boxes::{Boxed, boxes, only};
use thiserror::Error;
use track::Track;

/// The properties that a video file declares, checked against its data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mp4Info {
    /// Width in pixels, as shown.
    pub width: u32,
    /// Height in pixels, as shown.
    pub height: u32,
    /// How long it plays, in milliseconds, at least 1.
    pub duration_ms: u64,
    /// How many frames it has, at least 1.
    pub frames: u64,
    /// The codec of the video track, such as `avc1`.
    pub codec: String,
    /// Whether it has sound.
    pub has_sound: bool,
}

/// Why bytes are not a usable video.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Mp4Error {
    /// The data has another format.
    #[error("The data is not an MP4 file: it does not begin with a file type box.")]
    NotMp4,
    /// The data ends before the video does.
    #[error("The video is incomplete: the data ends before the end of its {part}.")]
    Truncated {
        /// Which part is cut off.
        part: String,
    },
    /// The file contradicts itself, or a required part is missing.
    #[error("The video is damaged: {reason}.")]
    Damaged {
        /// What is wrong, without a full stop.
        reason: &'static str,
    },
    /// It has no video track.
    #[error("The file has no video track.")]
    NoPictures,
}

/// Walks the whole file and every sample of its video track.
///
/// # Errors
/// [`Mp4Error`] when it is not an MP4 file, is incomplete, or has nothing to show.
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
        return damaged("its frames have no size");
    }
    if frames == 0 {
        return damaged("it has no frames");
    }
    let duration_ms = duration.saturating_mul(1000) / u64::from(pictures.timescale.max(1));
    if duration_ms == 0 {
        return damaged("it has no duration");
    }
    let codec = pictures.codec.escape_ascii().to_string();
    Ok(Mp4Info { width, height, duration_ms, frames, codec, has_sound })
}
