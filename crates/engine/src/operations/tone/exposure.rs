//! Exposure: linear light times `2^stops`, with the transfer function of sRGB (IEC 61966-2-1) and
//! highlights that roll off.

use crate::instruction::patterns::strength::Scale;
use crate::instruction::{Clause, Direction, Unit, phrases};
use crate::kernels::Point;
use crate::kernels::point::rolled_off;
use crate::kernels::transfer::{decoded, encoded};
use crate::operation::{Capability, Control, Operation, Parameter, Spoken};
use crate::{Refusal, RefusalKind};
use serde::{Deserialize, Serialize};

/// Makes the image lighter or darker, like a longer or shorter exposure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exposure {
    /// Doublings of the light; -1 halves it.
    pub stops: f64,
}

/// The documented scale for vague amounts, in stops.
const SCALE: Scale = Scale { what: "the change", values: [0.1, 0.25, 0.5, 1.0, 2.0] };
const NOUNS: &[&str] = &["exposure", "exposed"];
/// Words that mean exposure only together with stops.
const LIGHTER: &[&str] = &["brighten", "brighter", "lighten", "lighter", "push"];
const DARKER: &[&str] = &["darken", "darker"];
/// Fractions of a stop.
const PARTS: [(&[&str], f64); 4] = [
    (&["half a stop", "half stop", "half of a stop"], 0.5),
    (&["a third of a stop", "third of a stop", "third stop"], 1.0 / 3.0),
    (&["a quarter of a stop", "quarter of a stop", "quarter stop"], 0.25),
    (&["a stop", "a full stop"], 1.0),
];

const STOPS: Parameter =
    Parameter::new("a change in exposure", " stops", (-10.0, 10.0)).scaled(SCALE.values);

impl Spoken for Exposure {
    const CAPABILITY: Capability = Capability {
        name: "exposure",
        parameters: &[STOPS],
        controls: &[Control::number("stops", "Amount", STOPS)],
        summary: "Makes the image lighter or darker, like a longer or shorter exposure.",
        definition: "Linear light (IEC 61966-2-1) times 2^stops, each channel separately. If stops > \
                     0, highlights roll off as for brightness, where k is the sRGB value of 2^stops \
                     and ck that of the brightened light.",
        heads: phrases!(NOUNS, PARTS[0].0, PARTS[1].0, PARTS[2].0, PARTS[3].0),
        details: &["full", "quarter", "push"],
        examples: &[
            "increase the exposure by 1 stop",
            "exposure +0.5",
            "brighten it by half a stop",
            "lower the exposure slightly",
        ],
    };

    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal> {
        let part = PARTS.iter().find_map(|(phrases, stops)| clause.has(phrases).then_some(*stops));
        let named = clause.head(NOUNS).is_some();
        if let Some(stops) = part {
            // "by half a stop": the fraction is not a percentage here.
            for (phrases, _) in PARTS {
                clause.head(phrases);
            }
            clause.take(&["by"]);
            let sign = direction(clause, true)?.ok_or_else(missing)?;
            return Ok(Some(Self { stops: sign * stops }));
        }
        let mut trial = clause.clone();
        let said = trial.quantity();
        if !named && said.is_none_or(|said| said.unit != Unit::Stops) {
            return Ok(None);
        }
        let sign = direction(clause, true)?;
        let stops = match (clause.quantity(), sign) {
            (Some(said), sign) => said_stops(clause, (said.value, said.unit), sign, said.signed)?,
            (None, Some(sign)) => sign * SCALE.change(clause, "exposure", " stops"),
            (None, None) => return Err(missing()),
        };
        Ok(Some(Self { stops }))
    }
}

/// The direction: 1, -1, or `None` if only a sign can give it.
fn direction(clause: &mut Clause<'_>, named: bool) -> Result<Option<f64>, Refusal> {
    let lighter = clause.verb(LIGHTER).is_some();
    let darker = clause.verb(DARKER).is_some();
    let said = clause.direction();
    match (lighter, darker, said) {
        (true, false, None | Some(Direction::Up)) => Ok(Some(1.0)),
        (false, true, None | Some(Direction::Up)) => Ok(Some(-1.0)),
        (false, false, Some(Direction::Up)) if named => Ok(Some(1.0)),
        (false, false, Some(Direction::Down)) if named => Ok(Some(-1.0)),
        (false, false, None | Some(Direction::Set)) => Ok(None),
        (false, false, _) => Err(missing()),
        _ => Err(opposed()),
    }
}

/// Stops from a number: "1 stop", "+0.5", "20%" more light.
fn said_stops(
    clause: &mut Clause<'_>,
    (value, unit): (f64, Unit),
    sign: Option<f64>,
    signed: bool,
) -> Result<f64, Refusal> {
    if signed && value < 0.0 && sign.is_some() {
        return Err(opposed());
    }
    let sign = sign.or(signed.then_some(1.0)).ok_or_else(missing)?;
    match unit {
        Unit::Stops => Ok(sign * value),
        // "exposure +1" means stops, as on a camera. Larger numbers are on another scale.
        Unit::None if value.abs() <= 5.0 => {
            clause.assumed.push(format!("{value} means {value} stops"));
            Ok(sign * value)
        }
        Unit::Percent if sign * value > -100.0 => {
            let stops = ((1.0 + sign * value / 100.0).log2() * 1000.0).round() / 1000.0;
            clause.assumed.push(format!("{}% of the light is {stops} stops", 100.0 + sign * value));
            Ok(stops)
        }
        _ => Err(missing()),
    }
}

fn missing() -> Refusal {
    Refusal::missing(
        "say how to change the exposure, in stops: \"increase the exposure by 1 stop\" or \
         \"exposure -0.5\"",
    )
}

fn opposed() -> Refusal {
    Refusal::new(RefusalKind::Contradiction, "the instruction asks for both more and less")
}

impl Operation for Exposure {
    fn words(&self) -> String {
        if self.stops < 0.0 {
            format!("reduce the exposure by {} stops", -self.stops)
        } else {
            format!("increase the exposure by {} stops", self.stops)
        }
    }

    fn change(&self) -> Option<f64> {
        Some(self.stops)
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
