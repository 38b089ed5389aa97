//! Texts beside an image or below another text: on a strip, on a bar, on the edge of a polaroid.

use super::writing::text;
use super::{Edit, Miss, Request, color, missing};
use crate::frame::{Entry, Filled};
use crate::value::Value;
use retouch_engine::operations::{Backing, Pad, Polaroid, Text};
use retouch_engine::{Color, Length, Place, Step};

/// The height of a strip and the margin of its text, in font sizes.
const STRIP_HEIGHT: f64 = 2.0;
const STRIP_MARGIN: f64 = 0.4;
/// The margin of a text on the lower edge of a polaroid, in percent of the shorter side.
const POLAROID_MARGIN_PERCENT: f64 = 6.0;
/// The most characters of a text on a strip, which is one line.
const STRIP_CHARS_MAX: usize = 50;
/// How much of the height of a bar its text has.
const BAR_TEXT: f64 = 0.5;
/// The most characters of a text that another one is written below.
const FIRST_CHARS_MAX: usize = 28;
/// The most empty lines before a text below another.
const LINES_MAX: f64 = 6.0;

/// "add the caption \"A\" below the image on a white strip": a strip is added for it.
pub(super) fn strip(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let above = filled.says("outside", "above image");
    if let Some(first) = request.written.filter(|_| filled.says("outside", "below image")) {
        return beneath(request, first);
    }
    // On an image that is made, "below it" is below the first text.
    if request.context.inputs == 0 {
        let place = Value::Place(if above { Place::Top } else { Place::Bottom });
        let inner = filled.entries().iter().copied().filter(|entry| entry.0 != "outside");
        let placed = Filled::new(inner.chain([("place", &place, "")]));
        return text(&Request { filled: &placed, ..*request });
    }
    let ground = filled.detail("ground").and_then(|(color, _)| color);
    let strip = ground.or_else(|| color(filled, "on")).unwrap_or(Color::WHITE);
    let bright = strip.is_bright();
    let inner = filled.entries().iter().copied().filter(|entry| {
        !matches!(entry.1, Value::Detail("ground", ..))
            && !matches!(entry.0, "outside" | "on" | "centered")
    });
    let mut edit = text(&Request { filled: &Filled::new(inner), ..*request })?;
    let Some(Step::Text(made)) = edit.steps.first_mut() else { return Err(Miss::Unfit) };
    let along = match filled.get("place") {
        Some(Value::Place(Place::Top)) => above,
        Some(Value::Place(Place::Bottom)) => !above,
        Some(Value::Place(Place::Center)) => true,
        place => place.is_none(),
    };
    if !along || filled.has("at") || made.margin.is_some() || made.degrees != 0.0 {
        return Err(Miss::Unfit);
    }
    if made.text.contains('\n') || made.text.chars().count() > STRIP_CHARS_MAX {
        return missing("a text on a strip must fit in one line; make it shorter");
    }
    if !filled.has("color") {
        made.color = if bright { Color::BLACK } else { Color::WHITE };
    }
    made.place = if above { Place::Top } else { Place::Bottom };
    let share = |factor: f64| match made.size {
        Length::Percent(percent) => Length::Percent((percent * factor * 10.0).round() / 10.0),
        Length::Pixels(px) => Length::Pixels((px * factor).round()),
    };
    made.margin = Some(share(STRIP_MARGIN));
    let height = share(STRIP_HEIGHT);
    let (top, bottom) = if above { (height, Length::ZERO) } else { (Length::ZERO, height) };
    let color = Backing::Color(strip);
    let pad = Pad::Sides { left: Length::ZERO, top, right: Length::ZERO, bottom, color };
    edit.steps.insert(0, pad.into());
    let side = if above { "above" } else { "below" };
    edit.assumed = vec![format!("the text is on a strip of {height} {side} the image")];
    Ok(edit)
}

/// "Write \"Jazz\", and below it \"Friday\"": empty lines before the second text keep it off the first.
fn beneath(request: &Request<'_>, first: &Text) -> Result<Edit, Miss> {
    let kept = request.filled.entries().iter().copied().filter(|entry| entry.0 != "outside");
    let place = Value::Place(first.place);
    let placed = Filled::new(kept.chain([("place", &place, "")]));
    let mut edit = text(&Request { filled: &placed, written: None, ..*request })?;
    let Some(Step::Text(made)) = edit.steps.first_mut() else { return Err(Miss::Unfit) };
    let sizes = match (first.size, made.size) {
        (Length::Percent(one), Length::Percent(other))
        | (Length::Pixels(one), Length::Pixels(other)) => Some(one / other),
        _ => None,
    };
    let turned = first.degrees != 0.0 || made.degrees != 0.0 || first.at.is_some();
    let boxed = first.ground.is_some() || made.ground.is_some() || first.text.contains('\n');
    let lines = match (first.place.column_row().1, sizes) {
        (0, Some(sizes)) => sizes.ceil(),
        (1, Some(sizes)) => (sizes + 1.0).ceil(),
        _ => LINES_MAX + 1.0,
    };
    // A long text may be wrapped, and then more lines are needed.
    let long = first.text.chars().count() > FIRST_CHARS_MAX;
    if turned || boxed || long || lines > LINES_MAX {
        return missing("say where each text is: \"write A at the top and B at the bottom\"");
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number")]
    let empty = "\n".repeat(lines as usize);
    made.text.insert_str(0, &empty);
    if !request.filled.has("color") {
        made.color = first.color;
    }
    edit.assumed = vec!["the second text is right below the first".to_owned()];
    Ok(edit)
}

/// "a polaroid frame with the caption \"Summer\"": the text is on the wide lower edge.
pub(super) fn polaroid(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let named = |name| filled.entries().iter().position(|entry| entry.0 == name);
    if named("text") < named("polaroid") && filled.preposition("polaroid").is_empty() {
        return Err(Miss::Unfit);
    }
    // "A black polaroid frame with a text in red": the color before the frame is that of its paper.
    let colored = named("color").is_some_and(|at| Some(at) < named("polaroid"));
    let inner = filled.entries().iter().copied().filter(|entry| {
        let paper = colored && entry.0 == "color";
        !paper && !matches!(entry.0, "polaroid" | "outside" | "border" | "lower")
    });
    let mut edit = text(&Request { filled: &Filled::new(inner), ..*request })?;
    let Some(Step::Text(made)) = edit.steps.first_mut() else { return Err(Miss::Unfit) };
    if filled.has("at") || !matches!(made.place, Place::Bottom | Place::Center) {
        return Err(Miss::Unfit);
    }
    made.place = Place::Bottom;
    made.margin = made.margin.or(Some(Length::Percent(POLAROID_MARGIN_PERCENT)));
    let paper = color(filled, "color").filter(|_| colored).unwrap_or(Color::WHITE);
    if colored || !filled.has("color") {
        made.color = if paper.is_bright() { Color::BLACK } else { Color::WHITE };
    }
    edit.assumed = vec!["the text is on the lower edge of the frame".to_owned()];
    edit.steps.insert(0, Polaroid { color: paper }.into());
    Ok(edit)
}

/// The text on a bar of a height, and what is assumed.
pub(super) fn on_bar(
    request: &Request<'_>,
    height: Length,
    bar: Color,
) -> Result<(Step, Vec<String>), Miss> {
    let own = |entry: &Entry<'_>| !matches!(entry.0, "detail" | "amount" | "measure" | "faint");
    let kept = request.filled.entries().iter().copied().filter(own);
    let edit = text(&Request { filled: &Filled::new(kept), ..*request })?;
    let [Step::Text(made)] = edit.steps.as_slice() else { return Err(Miss::Unfit) };
    let share = |factor: f64| match height {
        Length::Percent(percent) => Length::Percent((percent * factor * 10.0).round() / 10.0),
        Length::Pixels(px) => Length::Pixels((px * factor).round()),
    };
    let color = match color(request.filled, "color") {
        Some(color) => color,
        None if bar.is_bright() => Color::BLACK,
        None => Color::WHITE,
    };
    let (size, margin) = (share(BAR_TEXT), Some(share((1.0 - BAR_TEXT) / 2.0)));
    let made = Text { color, size, margin, ..made.clone() };
    Ok((made.into(), vec![format!("the text on the bar has a size of {size}")]))
}
