//! How a picture is described that is to be made.

use super::size::{Wanted, size};
use super::vocabulary::{CHECKERS, DOTS, GRADIENT, GRID, NOISE, NOUNS, STRIPES, VERBS};
use super::{Fill, Make, Measure, Run};
use crate::instruction::{Clause, Unit, whole_pixels};
use crate::step::shape;
use crate::{Colour, Refusal, Step};

/// Reads the description of a picture: what is made, and what is drawn on it at once.
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
        let (ground, colour, measure) = on_ground(clause, &["dots", "spots"])?;
        return Ok(made(Fill::Dots { colour, ground, measure }));
    }
    if clause.head(GRID).is_some() {
        let (ground, colour, measure) = on_ground(clause, &["squares", "fields", "lines"])?;
        return Ok(made(Fill::Grid { colour, ground, measure }));
    }
    if clause.head(NOISE).is_some() {
        let coloured = clause.take(&["coloured", "colour"]).is_some();
        clause.take_all(&["grey", "random", "pattern"]);
        return Ok(made(Fill::Noise { coloured }));
    }
    if let Some((ground, shape)) = shape::on_ground(clause)? {
        let fill = Fill::Plain { colour: ground };
        return Ok(Some((Make { width, height, fill }, vec![shape.into()])));
    }
    Ok(clause.plain_colour().map(|colour| Fill::Plain { colour }).and_then(made))
}

/// "an 8x8 checkerboard": squares, not pixels.
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

/// Two numbers before these count squares; others are pixels.
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

/// All colours of the clause, in order.
fn colours(clause: &mut Clause<'_>) -> Vec<Colour> {
    let mut colours = Vec::new();
    while let Some(colour) = clause.colour() {
        colours.push(colour);
    }
    clause.take_all(&["from", "through", "via", "fading", "blending", "alternating", "colours"]);
    clause.take_all(NOUNS);
    colours
}

fn several(colours: Vec<Colour>, what: &str) -> Result<Vec<Colour>, Refusal> {
    match colours.len() {
        2..=4 => Ok(colours),
        0 | 1 => Err(Refusal::missing(format!("say at least two colours for {what}"))),
        _ => Err(Refusal::out_of_range(format!("{what} can have up to four colours"))),
    }
}

fn gradient(clause: &mut Clause<'_>) -> Result<Fill, Refusal> {
    let radial = clause.take(&["radial", "circular"]).is_some();
    clause.take_all(&["linear", "smooth"]);
    let degrees = direction(clause)?;
    let colours = several(colours(clause), "a gradient")?;
    if radial {
        clause.take_all(&[
            "from the middle",
            "from the centre",
            "outwards",
            "the middle",
            "centre",
        ]);
        return match degrees {
            None => Ok(Fill::Radial { colours }),
            Some(_) => Err(Refusal::contradiction("a radial gradient has no direction")),
        };
    }
    if degrees.is_none() {
        clause.assumed.push("the gradient goes from left to right".to_owned());
    }
    Ok(Fill::Linear { colours, degrees: degrees.unwrap_or(0.0) })
}

/// Which way a gradient goes, clockwise from left to right.
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
            "say the direction of the gradient as \"left to right\" or in degrees",
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
    let mut colours = colours(clause);
    if colours.len() == 1 {
        colours.push(clause.other_than(&colours));
    }
    let colours = several(colours, "stripes")?;
    Ok(Fill::Stripes { colours, run: run.unwrap_or(Run::Vertical), measure })
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
    let mut colours = colours(clause);
    if colours.is_empty() {
        clause.assumed.push("the checkerboard is black and white".to_owned());
        colours.extend([Colour::BLACK, Colour::WHITE]);
    }
    if colours.len() == 1 {
        colours.push(clause.other_than(&colours));
    }
    match colours.as_slice() {
        [first, second] => Ok(Fill::Checkerboard { colours: [*first, *second], measure }),
        _ => Err(Refusal::out_of_range("a checkerboard has two colours")),
    }
}

/// A pattern in one colour on another.
fn on_ground(
    clause: &mut Clause<'_>,
    nouns: &[&str],
) -> Result<(Colour, Colour, Measure), Refusal> {
    let measure = measure(clause, nouns)?;
    let ground = clause.ground();
    let mut colours = colours(clause);
    let (ground, colour) = match (ground, colours.len()) {
        (Some(ground), 1) => (ground, colours.remove(0)),
        (Some(ground), 0) => (ground, clause.other_than(&[ground])),
        (None, 1) => (clause.other_than(&colours), colours.remove(0)),
        (None, 0) => {
            clause.assumed.push("black on white".to_owned());
            (Colour::WHITE, Colour::BLACK)
        }
        _ => return Err(Refusal::missing("say one colour, and the colour of the background")),
    };
    Ok((ground, colour, measure))
}

/// How many parts a pattern has across, or how wide they are.
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
