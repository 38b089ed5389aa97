//! Warmth: raises red and lowers blue, or the reverse.
//!
//! With t = percent / 100: red * (1 + 0.25 t), green * (1 + 0.05 t), blue * (1 - 0.25 t). The gains
//! are our choice. They change gray about as much as 100% on the temperature slider of a photo
//! editor.

use crate::Refusal;
use crate::instruction::patterns::change::{self, Adjustable};
use crate::instruction::{Clause, phrases};
use crate::kernels::Point;
use crate::kernels::point::{diagonal, factor};
use crate::operation::{Capability, Control, Operation, Parameter, Spoken};
use serde::{Deserialize, Serialize};

/// Makes the colors warmer or cooler.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Warmth {
    /// The change in percent. Positive values are warmer, negative values are cooler.
    pub percent: f64,
}

const WORDS: Adjustable = Adjustable {
    objects: &["colors", "tones", "color temperature", "temperature"],
    nouns: &["warmth", "color temperature", "temperature"],
    more: &[
        "warmer",
        "warm up",
        "warm",
        "warmer colors",
        "warmer tones",
        "warmer tone",
        "warmer hue",
        "warm things up",
    ],
    less: &[
        "cooler",
        "cool down",
        "cool",
        "colder",
        "cooler colors",
        "cooler tones",
        "cooler tone",
        "cooler hue",
        "cool things down",
        "less warm",
        "more cool",
    ],
    plain: &[],
};

const CHANGE: Parameter =
    Parameter::new("a change in warmth", "%", (-100.0, 100.0)).scaled(change::SCALE.values);

impl Spoken for Warmth {
    const CAPABILITY: Capability = Capability {
        name: "warmth",
        parameters: &[CHANGE],
        controls: &[Control::number("percent", "Amount", CHANGE)],
        summary: "Makes the colors warmer or cooler.",
        definition: "Red * (1 + 0.25 t), green * (1 + 0.05 t), blue * (1 - 0.25 t) on sRGB channels, t = percent / 100.",
        heads: phrases!(WORDS.nouns, WORDS.more, WORDS.less),
        details: WORDS.objects,
        examples: &["make it warmer", "make it a bit cooler", "increase the warmth by 30%"],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        let praised = praises(clause);
        let percent = change::read_change(clause, &WORDS)?;
        if percent.is_some() && praised {
            return Err(Refusal::missing(
                "\"cool\" is ambiguous; say \"make it cooler\" for cooler colors",
            ));
        }
        Ok(percent.map(|percent| Self { percent }))
    }
}

/// Whether "cool" may only be praise, because it is not an action ("cool it down") and there is no
/// color or number.
fn praises(clause: &Clause<'_>) -> bool {
    const DONE_TO: &[&str] =
        &["it", "this", "that", "the", "my", "our", "everything", "things", "down", "off", "by"];
    let Some((_, at, _)) = clause.find(&["cool"]) else { return false };
    let word = |at: usize| clause.tokens().get(at).map_or("", |token| token.word());
    let compared = at.checked_sub(1).is_some_and(|before| ["more", "less"].contains(&word(before)));
    let named =
        clause.has(WORDS.objects) || clause.has(WORDS.nouns) || clause.has(&["tone", "hue"]);
    let measured = clause.clone().quantity().is_some();
    !DONE_TO.contains(&word(at + 1)) && !compared && !named && !measured
}

impl Operation for Warmth {
    fn words(&self) -> String {
        change::words_of("warmth", self.percent)
    }

    fn change(&self) -> Option<f64> {
        Some(self.percent)
    }

    fn check(&self) -> Result<(), String> {
        CHANGE.check(self.percent)
    }

    fn points(&self) -> Vec<Point> {
        let share = factor(self.percent) - 1.0;
        vec![Point::Matrix(diagonal(
            [1.0 + 0.25 * share, 1.0 + 0.05 * share, 1.0 - 0.25 * share],
            0.0,
        ))]
    }
}
