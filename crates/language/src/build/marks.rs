//! Lines, arrows, boxes and circles at coordinates, and shapes at a place.

use super::writing::point_at;
use super::{Edit, Miss, Request, amount, color, length, missing, place};
use crate::value::{Amount, Unit, Value};
use retouch_engine::operations::{Form, Mark, Outline, QrCode, Shape};
use retouch_engine::{Color, Coordinates, Length, Place, Region};

/// The widths of thin, plain and thick lines, in percent of the shorter side.
pub(super) const LINE_PERCENT: [f64; 3] = [0.3, 1.0, 2.5];
/// The widths of shapes, in percent of the shorter side, by the words for them.
const SHAPES_PERCENT: [(&str, f64); 5] =
    [("tiny", 10.0), ("small", 25.0), ("medium", USUAL_PERCENT), ("large", 75.0), ("huge", 90.0)];
const USUAL_PERCENT: f64 = 50.0;
/// The widths of QR codes, likewise.
const QR_PERCENT: [(&str, f64); 4] =
    [("tiny", 10.0), ("small", 15.0), ("large", 35.0), ("huge", 60.0)];
/// The height of a bar over the whole width, in percent of the height.
const BANNER_PERCENT: f64 = 10.0;
/// The opacity of what is semi-transparent, in percent.
const FAINT_PERCENT: f64 = 50.0;
/// The levels of the channels of colors that no thing is named by.
const PLAIN_LEVELS: [u8; 5] = [0, 128, 165, 192, 255];
/// The opacity of what a highlighter marks, in percent.
const MARKER_PERCENT: f64 = 40.0;
const RED: Color = Color { rgba: [255, 0, 0, 255] };

/// "draw a red box from 10,10 to 50,60", "draw an arrow from the left to the center".
pub(super) fn mark(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let kind = filled.word("form");
    let form = match kind {
        "line" | "arrow" | "double arrow" => {
            let (from, to) = ends(request)?;
            if kind == "line" { Form::Line { from, to } } else { Form::Arrow { from, to } }
        }
        "boxed" | "bar" if !filled.has("box") && !filled.has("at") => placed(request)?,
        "boxed" | "oval" | "bar" => {
            let (from, to) = corners(request)?;
            if kind != "oval" { Form::Box { from, to } } else { Form::Ellipse { from, to } }
        }
        "round mark" | "ring" | "encircled" => circle(request)?,
        _ => return Err(Miss::Unfit),
    };
    let line = line(request, kind)?;
    let opacity_percent = opacity(request)?;
    let color = color(filled, "color");
    // "the box from 10,10 to 50,50" alone draws nothing.
    if color.is_none() && !filled.has("verb") {
        return Err(Miss::Unfit);
    }
    let linear = matches!(kind, "line" | "arrow" | "double arrow");
    let outlined = line.is_some() && !linear && !filled.has("fill");
    let made = Mark { form, color: color.unwrap_or(RED), line, opacity_percent };
    let mut edit = Edit::one(made.clone())?;
    // An arrow with two heads is one in each direction.
    if let (Form::Arrow { from, to }, "double arrow") = (made.form, kind) {
        edit.steps.push(Mark { form: Form::Arrow { from: to, to: from }, ..made }.into());
    }
    edit.assumed.extend(color.is_none().then(|| "the mark is red".to_owned()));
    if let Some(width) = line.filter(|_| line_width(request).is_none()) {
        edit.assumed.push(format!("the width of the line is {width}"));
    }
    edit.assumed.extend(outlined.then(|| "only its outline is drawn".to_owned()));
    if filled.has("place") && !filled.has("measure") && !filled.has("across") && is_round(kind) {
        edit.assumed.push(format!("its diameter is {USUAL_PERCENT}% of the shorter side"));
    }
    Ok(edit)
}

/// A size and a place, or a part of the image: "a black box over the bottom left corner, 300 by 100".
fn placed(request: &Request<'_>) -> Result<Form, Miss> {
    let filled = request.filled;
    let (width, height, place) = match (filled.get("size"), filled.get("region")) {
        (Some(Value::Size(width, height)), None) => {
            let place = place(filled, Place::Center)?;
            (Length::Pixels(*width), Length::Pixels(*height), place)
        }
        (Some(Value::Region(Region::Part { width, height, .. })), None) => {
            (*width, *height, place(filled, Place::Center)?)
        }
        (None, Some(Value::Region(Region::Part { width, height, place }))) => {
            (*width, *height, *place)
        }
        _ => return Err(Miss::Unfit),
    };
    Ok(Form::Placed { width, height, place })
}

/// Two corners, or a corner and a size.
fn corners(request: &Request<'_>) -> Result<(Coordinates, Coordinates), Miss> {
    match (request.filled.get("box"), request.filled.get("size"), request.filled.get("at")) {
        (Some(Value::Corners(from, to)), None, None) => Ok((*from, *to)),
        (None, Some(Value::Size(width, height)), Some(Value::Point(from))) => {
            let (Length::Pixels(x), Length::Pixels(y)) = (from.x, from.y) else {
                return Err(Miss::Unfit);
            };
            let to = Coordinates { x: Length::Pixels(x + width), y: Length::Pixels(y + height) };
            Ok((*from, to))
        }
        _ => Err(Miss::Unfit),
    }
}

/// The two ends of a line.
fn ends(request: &Request<'_>) -> Result<(Coordinates, Coordinates), Miss> {
    let filled = request.filled;
    if let Some(Value::Corners(from, to)) = filled.get("box") {
        return Ok((*from, *to));
    }
    let end = |slot: &str| match filled.get(slot) {
        Some(Value::Point(point)) => Some(*point),
        Some(Value::Place(place)) => Some(point_at(*place)),
        _ => None,
    };
    match (end("from"), end("to")) {
        (Some(from), Some(to)) => Ok((from, to)),
        // "An arrow pointing to the bottom": from the center.
        (None, Some(to)) if !filled.has("from") && filled.word("form") == "arrow" => {
            Ok((point_at(Place::Center), to))
        }
        _ => missing("say from where to where: \"draw a line from 10,10 to 90,90\""),
    }
}

fn is_round(kind: &str) -> bool {
    matches!(kind, "round mark" | "ring")
}

fn circle(request: &Request<'_>) -> Result<Form, Miss> {
    let filled = request.filled;
    let measure = |name| filled.measure("measure", name).or_else(|| filled.measure("across", name));
    let radius = measure("radius");
    let diameter = measure("diameter").map(|given| Amount { value: given.value / 2.0, ..given });
    let center = match (filled.get("at"), filled.get("place")) {
        (Some(Value::Point(point)), None) => *point,
        (None, Some(Value::Place(place))) if radius.is_some() => middle_of(*place),
        (None, Some(Value::Place(Place::Center))) if filled.says("fill", "hollow") => {
            middle_of(Place::Center)
        }
        _ => return Err(Miss::Unfit),
    };
    // "A third of the width" is not how thick its line is.
    if radius.or(diameter).is_none() && filled.has("amount") {
        return Err(Miss::Unfit);
    }
    let usual = Amount::new(USUAL_PERCENT / 2.0, Unit::Percent);
    match radius.or(diameter).or_else(|| filled.has("place").then_some(usual)) {
        Some(radius) => Ok(Form::Circle { center, radius: length(radius).ok_or(Miss::Unfit)? }),
        None => missing("give the radius of the circle: \"with a radius of 40px\""),
    }
}

/// The point at a place, as the center of a circle.
fn middle_of(place: Place) -> Coordinates {
    point_at(place)
}

fn line_width(request: &Request<'_>) -> Option<Amount> {
    let measure = |label| request.filled.measure("measure", label);
    amount(request.filled, "amount").or_else(|| measure("width")).or_else(|| measure("thickness"))
}

/// The width of the line; none if the form is filled.
fn line(request: &Request<'_>, kind: &str) -> Result<Option<Length>, Miss> {
    let filled = request.filled;
    let given = line_width(request);
    let (solid, hollow) = (filled.says("fill", "filled"), filled.says("fill", "hollow"));
    if solid && (hollow || matches!(kind, "line" | "arrow" | "double arrow")) {
        return super::contradiction("ask for either a filled form or an outline");
    }
    // A circle is filled unless something is said about its line, or it encircles something.
    let lined =
        given.is_some() || filled.has("weight") || hollow || filled.preposition("at") == "around";
    // A bar covers, and so does a box over something.
    let over = ["box", "place", "region"].iter().any(|slot| filled.preposition(slot) == "on");
    // A white scale bar of 200x8 is solid; so is a black box over a corner.
    let covers = kind == "bar"
        || filled.has("faint")
        || kind == "boxed" && over
        || filled.says("verb", "cover");
    if solid || (kind == "round mark" || covers) && !lined {
        return Ok(None);
    }
    Ok(Some(match given {
        Some(given) => length(given).ok_or(Miss::Unfit)?,
        None => Length::Percent(
            LINE_PERCENT[match filled.word("weight") {
                "thin" => 0,
                "thick" => 2,
                _ => 1,
            }],
        ),
    }))
}

/// "draw a vertical line down the middle": from one side of the image to the other.
pub(super) fn line_through(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let (column, row) = place(filled, Place::Center)?.column_row();
    let (whole, middle) = (Length::Percent(100.0), Length::Percent(50.0));
    let axis = filled.word("axis");
    if filled.all("axis").any(|other| other.word() != axis) {
        return super::contradiction("a line can't be both vertical and horizontal");
    }
    let (from, to) = match axis {
        "vertical" if column == 1 && row == 1 => {
            (Coordinates { x: middle, y: Length::ZERO }, Coordinates { x: middle, y: whole })
        }
        "horizontal" if column == 1 && row == 1 => {
            (Coordinates { x: Length::ZERO, y: middle }, Coordinates { x: whole, y: middle })
        }
        _ => return missing("say from where to where: \"draw a line from 10,10 to 90,90\""),
    };
    let given = filled.get("color").map(|_| ()).or_else(|| filled.get("verb").map(|_| ()));
    if given.is_none() {
        return Err(Miss::Unfit);
    }
    let color = color(filled, "color");
    let line = line(request, "line")?;
    let made = Mark {
        form: Form::Line { from, to },
        color: color.unwrap_or(RED),
        line,
        opacity_percent: 100.0,
    };
    let mut edit = Edit::one(made)?;
    edit.assumed.extend(color.is_none().then(|| "the mark is red".to_owned()));
    if let Some(width) = line.filter(|_| line_width(request).is_none()) {
        edit.assumed.push(format!("the width of the line is {width}"));
    }
    Ok(edit)
}

/// "black out the area from 10,10 to 200,60", "cover the bottom fifth with a white box".
pub(super) fn redact(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let form = match filled.get("box") {
        Some(Value::Corners(from, to)) => Form::Box { from: *from, to: *to },
        _ if filled.has("size") || filled.has("region") => placed(request)?,
        _ => return missing("give two corners of the area: \"from 10,10 to 200,60\""),
    };
    let usual = if filled.says("verb", "white out") { Color::WHITE } else { Color::BLACK };
    // "Cover the top half with transparent pixels" covers nothing.
    let color = color(filled, "color").unwrap_or(usual);
    let [red, green, blue, _] = color.rgba;
    // Snow, chocolate and tomatoes are colors, too.
    let thing = filled.preposition("color") == "with"
        && !filled.has("form")
        && [red, green, blue].iter().any(|channel| !PLAIN_LEVELS.contains(channel));
    if !color.is_opaque() || thing {
        return Err(Miss::Unfit);
    }
    let opacity_percent = opacity(request)?;
    let edit = Edit::one(Mark { form, color, line: None, opacity_percent })?;
    let marks = filled.says("verb", "highlight") && !filled.has("measure");
    Ok(if marks { edit.assuming(format!("the opacity is {MARKER_PERCENT}%")) } else { edit })
}

/// How opaque a mark is: "at 40% opacity", "semi-transparent".
pub(super) fn opacity(request: &Request<'_>) -> Result<f64, Miss> {
    let filled = request.filled;
    let given =
        filled.measure("measure", "opacity").or_else(|| filled.measure("measure", "transparency"));
    match given {
        Some(Amount { value, unit: Unit::Percent | Unit::None, signed: false }) => {
            let clear = filled.measure("measure", "transparency").is_some();
            Ok(if clear { 100.0 - value } else { value })
        }
        Some(_) => Err(Miss::Unfit),
        None if filled.says("verb", "highlight") => Ok(MARKER_PERCENT),
        None => Ok(if filled.has("faint") { FAINT_PERCENT } else { 100.0 }),
    }
}

/// "a red banner along the top, a tenth of the height, with \"SALE\" in white": a bar over the whole
/// width with a text in it.
pub(super) fn banner(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let Some((Some(color), None)) = filled.detail("ground") else { return Err(Miss::Unfit) };
    let place = place(filled, Place::Bottom)?;
    let given = amount(filled, "amount").or_else(|| filled.measure("measure", "height"));
    // In "a half transparent bar", half is no height.
    let clear = filled.has("faint") && given.and_then(length) == Some(Length::Percent(50.0));
    let (column, row) = place.column_row();
    if clear || column != 1 || row == 1 || given.is_none() && !filled.has("full") {
        return Err(Miss::Unfit);
    }
    let height = given.map_or(Some(Length::Percent(BANNER_PERCENT)), length).ok_or(Miss::Unfit)?;
    let form = Form::Placed { width: Length::Percent(100.0), height, place };
    let bar = Mark { form, color, line: None, opacity_percent: opacity(request)? };
    let mut edit = Edit::one(bar)?;
    if given.is_none() {
        edit.assumed.push(format!("the height of the bar is {height}"));
    }
    if filled.has("text") {
        let (written, assumed) = super::captions::on_bar(request, height, color)?;
        edit.steps.push(written);
        edit.assumed.extend(assumed);
    } else if filled.has("color") || filled.has("style") || filled.has("noun") {
        return Err(Miss::Unfit);
    }
    Ok(edit)
}

/// "put a QR code for \"example.com\" at the bottom right".
pub(super) fn qr_code(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let Some(Value::Text(text)) = filled.get("text") else {
        return missing("say what the QR code leads to: \"add a QR code for https://example.com\"");
    };
    // The edge is always there, and always white.
    if color(filled, "color").is_some_and(|color| color != Color::WHITE || !filled.has("edge")) {
        return Err(Miss::Unfit);
    }
    let place = place(filled, Place::BottomRight)?;
    let given = amount(filled, "amount")
        .or_else(|| filled.measure("measure", "size"))
        .or_else(|| filled.measure("measure", "width"));
    let sized = filled.word("sized");
    let usual = QR_PERCENT.iter().find(|(word, _)| *word == sized).map_or(20.0, |(_, it)| *it);
    let size = match given {
        Some(_) if !sized.is_empty() => return Err(Miss::Unfit),
        Some(given) => length(given).ok_or(Miss::Unfit)?,
        None => Length::Percent(usual),
    };
    let mut edit = Edit::one(QrCode { text: text.clone(), place, size })?;
    if !filled.has("place") {
        edit.assumed.push("the code is at the bottom right".to_owned());
    }
    if given.is_none() {
        edit.assumed.push(format!("its size is {usual}% of the shorter side"));
    }
    Ok(edit)
}

/// "draw a small yellow star at the top right".
pub(super) fn shape(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let shape = match filled.word("form") {
        "round mark" => Outline::Circle,
        "oval" => Outline::Ellipse,
        "square shape" => Outline::Square,
        "boxed" => Outline::Rectangle,
        "triangle" => Outline::Triangle,
        "diamond" => Outline::Diamond,
        "star" => Outline::Star,
        "ring" => Outline::Ring,
        "heart" => Outline::Heart,
        _ => return Err(Miss::Unfit),
    };
    // Hearts are red unless told otherwise.
    let usual = (shape == Outline::Heart).then_some(RED);
    let named = color(filled, "color");
    let Some(color) = named.or(usual) else { return missing("name the color of the shape") };
    let radius = filled
        .measure("measure", "radius")
        .map(|given| Amount { value: given.value * 2.0, ..given });
    if radius.is_some() && (filled.has("place") || filled.has("amount")) {
        return Err(Miss::Unfit);
    }
    let given = radius
        .or_else(|| amount(filled, "amount"))
        .or_else(|| filled.measure("measure", "size"))
        .or_else(|| filled.measure("measure", "width"))
        .or_else(|| filled.measure("measure", "diameter"));
    let mut assumed = vec!["the shape is filled".to_owned()];
    assumed.extend(named.is_none().then(|| "the heart is red".to_owned()));
    let size = match (given, filled.word("sized")) {
        (Some(given), "") => length(given).ok_or(Miss::Unfit)?,
        (Some(_), _) => return Err(Miss::Unfit),
        (None, word) => {
            let found = SHAPES_PERCENT.iter().find(|(name, _)| *name == word);
            let percent = found.map_or(USUAL_PERCENT, |(_, percent)| *percent);
            assumed.push(format!("the width of the shape is {percent}% of the shorter side"));
            Length::Percent(percent)
        }
    };
    let made = Shape { shape, color, place: place(filled, Place::Center)?, size };
    Ok(Edit { assumed, ..Edit::one(made)? })
}
