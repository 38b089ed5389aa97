//! How words combine into phrases: numbers with units, colors, places, sizes, parts of the image,
//! lists of edits.

pub(crate) mod amounts;
mod colors;
mod details;
mod files;
mod geometry;
mod images;
mod layouts;
mod lists;
mod manners;
pub(crate) mod numbers;
pub(crate) mod orders;
pub(crate) mod places;
mod points;
mod rounds;
mod sizes;
mod wordings;

use crate::chart::{Part, Rule};
use crate::value::{Amount, Category, Unit, Use, Value};
use retouch_engine::{Color, Place};
use std::collections::HashMap;
use std::sync::LazyLock;

/// All rules.
fn all() -> impl Iterator<Item = &'static Rule> {
    [
        amounts::RULES,
        colors::RULES,
        details::RULES,
        files::RULES,
        geometry::RULES,
        places::RULES,
        points::RULES,
        rounds::RULES,
        images::RULES,
        layouts::RULES,
        layouts::NAMED,
        lists::RULES,
        manners::RULES,
        orders::RULES,
        sizes::RULES,
        wordings::RULES,
    ]
    .into_iter()
    .flatten()
}

/// The rules whose first part has a category.
pub(crate) fn beginning_with(category: Category) -> &'static [&'static Rule] {
    static INDEX: LazyLock<HashMap<Category, Vec<&'static Rule>>> = LazyLock::new(|| {
        let mut index: HashMap<_, Vec<_>> = HashMap::new();
        for rule in all() {
            if let Some(Part::A(category) | Part::Is(category, _)) = rule.parts.first() {
                index.entry(*category).or_default().push(rule);
            }
        }
        index
    });
    INDEX.get(&category).map_or(&[], Vec::as_slice)
}

/// The rules whose first part is a word.
pub(crate) fn beginning_with_word(word: &str) -> &'static [&'static Rule] {
    static INDEX: LazyLock<HashMap<&str, Vec<&'static Rule>>> = LazyLock::new(|| {
        let mut index: HashMap<_, Vec<_>> = HashMap::new();
        for rule in all() {
            if let Some(Part::Word(words)) = rule.parts.first() {
                words.iter().for_each(|word| index.entry(*word).or_default().push(rule));
            }
        }
        index
    });
    INDEX.get(word).map_or(&[], Vec::as_slice)
}

/// What a row of the lexicon means.
pub(crate) fn lexical(category: Category, value: &'static str) -> Value {
    match category {
        Category::Op | Category::Act | Category::Quality | Category::Trait => {
            Value::Use(used(value))
        }
        // What helps against it; other such words only grade it.
        Category::Complaint if crate::build::is_operation(value.trim_end_matches(['+', '-'])) => {
            Value::Use(used(value))
        }
        Category::Color => color(value).map_or(Value::Word(value), Value::Color),
        Category::Place | Category::Spot => place(value).map_or(Value::Word(value), Value::Place),
        Category::Sides => Value::Sides(sides(value)),
        Category::Part => {
            let parts: f64 = value.parse().unwrap_or(1.0);
            Value::Amount(Amount::new(100.0 / parts, Unit::Percent))
        }
        Category::Amount => factor(value).map_or(Value::Word(value), Value::Amount),
        Category::Ratio => ratio(value).map_or(Value::Word(value), |(w, h)| Value::Size(w, h)),
        Category::Ordinal | Category::Picture => Value::Picture(value.parse().unwrap_or(0)),
        Category::Detail => Value::Detail(value, None, None),
        _ => Value::Word(value),
    }
}

/// An operation with a sign behind it: "brightness+".
fn used(value: &'static str) -> Use {
    let (name, sign) = match (value.strip_suffix('+'), value.strip_suffix('-')) {
        (Some(name), _) => (name, 1.0),
        (_, Some(name)) => (name, -1.0),
        _ => (value, 0.0),
    };
    Use { name, sign, degree: None, amount: None, behind: false }
}

/// A color as the lexicon writes it: `#rrggbb` or the name of another color.
fn color(value: &str) -> Option<Color> {
    value.strip_prefix('#').map_or_else(|| Color::named(value), Color::hex)
}

/// A place by its name with a space: "top left".
fn place(value: &str) -> Option<Place> {
    Place::ALL.into_iter().find(|place| place.words() == value)
}

/// Sides by their first letters, in the order left, top, right, bottom.
fn sides(letters: &str) -> [bool; 4] {
    ["l", "t", "r", "b"].map(|side| letters.contains(side))
}

/// An amount as the lexicon writes it: "2x", "50%", "1stop".
fn factor(value: &str) -> Option<Amount> {
    let (number, unit) = [("x", Unit::Times), ("%", Unit::Percent), ("stop", Unit::Stops)]
        .into_iter()
        .find_map(|(end, unit)| Some((value.strip_suffix(end)?, unit)))?;
    Some(Amount::new(number.parse().ok()?, unit))
}

/// A ratio as the lexicon writes it: "16:9".
fn ratio(value: &str) -> Option<(f64, f64)> {
    let (width, height) = value.split_once(':')?;
    Some((width.parse().ok()?, height.parse().ok()?))
}
