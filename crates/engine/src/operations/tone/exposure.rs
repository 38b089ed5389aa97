//! Exposure: linear light times `2^stops`, with the transfer function of sRGB (IEC 61966-2-1) and
//! highlights that roll off.

use crate::kernels::Point;
use crate::kernels::point::rolled_off;
use crate::kernels::transfer::{decoded, encoded};
use crate::operation::{Capability, Control, Described, Operation, Parameter};
use serde::{Deserialize, Serialize};

/// Makes the image lighter or darker, like a longer or shorter exposure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exposure {
    /// Doublings of the light; -1 halves it.
    pub stops: f64,
}

/// The documented scale for vague amounts, in stops.
const SCALE: [f64; 5] = [0.1, 0.25, 0.5, 1.0, 2.0];

const STOPS: Parameter =
    Parameter::new("a change in exposure", " stops", (-10.0, 10.0)).scaled(SCALE);

impl Described for Exposure {
    const CAPABILITY: Capability = Capability {
        name: "exposure",
        parameters: &[STOPS],
        controls: &[Control::number("stops", "Amount", STOPS)],
        summary: "Makes the image lighter or darker, like a longer or shorter exposure.",
        definition: "Linear light (IEC 61966-2-1) times 2^stops, each channel separately. If stops > \
                     0, highlights roll off as for brightness, where k is the sRGB value of 2^stops \
                     and ck that of the brightened light.",
        examples: &[
            "increase the exposure by 1 stop",
            "exposure +0.5",
            "brighten it by half a stop",
            "lower the exposure slightly",
        ],
    };
}

impl Operation for Exposure {
    fn words(&self) -> String {
        if self.stops < 0.0 {
            format!("reduce the exposure by {} stops", -self.stops)
        } else {
            format!("increase the exposure by {} stops", self.stops)
        }
    }

    fn check(&self) -> Result<(), String> {
        STOPS.check(self.stops)
    }

    fn points(&self) -> Vec<Point> {
        let gain = self.stops.exp2();
        let brightened = move |value| encoded(decoded(value) * gain);
        let white = brightened(1.0);
        vec![Point::curve(move |value| rolled_off(brightened(value), white))]
    }
}
