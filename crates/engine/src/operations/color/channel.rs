//! Channel: one channel times `1 + percent / 100`. More cyan, magenta or yellow is less red, green
//! or blue.

use crate::kernels::Point;
use crate::kernels::point::{diagonal, factor};
use crate::operation::{
    CHANGE_SCALE, Capability, Control, Described, Operation, Parameter, changed,
};
use serde::{Deserialize, Serialize};

/// Makes the image more or less red, green, blue, cyan, magenta or yellow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Channel {
    /// Which color.
    #[serde(alias = "colour")]
    pub color: Primary,
    /// The change in percent of the current value.
    pub percent: f64,
}

/// One of the three channels, or the complement of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Primary {
    /// The first channel.
    Red,
    /// The second channel.
    Green,
    /// The third channel.
    Blue,
    /// Less red.
    Cyan,
    /// Less green.
    Magenta,
    /// Less blue.
    Yellow,
}

impl Primary {
    /// Its name, which is also a color name.
    pub(super) const fn name(self) -> &'static str {
        ["red", "green", "blue", "cyan", "magenta", "yellow"][self as usize]
    }
}

const CHANGE: Parameter =
    Parameter::new("a change in one primary color", "%", (-100.0, 400.0)).scaled(CHANGE_SCALE);

impl Described for Channel {
    const CAPABILITY: Capability = Capability {
        name: "channel",
        parameters: &[CHANGE],
        controls: &[
            Control::choice(
                "color",
                "Color",
                &["red", "green", "blue", "cyan", "magenta", "yellow"],
            ),
            Control::number("percent", "Amount", CHANGE),
        ],
        summary: "Makes the image more or less red, green, blue, cyan, magenta or yellow.",
        definition: "The sRGB channel times 1 + percent / 100; more cyan, magenta or yellow is less red, green or blue.",
        examples: &[
            "boost the reds by 10%",
            "increase the blue channel",
            "make it bluer",
            "less yellow",
        ],
    };
}

impl Operation for Channel {
    fn words(&self) -> String {
        changed(self.color.name(), self.percent)
    }

    fn check(&self) -> Result<(), String> {
        CHANGE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let number = self.color as usize;
        let percent = if number < 3 { self.percent } else { -self.percent };
        let mut gain = [1.0; 3];
        if let Some(gain) = gain.get_mut(number % 3) {
            *gain = factor(percent).max(0.0);
        }
        vec![Point::Matrix(diagonal(gain, 0.0))]
    }
}
