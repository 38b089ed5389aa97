//! Effects of lenses and old screens: color fringes.

use super::operation::find;
use super::simple::strength;
use super::{Edit, Miss, Request, amount, degree, length};
use crate::value::Value;
use retouch_engine::operations::{ChromaticAberration, ShiftAxis};

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
