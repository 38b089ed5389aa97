//! Make: creates an image from an instruction alone: a plain color, a gradient or a pattern.

mod paint;
mod pattern;

use crate::kernels::Size;
use crate::operation::{
    Capability, Control, Described, OFFSETS, Operation, Parameter, SIDE, scaled_side, within,
};
use crate::{Color, ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};

/// Creates the image that later steps edit. Only the first step of a plan can do this.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Make {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// What the image shows.
    pub fill: Fill,
}

/// What a created image shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fill", rename_all = "snake_case")]
pub enum Fill {
    /// One color.
    Plain {
        /// The color.
        #[serde(alias = "colour")]
        color: Color,
    },
    /// A linear gradient through the center.
    Linear {
        /// Two to four colors, evenly spaced.
        #[serde(alias = "colours")]
        colors: Vec<Color>,
        /// The direction in degrees: 0 is from left to right, 90 from top to bottom.
        degrees: f64,
    },
    /// A radial gradient from the center to the corners.
    Radial {
        /// Two to four colors, evenly spaced.
        #[serde(alias = "colours")]
        colors: Vec<Color>,
    },
    /// Alternating stripes of equal width.
    Stripes {
        /// Two to four colors.
        #[serde(alias = "colours")]
        colors: Vec<Color>,
        /// The direction of the stripes.
        run: Run,
        /// How many stripes there are, or how wide they are.
        measure: Measure,
    },
    /// Alternating squares of two colors.
    Checkerboard {
        /// The color of the top left square, and then the other color.
        #[serde(alias = "colours")]
        colors: [Color; 2],
        /// How many squares there are per row, or how wide they are.
        measure: Measure,
    },
    /// Rows of dots. The diameter of a dot is half the distance between dots.
    Dots {
        /// The color of the dots.
        #[serde(alias = "colour")]
        color: Color,
        /// The color of the background.
        ground: Color,
        /// How many dots there are per row, or how far apart they are.
        measure: Measure,
    },
    /// A grid of thin lines.
    Grid {
        /// The color of the lines.
        #[serde(alias = "colour")]
        color: Color,
        /// The color of the background.
        ground: Color,
        /// How many squares there are per row, or how wide they are.
        measure: Measure,
    },
    /// Random pixels, which are the same every time.
    Noise {
        /// Whether each channel is random on its own. Otherwise, the pixels are gray.
        #[serde(alias = "coloured")]
        colored: bool,
    },
}

/// The direction of stripes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Run {
    /// Stripes from top to bottom.
    Vertical,
    /// Stripes from left to right.
    Horizontal,
    /// Stripes from bottom left to top right.
    Diagonal,
}

/// The size of the elements of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// This many elements across the image.
    Count(u32),
    /// The size of an element in pixels.
    Px(u32),
}

const DIRECTION: Parameter = Parameter::new("a direction", " degrees", (0.0, 360.0));
const COUNT: Parameter = Parameter::new("a pattern", " parts", (1.0, 1000.0));

impl Described for Make {
    const CAPABILITY: Capability = Capability {
        name: "make",
        parameters: &[],
        controls: &[
            Control::whole("width", "Width", SIDE),
            Control::whole("height", "Height", SIDE),
            Control::clear_color("fill.color", "Color"),
            Control::clear_color("fill.ground", "Background"),
            Control::clear_color("fill.colors.0", "First color"),
            Control::clear_color("fill.colors.1", "Second color"),
            Control::clear_color("fill.colors.2", "Third color"),
            Control::number("fill.degrees", "Direction", DIRECTION),
            Control::choice("fill.run", "Direction", &["vertical", "horizontal", "diagonal"]),
            Control::whole("fill.measure.count", "Count", COUNT),
            Control::whole("fill.measure.px", "Distance", OFFSETS[0]),
            Control::switch("fill.colored", "Colored"),
        ],
        summary: "Creates a plain image, a gradient or a pattern when no image is sent.",
        definition: "1024x1024 pixels by default. Gradients mix premultiplied sRGB values and run \
                     from corner to corner.",
        examples: &[
            "a plain blue picture of 512x512 pixels",
            "a gradient from red to blue, left to right",
            "a black and white checkerboard with 8 squares",
            "white dots on a red background",
        ],
    };
}

impl Operation for Make {
    fn words(&self) -> String {
        format!("{} of {}x{} pixels", self.fill.words(), self.width, self.height)
    }

    fn check(&self) -> Result<(), String> {
        let longest = f64::from(crate::limits::SIDE_PX_MAX);
        for side in [self.width, self.height] {
            within("a side", f64::from(side), (1.0, longest), " pixels")?;
        }
        self.fill.check()
    }

    fn scale(&mut self, factor: f64) {
        self.width = scaled_side(self.width, factor);
        self.height = scaled_side(self.height, factor);
        self.fill.scale(factor);
    }

    fn result_size(&self, _: &[Size]) -> Result<(u64, u64), String> {
        Ok((u64::from(self.width), u64::from(self.height)))
    }

    fn makes(&self) -> bool {
        true
    }

    fn apply<S: Sample>(
        &self,
        _: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        paint::painted(&self.fill, (self.width, self.height))
    }
}

impl Fill {
    fn words(&self) -> String {
        let listed = |colors: &[Color], between: &str| {
            colors.iter().map(Color::to_string).collect::<Vec<_>>().join(between)
        };
        match self {
            Self::Plain { color } => format!("a plain {color} picture"),
            Self::Linear { colors, degrees } => {
                format!("a linear gradient from {} at {degrees} degrees", listed(colors, " to "))
            }
            Self::Radial { colors } => {
                format!("a radial gradient from {}", listed(colors, " to "))
            }
            Self::Stripes { colors, run, measure } => {
                let run = run.word();
                format!("{run} stripes in {}, {}", listed(colors, " and "), measure.words())
            }
            Self::Checkerboard { colors, measure } => {
                format!("a checkerboard in {}, {}", listed(colors, " and "), measure.words())
            }
            Self::Dots { color, ground, measure } => {
                format!("{color} dots on a {ground} background, {}", measure.words())
            }
            Self::Grid { color, ground, measure } => {
                format!("a {color} grid on a {ground} background, {}", measure.words())
            }
            Self::Noise { colored: true } => "colored noise".to_owned(),
            Self::Noise { colored: false } => "gray noise".to_owned(),
        }
    }

    fn scale(&mut self, factor: f64) {
        match self {
            Self::Stripes { measure: Measure::Px(px), .. }
            | Self::Checkerboard { measure: Measure::Px(px), .. }
            | Self::Dots { measure: Measure::Px(px), .. }
            | Self::Grid { measure: Measure::Px(px), .. } => *px = scaled_side(*px, factor),
            _ => {}
        }
    }

    fn check(&self) -> Result<(), String> {
        match self {
            Self::Linear { colors, degrees } => {
                DIRECTION.check(*degrees)?;
                several(colors)
            }
            Self::Radial { colors } => several(colors),
            Self::Stripes { colors, measure, .. } => several(colors).and(measure.check()),
            Self::Checkerboard { measure, .. }
            | Self::Dots { measure, .. }
            | Self::Grid { measure, .. } => measure.check(),
            Self::Plain { .. } | Self::Noise { .. } => Ok(()),
        }
    }
}

fn several(colors: &[Color]) -> Result<(), String> {
    match colors.len() {
        2..=4 => Ok(()),
        count => Err(format!("between two and four colors are needed, not {count}")),
    }
}

impl Run {
    const fn word(self) -> &'static str {
        match self {
            Self::Vertical => "vertical",
            Self::Horizontal => "horizontal",
            Self::Diagonal => "diagonal",
        }
    }
}

impl Measure {
    fn words(self) -> String {
        match self {
            Self::Count(count) => format!("{count} across"),
            Self::Px(px) => format!("{px}px wide"),
        }
    }

    fn check(self) -> Result<(), String> {
        match self {
            Self::Count(count) => COUNT.check(f64::from(count)),
            Self::Px(px) => {
                within("the size of a pattern element", f64::from(px), (1.0, 8192.0), "px")
            }
        }
    }

    /// Which element a position in pixels is in, and how far through it, from 0 to 1.
    fn part(self, at: f64, side_px: u32) -> (i64, f64) {
        let parts = match self {
            Self::Count(count) => at * f64::from(count) / f64::from(side_px),
            Self::Px(px) => at / f64::from(px),
        };
        let whole = parts.floor();
        #[expect(clippy::cast_possible_truncation, reason = "far below 2^63")]
        (whole as i64, parts - whole)
    }

    /// The size of an element in pixels.
    fn px(self, side_px: u32) -> f64 {
        match self {
            Self::Count(count) => f64::from(side_px) / f64::from(count),
            Self::Px(px) => f64::from(px),
        }
    }
}
