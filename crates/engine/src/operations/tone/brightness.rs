//! Brightness: `c * k`, k = 1 + percent / 100, on sRGB values, like CSS `brightness(k)` (Filter
//! Effects Level 1), but highlights roll off instead of being clipped.

use crate::kernels::Point;
use crate::kernels::point::{self, diagonal, rolled_off};
use crate::operation::{
    CHANGE_SCALE, Capability, Control, Described, Operation, Parameter, changed,
};
use serde::{Deserialize, Serialize};

/// Makes the image lighter or darker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Brightness {
    /// The change in percent of the current value: 20 adds a fifth, -100 leaves nothing.
    pub percent: f64,
}

const CHANGE: Parameter =
    Parameter::new("a change in brightness", "%", (-100.0, 400.0)).scaled(CHANGE_SCALE);

impl Described for Brightness {
    const CAPABILITY: Capability = Capability {
        name: "brightness",
        parameters: &[CHANGE],
        controls: &[Control::number("percent", "Amount", CHANGE)],
        summary: "Makes the image lighter or darker.",
        definition: "Each sRGB channel c times k = 1 + percent / 100, as CSS brightness(k). If k > 1, \
                     highlights roll off: above 0.5, the result is 1 - 0.5 * ((k - ck) / (k - \
                     0.5))^(2k - 1), so that only white becomes white.",
        examples: &[
            "make it slightly brighter",
            "increase the brightness by 20%",
            "make it twice as bright",
            "darken it a lot",
        ],
    };
}

impl Operation for Brightness {
    fn words(&self) -> String {
        changed("brightness", self.percent)
    }

    fn check(&self) -> Result<(), String> {
        CHANGE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let factor = point::factor(self.percent);
        if factor <= 1.0 {
            return vec![Point::Matrix(diagonal([factor; 3], 0.0))];
        }
        let white = f64::from(factor);
        vec![Point::curve(move |value| rolled_off(value * white, white))]
    }
}
