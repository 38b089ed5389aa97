//! Vibrance: a change in saturation that spares colors that are already saturated.
//!
//! `Y + k (c - Y)` with k = 1 + t (1 - (max - min)), t = percent / 100. Y is the luma, and max and
//! min are the largest and the smallest channel.

use crate::Refusal;
use crate::instruction::patterns::change::{self, Adjustable};
use crate::instruction::{Clause, phrases};
use crate::kernels::Point;
use crate::kernels::point::{factor, luma};
use crate::operation::{Capability, Control, Operation, Parameter, Spoken};
use serde::{Deserialize, Serialize};

/// Makes weak colors stronger (or weaker) and hardly changes strong ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Vibrance {
    /// The change in percent of the current value for a color close to gray.
    pub percent: f64,
}

const WORDS: Adjustable = Adjustable {
    objects: &["colors", "tones"],
    nouns: &["vibrance"],
    more: &[
        "more vibrant",
        "colors pop",
        "colors pop more",
        "vibrant colors",
        "more vibrant colors",
        "livelier",
        "more lively",
        "pop the colors",
        "colors punchier",
        "punchier colors",
        "colors more punchy",
    ],
    less: &["less vibrant", "less vibrant colors"],
    plain: &["vibrant"],
};

const CHANGE: Parameter =
    Parameter::new("a change in vibrance", "%", (-100.0, 200.0)).scaled(change::SCALE.values);

impl Spoken for Vibrance {
    const CAPABILITY: Capability = Capability {
        name: "vibrance",
        parameters: &[CHANGE],
        controls: &[Control::number("percent", "Amount", CHANGE)],
        summary: "Makes muted colors stronger and leaves strong colors almost unchanged.",
        definition: "Y + k * (c - Y) on sRGB channels, where Y is the Rec. 709 luma and k = 1 + t \
                     * (1 - (max - min)), t = percent / 100.",
        heads: phrases!(WORDS.nouns, WORDS.more, WORDS.less, WORDS.plain),
        details: WORDS.objects,
        examples: &["increase the vibrance by 30%", "make the colors pop", "a bit more vibrant"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        Ok(change::read_change(clause, &WORDS)?.map(|percent| Self { percent }))
    }
}

impl Operation for Vibrance {
    fn words(&self) -> String {
        change::words_of("vibrance", self.percent)
    }

    fn change(&self) -> Option<f64> {
        Some(self.percent)
    }

    fn check(&self) -> Result<(), String> {
        CHANGE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let change = factor(self.percent - 100.0);
        vec![Point::colors(move |color| {
            let [red, green, blue] = color;
            let chroma = red.max(green).max(blue) - red.min(green).min(blue);
            let (middle, factor) = (luma(color), 1.0 + change * (1.0 - chroma));
            color.map(|channel| middle + factor * (channel - middle))
        })]
    }
}
