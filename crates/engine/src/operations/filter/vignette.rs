//! Vignette: blends towards a color in the corners with a weight of `s * t * t * (3 - 2 t)`. Here t
//! = clamp((d - 0.3) / 0.7, 0, 1), d is the distance from the center (1 in the corners), and s =
//! percent / 100. The start at 0.3 is our choice.

use crate::kernels::canvas::faded;
use crate::operation::{Capability, Control, Described, Operation, Parameter, only};
use crate::{Color, ExecuteError, Picture, Sample};
use serde::{Deserialize, Serialize};

/// Darkens the image towards its corners, or fades it to a color.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Vignette {
    /// How much of the color the corners get, in percent.
    pub percent: f64,
    /// The color that the image fades to. A transparent color only changes alpha.
    #[serde(default = "usual_color", alias = "colour")]
    pub color: Color,
}

const fn usual_color() -> Color {
    Color::BLACK
}

const SCALE: [f64; 5] = [10.0, 25.0, 50.0, 75.0, 95.0];

const STRENGTH: Parameter =
    Parameter::new("the strength of a vignette", "%", (0.0, 100.0)).scaled(SCALE);

impl Described for Vignette {
    const CAPABILITY: Capability = Capability {
        name: "vignette",
        parameters: &[STRENGTH],
        controls: &[
            Control::number("percent", "Strength", STRENGTH),
            Control::clear_color("color", "Color"),
        ],
        summary: "Darkens the image towards its corners, or fades it to a color.",
        definition: "c + w * (color - c), where w = s * smoothstep((d - 0.3) / 0.7), d is the \
                     distance from the center (1 in the corners) and s = percent / 100. Alpha \
                     does not change; if the color is transparent, alpha becomes alpha * (1 - w).",
        examples: &[
            "add a vignette",
            "add a slight vignette",
            "vignette of 60%",
            "add a white vignette",
            "fade the edges to white",
        ],
    };
}

impl Operation for Vignette {
    fn words(&self) -> String {
        match self.color {
            Color::BLACK => format!("add a vignette of {}%", self.percent),
            color => format!("add a {color} vignette of {}%", self.percent),
        }
    }

    fn check(&self) -> Result<(), String> {
        STRENGTH.check(self.percent)?;
        if self.color.is_opaque() || self.color == Color::TRANSPARENT {
            return Ok(());
        }
        Err("the color of a vignette must be opaque or \"transparent\"".to_owned())
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
        let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
        let strength = self.percent / 100.0;
        picture.each_row(|y, row| {
            let down = (f64::from(u32::try_from(y).unwrap_or(0)) + 0.5) / height * 2.0 - 1.0;
            for (x, pixel) in (0_u32..).zip(row.as_chunks_mut::<4>().0) {
                let across = (f64::from(x) + 0.5) / width * 2.0 - 1.0;
                let distance = ((across * across + down * down) / 2.0).sqrt();
                let t = ((distance - 0.3) / 0.7).clamp(0.0, 1.0);
                *pixel = faded(*pixel, self.color, strength * t * t * (3.0 - 2.0 * t));
            }
        });
        Ok(picture)
    }
}
