//! Cropping, trimming margins and cutting out shapes.

use super::color::usual_tolerance;
use super::{
    Edit, Miss, Request, amount, color, complement, contradiction, degree, missing, whole_px,
};
use crate::value::{Amount, Unit, Value};
use retouch_engine::operations::{Crop, Cut, Cutout, Resize, Trim};
use retouch_engine::{Color, Coordinates, Length, Place, Region};

/// What "tighter" leaves of both sides, in percent, by degree.
const TIGHTER_PERCENT: [f64; 5] = [95.0, 90.0, 80.0, 65.0, 50.0];
/// What "a little off the top" takes off, in percent, by degree.
pub(crate) const OFF_PERCENT: [f64; 5] = [2.0, 5.0, 10.0, 20.0, 30.0];
/// Two small numbers that are a shape and no pixels: "4x5".
const SHAPES: &[(f64, f64)] = &[
    (1.0, 1.0),
    (2.0, 3.0),
    (3.0, 4.0),
    (4.0, 5.0),
    (4.0, 6.0),
    (5.0, 7.0),
    (8.0, 10.0),
    (9.0, 16.0),
    (10.0, 16.0),
    (9.0, 21.0),
    (11.0, 14.0),
];

/// "crop to 16:9", "crop it square, keep the top".
pub(super) fn ratio(request: &Request<'_>) -> Result<Edit, Miss> {
    let Some(Value::Size(width, height)) = request.filled.get("ratio") else {
        return Err(Miss::Unfit);
    };
    if let Some(size) = request.filled.get("size") {
        return sized(request, (*width, *height), size);
    }
    let crop = |place| Crop::Ratio { width: *width, height: *height, place };
    let edit = match request.filled.get("removed") {
        Some(removed) => Edit::one(crop(left_of(removed)?))?,
        None => placed(request, crop)?,
    };
    if request.filled.has("px") && width != height {
        return Err(Miss::Unfit);
    }
    of_side(request, edit)
}

/// "By cropping the top": the other side stays. "By cropping the top and bottom": the middle does.
const fn left_of(removed: &Value) -> Result<Place, Miss> {
    let Value::Sides(sides) = removed else { return Err(Miss::Unfit) };
    match sides {
        [true, false, false, false] => Ok(Place::Right),
        [false, true, false, false] => Ok(Place::Bottom),
        [false, false, true, false] => Ok(Place::Left),
        [false, false, false, true] => Ok(Place::Top),
        [true, false, true, false] | [false, true, false, true] => Ok(Place::Center),
        _ => Err(Miss::Unfit),
    }
}

/// "A square crop, 1200x1200": as much as fits, in that size.
fn sized(request: &Request<'_>, (width, height): (f64, f64), size: &Value) -> Result<Edit, Miss> {
    let Value::Size(wide, high) = size else { return Err(Miss::Unfit) };
    if request.filled.has("px") || !request.filled.is_behind("size", "ratio") {
        return Err(Miss::Unfit);
    }
    let mut edit = placed(request, |place| Crop::Ratio { width, height, place })?;
    edit.steps.push(Resize::Exact { width: whole_px(*wide)?, height: whole_px(*high)? }.into());
    Ok(edit)
}

/// "Cut it square, 1080 px": the side of the square.
fn of_side(request: &Request<'_>, mut edit: Edit) -> Result<Edit, Miss> {
    if let Some(side) = amount(request.filled, "px") {
        if side.unit != Unit::Pixels || side.signed {
            return Err(Miss::Unfit);
        }
        let px = whole_px(side.value)?;
        edit.steps.push(Resize::Exact { width: px, height: px }.into());
    }
    Ok(edit)
}

/// "crop to 800x600 from the top left", "crop to 4x5".
pub(super) fn size(request: &Request<'_>) -> Result<Edit, Miss> {
    let Some(Value::Size(width, height)) = request.filled.get("size") else {
        return Err(Miss::Unfit);
    };
    // "3000x3000 cropped from the center" is the size of the result.
    let centered = matches!(request.filled.get("place"), Some(Value::Place(Place::Center)));
    // "Crop it square, 1200x1200" is one, too; "crop a 200x200 square" is not.
    if centered && request.filled.is_behind("verb", "size")
        || request.filled.has("box") && request.filled.is_behind("size", "box")
    {
        return Err(Miss::Unfit);
    }
    let sides = (width.min(*height), width.max(*height));
    if SHAPES.contains(&sides) && !request.filled.has("box") {
        let edit = placed(request, |place| Crop::Ratio { width: *width, height: *height, place })?;
        return Ok(edit.assuming(format!("{width} by {height} is a ratio, not pixels")));
    }
    let (width, height) = (whole_px(*width)?, whole_px(*height)?);
    placed(request, |place| Crop::Size { width, height, place })
}

/// "4x5 from the center": without "crop", only numbers that are a shape.
pub(super) fn few(request: &Request<'_>) -> Result<Edit, Miss> {
    let Some(Value::Size(width, height)) = request.filled.get("size") else {
        return Err(Miss::Unfit);
    };
    let sides = (width.min(*height), width.max(*height));
    if SHAPES.contains(&sides) { size(request) } else { Err(Miss::Unfit) }
}

fn placed(request: &Request<'_>, crop: impl Fn(Place) -> Crop) -> Result<Edit, Miss> {
    match request.filled.get("place") {
        Some(Value::Place(place)) => Edit::one(crop(*place)),
        Some(_) => Err(Miss::Unfit),
        None => Ok(Edit::one(crop(Place::Center))?.assuming("the crop is around the center")),
    }
}

/// "crop to a 200x100 box at 50,80", "crop from 10,20 to 300,400".
pub(super) fn boxed(request: &Request<'_>) -> Result<Edit, Miss> {
    let Some(Value::Corners(from, to)) = request.filled.get("box") else { return Err(Miss::Unfit) };
    let (left, top) = pixels(*from)?;
    let (right, bottom) = pixels(*to)?;
    if right <= left || bottom <= top {
        let message = "the second corner must be to the right of the first one and below it";
        return Err(Miss::Refused(retouch_engine::Refusal::out_of_range(message)));
    }
    Edit::one(Crop::Box { left_px: left, top_px: top, width: right - left, height: bottom - top })
}

fn pixels(point: Coordinates) -> Result<(u32, u32), Miss> {
    match (point.x, point.y) {
        (Length::Pixels(x), Length::Pixels(y)) => Ok((offset_px(x)?, offset_px(y)?)),
        _ => Err(Miss::Unfit),
    }
}

fn offset_px(value: f64) -> Result<u32, Miss> {
    if value == 0.0 { Ok(0) } else { whole_px(value) }
}

/// "crop to the left half", "keep only the top third", "crop to the middle 60%".
pub(super) fn part(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let Some(Value::Region(Region::Part { width, height, place })) = filled.get("region") else {
        return Err(Miss::Unfit);
    };
    // "The middle square" is a square, and not the middle of both sides.
    let half = Length::Percent(50.0);
    if filled.has("words") && *place == Place::Center && *width == half && *height == half {
        return Err(Miss::Unfit);
    }
    let halved = Some(Amount::new(50.0, Unit::Percent));
    if filled.has("keep") && amount(filled, "half") != halved {
        return Err(Miss::Unfit);
    }
    let keeps = ["verb", "keep"].iter().any(|slot| filled.says(slot, "keep"))
        || filled.preposition("region") == "to"
        || filled.has("only");
    // "crop the left half" may keep it or cut it off; the middle can only be kept.
    if !keeps && *place != Place::Center {
        return missing(
            "say whether to keep that part or to cut it off: \"crop to the left half\" or \"crop off the left half\"",
        );
    }
    let percent = |length: &Length| match length {
        Length::Percent(percent) => Ok(*percent),
        Length::Pixels(_) => Err(Miss::Unfit),
    };
    let (mut width_percent, mut height_percent) = (percent(width)?, percent(height)?);
    match (filled.word("side"), filled.word("across")) {
        ("width", "") | ("", "horizontal") => height_percent = 100.0,
        ("height", "") | ("", "vertical") => width_percent = 100.0,
        ("", "") => {}
        _ => return Err(Miss::Unfit),
    }
    Edit::one(Crop::Share { width_percent, height_percent, place: *place })
}

/// "crop to 90% width 90% height".
pub(super) fn share(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let side = |slot: &str| {
        filled.get(slot).and_then(Value::amount).and_then(super::percent).ok_or(Miss::Unfit)
    };
    let (width_percent, height_percent) = (side("width")?, side("height")?);
    placed(request, |place| Crop::Share { width_percent, height_percent, place })
}

/// "crop 10% off the left and 5% off the right", "trim a bit off the top".
pub(super) fn off(request: &Request<'_>) -> Result<Edit, Miss> {
    // "So only the right half remains" must say the same.
    if let Some(rest) = request.filled.get("rest") {
        let cut = request.filled.get("region").or_else(|| request.filled.get("cut"));
        match (cut, rest) {
            (Some(Value::Region(cut)), Value::Region(rest)) if complement(*cut) == Some(*rest) => {}
            _ => return Err(Miss::Unfit),
        }
    }
    let mut sides = [None; 4];
    let cuts = request.filled.all("cut").chain(request.filled.all("region"));
    for value in cuts {
        for (side, length) in sides.iter_mut().zip(cut(value)?) {
            match (side.is_some(), length) {
                (true, Some(_)) => return Err(Miss::Unfit),
                (false, Some(length)) => *side = Some(length),
                _ => {}
            }
        }
    }
    let shared = amount(request.filled, "amount");
    let named = request.filled.get("sides");
    // "Remove the top 3" may count things.
    if request.filled.says("verb", "remove") && shared.is_some_and(|one| one.unit == Unit::None) {
        return Err(Miss::Unfit);
    }
    if let (Some(Value::Sides(named)), Some(shared)) = (named, shared) {
        let length = shared.length().filter(|_| !shared.signed).ok_or(Miss::Unfit)?;
        for (side, wanted) in sides.iter_mut().zip(named) {
            if *wanted {
                *side = Some(length);
            }
        }
    } else if named.is_some() || shared.is_some() {
        return missing("say how much to cut off, and where: \"crop 10% off the top\"");
    }
    if sides.iter().all(Option::is_none) {
        return missing(
            "say what to crop to: \"crop to a square\", \"crop to 800x600\" or \"crop 10% off the top\"",
        );
    }
    let [left, top, right, bottom] = sides.map(|side| side.unwrap_or(Length::ZERO));
    Edit::one(Crop::Sides { left, top, right, bottom })
}

/// What a phrase cuts off each side.
fn cut(value: &Value) -> Result<[Option<Length>; 4], Miss> {
    match value {
        Value::Cut(lengths) => Ok(*lengths),
        Value::Region(Region::Part { width, height, place }) => {
            let mut lengths = [None; 4];
            match place {
                Place::Left => lengths[0] = Some(*width),
                Place::Top => lengths[1] = Some(*height),
                Place::Right => lengths[2] = Some(*width),
                Place::Bottom => lengths[3] = Some(*height),
                _ => return Err(Miss::Unfit),
            }
            Ok(lengths)
        }
        _ => Err(Miss::Unfit),
    }
}

/// "crop a bit tighter", "crop in by 10%".
pub(super) fn tighter(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let inward = filled.says("tighter", "in");
    let percent = match (amount(filled, "amount"), degree(filled)) {
        // "crop it in half" has no amount to take off.
        (Some(_), _) if inward && filled.preposition("amount") != "by" => return Err(Miss::Unfit),
        (Some(Amount { value, unit: Unit::Percent, signed: false }), None) => 100.0 - value,
        (Some(_), _) => return Err(Miss::Unfit),
        // "crop in" alone says nothing about how much.
        (None, None) if filled.says("tighter", "in") => {
            return missing("say how much tighter, in percent: \"crop 10% tighter\"");
        }
        (None, degree) => TIGHTER_PERCENT[degree.unwrap_or(2)],
    };
    let edit = placed(request, |place| Crop::Share {
        width_percent: percent,
        height_percent: percent,
        place,
    })?;
    Ok(edit.assuming(format!("{percent}% of the width and of the height is left")))
}

/// "crop it": nothing says to what.
pub(super) fn alone(_: &Request<'_>) -> Result<Edit, Miss> {
    missing(
        "say what to crop to: \"crop to a square\", \"crop to 800x600\" or \"crop 10% off the top\"",
    )
}

/// "Square it off".
pub(super) fn square(request: &Request<'_>) -> Result<Edit, Miss> {
    let edit = placed(request, |place| Crop::Ratio { width: 1.0, height: 1.0, place })?;
    let edit = of_side(request, edit)?;
    Ok(edit.assuming("what doesn't fit is cut off; to keep all of it, say \"pad\""))
}

/// "make it square", "9:16": a crop, since bars would have been named.
pub(super) fn shape(request: &Request<'_>) -> Result<Edit, Miss> {
    let Some(Value::Size(width, height)) = request.filled.get("ratio") else {
        return Err(Miss::Unfit);
    };
    // "Make a square" may draw one, and "make it cinematic" asks for more than a shape.
    let drawn = request.filled.has("verb") && request.images.is_empty() && width == height;
    if drawn || width.fract() != 0.0 {
        return Err(Miss::Unfit);
    }
    // "16:9 portrait" is no shape.
    match request.filled.word("shape") {
        "tall shape" if width >= height => return Err(Miss::Unfit),
        "broad shape" if width <= height => return Err(Miss::Unfit),
        _ => {}
    }
    Ok(ratio(request)?.assuming("what doesn't fit is cut off; to keep all of it, say \"pad\""))
}

/// "make it portrait": the ratio that most apps and prints have for the word.
pub(super) fn upright(request: &Request<'_>) -> Result<Edit, Miss> {
    let lengthwise = request.filled.says("shape", "broad shape");
    let (name, width, height) =
        if lengthwise { ("landscape", 3.0, 2.0) } else { ("portrait", 4.0, 5.0) };
    let edit = placed(request, |place| Crop::Ratio { width, height, place })?;
    Ok(edit.assuming(format!("{name} means {width}:{height}")))
}

/// "trim the white margins", "remove the black bars".
pub(super) fn trim(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let removes = filled.says("verb", "remove") || filled.says("verb", "crop");
    let edges = filled.says("margins", "margin border");
    let color = color(filled, "color").filter(|color| *color != Color::TRANSPARENT);
    // A border or frame may be a thing in the image; only its color makes it a margin.
    if edges && removes && !filled.has("color") && !filled.has("plain") {
        return Err(Miss::Unfit);
    }
    let given = filled.measure("measure", "tolerance");
    let tolerance_percent = match given {
        Some(Amount { value, unit: Unit::Percent | Unit::None, signed: false }) => value,
        Some(_) => return Err(Miss::Unfit),
        None => usual_tolerance("trim"),
    };
    let edit = Edit::one(Trim { color, tolerance_percent })?;
    let assumed = format!("colors within {tolerance_percent}% count as the same");
    Ok(if given.is_none() { edit.assuming(assumed) } else { edit })
}

/// "crop to a circle", "cut it out as an oval on white".
pub(super) fn cutout(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    // "make a circle" draws one.
    // A yellow circle is drawn, too.
    let yellow = filled.has("color")
        && filled.preposition("color").is_empty()
        && filled.is_behind("form", "color");
    if filled.says("verb", "make") && request.images.is_empty() || yellow {
        return Err(Miss::Unfit);
    }
    let shape = if filled.says("form", "ellipse") { Cut::Ellipse } else { Cut::Circle };
    let place = match filled.get("place") {
        Some(Value::Place(place)) => *place,
        Some(_) => return Err(Miss::Unfit),
        None => Place::Center,
    };
    if shape == Cut::Ellipse && filled.has("place") {
        return contradiction("an ellipse covers the whole image, so it has no position");
    }
    let background = color(filled, "color").unwrap_or(Color::TRANSPARENT);
    if filled.has("clear") && background != Color::TRANSPARENT {
        return contradiction("the outside can be transparent or have a color; choose one");
    }
    let mut edit = Edit::one(Cutout { shape, place, background })?;
    if let Some(px) = diameter(request)? {
        edit.steps.push(Resize::Exact { width: px, height: px }.into());
    }
    Ok(edit)
}

/// The diameter of a circle that is cut out: "round, 512x512", "a circle of 300 px across".
fn diameter(request: &Request<'_>) -> Result<Option<u32>, Miss> {
    let measured = request.filled.get("measure").or_else(|| request.filled.get("px"));
    let said = match (request.filled.get("size"), measured) {
        (Some(Value::Size(width, height)), None) if width == height => *width,
        (Some(_), _) => return contradiction("a circle is as wide as it is high"),
        (None, Some(given)) => match given.amount() {
            Some(Amount { value, unit: Unit::Pixels, signed: false }) => value,
            _ => return Err(Miss::Unfit),
        },
        (None, None) => return Ok(None),
    };
    whole_px(said).map(Some)
}
