//! Parses and renders the words for a text.

use super::details::{ADJECTIVES, ALIGNED, BOLD, GROUND, ITALIC, MARGIN, OUTLINE, SHADOW, TILED};
use super::{Lines, Stroke, Text};
use crate::instruction::{Clause, Quantity, Thing, Unit, cut_quoted, phrases};
use crate::length::Length;
use crate::{Color, Place, Refusal};

const NOUNS: &[&str] = &["text", "caption", "words", "title", "label", "watermark", "heading"];
const VERBS: &[&str] = &["write", "saying", "says", "writing", "reading"];
/// Phrases that name a text, but occur together with a head or are too common to be one.
const OTHER_NOUNS: &[&str] = &["word"];
const OTHER_VERBS: &[&str] =
    &["that says", "that reads", "which says", "with the words", "type", "stamp", "print", "say"];
const VERBS_OF_PUTTING: &[&str] = &["add", "put", "place", "insert"];
pub(super) const HEADS: &[&str] = phrases!(NOUNS, VERBS);
/// Font sizes in percent of the height.
const SIZES: [(&[&str], f64); 5] = [
    (&["tiny", "very small"], 2.0),
    (&["small"], 4.0),
    (&["medium", "normal"], USUAL_PERCENT),
    (&["large", "big"], 10.0),
    (&["huge", "very large", "very big"], 18.0),
];
/// The default font size in percent of the height.
pub(crate) const USUAL_PERCENT: f64 = 6.0;
/// The default font size of a diagonal text in percent of the height.
const DIAGONAL_PERCENT: f64 = 15.0;
const DIAGONALLY: &[&str] = &["diagonally", "diagonal"];
/// The default opacity of a watermark in percent.
const WATERMARK_PERCENT: f64 = 40.0;

/// The quoted text of an instruction.
pub(crate) struct Said {
    pub(crate) text: String,
    /// Whether the instruction calls it a watermark.
    pub(crate) watermark: bool,
    /// Whether the text is repeated over the image.
    pub(crate) tiled: bool,
}

pub(super) fn read(clause: &mut Clause<'_>) -> Result<Option<Text>, Refusal> {
    let caption = clause.has(&["caption"]);
    let Some(said) = said(clause)? else { return Ok(None) };
    if said.tiled {
        return Ok(None);
    }
    let outline = clause.thing(OUTLINE, ADJECTIVES).map(outline).transpose()?;
    let shadow = clause.thing(SHADOW, ADJECTIVES).map(plain).transpose()?;
    let ground = clause.thing(GROUND, ADJECTIVES).map(plain).transpose()?;
    let shadow = shadow.map(|color| {
        color.unwrap_or_else(|| supposed(clause, "the shadow is black", Color::BLACK))
    });
    let ground = ground
        .map(|color| color.unwrap_or_else(|| supposed(clause, "the box is black", Color::BLACK)));
    let opacity_percent = opacity(clause, said.watermark)?;
    let usual_percent = if clause.has(DIAGONALLY) { DIAGONAL_PERCENT } else { USUAL_PERCENT };
    let degrees = turn(clause)?.unwrap_or(0.0);
    let margin = clause.quantity_of(MARGIN).map(measured).transpose()?;
    let named = ALIGNED.iter().position(|words| clause.take(words).is_some());
    let lines = named.and_then(|at| [Lines::Left, Lines::Middle, Lines::Right].get(at).copied());
    let bold = clause.take(BOLD).is_some();
    let italic = clause.take(ITALIC).is_some();
    let at = clause.coordinates_after(&["at", "from", "position"]);
    let color = clause.color();
    let place = if at.is_some() { Some(Place::TopLeft) } else { clause.place() };
    let size = size(clause, usual_percent)?;
    clause.take_all(&["letters", "lettering", "font", "over", "across", "type"]);
    let color = color.unwrap_or_else(|| supposed(clause, "the text is white", Color::WHITE));
    let place = place.unwrap_or_else(|| match caption {
        true => supposed(clause, "the caption is at the bottom", Place::Bottom),
        false => supposed(clause, "the text is in the center", Place::Center),
    });
    Ok(Some(Text {
        text: said.text,
        place,
        at,
        color,
        size,
        bold,
        italic,
        opacity_percent,
        degrees,
        margin,
        lines,
        outline,
        shadow,
        ground,
    }))
}

/// Takes the quoted text, or returns `None` if the clause doesn't ask for text.
pub(crate) fn said(clause: &mut Clause<'_>) -> Result<Option<Said>, Refusal> {
    let watermark = clause.has(&["watermark"]);
    let named = clause.head(phrases!(NOUNS, OTHER_NOUNS)).is_some();
    let said = clause.head(phrases!(VERBS, OTHER_VERBS)).is_some();
    let text = match clause.quoted() {
        Some(text) if named || said || clause.has(VERBS_OF_PUTTING) => text,
        // In "\"SALE\" in red at the top", the quotation can only be a text to add.
        Some(text) if clause.clone().place().is_some() => text,
        Some(_) => return Ok(None),
        // Text that is already in the image is not text to add.
        None if clause.has(&["remove", "erase", "delete", "rid of", "translate", "take"]) => {
            return Ok(None);
        }
        None if named || said => {
            return Err(Refusal::missing(
                "put the text in quotation marks: add the text \"Hello\" at the bottom",
            ));
        }
        None => return Ok(None),
    };
    clause.take(&["insert", "place", "overlay", "superimpose"]);
    clause.take_all(phrases!(NOUNS, OTHER_NOUNS));
    let tiled = clause.head(TILED).is_some();
    Ok(Some(Said { text: text.replace("\\n", "\n"), watermark, tiled }))
}

/// Quotes the text with the first kind of quotation marks with which it parses back.
pub(crate) fn quoted(text: &str) -> Option<String> {
    let styles = [('"', '"'), ('«', '»'), ('\'', '\'')];
    styles
        .iter()
        .map(|(open, close)| format!("{open}{text}{close}"))
        .find(|candidate| cut_quoted(candidate).as_deref() == Some(text))
}

/// Parses the opacity in percent.
pub(crate) fn opacity(clause: &mut Clause<'_>, watermark: bool) -> Result<f64, Refusal> {
    let clear = ["transparent", "transparency", "see through", "translucent"];
    let percent = |amount: Quantity| match amount.unit {
        Unit::Percent | Unit::None if !amount.signed => Ok(amount.value),
        _ => Err(Refusal::missing("give the opacity in percent")),
    };
    if let Some(amount) = clause.quantity_of(&["opacity", "opaque"]) {
        return percent(amount);
    }
    if let Some(amount) = clause.quantity_of(&clear) {
        return percent(amount).map(|clear| 100.0 - clear);
    }
    let half = ["semi transparent", "half transparent", "semitransparent", "translucent", "faint"];
    if clause.take(&half).is_some() {
        return Ok(50.0);
    }
    if watermark {
        clause.take(&clear);
        let assumed = format!("the opacity of the watermark is {WATERMARK_PERCENT}%");
        return Ok(supposed(clause, &assumed, WATERMARK_PERCENT));
    }
    Ok(100.0)
}

/// Parses the rotation in degrees, clockwise.
pub(crate) fn turn(clause: &mut Clause<'_>) -> Result<Option<f64>, Refusal> {
    if clause.take(DIAGONALLY).is_some() {
        return Ok(Some(supposed(clause, "diagonal is 45 degrees counterclockwise", -45.0)));
    }
    if clause.take(&["vertically"]).is_some() {
        return Ok(Some(supposed(clause, "vertical is 90 degrees counterclockwise", -90.0)));
    }
    let Some(amount) = clause.quantity_of(&[
        "rotated",
        "rotated by",
        "turned",
        "tilted",
        "tilted by",
        "angle",
        "turned by",
        "rotated to",
    ]) else {
        return Ok(None);
    };
    let back = clause.take(&["counterclockwise", "counter clockwise", "to the left"]).is_some();
    let forth = !back && clause.take(&["clockwise", "to the right"]).is_some();
    match amount.unit {
        Unit::Degrees | Unit::None if back && amount.signed => {
            Err(Refusal::contradiction("give the direction only once"))
        }
        Unit::Degrees | Unit::None => {
            if !back && !forth {
                clause.assumed.push("the text is rotated clockwise".to_owned());
            }
            Ok(Some(if back { -amount.value } else { amount.value }))
        }
        _ => Err(Refusal::missing("give the rotation of the text in degrees")),
    }
}

/// Parses the font size. The default is a percentage of the height.
pub(crate) fn size(clause: &mut Clause<'_>, usual_percent: f64) -> Result<Length, Refusal> {
    let said = clause.quantity_of(&["font size", "text size", "size", "sized"]);
    if let Some(amount) = said.or_else(|| clause.quantity()) {
        return measured(amount);
    }
    let found = SIZES.iter().find(|(words, _)| clause.has(words));
    let percent = found.map_or(usual_percent, |(words, percent)| {
        clause.take(words);
        *percent
    });
    clause.assumed.push(format!("the text size is {percent}% of the height"));
    Ok(Length::Percent(percent))
}

fn measured(amount: Quantity) -> Result<Length, Refusal> {
    match amount.unit {
        Unit::Percent => Ok(Length::Percent(amount.value)),
        Unit::Pixels | Unit::None => Ok(Length::Pixels(amount.value)),
        _ => {
            Err(Refusal::missing("give the size of the text in pixels or in percent of the height"))
        }
    }
}

fn outline(thing: Thing) -> Result<Stroke, Refusal> {
    let width = thing.measure.map_or(Ok(Length::Percent(5.0)), measured)?;
    Ok(Stroke { color: thing.color.unwrap_or(Color::BLACK), width })
}

/// The color of a detail that can't have a size.
fn plain(thing: Thing) -> Result<Option<Color>, Refusal> {
    match thing.measure {
        None => Ok(thing.color),
        Some(_) => Err(Refusal::missing(
            "the shadow and the box of a text have no size; you can \
             only choose their color",
        )),
    }
}

fn supposed<T>(clause: &mut Clause<'_>, assumed: &str, value: T) -> T {
    clause.assumed.push(assumed.to_owned());
    value
}
