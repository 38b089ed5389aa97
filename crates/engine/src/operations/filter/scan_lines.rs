//! Scan lines: dark horizontal lines at even distances, like those of a tube screen.

use crate::kernels::canvas::scaled;
use crate::length::Length;
use crate::operation::{
    Capability, Control, Described, Effect, Parameter, check_length, scaled_length,
};
use crate::{Picture, Sample};
use serde::{Deserialize, Serialize};

/// Darkens every second line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScanLines {
    /// How much darker the lines are, in percent.
    pub percent: f64,
    /// The distance from one line to the next. Percentages refer to the shorter side.
    #[serde(default = "usual_distance")]
    pub distance: Length,
}

/// About two hundred lines, as many as a tape has.
const fn usual_distance() -> Length {
    Length::Percent(0.5)
}

const SCALE: [f64; 5] = [10.0, 20.0, 35.0, 60.0, 85.0];
/// A line and the space to the next one have at least one pixel each.
const LEAST_PX: f64 = 2.0;

const STRENGTH: Parameter =
    Parameter::new("the strength of scan lines", "%", (0.0, 100.0)).scaled(SCALE);
const DISTANCE_PX: Parameter =
    Parameter::new("the distance of scan lines", "px", (LEAST_PX, 1000.0));
const DISTANCE_PERCENT: Parameter = Parameter::new("the distance of scan lines", "%", (0.05, 50.0));

impl Described for ScanLines {
    const CAPABILITY: Capability = Capability {
        name: "scan_lines",
        parameters: &[STRENGTH, DISTANCE_PX, DISTANCE_PERCENT],
        controls: &[
            Control::number("percent", "Strength", STRENGTH),
            Control::length("distance", "Distance", [DISTANCE_PX, DISTANCE_PERCENT]),
        ],
        summary: "Adds dark horizontal lines, like an old screen.",
        definition: "c * (1 - k * percent / 100), where k is the share of a pixel's row in the \
                     lower half of a period. Periods begin at the top. A distance in percent is of \
                     the shorter side, rounded to whole pixels and at least 2px; it is 0.5% unless \
                     given. Alpha does not change.",
        examples: &["add scan lines", "add scanlines every 4px", "subtle scan lines"],
    };
}

impl Effect for ScanLines {
    fn words(&self) -> String {
        format!("add scan lines of {}% every {}", self.percent, self.distance)
    }

    fn check(&self) -> Result<(), String> {
        STRENGTH.check(self.percent)?;
        check_length(self.distance, &DISTANCE_PX, &DISTANCE_PERCENT)
    }

    fn scale(&mut self, factor: f64) {
        self.distance = scaled_length(self.distance, factor, &DISTANCE_PX);
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        let period = match self.distance {
            Length::Pixels(px) => px,
            share @ Length::Percent(_) => {
                share.exact_px(picture.width().min(picture.height())).round().max(LEAST_PX)
            }
        };
        picture.each_row(|y, row| {
            let top = y as f64;
            let line = dark_px(top + 1.0, period) - dark_px(top, period);
            let share = 1.0 - line * self.percent / 100.0;
            for [red, green, blue, _] in row.as_chunks_mut::<4>().0 {
                for channel in [red, green, blue] {
                    *channel = scaled(*channel, share);
                }
            }
        });
    }
}

/// How many pixels from the top to a position belong to lines.
fn dark_px(position: f64, period: f64) -> f64 {
    let half = period / 2.0;
    let periods = (position / period).floor();
    let rest = position - periods * period;
    periods * half + (rest - half).max(0.0)
}
