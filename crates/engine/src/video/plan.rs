//! The plan of a video as data, and its rendering as plain words.

use super::{
    VIDEO_SECONDS_MAX, VIDEO_SECONDS_MIN, VIDEO_SIDE_PX_MAX, VIDEO_SIDE_PX_MIN, camera::Path,
};
use crate::limits::PIXEL_BYTES;
use crate::operation::within;
use crate::{Plan, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The only supported value of [`VideoPlan::version`]. Plans of other versions are refused.
pub const VIDEO_PLAN_VERSION: u32 = 1;

/// One video: the camera moves, the duration and the frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VideoPlan {
    /// The version of this format: 1.
    pub version: u32,
    /// The consecutive phases of camera moves. If empty, the camera holds still.
    pub phases: Vec<Phase>,
    /// Duration of the fade in from black, in milliseconds.
    pub fade_in_ms: u32,
    /// Duration of the fade out to black, in milliseconds.
    pub fade_out_ms: u32,
    /// Duration of the video in milliseconds.
    pub duration_ms: u32,
    /// Frames per second.
    pub frames_per_second: u32,
    /// The size of the video.
    pub frame: Frame,
    /// The plan that creates the image if none was uploaded, or that edits the uploaded one before
    /// it is filmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub still: Option<Plan>,
    /// Assumptions, as sentences for users.
    #[serde(default)]
    pub assumed: Vec<String>,
    /// Uploaded images that are not used, counted from 0.
    #[serde(default)]
    pub unused_inputs: Vec<usize>,
}

/// Moves that happen at the same time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// The moves.
    pub moves: Vec<Move>,
    /// Duration in milliseconds. The phases together last as long as the video.
    pub duration_ms: u32,
}

/// One move of the camera.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "move", rename_all = "snake_case")]
pub enum Move {
    /// Zooms in (positive) or out (negative): how much larger things are at the end, or were at the
    /// start, in percent.
    Zoom {
        /// Percent.
        percent: f64,
    },
    /// Moves sideways: how far the camera moves to the right, in percent of the frame's width.
    Pan {
        /// Percent; negative is to the left.
        percent: f64,
    },
    /// Moves vertically: how far the camera moves down, in percent of the frame's height.
    Tilt {
        /// Percent; negative is up.
        percent: f64,
    },
    /// Rotates the image clockwise.
    Roll {
        /// Degrees; negative is counterclockwise.
        degrees: f64,
    },
}

/// The size of the video.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum Frame {
    /// The size of the image, scaled down if it exceeds the limit for videos.
    Picture,
    /// The largest size with this aspect ratio inside the image.
    Ratio {
        /// Width of the aspect ratio.
        width: u32,
        /// Height of the aspect ratio.
        height: u32,
    },
    /// An exact size in pixels.
    Size {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
}

impl Frame {
    /// Width and height in pixels for an image of this size. They are even because the encoding
    /// requires it.
    pub(super) fn size(self, picture: (u32, u32)) -> (u32, u32) {
        let (across, down) = (f64::from(picture.0), f64::from(picture.1));
        let (width, height) = match self {
            Self::Size { width, height } => (f64::from(width), f64::from(height)),
            Self::Picture => (across, down),
            Self::Ratio { width, height } => {
                let ratio = f64::from(width) / f64::from(height);
                (across.min(down * ratio), down.min(across / ratio))
            }
        };
        let scale = (f64::from(VIDEO_SIDE_PX_MAX) / width.max(height)).min(1.0);
        (even(width * scale), even(height * scale))
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limited before")]
fn even(side: f64) -> u32 {
    let side = (side / 2.0).round() * 2.0;
    side.clamp(f64::from(VIDEO_SIDE_PX_MIN), f64::from(VIDEO_SIDE_PX_MAX)) as u32
}

impl VideoPlan {
    /// The plan as JSON.
    ///
    /// # Errors
    /// If a number in it is not finite.
    // Not generic, like `Plan::to_json`.
    pub fn to_json(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }

    /// Reads what [`Self::to_json`] wrote. Unknown fields are ignored.
    ///
    /// # Errors
    /// If it is not a plan of a video.
    pub fn from_json(plan: &Value) -> serde_json::Result<Self> {
        Self::deserialize(plan)
    }

    /// Renders the plan as plain words that parse back to the same plan.
    #[must_use]
    pub fn render(&self) -> String {
        let mut words: Vec<String> = self.phases.iter().map(Phase::words).collect();
        if words.is_empty() {
            words.push("hold still".to_owned());
        }
        let fades = [(self.fade_in_ms, "fade in"), (self.fade_out_ms, "fade out")];
        let fades = fades.iter().filter(|(ms, _)| *ms > 0);
        words.extend(fades.map(|(ms, name)| format!("{name} over {} seconds", seconds(*ms))));
        let (made, edited) = match &self.still {
            Some(still) if still.makes() => (format!(" over {}", still.render()), String::new()),
            Some(still) => (String::new(), format!("{}; ", still.render())),
            None => Default::default(),
        };
        let rate = self.frames_per_second;
        let length = seconds(self.duration_ms);
        let words = words.join(", then ");
        format!("{edited}a {length} second video at {rate} frames per second: {words}{made}")
    }

    /// The number of frames.
    #[must_use]
    pub fn frames(&self) -> u32 {
        (u64::from(self.duration_ms) * u64::from(self.frames_per_second) / 1000).max(1) as u32
    }

    /// Width and height in pixels for an image of a size.
    ///
    /// # Errors
    /// See [`Self::working_bytes`].
    pub fn size(&self, picture: Option<(u32, u32)>) -> Result<(u32, u32), Refusal> {
        Ok(self.frame.size(self.picture_size(picture)?))
    }

    /// The peak memory for rendering in bytes, including the image and the finished file.
    ///
    /// # Errors
    /// A [`Refusal`] if a parameter is out of range or there is no image.
    pub fn working_bytes(&self, picture: Option<(u32, u32)>) -> Result<u64, Refusal> {
        self.check()?;
        let area = |size: (u32, u32)| u64::from(size.0) * u64::from(size.1);
        let source = self.picture_size(picture)?;
        let still = self.still.as_ref();
        let made = still.map_or(Ok(0), |still| still.working_bytes(picture.as_slice()))?;
        let size = self.frame.size(source);
        // The image, and what the resizer needs to scale it to the size of the closest view.
        let staging = area(source) * PIXEL_BYTES * 5;
        let file = super::h264::bits_per_second(size, self.frames_per_second) / 8
            * u64::from(self.duration_ms)
            / 1000;
        Ok(made.max(staging) + area(size) * ENCODER_PIXEL_BYTES + file * 2 + ENCODER_BYTES)
    }

    /// Checks every parameter, because plans can come from clients.
    ///
    /// # Errors
    /// A [`Refusal`] that names the first parameter outside its limits, with the limits.
    pub fn check(&self) -> Result<(), Refusal> {
        self.checked().map_err(Refusal::out_of_range)?;
        self.still.as_ref().map_or(Ok(()), Plan::check)
    }

    fn checked(&self) -> Result<(), String> {
        if self.version != VIDEO_PLAN_VERSION {
            return Err(format!("the video plan must have version 1, not {}", self.version));
        }
        let longest = (f64::from(VIDEO_SECONDS_MIN), f64::from(VIDEO_SECONDS_MAX));
        within("the length of a video", f64::from(self.duration_ms) / 1000.0, longest, " s")?;
        if ![24, 30].contains(&self.frames_per_second) {
            return Err("a video must have 24 or 30 frames per second".to_owned());
        }
        let fades = u64::from(self.fade_in_ms) + u64::from(self.fade_out_ms);
        if fades > u64::from(self.duration_ms) {
            return Err("the fades are longer than the video".to_owned());
        }
        let lasting: u64 = self.phases.iter().map(|phase| u64::from(phase.duration_ms)).sum();
        if !self.phases.is_empty() && lasting != u64::from(self.duration_ms) {
            return Err("the moves and the video must have the same duration".to_owned());
        }
        let moves = self.phases.iter().flat_map(|phase| &phase.moves);
        if self.phases.len() > PHASES_MAX || moves.clone().count() > 2 * PHASES_MAX {
            return Err(format!("a video can have at most {PHASES_MAX} consecutive moves"));
        }
        moves.copied().try_for_each(Move::check)?;
        self.frame.check()?;
        Path::new(&self.phases).check()
    }

    fn picture_size(&self, picture: Option<(u32, u32)>) -> Result<(u32, u32), Refusal> {
        match (&self.still, picture) {
            (Some(still), picture) if still.makes() == picture.is_none() => {
                still.result_size(picture.as_slice())
            }
            (None, Some(size)) => Ok(size),
            _ => Err(Refusal::missing("a video needs exactly one image")),
        }
    }
}

impl Frame {
    fn check(self) -> Result<(), String> {
        let sides = (f64::from(VIDEO_SIDE_PX_MIN), f64::from(VIDEO_SIDE_PX_MAX));
        match self {
            Self::Picture => Ok(()),
            Self::Ratio { width, height } => within(
                "the aspect ratio of a video",
                f64::from(width) / f64::from(height),
                (0.1, 10.0),
                "",
            ),
            Self::Size { width, height } => [width, height]
                .iter()
                .try_for_each(|side| within("a side of a video", f64::from(*side), sides, " px")),
        }
    }
}

/// The most phases in one video.
const PHASES_MAX: usize = 8;
/// The frame's planes and the encoder's copies of it and of its reference frames: about 10 bytes as
/// measured from outside the process. The rest is for the file of a noise video, which can exceed
/// the target bit rate three times: 4 seconds of noise at 1920x1920 took 123 MB of the 257 MB
/// reserved.
const ENCODER_PIXEL_BYTES: u64 = 40;
/// The encoder's tables and buffers.
const ENCODER_BYTES: u64 = 24 * 1024 * 1024;

impl Phase {
    fn words(&self) -> String {
        let moves: Vec<String> = self.moves.iter().map(|step| step.words()).collect();
        let moves = if moves.is_empty() { "hold still".to_owned() } else { moves.join(" and ") };
        format!("{moves} for {} seconds", seconds(self.duration_ms))
    }
}

impl Move {
    fn words(self) -> String {
        let either = |amount: f64, yes, no| if amount < 0.0 { no } else { yes };
        match self {
            Self::Zoom { percent } => {
                format!("zoom {} by {}%", either(percent, "in", "out"), percent.abs())
            }
            Self::Pan { percent } => {
                format!("pan {} by {}%", either(percent, "right", "left"), percent.abs())
            }
            Self::Tilt { percent } => {
                format!("pan {} by {}%", either(percent, "down", "up"), percent.abs())
            }
            Self::Roll { degrees } => {
                let way = either(degrees, "clockwise", "counterclockwise");
                format!("rotate {way} by {} degrees", degrees.abs())
            }
        }
    }

    fn check(self) -> Result<(), String> {
        match self {
            Self::Zoom { percent } => within("a zoom", percent.abs(), (0.1, 900.0), "%"),
            Self::Pan { percent } | Self::Tilt { percent } => {
                within("a pan", percent.abs(), (0.1, 1000.0), "% of the frame")
            }
            Self::Roll { degrees } => within("a rotation", degrees.abs(), (0.1, 720.0), " degrees"),
        }
    }
}

fn seconds(ms: u32) -> f64 {
    f64::from(ms) / 1000.0
}
