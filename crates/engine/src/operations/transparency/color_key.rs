//! Color key: makes one color transparent everywhere.

use crate::kernels::canvas;
use crate::kernels::outermost::levels;
use crate::operation::{Capability, Control, Described, Operation, Parameter, only};
use crate::{Color, ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};

/// Makes a color transparent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColorKey {
    /// The color.
    #[serde(alias = "colour")]
    pub color: Color,
    /// How far a channel may differ from it, in percent of the full range.
    pub tolerance_percent: f64,
}

/// The default tolerance.
const TOLERANCE_PERCENT: f64 = 5.0;
const TOLERANCE: Parameter =
    Parameter::new("the tolerance", "%", (0.0, 50.0)).usually(TOLERANCE_PERCENT);

impl Described for ColorKey {
    const CAPABILITY: Capability = Capability {
        name: "color_key",
        parameters: &[TOLERANCE],
        controls: &[
            Control::color("color", "Color"),
            Control::number("tolerance_percent", "Tolerance", TOLERANCE),
        ],
        summary: "Makes one color transparent everywhere in the image.",
        definition: "Alpha times clamp((d - t) / t, 0, 1), where d is the largest difference of \
                     any channel and t the tolerance. Alpha is therefore 0 up to t and unchanged \
                     from 2 t; the other channels do not change.",
        examples: &["make white transparent", "key out green with a tolerance of 15%"],
    };
}

impl Operation for ColorKey {
    fn words(&self) -> String {
        format!("make {} transparent with a tolerance of {}%", self.color, self.tolerance_percent)
    }

    fn check(&self) -> Result<(), String> {
        if !self.color.is_opaque() {
            return Err("only an opaque color can become transparent".to_owned());
        }
        TOLERANCE.check(self.tolerance_percent)
    }

    fn in_place(&self) -> bool {
        true
    }

    fn apply<S: Sample>(
        &self,
        pictures: Vec<Picture<S>>,
        _: &mut Vec<String>,
    ) -> Result<Picture<S>, ExecuteError> {
        let mut picture = only(pictures)?;
        let tolerance = f64::from(levels(self.tolerance_percent));
        picture.each_row(|_, row| {
            for pixel in row.as_chunks_mut::<4>().0 {
                let channels = pixel.iter().zip(self.color.rgba).take(3);
                let apart = channels.map(|(a, b)| f64::from((a.level() - f32::from(b)).abs()));
                pixel[3] = canvas::scaled(pixel[3], kept(apart.fold(0.0, f64::max), tolerance));
            }
        });
        Ok(picture)
    }
}

/// The share of alpha that is kept.
fn kept(apart: f64, tolerance: f64) -> f64 {
    if tolerance == 0.0 {
        return if apart > 0.0 { 1.0 } else { 0.0 };
    }
    ((apart - tolerance) / tolerance).clamp(0.0, 1.0)
}
