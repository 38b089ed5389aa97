//! Opacity: `alpha * percent / 100`, rounded half up. Colors don't change.

use crate::operation::{Capability, Control, Described, Effect, Parameter};
use crate::{Picture, Sample};
use serde::{Deserialize, Serialize};

/// Makes the image partly transparent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opacity {
    /// The remaining opacity in percent.
    pub percent: f64,
}

const OPACITY: Parameter = Parameter::new("the opacity", "%", (0.0, 100.0));

impl Described for Opacity {
    const CAPABILITY: Capability = Capability {
        name: "opacity",
        parameters: &[OPACITY],
        controls: &[Control::number("percent", "Opacity", OPACITY)],
        summary: "Makes the image partly transparent.",
        definition: "Alpha times percent / 100, rounded half up.",
        examples: &["set the opacity to 50%", "make it 30% transparent"],
    };
}

impl Effect for Opacity {
    fn words(&self) -> String {
        format!("set the opacity to {}%", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        OPACITY.check(self.percent)
    }

    fn render<S: Sample>(&self, picture: &mut Picture<S>) {
        for pixel in picture.pixels_mut().chunks_exact_mut(4) {
            if let [.., alpha] = pixel {
                *alpha = S::rounded_double(f64::from(alpha.level()) * self.percent / 100.0);
            }
        }
    }
}
