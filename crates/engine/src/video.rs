//! Videos of a camera that moves over one still image: words to plan to a playable file.
//!
//! [`read_video`] turns words into a [`VideoPlan`] or a [`Refusal`](crate::Refusal); [`render_video`] films it.
//! Nothing in the image moves: that needs a generative model, and is refused.

mod camera;
mod error;
mod frame;
mod h264;
mod mux;
mod plan;
mod render;

use crate::AspectRatio;
pub use crate::instruction::read_video;
pub use error::VideoError;
pub use plan::{Frame, Move, Phase, VIDEO_PLAN_VERSION, VideoPlan};
pub use render::render_video;

/// Longest side of a video in pixels.
pub const VIDEO_SIDE_PX_MAX: u32 = 1920;
/// Shortest side of a video in pixels; the encoder makes none smaller.
pub const VIDEO_SIDE_PX_MIN: u32 = 16;
/// Shortest video in seconds.
pub const VIDEO_SECONDS_MIN: u32 = 1;
/// Longest video in seconds.
pub const VIDEO_SECONDS_MAX: u32 = 30;
/// How long a video is when nobody says.
pub const VIDEO_SECONDS_DEFAULT: u32 = 5;
/// Bytes of a finished video; more than this is refused while it is made.
pub const VIDEO_BYTES_MAX: usize = 64 * 1024 * 1024;

/// What the request says besides the instruction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VideoContext {
    /// How many images came with it.
    pub inputs: usize,
    /// The shape that the video must have, if the request names one.
    pub aspect: Option<AspectRatio>,
    /// The size in pixels that the video must have, if the request names one.
    pub size: Option<(u32, u32)>,
    /// How long it must be, in seconds, if the request says.
    pub duration_seconds: Option<u32>,
    /// How long it may be, in seconds, where only the words say, or nobody: the first is usual.
    /// Empty: as long as videos may be at all.
    pub durations_seconds: Vec<u32>,
}
