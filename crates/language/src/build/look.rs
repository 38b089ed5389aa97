//! Looks that are several edits (`frames/looks.tsv`).

use super::{Edit, Miss, Request};
use retouch_engine::Context;

const FILE: &str = include_str!("../../frames/looks.tsv");

/// "make it vintage". What the look is made of is reported as an assumption.
pub(super) fn look(request: &Request<'_>) -> Result<Edit, Miss> {
    let name = request.filled.word("look");
    let words = FILE.lines().find_map(|line| line.split_once('\t').filter(|row| row.0 == name));
    let (_, words) = words.ok_or(Miss::Unfit)?;
    let plan = crate::read(words, &Context::default()).map_err(Miss::Refused)?;
    let assumed = vec![format!("{name} means: {words}")];
    Ok(Edit { steps: plan.steps, assumed, ..Edit::default() })
}
