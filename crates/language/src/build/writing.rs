//! Texts and watermarks.

use super::{Builder, Edit, Miss, Request, amount, color, length, missing, place};
use crate::frame::{Entry, Filled};
use crate::value::{Amount, Unit, Value};
use retouch_engine::operations::{Face, Lines, Stroke, Text, Watermark};
use retouch_engine::{Color, Coordinates, Length, Place};

/// Font sizes in percent of the height, by the words for them.
const SIZES_PERCENT: [(&str, f64); 6] = [
    ("tiny", 2.0),
    ("small", 4.0),
    ("smaller", 4.0),
    ("medium", USUAL_PERCENT),
    ("large", 10.0),
    ("huge", 18.0),
];
/// The usual font size in percent of the height.
const USUAL_PERCENT: f64 = 6.0;
/// The usual font size of a diagonal text in percent of the height.
const DIAGONAL_PERCENT: f64 = 15.0;
/// The usual opacity of a watermark, and of a half transparent text, in percent.
const WATERMARK_PERCENT: f64 = 40.0;
const HALF_PERCENT: f64 = 50.0;
/// The usual width of an outline in percent of the font size.
const OUTLINE_PERCENT: f64 = 5.0;
/// The slope of a text that is only called slanted, in degrees.
const SLANT_DEGREES: f64 = -20.0;
/// The opacity of a text that is hardly visible, and of a faint one, in percent.
const VERY_FAINT_PERCENT: f64 = 15.0;
const FAINT_PERCENT: f64 = 30.0;
/// From this, a share of a watermark is its opacity and not its size, in percent.
const OPACITY_PERCENT_MIN: f64 = 10.0;
/// The usual slope of a repeated text in degrees.
const TILED_DEGREES: f64 = -30.0;

/// "write \"Hello\" in red at the top".
pub(super) fn text(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let mut assumed = Vec::new();
    let text = quoted(request, &mut assumed)?;
    // "At the bottom, centered" is the bottom; "on the left, centered" is unclear.
    let centered = match filled.get("place") {
        Some(Value::Place(place)) => place.column_row().0 == 1 && *place != Place::Center,
        _ => false,
    };
    let more = filled.all("place").count() > 1 || says_more(request);
    if more || filled.has("centered") && !centered {
        return Err(Miss::Unfit);
    }
    if is_unclear(request, &text) {
        return missing("put the text in quotation marks: add \"SALE\" on the right");
    }
    if let Some(edit) = from_edge(request) {
        return edit;
    }
    let watermark = filled.says("noun", "watermark") || filled.says("verb", "watermark");
    let degrees = degrees(request, &mut assumed)?;
    let at = match filled.get("at") {
        Some(Value::Point(point)) => Some(*point),
        _ => None,
    };
    let strong = watermark || is_opacity(filled);
    if let Some(edit) = strong.then(|| with_opacity(request, self::text)).flatten() {
        return edit;
    }
    let caption = filled.says("noun", "caption") || filled.says("verb", "caption");
    let usual = match (at, caption) {
        (Some(_), _) => Place::TopLeft,
        (None, true) => Place::Bottom,
        (None, false) => request.gradient.map_or(Place::Center, |(place, _)| place),
    };
    let unclear = filled.has("again") && !describes_text(filled) || !keeps_look(filled);
    if at.is_some() && filled.has("place") || unclear {
        return Err(Miss::Unfit);
    }
    if at.is_none() && !filled.has("place") {
        assumed.push(format!("the text is at the {}", usual.words()));
    }
    let ground = ground(request)?;
    let spot = place(filled, usual)?;
    let color = readable(request, ground.or(gradient(request, at, spot)), &mut assumed);
    // "Transparent" says how strong a text is, not its color.
    if !color.is_opaque() {
        return Err(Miss::Unfit);
    }
    let diagonal = filled.says("angle", "diagonal");
    let usual_size = if diagonal { DIAGONAL_PERCENT } else { USUAL_PERCENT };
    let made = Text {
        text,
        place: spot,
        at,
        color,
        size: size(request, usual_size, &mut assumed)?,
        face: face(request, &mut assumed),
        bold: filled.says("style", "bold"),
        italic: filled.says("style", "italic"),
        opacity_percent: opacity(request, watermark, &mut assumed)?,
        degrees: degrees.unwrap_or(0.0),
        margin: margin(filled)?,
        lines: lines(request),
        outline: outline(filled)?,
        shadow: plain_detail(request, "shadow")?,
        ground,
    };
    Ok(Edit { assumed, ..Edit::one(made)? })
}

/// Whether there are words that are not about one text: "just to the right of it" tells no turn, and
/// "dark green both" is of two texts.
fn says_more(request: &Request<'_>) -> bool {
    let turns = request.filled.has("turn") && !request.filled.has("turned");
    turns || request.context.inputs < 2 && request.images.contains(&"many")
}

fn margin(filled: &Filled<'_>) -> Result<Option<Length>, Miss> {
    let given = filled.measure("measure", "margin");
    given.map(|given| length(given).ok_or(Miss::Unfit)).transpose()
}

/// "White at 80%" tells how opaque the letters are.
fn is_opacity(filled: &Filled<'_>) -> bool {
    filled.preposition("amount") == "at"
        && filled.get("color").is_some()
        && filled.is_behind("amount", "color")
}

/// The color of the gradient that a text is on.
fn gradient(request: &Request<'_>, at: Option<Coordinates>, place: Place) -> Option<Color> {
    let under = |(edge, _): &(Place, Color)| at.is_none() && *edge == place;
    request.gradient.filter(under).map(|(_, color)| color)
}

/// The color of the letters, which are black on a bright box or gradient unless another one is asked for.
fn readable(request: &Request<'_>, ground: Option<Color>, assumed: &mut Vec<String>) -> Color {
    if request.filled.has("color") || !ground.is_some_and(|ground| ground.is_bright()) {
        return colored(request, assumed);
    }
    assumed.push("the text is black".to_owned());
    Color::BLACK
}

fn outline(filled: &Filled<'_>) -> Result<Option<Stroke>, Miss> {
    let Some((color, width)) = filled.detail("outline") else { return Ok(None) };
    let width = width.map_or(Some(Length::Percent(OUTLINE_PERCENT)), length).ok_or(Miss::Unfit)?;
    Ok(Some(Stroke { color: color.unwrap_or(Color::BLACK), width }))
}

/// The color of the box behind a text: "white on red", "in a red box".
fn ground(request: &Request<'_>) -> Result<Option<Color>, Miss> {
    match (plain_detail(request, "ground")?, color(request.filled, "on")) {
        (ground, None) => Ok(ground),
        (None, on) if request.filled.has("color") => Ok(on),
        _ => Err(Miss::Unfit),
    }
}

/// Whether words behind "make it" tell how a text looks. An image may be transparent, too.
fn describes_text(filled: &Filled<'_>) -> bool {
    let looks = ["color", "style", "sized"].iter().any(|slot| filled.has(slot));
    let named = filled.has("noun2");
    named && (looks || filled.has("measure")) || looks && !filled.has("measure")
}

/// "20 px from the bottom": the amount is a margin, and no size.
fn from_edge(request: &Request<'_>) -> Option<Result<Edit, Miss>> {
    let entries = request.filled.entries();
    let at = entries.iter().position(|entry| entry.0 == "amount")?;
    let (amount, next) = (entries[at].1.amount()?, entries.get(at + 1)?);
    let margin = next.0 == "place" && next.2 == "from" && amount.unit != Unit::None;
    let margin = margin.then_some(Value::Measure("margin", amount))?;
    let mut own = entries.to_vec();
    own[at] = ("measure", &margin, "");
    Some(text(&Request { filled: &Filled::new(own.into_iter()), ..*request }))
}

/// "Keep it small": what is kept is how the text looks, and nothing of the image.
fn keeps_look(filled: &Filled<'_>) -> bool {
    let entries = filled.entries();
    let Some(kept) = entries.iter().position(|entry| entry.0 == "kept") else { return true };
    let next = entries.get(kept + 1);
    next.is_some_and(|entry| entry.2.is_empty() && matches!(entry.0, "sized" | "faint" | "style"))
}

/// "Put CEO on the right" may mean a person: without quotation marks, a word in capitals needs more
/// that tells it is a text. In "write £18 each", the last word may be part of the text.
fn is_unclear(request: &Request<'_>, text: &str) -> bool {
    let filled = request.filled;
    let unquoted = matches!(filled.get("text"), Some(Value::Unquoted(_)));
    let loud = text.starts_with(char::is_alphabetic) && !text.contains(char::is_lowercase);
    let looks = ["noun", "color", "sized", "letters", "detail", "style", "amount", "at", "says"];
    let high = match filled.get("place") {
        Some(Value::Place(place)) => place.column_row().1 != 1,
        _ => false,
    };
    let told = high || filled.says("verb", "write") || looks.iter().any(|look| filled.has(look));
    let each = request.images.contains(&"each") && request.context.inputs < 2;
    unquoted && (loud && !told || each)
}

/// "write \"A\" at the top and \"B\" at the bottom, in red": what follows the comma counts for both.
pub(super) fn texts(request: &Request<'_>) -> Result<Edit, Miss> {
    let entries = request.filled.entries();
    let pairs = |entry: &Entry<'_>| matches!(entry.0, "text" | "place");
    let last = entries.iter().rposition(pairs).ok_or(Miss::Unfit)?;
    let (before, looks) = entries.split_at(last + 1);
    let placed: Vec<_> =
        before.iter().filter(|entry| matches!(entry.0, "text" | "place")).collect();
    let pairs = placed.chunks_exact(2);
    // Behind "top text A bottom text B", a font is that of both.
    let meme = before.first().is_some_and(|entry| entry.0 == "place")
        && looks.iter().any(|look| look.0 == "font");
    let shared = meme || looks.first().is_some_and(|look| look.2 == "comma");
    let described =
        before.iter().any(|entry| !matches!(entry.0, "text" | "place" | "verb" | "noun" | "says"));
    if !shared || described || placed.len() < 4 || !pairs.remainder().is_empty() {
        return Err(Miss::Unfit);
    }
    let mut all = Edit::default();
    for pair in pairs {
        // "Top text A, bottom text B": the place may be said before each text.
        let (text_entry, place_entry) = match pair {
            [one, other] if one.0 == "text" && other.0 == "place" => (one, other),
            [one, other] if one.0 == "place" && other.0 == "text" => (other, one),
            _ => return Err(Miss::Unfit),
        };
        let own = [**text_entry, **place_entry].into_iter().chain(looks.iter().copied());
        let edit = text(&Request { filled: &Filled::new(own), ..*request })?;
        all.steps.extend(edit.steps);
        all.assumed.extend(edit.assumed);
    }
    Ok(all)
}

/// "A watermark, white, 30%": a large share is its opacity, and not its size.
fn with_opacity(request: &Request<'_>, builder: Builder) -> Option<Result<Edit, Miss>> {
    let filled = request.filled;
    let given = amount(filled, "amount").filter(|given| {
        given.unit == Unit::Percent && given.value >= OPACITY_PERCENT_MIN && !filled.has("measure")
    })?;
    let percent = Value::Measure("opacity", given);
    let others = filled.entries().iter().copied().filter(|entry| entry.0 != "amount");
    let opaque = Filled::new(others.chain([("measure", &percent, "")]));
    let edit = builder(&Request { filled: &opaque, ..*request });
    Some(edit.map(|edit| edit.assuming(format!("{}% is the opacity", given.value))))
}

/// "tile the watermark \"Sample\" over the picture".
pub(super) fn watermark(request: &Request<'_>) -> Result<Edit, Miss> {
    if let Some(edit) = with_opacity(request, watermark) {
        return edit;
    }
    let mut assumed = Vec::new();
    let degrees = degrees(request, &mut assumed)?.unwrap_or(TILED_DEGREES);
    let made = Watermark {
        text: quoted(request, &mut assumed)?,
        color: colored(request, &mut assumed),
        size: size(request, USUAL_PERCENT, &mut assumed)?,
        bold: request.filled.says("style", "bold"),
        opacity_percent: opacity(request, true, &mut assumed)?,
        degrees,
    };
    Ok(Edit { assumed, ..Edit::one(made)? })
}

/// A text that is asked for and not given.
pub(super) fn no_text(_: &Request<'_>) -> Result<Edit, Miss> {
    missing("put the text in quotation marks: add the text \"Hello\" at the bottom")
}

fn quoted(request: &Request<'_>, assumed: &mut Vec<String>) -> Result<String, Miss> {
    let capitals = request.filled.says("letters", "capitals");
    let cased = |text: &str| if capitals { text.to_uppercase() } else { text.to_owned() };
    match request.filled.get("text") {
        Some(Value::Unquoted(text)) => {
            let text = cased(text);
            assumed.push(format!("the text is \"{text}\""));
            Ok(text)
        }
        Some(Value::Text(text)) => Ok(cased(&text.replace("\\n", "\n"))),
        _ => Err(Miss::Unfit),
    }
}

fn colored(request: &Request<'_>, assumed: &mut Vec<String>) -> Color {
    color(request.filled, "color").unwrap_or_else(|| {
        assumed.push("the text is white".to_owned());
        Color::WHITE
    })
}

/// The color of a detail that can't have a size.
fn plain_detail(request: &Request<'_>, name: &str) -> Result<Option<Color>, Miss> {
    match request.filled.detail(name) {
        None => Ok(None),
        Some((color, None)) => Ok(Some(color.unwrap_or(Color::BLACK))),
        Some(_) => missing(
            "the shadow and the box of a text have no size; you can only choose their color",
        ),
    }
}

/// The font size: an amount without a label, or one of the words for sizes.
fn size(request: &Request<'_>, usual: f64, assumed: &mut Vec<String>) -> Result<Length, Miss> {
    let filled = request.filled;
    let given = match (filled.measure("measure", "size"), amount(filled, "amount")) {
        // "At 850,300 with a size of 18px" has no size of 850.
        (Some(_), Some(_)) => return Err(Miss::Unfit),
        (measured, bare) => measured.or(bare),
    };
    match (given, filled.word("sized")) {
        (Some(given), "") => length(given).ok_or(Miss::Unfit),
        (Some(_), _) => Err(Miss::Unfit),
        (None, word) => {
            let found = SIZES_PERCENT.iter().find(|(name, _)| *name == word);
            let percent = found.map_or(usual, |(_, percent)| *percent);
            assumed.push(format!("the text size is {percent}% of the height"));
            Ok(Length::Percent(percent))
        }
    }
}

/// The opacity in percent.
fn opacity(request: &Request<'_>, watermark: bool, assumed: &mut Vec<String>) -> Result<f64, Miss> {
    let filled = request.filled;
    let percent = |given: Amount| match given {
        Amount { value, unit: Unit::Percent | Unit::None, signed: false } => Ok(value),
        _ => Err(Miss::Unfit),
    };
    match (filled.measure("measure", "opacity"), filled.measure("measure", "transparency")) {
        (Some(given), None) => percent(given),
        (None, Some(given)) => percent(given).map(|clear| 100.0 - clear),
        (Some(_), Some(_)) => Err(Miss::Unfit),
        (None, None) => {
            let usual = match (filled.word("faint"), watermark) {
                ("", false) => return Ok(100.0),
                ("", true) => WATERMARK_PERCENT,
                ("very faint", _) => VERY_FAINT_PERCENT,
                ("weak", _) => FAINT_PERCENT,
                (_, true) => WATERMARK_PERCENT,
                (_, false) => HALF_PERCENT,
            };
            assumed.push(format!("the opacity is {usual}%"));
            Ok(usual)
        }
    }
}

/// The rotation in degrees, clockwise.
fn degrees(request: &Request<'_>, assumed: &mut Vec<String>) -> Result<Option<f64>, Miss> {
    let filled = request.filled;
    match filled.word("angle") {
        "diagonal" => {
            assumed.push("it rises by 45 degrees".to_owned());
            return Ok(Some(-45.0));
        }
        "upright" => return Ok(Some(-90.0)),
        "slant" => {
            assumed.push(format!("it rises by {} degrees", -SLANT_DEGREES));
            return Ok(Some(SLANT_DEGREES));
        }
        _ => {}
    }
    let Some(given) = filled.get("turned").and_then(Value::amount) else { return Ok(None) };
    if !matches!(given.unit, Unit::Degrees | Unit::None) {
        return Err(Miss::Unfit);
    }
    let back = filled.says("turn", "counterclockwise");
    Ok(Some(if back { -given.value } else { given.value }))
}

fn lines(request: &Request<'_>) -> Option<Lines> {
    match request.filled.word("aligned") {
        "left lines" => Some(Lines::Left),
        "middle lines" => Some(Lines::Middle),
        "right lines" => Some(Lines::Right),
        _ => None,
    }
}

/// Where a point is that a place names, for lines that end at it.
pub(super) fn point_at(place: Place) -> Coordinates {
    let (column, row) = place.column_row();
    let share = |third: u32| {
        Length::Percent(match third {
            0 => 5.0,
            1 => 50.0,
            _ => 95.0,
        })
    };
    Coordinates { x: share(column), y: share(row) }
}

/// The typeface. For a font by its name, one of the same kind.
fn face(request: &Request<'_>, assumed: &mut Vec<String>) -> Face {
    let font = request.filled.word("font");
    let (face, name) = match font {
        "serif" | "serif name" => (Face::Serif, "DejaVu Serif"),
        "mono" | "mono name" => (Face::Monospaced, "DejaVu Sans Mono"),
        "hand" => (Face::Handwriting, "Dancing Script"),
        "sans name" => (Face::SansSerif, "DejaVu Sans"),
        _ => return Face::default(),
    };
    if font.ends_with(" name") {
        assumed.push(format!("the font is {name}, which is of the same kind"));
    }
    face
}
