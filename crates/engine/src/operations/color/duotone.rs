//! Duotone: the luma on a scale from a dark color to a light one, `dark + Y (light - dark)`.

use crate::Color;
use crate::kernels::Point;
use crate::kernels::point::{LUMA, channels};
use crate::operation::{Capability, Control, Described, Operation};
use serde::{Deserialize, Serialize};

/// Renders the image in two colors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Duotone {
    /// The color that replaces black.
    pub dark: Color,
    /// The color that replaces white.
    pub light: Color,
}

impl Described for Duotone {
    const CAPABILITY: Capability = Capability {
        name: "duotone",
        parameters: &[],
        controls: &[Control::color("dark", "Dark tones"), Control::color("light", "Light tones")],
        summary: "Renders the image in two colors.",
        definition: "dark + Y * (light - dark) on sRGB channels, where Y is the Rec. 709 luma.",
        examples: &["apply a duotone of navy and yellow", "duotone from #101040 to #ffe0a0"],
    };
}

impl Operation for Duotone {
    fn words(&self) -> String {
        format!("apply a duotone of {} and {}", self.dark, self.light)
    }

    fn check(&self) -> Result<(), String> {
        match self.dark.is_opaque() && self.light.is_opaque() {
            true => Ok(()),
            false => Err("the colors of a duotone must be opaque".to_owned()),
        }
    }

    fn points(&self) -> Vec<Point> {
        let (dark, light) = (channels(self.dark), channels(self.light));
        let line = |number: usize| {
            let at = |color: [f32; 3]| color.get(number).copied().unwrap_or(0.0);
            let span = at(light) - at(dark);
            [LUMA[0] * span, LUMA[1] * span, LUMA[2] * span, at(dark)]
        };
        vec![Point::Matrix([line(0), line(1), line(2)])]
    }
}
