//! Parses descriptions of images to create.

use super::size::{Wanted, size};
use super::vocabulary::{CHECKERS, DOTS, GRADIENT, GRID, NOISE, NOUNS, STRIPES, VERBS};
use super::{Fill, Make, Measure, Run};
use crate::instruction::{Clause, Unit, whole_pixels};
use crate::operations::draw::shape;
use crate::{Color, Refusal, Step};

/// Parses the description of an image: what to create, and what to draw on it.
pub(crate) fn described(
    clause: &mut Clause<'_>,
    wanted: Wanted,
) -> Result<Option<(Make, Vec<Step>)>, Refusal> {
    clause.take_all(VERBS);
    let board = board_squares(clause)?;
    let (width, height) = size(clause, wanted)?;
    let made = |fill| Some((Make { width, height, fill }, Vec::new()));
    if clause.head(GRADIENT).is_some() {
        return gradient(clause).map(made);
    }
    if clause.head(CHECKERS).is_some() {
        return checkerboard(clause, board).map(made);
    }
    if clause.head(STRIPES).is_some() {
        return stripes(clause).map(made);
    }
    if clause.head(DOTS).is_some() {
        let (ground, color, measure) = on_ground(clause, &["dots", "spots"])?;
        return Ok(made(Fill::Dots { color, ground, measure }));
    }
    if clause.head(GRID).is_some() {
        let (ground, color, measure) = on_ground(clause, &["squares", "fields", "lines"])?;
        return Ok(made(Fill::Grid { color, ground, measure }));
    }
    if clause.head(NOISE).is_some() {
        let colored = clause.take(&["colored", "color"]).is_some();
        clause.take_all(&["gray", "random", "pattern"]);
        return Ok(made(Fill::Noise { colored }));
    }
    if let Some((ground, shape)) = shape::on_ground(clause)? {
        let fill = Fill::Plain { color: ground };
        return Ok(Some((Make { width, height, fill }, vec![shape.into()])));
    }
    Ok(clause.plain_color().map(|color| Fill::Plain { color }).and_then(made))
}

/// Parses "an 8x8 checkerboard", where the numbers count squares, not pixels.
fn board_squares(clause: &mut Clause<'_>) -> Result<Option<u32>, Refusal> {
    if !clause.has(CHECKERS) {
        return Ok(None);
    }
    match clause.dimensions_before(BOARD_WORDS) {
        Some((across, down)) if across == down => Ok(whole_pixels(across)),
        Some(_) => Err(Refusal::missing(
            "the squares of a checkerboard are square: say how many there are in a row, and the size of the picture",
        )),
        None => Ok(None),
    }
}

/// Two numbers before these words count squares. Other numbers are pixels.
const BOARD_WORDS: &[&str] = &[
    "checkerboard",
    "chessboard",
    "checkered",
    "chequered",
    "chequerboard",
    "squares",
    "tiles",
    "fields",
];

/// All colors of the clause, in order.
fn colors(clause: &mut Clause<'_>) -> Vec<Color> {
    let mut colors = Vec::new();
    while let Some(color) = clause.color() {
        colors.push(color);
    }
    clause.take_all(&["from", "through", "via", "fading", "blending", "alternating", "colors"]);
    clause.take_all(NOUNS);
    colors
}

fn several(colors: Vec<Color>, what: &str) -> Result<Vec<Color>, Refusal> {
    match colors.len() {
        2..=4 => Ok(colors),
        0 | 1 => Err(Refusal::missing(format!("name at least two colors for {what}"))),
        _ => Err(Refusal::out_of_range(format!("{what} can have up to four colors"))),
    }
}

fn gradient(clause: &mut Clause<'_>) -> Result<Fill, Refusal> {
    let radial = clause.take(&["radial", "circular"]).is_some();
    clause.take_all(&["linear", "smooth"]);
    let degrees = direction(clause)?;
    let colors = several(colors(clause), "a gradient")?;
    if radial {
        clause.take_all(&[
            "from the middle",
            "from the center",
            "outwards",
            "the middle",
            "center",
        ]);
        return match degrees {
            None => Ok(Fill::Radial { colors }),
            Some(_) => Err(Refusal::contradiction("a radial gradient cannot have a direction")),
        };
    }
    if degrees.is_none() {
        clause.assumed.push("the gradient runs from left to right".to_owned());
    }
    Ok(Fill::Linear { colors, degrees: degrees.unwrap_or(0.0) })
}

/// The direction of a gradient in degrees. 0 is from left to right, and angles are clockwise.
fn direction(clause: &mut Clause<'_>) -> Result<Option<f64>, Refusal> {
    const WAYS: [(&[&str], f64); 8] = [
        (
            &[
                "from top left to bottom right",
                "top left to bottom right",
                "diagonal",
                "diagonally",
            ],
            45.0,
        ),
        (&["from top right to bottom left", "top right to bottom left"], 135.0),
        (&["from bottom right to top left", "bottom right to top left"], 225.0),
        (&["from bottom left to top right", "bottom left to top right"], 315.0),
        (&["from left to right", "left to right", "horizontal", "horizontally"], 0.0),
        (&["from top to bottom", "top to bottom", "vertical", "vertically", "downwards"], 90.0),
        (&["from right to left", "right to left"], 180.0),
        (&["from bottom to top", "bottom to top", "upwards"], 270.0),
    ];
    let found = WAYS.iter().find(|(words, _)| clause.has(words));
    if let Some((words, degrees)) = found {
        clause.take(words);
        return Ok(Some(*degrees));
    }
    match clause.quantity() {
        Some(amount) if amount.unit == Unit::Degrees => Ok(Some(amount.value.rem_euclid(360.0))),
        Some(_) => Err(Refusal::missing(
            "give the direction of the gradient as \"left to right\" or in degrees",
        )),
        None => Ok(None),
    }
}

fn stripes(clause: &mut Clause<'_>) -> Result<Fill, Refusal> {
    const WAYS: [(&[&str], Run); 3] = [
        (&["diagonal", "diagonally"], Run::Diagonal),
        (&["horizontal", "horizontally"], Run::Horizontal),
        (&["vertical", "vertically"], Run::Vertical),
    ];
    let run = WAYS.iter().find(|(words, _)| clause.has(words)).map(|(words, run)| {
        clause.take(words);
        *run
    });
    if run.is_none() {
        clause.assumed.push("the stripes are vertical".to_owned());
    }
    let measure = measure(clause, &["stripes", "stripe"])?;
    let mut colors = colors(clause);
    if colors.len() == 1 {
        colors.push(clause.other_than(&colors));
    }
    let colors = several(colors, "stripes")?;
    Ok(Fill::Stripes { colors, run: run.unwrap_or(Run::Vertical), measure })
}

fn checkerboard(clause: &mut Clause<'_>, squares: Option<u32>) -> Result<Fill, Refusal> {
    let nouns = ["squares", "tiles", "fields", "square"];
    let measure = match squares {
        Some(count) => {
            clause.take_all(&nouns);
            Measure::Count(count)
        }
        None => measure(clause, &nouns)?,
    };
    let mut colors = colors(clause);
    if colors.is_empty() {
        clause.assumed.push("the checkerboard is black and white".to_owned());
        colors.extend([Color::BLACK, Color::WHITE]);
    }
    if colors.len() == 1 {
        colors.push(clause.other_than(&colors));
    }
    match colors.as_slice() {
        [first, second] => Ok(Fill::Checkerboard { colors: [*first, *second], measure }),
        _ => Err(Refusal::out_of_range("a checkerboard must have two colors")),
    }
}

/// Parses a pattern in one color on a background of another.
fn on_ground(clause: &mut Clause<'_>, nouns: &[&str]) -> Result<(Color, Color, Measure), Refusal> {
    let measure = measure(clause, nouns)?;
    let ground = clause.ground();
    let mut colors = colors(clause);
    let (ground, color) = match (ground, colors.len()) {
        (Some(ground), 1) => (ground, colors.remove(0)),
        (Some(ground), 0) => (ground, clause.other_than(&[ground])),
        (None, 1) => (clause.other_than(&colors), colors.remove(0)),
        (None, 0) => {
            clause.assumed.push("black on white".to_owned());
            (Color::WHITE, Color::BLACK)
        }
        _ => return Err(Refusal::missing("name one color and the color of the background")),
    };
    Ok((ground, color, measure))
}

/// How many elements a pattern has across, or how wide they are.
fn measure(clause: &mut Clause<'_>, nouns: &[&str]) -> Result<Measure, Refusal> {
    let amount = clause.quantity();
    clause.take_all(nouns);
    clause.take_all(&[
        "in each row",
        "per row",
        "rows",
        "row",
        "across",
        "wide",
        "spaced",
        "apart",
        "each",
        "every",
        "evenly",
        "all",
    ]);
    let whole = amount.and_then(|amount| whole_pixels(amount.value));
    match (amount.map(|amount| amount.unit), whole) {
        (None, _) => {
            clause.assumed.push(format!("{MEASURE_DEFAULT} across"));
            Ok(Measure::Count(MEASURE_DEFAULT))
        }
        (Some(Unit::Pixels), Some(px)) => Ok(Measure::Px(px)),
        (Some(Unit::None), Some(count)) => Ok(Measure::Count(count)),
        _ => Err(Refusal::missing(
            "say how many there are across, or how wide they are in whole pixels",
        )),
    }
}

const MEASURE_DEFAULT: u32 = 8;
