//! Runs plans on images.

use crate::kernels::point::apply_all;
use crate::plan::Reach;
use crate::{AnyPicture, Depth, Picture, PictureError, Plan, Refusal, Sample, Step};

/// An edited image, and what the caller should know about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The result.
    pub picture: Picture,
    /// Sentences for users, for example that a text was made smaller or that a background changed
    /// nothing.
    pub warnings: Vec<String>,
}

/// Why a plan failed. The images are dropped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExecuteError {
    /// There was no image to edit.
    #[error("there is no image to edit")]
    NoPicture,
    /// The plan does not match the images or exceeds a limit.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// An image would have an invalid size.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// A step failed.
    #[error("{0}")]
    Impossible(String),
}

/// Runs every step in order. The result has the same bytes on any number of threads.
///
/// # Errors
/// [`ExecuteError`] if there is no image or the plan doesn't work for images of these sizes, which
/// is checked before any pixel is touched; also if a step finds that the pixels don't match the
/// instruction, for example that the background is not plain.
pub fn execute(plan: &Plan, pictures: Vec<Picture>) -> Result<Edited, ExecuteError> {
    has_pictures(plan, pictures.len())?;
    let admitted_bytes = plan.working_bytes(&sizes(&pictures))?;
    let (picture, warnings) = done(plan, pictures, admitted_bytes)?;
    Ok(Edited { picture, warnings })
}

/// Like [`execute`], for images of any depth. Every step works at the highest depth among the
/// images that the plan uses, and only the final result is rounded to 8 bits per channel.
///
/// # Errors
/// See [`execute`].
pub fn execute_any(plan: &Plan, mut pictures: Vec<AnyPicture>) -> Result<Edited, ExecuteError> {
    has_pictures(plan, pictures.len())?;
    let shapes: Vec<_> = pictures.iter().map(|picture| (picture.size(), picture.depth())).collect();
    let admitted_bytes = plan.working_bytes_any(&shapes)?;
    pictures.truncate(plan.inputs_used(pictures.len()));
    if pictures.iter().all(|picture| picture.depth() == Depth::Eight) {
        let pictures = pictures.into_iter().map(AnyPicture::narrowed).collect();
        let (picture, warnings) = done(plan, pictures, admitted_bytes)?;
        return Ok(Edited { picture, warnings });
    }
    let pictures = pictures.into_iter().map(AnyPicture::widened).collect();
    let (picture, warnings) = done::<u16>(plan, pictures, admitted_bytes)?;
    Ok(Edited { picture: picture.narrowed(), warnings })
}

fn has_pictures(plan: &Plan, pictures: usize) -> Result<(), ExecuteError> {
    if pictures > 0 || plan.makes() { Ok(()) } else { Err(ExecuteError::NoPicture) }
}

/// Returns the result, at the depth of the given images, and the warnings.
fn done<S: Sample>(
    plan: &Plan,
    mut pictures: Vec<Picture<S>>,
    admitted_bytes: u64,
) -> Result<(Picture<S>, Vec<String>), ExecuteError> {
    pictures.truncate(plan.inputs_used(pictures.len()));
    let mut warnings = Vec::new();
    let mut number = 0;
    while let Some(step) = plan.steps.get(number) {
        let rest = plan.steps.get(number..).unwrap_or_default();
        let together = fused(rest);
        if together == 0 {
            pictures = stepped(plan, number, (pictures, &mut warnings))?;
            number += 1;
        } else {
            let run = rest.get(..together).unwrap_or_default();
            let reached = if plan.reach(number) == Reach::One(1) { 1 } else { pictures.len() };
            let reached = pictures.iter_mut().take(reached);
            reached.for_each(|picture| changed(picture, run, &mut warnings));
            number += together;
        }
        if step.operation().finds_size() {
            fits(plan, number, (&pictures, admitted_bytes))?;
        }
    }
    let picture = pictures.into_iter().next().ok_or(ExecuteError::NoPicture)?;
    warnings.dedup();
    Ok((picture, warnings))
}

/// How many of the first steps can run in one pass: those that only change each pixel's color. Only
/// the first of them may need to measure the image.
fn fused(steps: &[Step]) -> usize {
    let fits = |(number, step): &(usize, &Step)| {
        let operation = step.operation();
        if operation.measures() { *number == 0 } else { !operation.points().is_empty() }
    };
    steps.iter().enumerate().take_while(fits).count()
}

/// Applies a run of color changes in one pass.
fn changed<S: Sample>(picture: &mut Picture<S>, run: &[Step], warnings: &mut Vec<String>) {
    let points: Vec<_> = run.iter().flat_map(|step| step.measured(picture, warnings)).collect();
    apply_all(picture, &points);
}

/// Refuses the remaining steps if they need more memory after a trim than was admitted for the
/// untrimmed image. A narrower image can need more, for example when it is then resized to a fixed
/// width.
fn fits<S: Sample>(
    plan: &Plan,
    number: usize,
    (pictures, admitted_bytes): (&[Picture<S>], u64),
) -> Result<(), Refusal> {
    let bytes = plan.bytes_from(number, &sizes(pictures), S::DEPTH)?;
    if bytes <= admitted_bytes {
        return Ok(());
    }
    Err(Refusal::out_of_range(format!(
        "the steps after trimming would need {bytes} bytes, more than the {admitted_bytes} needed \
         for the untrimmed image"
    )))
}

fn sizes<S: Sample>(pictures: &[Picture<S>]) -> Vec<(u32, u32)> {
    pictures.iter().map(Picture::size).collect()
}

/// Applies one step and returns the images after it.
fn stepped<S: Sample>(
    plan: &Plan,
    number: usize,
    (mut pictures, warnings): (Vec<Picture<S>>, &mut Vec<String>),
) -> Result<Vec<Picture<S>>, ExecuteError> {
    let Some(step) = plan.steps.get(number) else { return Ok(pictures) };
    match plan.reach(number) {
        Reach::All => Ok(vec![step.apply(pictures, warnings)?]),
        Reach::Each => {
            pictures.into_iter().map(|picture| step.apply(vec![picture], warnings)).collect()
        }
        Reach::With(_) if pictures.is_empty() => Err(ExecuteError::NoPicture),
        Reach::One(image) => {
            let at = image.checked_sub(1).filter(|at| *at < pictures.len());
            let at = at.ok_or(ExecuteError::NoPicture)?;
            let edited = step.apply(vec![pictures.remove(at)], warnings)?;
            pictures.insert(at, edited);
            Ok(pictures)
        }
        Reach::With(other) => {
            let second = lent(plan, number, (&mut pictures, other))?;
            let first = step.apply(vec![pictures.remove(0), second], warnings)?;
            pictures.insert(0, first);
            Ok(pictures)
        }
    }
}

/// Takes another image for a step: the image itself if no later step needs it, otherwise a copy.
fn lent<S: Sample>(
    plan: &Plan,
    number: usize,
    (pictures, other): (&mut [Picture<S>], usize),
) -> Result<Picture<S>, ExecuteError> {
    let at = other.checked_sub(1).filter(|at| *at > 0);
    let picture = at.and_then(|at| pictures.get_mut(at)).ok_or(ExecuteError::NoPicture)?;
    let mut later = plan.steps.iter().skip(number + 1);
    if later.any(|step| step.operation().joins() || step.operation().names() == Some(other)) {
        return Ok(picture.clone());
    }
    Ok(std::mem::replace(picture, Picture::new(1, 1)?))
}
