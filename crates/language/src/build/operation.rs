//! The table of operations that are one word with an amount (`frames/operations.tsv`).

use crate::build::{Miss, contradiction};
use crate::value::{Amount, Unit};
use retouch_engine::{Capability, Color, Parameter, Step, capabilities};
use serde_json::Value as Json;
use std::collections::HashMap;
use std::sync::LazyLock;

const FILE: &str = include_str!("../../frames/operations.tsv");

/// How an operation uses an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It can go both ways.
    Change,
    /// It has a strength.
    Strength,
    /// All of it, unless an amount is given.
    Share,
    /// It has a usual amount and no scale.
    Optional,
    /// It has no amount.
    Fixed,
}

/// An operation of the table.
pub(super) struct Operation {
    pub(super) kind: Kind,
    pub(super) capability: &'static Capability,
    step: Json,
    /// The placeholders besides `$amount`, with their defaults.
    pub(super) extras: Vec<(&'static str, Option<&'static str>)>,
}

/// What fills the placeholders.
#[derive(Default)]
pub(super) struct Details {
    pub(super) color: Option<Color>,
    pub(super) measures: Vec<(&'static str, f64)>,
}

/// Finds an operation by the name that the lexicon has for it.
pub(super) fn find(name: &str) -> Option<&'static Operation> {
    static TABLE: LazyLock<HashMap<&'static str, Operation>> = LazyLock::new(|| {
        let rows = FILE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        rows.filter_map(row).collect()
    });
    TABLE.get(name)
}

fn row(line: &'static str) -> Option<(&'static str, Operation)> {
    let mut columns = line.split('\t');
    let (name, kind, text) = (columns.next()?, columns.next()?, columns.next()?);
    let kind = match kind {
        "change" => Kind::Change,
        "strength" => Kind::Strength,
        "share" => Kind::Share,
        "optional" => Kind::Optional,
        _ => Kind::Fixed,
    };
    let step: Json = serde_json::from_str(text).ok()?;
    let operation = step["operation"].as_str()?;
    let capability = capabilities().iter().find(|capability| capability.name == operation)?;
    let placeholders = text.split("\"$").skip(1).filter_map(|rest| rest.split('"').next());
    let extras = placeholders.filter(|name| !name.starts_with("amount")).map(|name| {
        name.split_once('|').map_or((name, None), |(name, default)| (name, Some(default)))
    });
    Some((name, Operation { kind, capability, step, extras: extras.collect() }))
}

impl Operation {
    /// The parameter that has a unit: the first one with it, or the first one if there is none.
    pub(super) fn parameter(&self, unit: Unit) -> Option<&'static Parameter> {
        let parameters = self.capability.parameters;
        let wanted = match unit {
            Unit::None => {
                return parameters
                    .iter()
                    .find(|parameter| parameter.unit != "%" || parameters.len() == 1)
                    .or(parameters.first());
            }
            Unit::Percent => "%",
            Unit::Pixels => "px",
            Unit::Degrees => " degrees",
            Unit::Stops => " stops",
            Unit::Levels => "",
            _ => return None,
        };
        parameters.first().filter(|first| first.unit == wanted).or_else(|| {
            // A block is a length in pixels or percent; other further parameters have names.
            let length = parameters.iter().all(|parameter| matches!(parameter.unit, "px" | "%"));
            parameters.iter().find(|parameter| length && parameter.unit == wanted)
        })
    }

    /// The parameter with the documented scale.
    pub(super) fn scaled(&self) -> Option<(&'static Parameter, [f64; 5])> {
        self.capability.parameters.iter().find_map(|one| Some((one, one.scale?)))
    }

    /// Makes the step.
    pub(super) fn step(&self, amount: Option<Amount>, details: &Details) -> Result<Step, Miss> {
        let mut step = self.step.clone();
        let Json::Object(fields) = &mut step else { return Err(Miss::Unfit) };
        for value in fields.values_mut() {
            if let Some(name) = value.as_str().and_then(|text| text.strip_prefix('$')) {
                *value = self.filled(name, amount, details).ok_or(Miss::Unfit)?;
            }
        }
        let fraction = amount.is_some_and(|amount| amount.value.fract() != 0.0);
        serde_json::from_value(step).or_else(|_| match fraction {
            true => super::missing("give a whole number"),
            false => Err(Miss::Unfit),
        })
    }

    fn filled(&self, name: &str, amount: Option<Amount>, details: &Details) -> Option<Json> {
        let (name, default) =
            name.split_once('|').map_or((name, None), |(name, default)| (name, Some(default)));
        match name {
            "amount" => {
                let usual = default.and_then(|usual| usual.parse().ok());
                let amount = amount.or(usual.map(|usual| Amount::new(usual, Unit::None)))?;
                let length = self.capability.parameters.len() > 1
                    && self.capability.parameters.iter().all(|one| matches!(one.unit, "px" | "%"));
                Some(if length {
                    let unit = if amount.unit == Unit::Percent { "%" } else { "px" };
                    format!("{}{unit}", amount.value).into()
                } else {
                    number(amount.value)
                })
            }
            "color" => {
                let named = details.color.map(|color| color.to_string());
                named.or(default.map(str::to_owned)).map(Json::from)
            }
            _ => {
                let given = details.measures.iter().find(|(label, _)| *label == name);
                let value = given.map(|(_, value)| *value).or(default?.parse().ok())?;
                Some(number(value))
            }
        }
    }
}

/// A number as JSON: whole if it is, because some fields are whole numbers.
#[expect(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
pub(super) fn number(value: f64) -> Json {
    if value.fract() == 0.0 && value.abs() < 1e9 { (value as i64).into() } else { value.into() }
}

/// A refusal for a direction and a sign that differ: "brighten by -20%".
pub(super) fn opposed<T>() -> Result<T, Miss> {
    contradiction("the direction and the sign of the number contradict each other")
}
