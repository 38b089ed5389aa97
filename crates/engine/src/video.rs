//! Videos in which a camera moves over one still image, from the plan to a playable file.
//!
//! `retouch-language` reads an instruction as a [`VideoPlan`], and [`render_video`] renders it. Nothing inside the image moves: that needs a generative model
//! and is refused.

mod camera;
mod error;
mod frame;
mod h264;
mod mux;
mod plan;
mod render;

use crate::AspectRatio;
pub use error::VideoError;
pub use plan::{Frame, Move, Phase, VIDEO_PLAN_VERSION, VideoPlan};
pub use render::render_video;

/// The longest side of a video in pixels.
pub const VIDEO_SIDE_PX_MAX: u32 = 1920;
/// The shortest side of a video in pixels, which is the minimum of the encoder.
pub const VIDEO_SIDE_PX_MIN: u32 = 16;
/// The shortest video in seconds.
pub const VIDEO_SECONDS_MIN: u32 = 1;
/// The longest video in seconds.
pub const VIDEO_SECONDS_MAX: u32 = 30;
/// The default length of a video in seconds.
pub const VIDEO_SECONDS_DEFAULT: u32 = 5;
/// The most bytes of a finished video. If a video exceeds them, rendering stops with an error.
pub const VIDEO_BYTES_MAX: usize = 64 * 1024 * 1024;

/// The parts of the request other than the instruction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VideoContext {
    /// Number of uploaded images.
    pub inputs: usize,
    /// The aspect ratio that the request asks for, if any.
    pub aspect: Option<AspectRatio>,
    /// The size in pixels that the request asks for, if any.
    pub size: Option<(u32, u32)>,
    /// The length in seconds that the request asks for, if any.
    pub duration_seconds: Option<u32>,
    /// The lengths in seconds that are allowed if the request has none; the first is the default.
    /// If empty, every length within the limits is allowed.
    pub durations_seconds: Vec<u32>,
}
