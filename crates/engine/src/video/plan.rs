//! What will be filmed, as data, and back in plain words.

use super::{
    VIDEO_SECONDS_MAX, VIDEO_SECONDS_MIN, VIDEO_SIDE_PX_MAX, VIDEO_SIDE_PX_MIN, camera::Path,
};
use crate::limits::PIXEL_BYTES;
use crate::step::within;
use crate::{Plan, Refusal};
use serde::{Deserialize, Serialize};

/// The version that [`VideoPlan::version`] carries; a plan of another version is refused.
pub const VIDEO_PLAN_VERSION: u32 = 1;

/// One video: what the camera does, how long, and in what frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VideoPlan {
    /// The version of this shape: 1.
    pub version: u32,
    /// What the camera does, one after the other; without any it holds still.
    pub phases: Vec<Phase>,
    /// How long the video fades in from black at its start, in milliseconds.
    pub fade_in_ms: u32,
    /// How long it fades out to black at its end, in milliseconds.
    pub fade_out_ms: u32,
    /// How long the video plays, in milliseconds.
    pub duration_ms: u32,
    /// Images in a second.
    pub frames_per_second: u32,
    /// The size of the video.
    pub frame: Frame,
    /// How the image is made that is filmed, where none was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub still: Option<Plan>,
    /// What had to be supposed.
    #[serde(default)]
    pub assumed: Vec<String>,
    /// Inputs that are not filmed, counted from 0.
    #[serde(default)]
    pub unused_inputs: Vec<usize>,
}

/// Moves that happen at the same time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// The moves.
    pub moves: Vec<Move>,
    /// Its share of the time, in milliseconds; the phases together last as long as the video.
    pub duration_ms: u32,
}

/// One move of the camera.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "move", rename_all = "snake_case")]
pub enum Move {
    /// Closer (positive) or back (negative): how much larger things end, or began, in percent.
    Zoom {
        /// Percent.
        percent: f64,
    },
    /// Sideways: how far the camera goes to the right, in percent of the frame's width.
    Pan {
        /// Percent; negative to the left.
        percent: f64,
    },
    /// Up and down: how far the camera goes down, in percent of the frame's height.
    Tilt {
        /// Percent; negative upwards.
        percent: f64,
    },
    /// The image turns clockwise.
    Roll {
        /// Degrees; negative for anticlockwise.
        degrees: f64,
    },
}

/// How large the video is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum Frame {
    /// As the image, scaled down where it is larger than videos may be.
    Picture,
    /// The largest of a shape inside the image.
    Ratio {
        /// Width of the shape.
        width: u32,
        /// Height of the shape.
        height: u32,
    },
    /// So many pixels.
    Size {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
}

impl Frame {
    /// Width and height in pixels for an image of a size: even, as the coding wants them.
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
    /// The plan in plain words; reading them gives the same plan.
    #[must_use]
    pub fn render(&self) -> String {
        let mut words: Vec<String> = self.phases.iter().map(Phase::words).collect();
        if words.is_empty() {
            words.push("hold still".to_owned());
        }
        let fades = [(self.fade_in_ms, "fade in"), (self.fade_out_ms, "fade out")];
        let fades = fades.iter().filter(|(ms, _)| *ms > 0);
        words.extend(fades.map(|(ms, name)| format!("{name} over {} seconds", seconds(*ms))));
        let still = self.still.as_ref().map(|still| format!(" over {}", still.render()));
        let rate = self.frames_per_second;
        let length = seconds(self.duration_ms);
        let words = words.join(", then ");
        format!(
            "a {length} second video at {rate} frames per second: {words}{}",
            still.unwrap_or_default()
        )
    }

    /// How many images the video has.
    #[must_use]
    pub fn frames(&self) -> u32 {
        (u64::from(self.duration_ms) * u64::from(self.frames_per_second) / 1000).max(1) as u32
    }

    /// Width and height in pixels for an image of a size.
    ///
    /// # Errors
    /// As [`Self::working_bytes`].
    pub fn size(&self, picture: Option<(u32, u32)>) -> Result<(u32, u32), Refusal> {
        Ok(self.frame.size(self.picture_size(picture)?))
    }

    /// The most bytes that filming takes at once, the image and the finished file included.
    ///
    /// # Errors
    /// A [`Refusal`] when a parameter is out of range, or there is nothing to film.
    pub fn working_bytes(&self, picture: Option<(u32, u32)>) -> Result<u64, Refusal> {
        self.check()?;
        let area = |size: (u32, u32)| u64::from(size.0) * u64::from(size.1);
        let source = self.picture_size(picture)?;
        let made = self.still.as_ref().map_or(Ok(0), |still| still.working_bytes(&[]))?;
        let size = self.frame.size(source);
        // The image, and what the resizer needs to bring it to the size of the closest frame.
        let staging = area(source) * PIXEL_BYTES * 5;
        let file = super::h264::bits_per_second(size, self.frames_per_second) / 8
            * u64::from(self.duration_ms)
            / 1000;
        Ok(made.max(staging) + area(size) * ENCODER_PIXEL_BYTES + file * 2 + ENCODER_BYTES)
    }

    /// Checks every parameter, so that a plan from outside is as good as one that was read.
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
            (Some(still), None) => still.result_size(&[]),
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

/// Most phases of one video.
const PHASES_MAX: usize = 8;
/// The frame's planes, the encoder's copies of it and of the frames it refers to: about 10 bytes as
/// seen from outside the process. The rest is for files of noise, which take three times the rate
/// that was asked for: 1920x1920 pixels of it for 4 seconds took 123 MB of the 257 MB set down.
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
