//! Soft edges: the image becomes transparent, or a color, towards its four edges.
//!
//! The weight is the product of a smoothstep across and one down, so that it falls off evenly along
//! the edges and the corners are round. A vignette has an oval instead.

use crate::kernels::canvas::scaled;
use crate::length::Length;
use crate::operation::{
    Capability, Control, Described, Operation, Parameter, check_length, only, scaled_length,
};
use crate::{Color, ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};

/// Fades the image out towards its edges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SoftEdges {
    /// How far from an edge the image begins to fade. Percentages refer to the shorter side.
    pub width: Length,
    /// The color that the image fades to. A transparent color only changes alpha.
    #[serde(default = "usual_color")]
    pub color: Color,
}

const fn usual_color() -> Color {
    Color::TRANSPARENT
}

const SCALE: [f64; 5] = [2.0, 5.0, 10.0, 20.0, 40.0];

const WIDTH_PX: Parameter = Parameter::new("the width of soft edges", "px", (1.0, 8192.0));
const WIDTH_PERCENT: Parameter =
    Parameter::new("the width of soft edges", "%", (0.1, 50.0)).scaled(SCALE);

impl Described for SoftEdges {
    const CAPABILITY: Capability = Capability {
        name: "soft_edges",
        parameters: &[WIDTH_PX, WIDTH_PERCENT],
        controls: &[
            Control::length("width", "Width", [WIDTH_PX, WIDTH_PERCENT]),
            Control::clear_color("color", "Color"),
        ],
        summary: "Fades the image out towards its edges, to transparent or to a color.",
        definition: "alpha * w, where w = smoothstep(dx / width) * smoothstep(dy / width). dx is the \
                     distance from the pixel's center to the left or right edge, whichever is \
                     nearer, and dy the one to the top or bottom. With a color, c + (1 - w) * \
                     (color - c) and alpha does not change. The width is at most half of the \
                     shorter side; percentages are of the shorter side. \"Fade the edges to \
                     white\" without a width is a vignette.",
        examples: &[
            "feather the edges",
            "feather the edges by 80px",
            "soft edges",
            "fade all four edges into black over 10%",
        ],
    };
}

impl Operation for SoftEdges {
    fn words(&self) -> String {
        match self.color {
            Color::TRANSPARENT => format!("feather the edges by {}", self.width),
            color => format!("fade the edges to {color} over {}", self.width),
        }
    }

    fn check(&self) -> Result<(), String> {
        check_length(self.width, &WIDTH_PX, &WIDTH_PERCENT)?;
        if self.color.is_opaque() || self.color == Color::TRANSPARENT {
            return Ok(());
        }
        Err("the color of soft edges must be opaque or \"transparent\"".to_owned())
    }

    fn scale(&mut self, factor: f64) {
        self.width = scaled_length(self.width, factor, &WIDTH_PX);
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
        let shorter = picture.width().min(picture.height());
        let width = self.width.exact_px(shorter).min(f64::from(shorter) / 2.0);
        let weights = |side: u32| -> Vec<f64> {
            (0..side).map(|at| smooth(f64::from(at.min(side - 1 - at)) + 0.5, width)).collect()
        };
        let (across, down) = (weights(picture.width()), weights(picture.height()));
        picture.each_row(|y, row| {
            let down = down.get(y).copied().unwrap_or(1.0);
            for (pixel, across) in row.as_chunks_mut::<4>().0.iter_mut().zip(&across) {
                *pixel = faded(*pixel, self.color, across * down);
            }
        });
        Ok(picture)
    }
}

/// The smoothstep from 0 at an edge to 1 at a distance.
fn smooth(from_edge: f64, width: f64) -> f64 {
    let t = (from_edge / width).min(1.0);
    t * t * (3.0 - 2.0 * t)
}

fn faded<S: Sample>(pixel: [S; 4], color: Color, weight: f64) -> [S; 4] {
    let [red, green, blue, alpha] = pixel;
    if color == Color::TRANSPARENT {
        return [red, green, blue, scaled(alpha, weight)];
    }
    let mix = |from: S, to: u8| {
        let (from, to) = (f64::from(from.level()), f64::from(to));
        S::rounded_double(to + weight * (from - to))
    };
    let [to_red, to_green, to_blue, _] = color.rgba;
    [mix(red, to_red), mix(green, to_green), mix(blue, to_blue), alpha]
}
