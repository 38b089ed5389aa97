//! Images made from words alone: a color, a gradient, a pattern, a shape on a ground.

use super::{Edit, Miss, Request, amount, color, marks, missing, whole_px};
use crate::value::{Unit, Value};
use retouch_engine::operations::{Fill, Make, Measure, Run};
use retouch_engine::{AspectRatio, Color, Context, Refusal, Step};

/// The side of the usual image in pixels, and how many parts of a pattern are in a row.
const SIDE_PX: f64 = 1024.0;
const PARTS: u32 = 8;
/// The most colors of a gradient or of stripes.
const COLORS_MAX: usize = 4;
/// Colors that are no things.
const BASIC: [&str; 10] =
    ["red", "green", "blue", "yellow", "purple", "pink", "black", "white", "gray", "brown"];
/// More than this are pixels, and no squares of a board.
const BOARD_MAX: f64 = 64.0;

/// "a plain green background", "a red picture of 64x64".
pub(super) fn plain(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let color = named(request, "color")?;
    // "An orange" and "a salmon picture" may be things.
    let said = ["plain", "filled", "size", "thing"].iter().any(|slot| filled.has(slot));
    let basic = BASIC.iter().any(|name| Color::named(name) == Some(color));
    if !said && (!basic || request.images.is_empty()) {
        return Err(Miss::Unfit);
    }
    made(request, Fill::Plain { color })
}

/// "a gradient from red to blue, left to right".
pub(super) fn gradient(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let colors = several(request)?;
    if filled.says("kind", "radial") {
        return made(request, Fill::Radial { colors });
    }
    let given = amount(filled, "amount").map(|given| given.value);
    let degrees = match (given, filled.word("axis")) {
        (Some(degrees), "") => degrees,
        (None, "vertical") => 90.0,
        (None, "leftward") => 180.0,
        (None, "upward") => 270.0,
        (None, _) if filled.has("diagonal") => 45.0,
        (None, _) => 0.0,
        _ => return Err(Miss::Unfit),
    };
    made(request, Fill::Linear { colors, degrees })
}

/// "10 horizontal blue and yellow stripes".
pub(super) fn stripes(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let run = match filled.word("axis") {
        "horizontal" => Run::Horizontal,
        _ if filled.has("diagonal") => Run::Diagonal,
        _ => Run::Vertical,
    };
    made(request, Fill::Stripes { colors: several(request)?, run, measure: measured(request)? })
}

/// "a checkerboard with 8 squares", "an 8x8 chessboard".
pub(super) fn checkerboard(request: &Request<'_>) -> Result<Edit, Miss> {
    let colors: Vec<Color> = colors(request).collect();
    let colors = match colors.as_slice() {
        [] => [Color::BLACK, Color::WHITE],
        [one, other] => [*one, *other],
        _ => return missing("a checkerboard has two colors: \"a red and white checkerboard\""),
    };
    let mut sizes = request.filled.all("size").filter(|_| !is_counted(request));
    let board = sizes.find_map(|size| match size {
        Value::Size(across, down) if across == down && *across <= BOARD_MAX => Some(*across),
        _ => None,
    });
    let measure = match board {
        Some(across) => Measure::Count(whole_px(across)?),
        None => measured(request)?,
    };
    made(request, Fill::Checkerboard { colors, measure })
}

/// "white dots on a red background".
pub(super) fn dots(request: &Request<'_>) -> Result<Edit, Miss> {
    let ground = color(request.filled, "ground").unwrap_or(Color::WHITE);
    let color = named(request, "color")?;
    made(request, Fill::Dots { color, ground, measure: measured(request)? })
}

/// "a black grid on white with 10 squares".
pub(super) fn grid(request: &Request<'_>) -> Result<Edit, Miss> {
    let ground = color(request.filled, "ground").unwrap_or(Color::WHITE);
    let color = color(request.filled, "color").unwrap_or(Color::BLACK);
    made(request, Fill::Grid { color, ground, measure: measured(request)? })
}

/// "colored noise".
pub(super) fn noise(request: &Request<'_>) -> Result<Edit, Miss> {
    // Noise is gray or of all colors.
    let is_gray = |color: Color| {
        let [red, green, blue, alpha] = color.rgba;
        red == green && green == blue && alpha == 255
    };
    if !color(request.filled, "color").is_none_or(is_gray) {
        return Err(Miss::Unfit);
    }
    made(request, Fill::Noise { colored: request.filled.has("colored") })
}

/// "a red circle on a white background".
pub(super) fn shape(request: &Request<'_>) -> Result<Edit, Miss> {
    let ground = color(request.filled, "ground");
    // "A blue square 512x512" is the image itself.
    if ground.is_none() && matches!(request.filled.word("form"), "square shape" | "boxed") {
        return Err(Miss::Unfit);
    }
    let mut edit = made(request, Fill::Plain { color: ground.unwrap_or(Color::WHITE) })?;
    if ground.is_none() {
        edit.assumed.push("the background is white".to_owned());
    }
    let drawn = marks::shape(request)?;
    edit.steps.extend(drawn.steps);
    edit.assumed.extend(drawn.assumed);
    Ok(edit)
}

/// "… and a blue square at the top left": one more shape on the image that is made.
pub(super) fn more(request: &Request<'_>) -> Result<Edit, Miss> {
    if request.context.inputs == 0 && request.filled.has("place") {
        marks::shape(request)
    } else {
        Err(Miss::Unfit)
    }
}

/// The step, if there is no image to edit.
fn made(request: &Request<'_>, fill: Fill) -> Result<Edit, Miss> {
    if request.context.inputs > 0 {
        return Err(Miss::Unfit);
    }
    let mut edit = Edit::default();
    let (width, height) = size(request, &mut edit)?;
    edit.steps.push(Step::Make(Make { width, height, fill }));
    Ok(edit)
}

/// The size in words, of the request, or the usual one.
fn size(request: &Request<'_>, edit: &mut Edit) -> Result<(u32, u32), Miss> {
    let Context { size, aspect, .. } = request.context;
    let board = request.filled.says("marker", "checkerboard") && !is_counted(request);
    let said = request.filled.all("size").find_map(|size| match size {
        Value::Size(width, height) if !board || width.max(*height) > BOARD_MAX => {
            Some((*width, *height))
        }
        _ => None,
    });
    let said = said.map(|(w, h)| Ok((whole_px(w)?, whole_px(h)?))).transpose()?;
    match (said, *size) {
        (Some(said), Some(wanted)) if said != wanted => {
            return super::contradiction("the words and the request give different sizes");
        }
        (Some(size), _) | (None, Some(size)) => return Ok(size),
        (None, None) => {}
    }
    let wanted = match aspect {
        Some(AspectRatio::Ratio { width, height }) => Some((f64::from(*width), f64::from(*height))),
        _ => None,
    };
    let ratio = match request.filled.get("ratio") {
        Some(Value::Size(width, height)) => Some((*width, *height)),
        _ => None,
    };
    let (width, height) = ratio.or(wanted).unwrap_or((1.0, 1.0));
    let scale = SIDE_PX / (width * height).sqrt();
    let whole = width.fract() == 0.0 && height.fract() == 0.0;
    let scale = if whole { scale.round().max(1.0) } else { scale };
    let (width, height) = (whole_px((width * scale).round())?, whole_px((height * scale).round())?);
    edit.assumed.push(format!("the image size is {width}x{height} pixels"));
    Ok((width, height))
}

/// Whether the parts of a pattern have a number of their own, so that "8x8" is the size.
fn is_counted(request: &Request<'_>) -> bool {
    request.filled.has("amount") || request.filled.has("measure")
}

/// How many parts of a pattern are in a row, or how wide they are.
fn measured(request: &Request<'_>) -> Result<Measure, Miss> {
    if let Some(width) = request.filled.measure("measure", "width") {
        return match width.unit {
            Unit::None | Unit::Pixels if !request.filled.has("amount") => {
                Ok(Measure::Px(whole_px(width.value)?))
            }
            _ => Err(Miss::Unfit),
        };
    }
    let given = request.filled.measure("measure", "count");
    match given.or(amount(request.filled, "amount")) {
        Some(given) if given.unit == Unit::None => Ok(Measure::Count(whole_px(given.value)?)),
        Some(_) => Err(Miss::Unfit),
        None => Ok(Measure::Count(PARTS)),
    }
}

fn colors<'a>(request: &'a Request<'_>) -> impl Iterator<Item = Color> + 'a {
    request.filled.all("color").filter_map(|value| match value {
        Value::Color(color) => Some(*color),
        _ => None,
    })
}

/// Two to four colors.
fn several(request: &Request<'_>) -> Result<Vec<Color>, Miss> {
    let colors: Vec<Color> = colors(request).collect();
    match colors.len() {
        2..=COLORS_MAX => Ok(colors),
        count if count > COLORS_MAX => {
            let message = format!("at most {COLORS_MAX} colors are possible, not {count}");
            Err(Miss::Refused(Refusal::out_of_range(message)))
        }
        _ => missing("name two to four colors: \"a gradient from red to blue\""),
    }
}

fn named(request: &Request<'_>, slot: &str) -> Result<Color, Miss> {
    color(request.filled, slot).ok_or(Miss::Unfit)
}
