//! Several images: joined, laid over each other, blended and masked.

use super::{
    Edit, Miss, Request, amount, color, contradiction, degree, length, missing, place, whole_px,
};
use crate::frame::Filled;
use crate::rules::orders::OTHERS;
use crate::value::{Amount, Unit, Value};
use retouch_engine::operations::{Blend, Join, Layout, Mask, MaskBy, Mode, Only, Overlay, Resize};
use retouch_engine::{Color, Length, Place, Refusal, Step};

/// The usual width of an overlaid image and its distance from the edges, in percent.
const WIDTH_PERCENT: f64 = 25.0;
const SMALL_PERCENT: f64 = 12.0;
const LARGE_PERCENT: f64 = 50.0;
const MARGIN_PERCENT: f64 = 4.0;
/// Small, plain and large gaps between images, in percent.
const GAP_PERCENT: [f64; 3] = [1.0, 2.0, 4.0];
/// The opacity of an image as a watermark, and of a plain blend, in percent.
const HALF_PERCENT: f64 = 50.0;
/// What "the other image" and "the last image" have instead of a number.
const OTHER: usize = 0;
const LAST: usize = 99;

/// "put them side by side with a 10px white gap", "in a 2x2 grid".
pub(super) fn join(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    if request.context.inputs < 2 {
        return missing("this combines images; send at least two");
    }
    let lengthwise = filled.word("axis");
    let one_above = match (filled.get("one"), filled.get("other")) {
        (Some(one), Some(other)) if filled.has("under") => {
            let between = filled.is_behind("under", "one") && filled.is_behind("other", "under");
            if !between {
                return Err(Miss::Unfit);
            }
            Some((other.picture(), one.picture()))
        }
        (Some(one), Some(other)) => Some((one.picture(), other.picture())),
        _ => None,
    };
    let ordered = one_above.is_some();
    let stacked = ordered || filled.says("verb", "stack") && !filled.has("layout");
    let named = if stacked { "stacked" } else { filled.word("layout") };
    let named = if filled.has("board") { "grid" } else { named };
    let layout = match (named, lengthwise) {
        ("side by side", "" | "horizontal") | ("together" | "", "horizontal") => Layout::SideBySide,
        ("together" | "", "") if filled.has("sequence") && request.context.inputs == 2 => {
            Layout::SideBySide
        }
        ("stacked", "" | "vertical" | "down") | ("together" | "", "vertical") => Layout::Stacked,
        ("grid" | "collage", "") => grid(request)?,
        ("together" | "", "") => {
            return missing("say how to join them: \"side by side\", \"stacked\" or \"in a grid\"");
        }
        _ => return Err(Miss::Unfit),
    };
    // Images in a row get the same height, and those in a column the same width.
    match (filled.word("equal"), layout) {
        ("equal widths" | "equal cells", Layout::SideBySide)
        | ("equal" | "equal cells", Layout::Stacked) => {
            return Err(Miss::Unfit);
        }
        _ => {}
    }
    let order = match one_above {
        Some((Some(above), Some(below))) => order(request, &[above, below])?,
        _ => said_order(request, layout)?,
    };
    joined(request, layout, order)
}

/// The join with its gap and captions.
fn joined(request: &Request<'_>, layout: Layout, order: Vec<usize>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let (gap, mut assumed) = gap(request)?;
    let inputs = request.context.inputs;
    let captions = match filled.get("captions") {
        Some(Value::Captions(texts)) if texts.is_empty() => {
            (1..=inputs).map(|number| number.to_string()).collect()
        }
        Some(Value::Captions(texts)) if texts.len() == inputs => texts.clone(),
        Some(Value::Captions(texts)) => {
            let message = format!("there are {} captions for {inputs} images", texts.len());
            return Err(Miss::Refused(Refusal::contradiction(message)));
        }
        _ => Vec::new(),
    };
    let usual = if captions.is_empty() { Color::TRANSPARENT } else { Color::WHITE };
    let color = color(filled, "color").unwrap_or(usual);
    if !captions.is_empty() && !filled.has("color") {
        assumed.push("the captions are on white".to_owned());
    }
    let keep_sizes = filled.has("sizes");
    let join = Join { layout, gap, color, keep_sizes, order, captions };
    let mut edit = Edit::one(join)?;
    // "200 px thumbnails": the cells are that wide and high.
    if let Some(given) = filled.measure("measure", "thumb") {
        let side = whole_px(given.value)?;
        edit.steps.insert(0, Resize::Fill { width: side, height: side }.into());
    }
    Ok(Edit { assumed, ..edit })
}

/// "Write A, B, C and D in the top left corner of each": a text on each image, before they are joined.
pub(super) fn labels(request: &Request<'_>) -> Result<Edit, Miss> {
    let inputs = request.context.inputs;
    let Some(Value::Captions(texts)) = request.filled.get("captions") else {
        return Err(Miss::Unfit);
    };
    let counted: Vec<String> = (1..=inputs).map(|number| number.to_string()).collect();
    let texts = if texts.is_empty() { &counted } else { texts };
    if inputs < 2 || !request.images.contains(&"each") {
        return Err(Miss::Unfit);
    }
    if texts.len() != inputs {
        let message = format!("there are {} texts for {inputs} images", texts.len());
        return Err(Miss::Refused(Refusal::contradiction(message)));
    }
    let mut all = Edit::default();
    for (number, text) in texts.iter().enumerate() {
        let text = Value::Text(text.clone());
        let looks = request.filled.entries().iter().copied();
        let looks = looks.filter(|(slot, ..)| !matches!(*slot, "captions" | "verb"));
        let filled = Filled::new(looks.chain([("text", &text, "")]));
        let one = super::writing::text(&Request { filled: &filled, ..*request })?;
        all.steps.extend(
            one.steps
                .into_iter()
                .map(|step| Step::from(Only { picture: number + 1, step: Box::new(step) })),
        );
        if number == 0 {
            all.assumed = one.assumed;
        }
    }
    Ok(all)
}

/// The order in which images are placed, if it is not the one in which they were sent.
fn said_order(request: &Request<'_>, layout: Layout) -> Result<Vec<usize>, Miss> {
    let Some(Value::Order(numbers)) = request.filled.get("sequence") else { return Ok(Vec::new()) };
    if numbers.contains(&OTHERS) && matches!(layout, Layout::Grid { .. }) {
        return Err(Miss::Unfit);
    }
    order(request, numbers)
}

fn order(request: &Request<'_>, numbers: &[usize]) -> Result<Vec<usize>, Miss> {
    let inputs = request.context.inputs;
    let named =
        |number: usize| -> Result<usize, Miss> { numbered(number, inputs).map_err(Miss::Refused) };
    let mut all = Vec::new();
    for number in numbers {
        match *number {
            OTHERS if numbers.len() == 2 => all.push(OTHERS),
            number => all.push(named(number)?),
        }
    }
    let sent: Vec<usize> = (1..=inputs).collect();
    let others = sent.iter().filter(|number| !all.contains(number)).copied();
    let others: Vec<usize> = others.collect();
    if let Some(at) = all.iter().position(|number| *number == OTHERS) {
        all.splice(at..=at, others);
    }
    if numbers.is_empty() {
        all = sent.iter().rev().copied().collect();
    }
    if all.len() != inputs || !sent.iter().all(|number| all.contains(number)) {
        return missing("name each image once in the order: \"in the order 2, 1, 3\"");
    }
    Ok(if all == sent { Vec::new() } else { all })
}

/// "The first picture on the left, the second on the right".
pub(super) fn join_at(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    if request.context.inputs != 2 {
        return missing("say how to join them: \"side by side\", \"stacked\" or \"in a grid\"");
    }
    let (layout, turned) = match (filled.get("first"), filled.get("second")) {
        (Some(Value::Place(Place::Top)), None) => (Layout::Stacked, false),
        (Some(Value::Place(first)), Some(Value::Place(second))) => match (first, second) {
            (Place::Left, Place::Right) => (Layout::SideBySide, false),
            (Place::Right, Place::Left) => (Layout::SideBySide, true),
            (Place::Top, Place::Bottom) => (Layout::Stacked, false),
            (Place::Bottom, Place::Top) => (Layout::Stacked, true),
            _ => return Err(Miss::Unfit),
        },
        _ => return Err(Miss::Unfit),
    };
    // The places belong to the images in the order of the words.
    if filled.is_behind("first", "second") && filled.has("second")
        || filled.is_behind("one", "other")
    {
        return Err(Miss::Unfit);
    }
    let number = |slot: &str| filled.get(slot).and_then(Value::picture);
    let (Some(one), Some(other)) = (number("one"), number("other")) else {
        return Err(Miss::Unfit);
    };
    let numbers = if turned { [other, one] } else { [one, other] };
    joined(request, layout, order(request, &numbers)?)
}

/// The space between images, and what is assumed about it: "a little white gap".
fn gap(request: &Request<'_>) -> Result<(Length, Vec<String>), Miss> {
    let filled = request.filled;
    let between = amount(filled, "amount").filter(|_| filled.has("gap"));
    // In "these 4 with a gap", the number counts the images.
    let counts = between.is_some_and(|given| given.unit == Unit::None)
        && filled.preposition("amount") != "with";
    if counts || filled.has("amount") && between.is_none() {
        return Err(Miss::Unfit);
    }
    if filled.has("nogap") {
        let twice = filled.has("gap") || filled.has("measure") || filled.has("amount");
        return if twice { Err(Miss::Unfit) } else { Ok((Length::ZERO, Vec::new())) };
    }
    let described = degree(filled).is_some() || filled.has("weight") || filled.has("between");
    match filled.measure("measure", "gap").or(between) {
        Some(given) => Ok((length(given).ok_or(Miss::Unfit)?, Vec::new())),
        None if filled.has("gap") => {
            let percent = GAP_PERCENT[match (degree(filled), filled.word("weight")) {
                (Some(0 | 1), _) | (None, "thin" | "small") => 0,
                (Some(3 | 4), _) | (None, "thick") => 2,
                _ => 1,
            }];
            Ok((
                Length::Percent(percent),
                vec![format!("the gap is {percent}% of the shorter side")],
            ))
        }
        None if described => Err(Miss::Unfit),
        None => Ok((Length::ZERO, Vec::new())),
    }
}

fn grid(request: &Request<'_>) -> Result<Layout, Miss> {
    let filled = request.filled;
    if let Some(Value::Size(columns, rows)) = filled.get("board") {
        return board(request, *columns, *rows);
    }
    if let Some(Value::Size(columns, rows)) = filled.get("size") {
        return Ok(Layout::Grid { columns: whole_px(*columns)?, rows: whole_px(*rows)? });
    }
    let count = |label: &str| {
        filled.measure("measure", label).map(|given| whole_px(given.value)).transpose()
    };
    match (count("columns")?, count("rows")?) {
        (Some(columns), rows) => Ok(Layout::Grid { columns, rows: rows.unwrap_or(0) }),
        (None, Some(rows)) => {
            let inputs = u32::try_from(request.context.inputs).unwrap_or(u32::MAX);
            board(request, inputs.div_ceil(rows.max(1)).into(), rows.into())
        }
        (None, None) => Ok(Layout::Grid { columns: 0, rows: 0 }),
    }
}

/// "Three across and two down": a place for each image, and no empty row.
fn board(request: &Request<'_>, columns: f64, rows: f64) -> Result<Layout, Miss> {
    let (columns, rows) = (whole_px(columns)?, if rows > 0.0 { whole_px(rows)? } else { 0 });
    let inputs = u32::try_from(request.context.inputs).unwrap_or(u32::MAX);
    let needed = inputs.div_ceil(columns);
    if columns > inputs || rows > 0 && rows != needed {
        let message = format!("a grid of {columns} by {rows} doesn't fit {inputs} images");
        return Err(Miss::Refused(Refusal::contradiction(message)));
    }
    Ok(Layout::Grid { columns, rows })
}

/// The number of an image among so many.
pub(crate) fn numbered(number: usize, inputs: usize) -> Result<usize, Refusal> {
    match number {
        LAST if inputs > 0 => Ok(inputs),
        OTHER if inputs == 2 => Ok(2),
        OTHER if inputs > 2 => {
            let message = format!("say which of the {inputs} images: \"picture 2\"");
            Err(Refusal::missing(message))
        }
        number if number > inputs || number == OTHER => {
            Err(Refusal::missing("there are not that many images"))
        }
        number => Ok(number),
    }
}

/// The number of the image that is put on or into the first one.
fn picture(request: &Request<'_>) -> Result<usize, Miss> {
    let named = request.filled.get("picture").and_then(Value::picture).ok_or(Miss::Unfit)?;
    match numbered(named, request.context.inputs).map_err(Miss::Refused)? {
        0 => Err(Miss::Unfit),
        1 => missing(
            "the first image is at the bottom; name one of the others: \"put the second \
                picture at the top left\"",
        ),
        number => Ok(number),
    }
}

/// "put the second picture in the bottom right corner at 20%".
pub(super) fn overlay(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let picture = picture(request)?;
    if matches!(filled.get("base"), Some(Value::Picture(base)) if *base != 1) {
        return missing("the first image is at the bottom; put one of the others on it");
    }
    let watermark = filled.says("role", "watermark");
    let at = match filled.get("at") {
        Some(Value::Point(point)) => Some(*point),
        _ => None,
    };
    if at.is_none() && !filled.has("place") {
        return missing(
            "say where: \"put the second picture in the bottom right corner\"; or say how \
                to blend the images: \"blend with picture 2 in multiply mode\"",
        );
    }
    let place = if at.is_some() { Place::TopLeft } else { place(filled, Place::Center)? };
    let given = amount(filled, "amount")
        .or_else(|| filled.measure("measure", "width"))
        .or_else(|| filled.measure("measure", "size"));
    let width = match (filled.has("sizes"), given) {
        (true, Some(_)) => return contradiction("give the size of the other image only once"),
        (true, None) => None,
        (false, Some(given)) if given.unit != Unit::None => Some(length(given).ok_or(Miss::Unfit)?),
        (false, Some(_)) => return Err(Miss::Unfit),
        (false, None) => Some(Length::Percent(match filled.word("sized") {
            "tiny" | "small" => SMALL_PERCENT,
            "large" => LARGE_PERCENT,
            _ => WIDTH_PERCENT,
        })),
    };
    // "15% of the height" is no share of the width.
    if filled.has("share")
        && !matches!(filled.get("share").map(Value::word), Some("width" | "share of width"))
    {
        return Err(Miss::Unfit);
    }
    let margin = match filled.measure("measure", "margin") {
        Some(given) => length(given).ok_or(Miss::Unfit)?,
        None if at.is_some() || place == Place::Center => Length::ZERO,
        None => Length::Percent(MARGIN_PERCENT),
    };
    let clear = filled
        .measure("measure", "transparency")
        .map(|given| Amount { value: 100.0 - given.value, ..given });
    let percent = match filled.measure("measure", "opacity").or(clear) {
        Some(Amount { value, unit: Unit::Percent, signed: false }) => value,
        Some(_) => return missing("give the opacity in percent"),
        None if watermark || filled.has("half") => HALF_PERCENT,
        None => 100.0,
    };
    Edit::one(Overlay { picture, place, at, width, margin, percent })
}

/// "blend with picture 2 in multiply mode".
pub(super) fn blend(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let base = filled.get("base").and_then(Value::picture);
    if filled.says("mode", "subtract") && base.is_some_and(|base| base != 1) {
        return missing("the first image is at the bottom; subtract one of the others from it");
    }
    let picture = match filled.get("picture") {
        Some(_) => picture(request)?,
        None if request.context.inputs == 2
            && (filled.has("mode")
                || request.images.iter().any(|image| matches!(*image, "many" | "them"))) =>
        {
            2
        }
        None => return missing("say which image to blend: \"blend with picture 2\""),
    };
    let mode: Mode = match filled.word("mode") {
        "" => Mode::Normal,
        mode => serde_json::from_value(mode.into()).map_err(|_| Miss::Unfit)?,
    };
    let given = amount(filled, "amount").or_else(|| filled.measure("measure", "opacity"));
    if filled.has("place") && place(filled, Place::Center)? != Place::Center {
        return missing(
            "a blend covers the whole image; to put the other image somewhere, leave out the mode",
        );
    }
    let percent = match given {
        Some(Amount { value, unit: Unit::Percent, signed: false }) => value,
        Some(_) => return missing("give the opacity of the blend in percent"),
        None if mode == Mode::Normal => HALF_PERCENT,
        None => 100.0,
    };
    Edit::one(Blend { picture, mode, percent })
}

/// "use the second picture as a mask".
pub(super) fn mask(request: &Request<'_>) -> Result<Edit, Miss> {
    let picture = picture(request)?;
    let by = if request.filled.says("by", "alpha") { MaskBy::Alpha } else { MaskBy::Luminance };
    let inverted = request.filled.has("inverted");
    Edit::one(Mask { picture, by, inverted })
}
