//! Channel: one channel times `1 + percent / 100`. More cyan, magenta or yellow is less red, green
//! or blue.

use crate::instruction::patterns::change;
use crate::instruction::{Clause, Direction, Unit, phrases};
use crate::kernels::Point;
use crate::kernels::point::{diagonal, factor};
use crate::operation::{Capability, Control, Operation, Parameter, Spoken};
use crate::{Refusal, RefusalKind};
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
    /// All of them, the channels first.
    pub(super) const ALL: [Self; 6] =
        [Self::Red, Self::Green, Self::Blue, Self::Cyan, Self::Magenta, Self::Yellow];

    /// Its name, which is also a color name.
    pub(super) const fn name(self) -> &'static str {
        ["red", "green", "blue", "cyan", "magenta", "yellow"][self as usize]
    }

    /// The comparative, such as "redder", if there is one.
    pub(super) const fn more(self) -> &'static str {
        MORE[self as usize]
    }

    fn several(self) -> &'static str {
        SEVERAL[self as usize]
    }
}

const MORE: [&str; 6] = ["redder", "greener", "bluer", "more cyan", "more magenta", "yellower"];
const SEVERAL: [&str; 6] = ["reds", "greens", "blues", "cyans", "magentas", "yellows"];
/// Words after the color that don't change the meaning.
const OBJECTS: &[&str] = &["channel", "tones", "tone", "hues", "hue", "colors"];
/// Further words after the color if less of it is wanted. More of them is a tint.
const CASTS: &[&str] = &["tint", "cast", "color cast", "tinge"];

const CHANGE: Parameter = Parameter::new("a change in one primary color", "%", (-100.0, 400.0))
    .scaled(change::SCALE.values);

impl Spoken for Channel {
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
        heads: phrases!(&MORE, &["red channel", "green channel", "blue channel"]),
        details: phrases!(OBJECTS, &SEVERAL, CASTS),
        examples: &[
            "boost the reds by 10%",
            "increase the blue channel",
            "make it bluer",
            "less yellow",
        ],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        let Some((color, comparative)) = named(clause) else { return Ok(None) };
        clause.take(OBJECTS);
        if let Some(factor) = multiplied(clause) {
            return Ok(Some(Self { color, percent: factor }));
        }
        let direction = clause.direction();
        if direction == Some(Direction::Down) {
            clause.take(CASTS);
        }
        let missing = || {
            let name = color.name();
            Refusal::missing(format!(
                "say whether you want more or less {name}, and by how much: \"increase the {name} \
                 by 20%\""
            ))
        };
        let sign = match (comparative, direction) {
            (true, None | Some(Direction::Up)) | (false, Some(Direction::Up)) => 1.0,
            (false, Some(Direction::Down)) => -1.0,
            // "red +10"
            (false, None) if clause.clone().quantity().is_some_and(|said| said.signed) => 0.0,
            (false, None) => return Ok(None),
            (true, Some(Direction::Down)) => return Err(opposed()),
            (_, Some(Direction::Set)) => return Err(missing()),
        };
        let percent = match clause.quantity() {
            Some(said) if said.signed && said.value < 0.0 && sign != 0.0 => return Err(opposed()),
            Some(said) if said.to || !matches!(said.unit, Unit::Percent | Unit::None) => {
                return Err(missing());
            }
            // The sign gives the direction.
            Some(said) if sign == 0.0 => return Ok(Some(Self { color, percent: said.value })),
            Some(said) => said.value,
            None => change::SCALE.change(clause, color.name(), "%"),
        };
        Ok(Some(Self { color, percent: sign * percent }))
    }
}

/// The change in percent of "multiply the red channel by 1.1".
fn multiplied(clause: &mut Clause<'_>) -> Option<f64> {
    clause.take(&["multiply", "scale"])?;
    let said = clause.quantity().filter(|said| !said.signed && !said.to)?;
    let whole = matches!(said.unit, Unit::None | Unit::Times);
    // A factor with two decimals must become a whole percentage, not 10.000000000000014.
    whole.then(|| ((said.value * 100.0 - 100.0) * 1e6).round() / 1e6)
}

/// The color that is named, and whether the word already means more of it.
fn named(clause: &mut Clause<'_>) -> Option<(Primary, bool)> {
    let comparative = Primary::ALL.into_iter().find(|primary| clause.has(&[primary.more()]));
    if let Some(primary) = comparative {
        clause.head(&[primary.more()]);
        return Some((primary, true));
    }
    let primary = Primary::ALL
        .into_iter()
        .find(|primary| clause.head(&[primary.name(), primary.several()]).is_some())?;
    Some((primary, false))
}

fn opposed() -> Refusal {
    Refusal::new(RefusalKind::Contradiction, "the instruction asks for both more and less")
}

impl Operation for Channel {
    fn words(&self) -> String {
        change::words_of(self.color.name(), self.percent)
    }

    fn change(&self) -> Option<f64> {
        Some(self.percent)
    }

    fn subject(&self) -> Option<&'static str> {
        Some(self.color.name())
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
