//! Effects of lenses and old screens: color fringes and scan lines.

use super::operation::find;
use super::simple::strength;
use super::{Edit, Miss, Request, amount, color, degree, length, missing};
use crate::value::{Unit, Use, Value};
use retouch_engine::operations::{ChromaticAberration, ScanLines, ShiftAxis};
use retouch_engine::{Color, Length};

/// The distance of scan lines, in percent of the shorter side.
const LINES_PERCENT: f64 = 0.5;

/// "split the color channels sideways by 4px", "vertical chromatic aberration".
pub(super) fn chromatic_aberration(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    let operation = find("chromatic_aberration").ok_or(Miss::Unfit)?;
    let Some([used]) = filled.get("op").map(Value::uses) else { return Err(Miss::Unfit) };
    let axis = match filled.word("axis") {
        "horizontal" => ShiftAxis::Horizontal,
        "vertical" => ShiftAxis::Vertical,
        _ => return Err(Miss::Unfit),
    };
    let said = [used.amount, amount(filled, "amount"), filled.measure("measure", "distance")];
    let mut said = said.into_iter().flatten();
    let given = said.next();
    if said.next().is_some() {
        return Err(Miss::Unfit);
    }
    let mut edit = Edit::default();
    let shift = strength(&mut edit, operation, used, (given, degree(filled).or(used.degree)))?;
    let shift = length(shift).ok_or(Miss::Unfit)?;
    edit.steps.push(ChromaticAberration { shift, axis }.into());
    edit.within(filled)
}

/// "subtle scan lines every 4px".
pub(super) fn scan_lines(request: &Request<'_>) -> Result<Edit, Miss> {
    let filled = request.filled;
    // They are dark anyway.
    if color(filled, "color").is_some_and(|color| color != Color::BLACK) {
        return missing("scan lines are dark; say only how strong they are");
    }
    let operation = find("scan_lines").ok_or(Miss::Unfit)?;
    let measure = |names: &[&str]| names.iter().find_map(|name| filled.measure("measure", name));
    let given = amount(filled, "amount");
    if given.is_some_and(|given| given.unit != Unit::Percent) {
        return missing("say how far apart the lines are: \"scan lines every 4px\"");
    }
    let strong = match (given, measure(&["strength", "opacity"])) {
        (Some(_), Some(_)) => return Err(Miss::Unfit),
        (plain, labeled) => plain.or(labeled),
    };
    let apart = match (measure(&["every", "gap", "distance"]), filled.has("second")) {
        (Some(_), true) => return Err(Miss::Unfit),
        (Some(given), false) => Some(length(given).ok_or(Miss::Unfit)?),
        (None, second) => second.then_some(Length::Pixels(2.0)),
    };
    let soft = (filled.has("softness") && strong.is_none()).then_some(1);
    let used = Use { name: "scan_lines", sign: 0.0, degree: None, amount: None, behind: false };
    let mut edit = Edit::default();
    let percent = strength(&mut edit, operation, &used, (strong, degree(filled).or(soft)))?.value;
    let distance = apart.unwrap_or(Length::Percent(LINES_PERCENT));
    if apart.is_none() {
        edit.assumed.push(format!("the lines are {distance} of the shorter side apart"));
    }
    edit.steps.push(ScanLines { percent, distance }.into());
    edit.within(filled)
}
