//! How a text is said.

use super::Text;
use crate::instruction::{Clause, Unit, cut_quoted};
use crate::length::Length;
use crate::{Colour, Place, Refusal};

const HEADS: &[&str] =
    &["text", "caption", "words", "title", "label", "watermark", "heading", "word"];
const VERBS: &[&str] = &[
    "write",
    "saying",
    "says",
    "that says",
    "reading",
    "that reads",
    "which says",
    "with the words",
    "writing",
    "type",
];
pub(super) const DETAILS: &[&str] = &[
    "says",
    "bold",
    "size",
    "font size",
    "font",
    "letters",
    "small",
    "large",
    "big",
    "huge",
    "tiny",
    "corner",
    "word",
    "type",
    "place",
    "which",
    "insert",
    "overlay",
    "reads",
    "sized",
    "centred",
    "superimpose",
    "put",
    "of",
    "over",
    "across",
];
/// Sizes in percent of the height.
const SIZES: [(&[&str], f64); 5] = [
    (&["tiny", "very small"], 2.0),
    (&["small"], 4.0),
    (&["medium", "normal"], 6.0),
    (&["large", "big"], 10.0),
    (&["huge", "very large", "very big"], 18.0),
];

pub(super) fn read(clause: &mut Clause<'_>) -> Result<Option<Text>, Refusal> {
    let named = clause.head(HEADS).is_some();
    let said = clause.head(VERBS).is_some();
    let quoted = clause.quoted();
    let text = match quoted {
        Some(text) if named || said || clause.has(&["add", "put", "place", "insert"]) => text,
        Some(_) => return Ok(None),
        None if named || said => {
            return Err(Refusal::missing(
                "put the text in quotation marks: add the text \"Hello\" at the bottom",
            ));
        }
        None => return Ok(None),
    };
    clause.take(&["insert", "place", "overlay", "superimpose"]);
    let bold = clause.take(&["bold letters", "bold font", "bold"]).is_some();
    let colour = clause.colour();
    let place = clause.place();
    let size = size(clause)?;
    clause.take_all(&["letters", "font", "over", "across", "type"]);
    if colour.is_none() {
        clause.assumed.push("the text is white".to_owned());
    }
    if place.is_none() {
        clause.assumed.push("the text stands in the centre".to_owned());
    }
    Ok(Some(Text {
        text,
        place: place.unwrap_or(Place::Centre),
        colour: colour.unwrap_or(Colour::WHITE),
        size,
        bold,
    }))
}

/// The text in the first kind of quotation marks that reads back as the same text.
pub(super) fn quoted(text: &str) -> Option<String> {
    let styles = [('"', '"'), ('«', '»'), ('\'', '\'')];
    styles
        .iter()
        .map(|(open, close)| format!("{open}{text}{close}"))
        .find(|candidate| cut_quoted(candidate).as_deref() == Some(text))
}

fn size(clause: &mut Clause<'_>) -> Result<Length, Refusal> {
    clause.take(&["font size", "size", "sized"]);
    if let Some(amount) = clause.quantity() {
        return match amount.unit {
            Unit::Percent => Ok(Length::Percent(amount.value)),
            Unit::Pixels | Unit::None => Ok(Length::Pixels(amount.value)),
            _ => Err(Refusal::missing(
                "say the size of the text in pixels or in percent of the height",
            )),
        };
    }
    let found = SIZES.iter().find(|(words, _)| clause.has(words));
    let percent = found.map_or(6.0, |(words, percent)| {
        clause.take(words);
        *percent
    });
    clause.assumed.push(format!("the text is {percent}% of the height in size"));
    Ok(Length::Percent(percent))
}
