//! Does a plan to pictures.

use crate::step::{Matrix, apply_points};
use crate::{Picture, PictureError, Plan, Refusal, Step};

/// An edited picture, and what the caller should know about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The result.
    pub picture: Picture,
    /// Sentences for a person: letters that the font lacks, a background that changed nothing.
    pub warnings: Vec<String>,
}

/// Why a plan could not be done; nothing of the pictures is given back then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExecuteError {
    /// There was no picture to edit.
    #[error("there is no picture to edit")]
    NoPicture,
    /// The plan does not fit the pictures or the limits.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A picture would be of an impossible size.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// A step could not be done.
    #[error("{0}")]
    Impossible(String),
}

/// Does every step in order; the same bytes come out on any number of threads.
///
/// # Errors
/// [`ExecuteError`] when there is no picture, or the plan cannot be done to pictures of these
/// sizes; this is known before any pixel is touched.
pub fn execute(plan: &Plan, mut pictures: Vec<Picture>) -> Result<Edited, ExecuteError> {
    if pictures.is_empty() && !plan.makes() {
        return Err(ExecuteError::NoPicture);
    }
    let sizes: Vec<(u32, u32)> = pictures.iter().map(Picture::size).collect();
    plan.working_bytes(&sizes)?;
    pictures.truncate(plan.inputs_used(pictures.len()));
    let mut warnings = Vec::new();
    let mut steps = plan.steps.as_slice();
    while let Some((step, rest)) = steps.split_first() {
        let points: Vec<Matrix> =
            steps.iter().map_while(|step| step.operation().matrix()).collect();
        if points.is_empty() {
            pictures = stepped(step, pictures, &mut warnings)?;
            steps = rest;
        } else {
            pictures.iter_mut().for_each(|picture| apply_points(picture, &points));
            steps = steps.get(points.len()..).unwrap_or_default();
        }
    }
    let picture = pictures.into_iter().next().ok_or(ExecuteError::NoPicture)?;
    warnings.dedup();
    Ok(Edited { picture, warnings })
}

fn stepped(
    step: &Step,
    pictures: Vec<Picture>,
    warnings: &mut Vec<String>,
) -> Result<Vec<Picture>, ExecuteError> {
    if step.operation().joins() || step.operation().makes() {
        return Ok(vec![step.operation().apply(pictures, warnings)?]);
    }
    pictures.into_iter().map(|picture| step.operation().apply(vec![picture], warnings)).collect()
}
