//! Parses "more or less of something" for brightness, contrast, saturation, warmth and others.

use crate::instruction::patterns::strength::Scale;
use crate::instruction::{Clause, Direction, Quantity, Unit, phrases};
use crate::{Refusal, RefusalKind};

/// The documented scale for vague amounts, in percent.
pub(crate) const SCALE: Scale = Scale { what: "the change", values: [5.0, 10.0, 20.0, 40.0, 60.0] };

/// The words of one adjustable property.
pub(crate) struct Adjustable {
    /// The object that has the property: "the colors".
    pub(crate) objects: &'static [&'static str],
    /// The property itself: "brightness".
    pub(crate) nouns: &'static [&'static str],
    /// Words that mean more of it: "brighter", "brighten".
    pub(crate) more: &'static [&'static str],
    /// Words that mean less of it: "darker".
    pub(crate) less: &'static [&'static str],
    /// The plain adjective, for "twice as bright": "bright".
    pub(crate) plain: &'static [&'static str],
}

const DOUBLE: &[&str] =
    &["twice as", "twice the", "double the", "double", "doubled", "two times as"];
const HALF: &[&str] = &["half as", "half the", "halve the", "halve", "halved"];

/// The words for changes by a factor, such as "twice as".
pub(crate) const MULTIPLES: &[&str] = phrases!(DOUBLE, HALF);

/// Parses a change in percent of the current value: 20 adds a fifth, -100 leaves nothing.
pub(crate) fn read_change(
    clause: &mut Clause<'_>,
    words: &Adjustable,
) -> Result<Option<f64>, Refusal> {
    if let Some(change) = multiple(clause, words) {
        return Ok(Some(change));
    }
    let Some(named) = head(clause, words) else { return Ok(None) };
    clause.take(words.objects);
    let direction = clause.direction();
    let sign = match (named, direction) {
        (Named::More, None | Some(Direction::Up)) | (Named::Noun, Some(Direction::Up)) => Some(1.0),
        (Named::Less, None | Some(Direction::Up)) | (Named::Noun, Some(Direction::Down)) => {
            Some(-1.0)
        }
        // "cool it down" says "less" twice and still means less.
        (Named::Less, Some(Direction::Down)) if clause.said_down() => Some(-1.0),
        (Named::Plain, None | Some(Direction::Up)) => Some(1.0),
        (Named::Plain, Some(Direction::Down)) => Some(-1.0),
        (Named::Noun, _) => None,
        _ => return Err(opposed()),
    };
    let target = direction == Some(Direction::Set);
    match (clause.quantity(), sign) {
        (Some(quantity), sign) => measured(clause, quantity, (sign, target)).map(Some),
        (None, Some(sign)) => Ok(Some(sign * SCALE.change(clause, noun(words), "%"))),
        (None, None) => Err(how_much(words)),
    }
}

/// Renders a change as words that parse back to it: "increase the contrast by 20%".
pub(crate) fn words_of(noun: &str, change: f64) -> String {
    if change < 0.0 {
        format!("reduce the {noun} by {}%", -change)
    } else {
        format!("increase the {noun} by {change}%")
    }
}

#[derive(Clone, Copy)]
enum Named {
    Noun,
    More,
    Less,
    Plain,
}

fn head(clause: &mut Clause<'_>, words: &Adjustable) -> Option<Named> {
    if clause.head(words.less).is_some() {
        Some(Named::Less)
    } else if clause.head(words.more).is_some() {
        Some(Named::More)
    } else if clause.head(words.nouns).is_some() {
        Some(Named::Noun)
    } else {
        clause.head(words.plain).map(|_| Named::Plain)
    }
}

/// "twice as bright", "double the contrast", "half the saturation".
fn multiple(clause: &mut Clause<'_>, words: &Adjustable) -> Option<f64> {
    let named = [words.plain, words.nouns];
    let is_named = named.iter().any(|list| clause.has(list));
    let change = match (is_named, clause.has(DOUBLE), clause.has(HALF)) {
        (true, true, false) => 100.0,
        (true, false, true) => -50.0,
        _ => return None,
    };
    clause.take(DOUBLE);
    clause.take(HALF);
    named.iter().find_map(|list| clause.head(list))?;
    Some(change)
}

/// Parses a change given as a number: "by 20%", "+20", "to 120%".
fn measured(
    clause: &mut Clause<'_>,
    quantity: Quantity,
    (sign, set): (Option<f64>, bool),
) -> Result<f64, Refusal> {
    let Quantity { value, unit, signed, to } = quantity;
    let change = match unit {
        Unit::Percent => value,
        Unit::None => {
            clause.assumed.push(format!("{value} means {value}%"));
            value
        }
        Unit::Times if sign == Some(1.0) && value >= 1.0 && !to => return Ok(value * 100.0 - 100.0),
        // "contrast 1.2x"
        Unit::Times if sign.is_none() && !to => {
            return Ok(((value * 100.0 - 100.0) * 1e6).round() / 1e6);
        }
        _ => return Err(Refusal::missing("give the amount in percent, for example \"by 20%\"")),
    };
    match sign {
        // "set the brightness to +10", as on a slider.
        None if to && set && signed => Ok(change),
        _ if to && signed => Err(opposed()),
        Some(sign) if to && (change - 100.0) * sign < 0.0 => Err(opposed()),
        _ if to || set => Ok(change - 100.0),
        Some(_) if signed && change < 0.0 => Err(opposed()),
        Some(sign) => Ok(sign * change),
        None if signed => Ok(change),
        None => Err(Refusal::missing(
            "say whether the number is a change or a target: \"increase by 20%\" or \"set to 120%\"",
        )),
    }
}

/// The name of the property.
fn noun(words: &Adjustable) -> &'static str {
    words.nouns.first().copied().unwrap_or("amount")
}

fn opposed() -> Refusal {
    Refusal::new(RefusalKind::Contradiction, "the instruction asks for both more and less")
}

fn how_much(words: &Adjustable) -> Refusal {
    let noun = noun(words);
    Refusal::missing(format!(
        "say whether to increase or reduce the {noun}, and by how much: \"increase the {noun} by \
         20%\""
    ))
}
