//! Saturation: each channel moves away from or towards the luma.
//!
//! The CSS `saturate(k)` matrix with Rec. 709 luma weights, k = 1 + percent / 100.

use crate::Refusal;
use crate::instruction::patterns::change::{self, Adjustable};
use crate::instruction::{Clause, Unit, phrases};
use crate::kernels::point::{self, LUMA, mix};
use crate::kernels::{Matrix, Point};
use crate::operation::{Capability, Control, Operation, Parameter, Spoken};
use serde::{Deserialize, Serialize};

/// Makes the colors stronger or weaker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Saturation {
    /// The change in percent: 20 adds a fifth, and -100 leaves only grays.
    pub percent: f64,
}

pub(super) const WORDS: Adjustable = Adjustable {
    objects: &["colors", "tones"],
    nouns: &[
        "saturation",
        "color saturation",
        "color intensity",
        "colorfulness",
        "vividness",
        "colors",
    ],
    more: &[
        "saturate",
        "saturated",
        "more saturated",
        "more colorful",
        "more vivid",
        "richer colors",
        "stronger colors",
        "colors richer",
        "colors bolder",
        "more intense colors",
        "more color",
        "more intense",
        "bolder",
        "bolder colors",
        "colors stronger",
    ],
    less: &[
        "desaturate",
        "desaturated",
        "desaturating",
        "less saturated",
        "less colorful",
        "less vivid",
        "duller colors",
        "muted colors",
        "less color",
        "weaker colors",
        "more muted",
        "more muted colors",
        "muted",
        "duller",
        "more subdued",
        "colors less strong",
        "colors weaker",
    ],
    plain: &["colorful", "vivid", "saturated"],
};

const CHANGE: Parameter =
    Parameter::new("a change in saturation", "%", (-100.0, 400.0)).scaled(change::SCALE.values);

impl Spoken for Saturation {
    const CAPABILITY: Capability = Capability {
        name: "saturation",
        parameters: &[CHANGE],
        controls: &[Control::number("percent", "Amount", CHANGE)],
        summary: "Makes the colors stronger or weaker.",
        definition: "CSS saturate(k): luma + k * (c - luma), Rec. 709 weights on sRGB channels, k = 1 + percent / 100.",
        heads: phrases!(WORDS.nouns, WORDS.more, WORDS.less),
        details: phrases!(WORDS.plain, WORDS.objects),
        examples: &["make the colors more vivid", "desaturate it slightly"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        // In "reduce the colors to 8", the number counts colors.
        let counts = clause.has(&["colors"])
            && clause.clone().quantity().is_some_and(|said| said.unit == Unit::None);
        if counts {
            return Ok(None);
        }
        Ok(change::read_change(clause, &WORDS)?.map(|percent| Self { percent }))
    }
}

impl Operation for Saturation {
    fn words(&self) -> String {
        change::words_of("saturation", self.percent)
    }

    fn change(&self) -> Option<f64> {
        Some(self.percent)
    }

    fn check(&self) -> Result<(), String> {
        CHANGE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let gray: Matrix = [[LUMA[0], LUMA[1], LUMA[2], 0.0]; 3];
        vec![Point::Matrix(mix(gray, 1.0 - point::factor(self.percent)))]
    }
}
