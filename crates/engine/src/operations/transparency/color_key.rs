//! Color key: makes one color transparent everywhere.

use crate::instruction::Clause;
use crate::instruction::patterns::tolerance;
use crate::kernels::canvas;
use crate::kernels::outermost::levels;
use crate::operation::{Capability, Control, Operation, Parameter, Spoken, only};
use crate::{Color, ExecuteError, Picture, Refusal, Sample};
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

const CLEAR: &[&str] = &["transparent", "see through"];
/// Words for what has the color.
const PARTS: &[&str] =
    &["parts", "areas", "pixels", "part", "area", "everywhere", "all", "everything", "color"];

/// The default tolerance.
const TOLERANCE_PERCENT: f64 = 5.0;
const TOLERANCE: Parameter =
    Parameter::new("the tolerance", "%", (0.0, 50.0)).usually(TOLERANCE_PERCENT);

impl Spoken for ColorKey {
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
        heads: &["key out"],
        details: &[
            "transparent",
            "parts",
            "areas",
            "pixels",
            "everywhere",
            "tolerance",
            "everything",
            "all",
        ],
        examples: &["make white transparent", "key out green with a tolerance of 15%"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        if clause.has(&["background", "backdrop"]) {
            return Ok(None);
        }
        let mut trial = clause.clone();
        let keyed = trial.head(&["key out"]).is_some();
        let color = if keyed {
            trial.color()
        } else if trial.has(&["make", "turn", "set"]) && trial.has(CLEAR) {
            before_clear(&mut trial)
        } else {
            return Ok(None);
        };
        let Some(color) = color.filter(|color| color.is_opaque()) else { return Ok(None) };
        trial.take(&["set"]);
        trial.take_all(PARTS);
        let tolerance_percent = tolerance(&mut trial, TOLERANCE_PERCENT)?;
        *clause = trial;
        Ok(Some(Self { color, tolerance_percent }))
    }
}

/// The color directly before "transparent", or before "parts" and the like.
fn before_clear(clause: &mut Clause<'_>) -> Option<Color> {
    let (_, clear, length) = clause.find(CLEAR)?;
    clause.mark(clear, length);
    clause.take_all(&["areas", "parts", "pixels", "area", "part", "everywhere"]);
    let end = (0..=clear).rev().find(|end| {
        *end == 0
            || clause
                .tokens()
                .get(end - 1)
                .is_some_and(|token| !PARTS.contains(&token.word()) && token.word() != "into")
    })?;
    let (start, color) = clause.color_before(end)?;
    clause.mark(start, end - start);
    Some(color)
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
