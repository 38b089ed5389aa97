//! Does a plan to images.

use crate::plan::Reach;
use crate::step::apply_points;
use crate::{AnyPicture, Depth, Picture, PictureError, Plan, Refusal, Sample, Step};

/// An edited image, and what the caller should know about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The result.
    pub picture: Picture,
    /// Sentences for a person: a text that was made smaller, a background that changed nothing.
    pub warnings: Vec<String>,
}

/// Why a plan could not be done; nothing of the images is given back then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExecuteError {
    /// There was no image to edit.
    #[error("there is no image to edit")]
    NoPicture,
    /// The plan does not fit the images or the limits.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// An image would be of an impossible size.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// A step could not be done.
    #[error("{0}")]
    Impossible(String),
}

/// Does every step in order; the same bytes come out on any number of threads.
///
/// # Errors
/// [`ExecuteError`] when there is no image, or the plan cannot be done to images of these
/// sizes, which is known before any pixel is touched; and when a step finds that the pixels are
/// not what the words say, such as a plain background.
pub fn execute(plan: &Plan, pictures: Vec<Picture>) -> Result<Edited, ExecuteError> {
    has_pictures(plan, pictures.len())?;
    let admitted_bytes = plan.working_bytes(&sizes(&pictures))?;
    let (picture, warnings) = done(plan, pictures, admitted_bytes)?;
    Ok(Edited { picture, warnings })
}

/// The same for images of any depth: every step works in the depth of the deepest image that
/// the plan uses, and the result is rounded to 8 bits a channel at the very end.
///
/// # Errors
/// As [`execute`].
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

/// The image that comes out, in the depth of those given, and the warnings.
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
            let reached = if plan.reach(number) == Reach::First { 1 } else { pictures.len() };
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

/// How many of the first steps are one pass: changes of colors, of which only the first may have
/// to look at the image.
fn fused(steps: &[Step]) -> usize {
    let fits = |(number, step): &(usize, &Step)| {
        let operation = step.operation();
        if operation.measures() { *number == 0 } else { !operation.points().is_empty() }
    };
    steps.iter().enumerate().take_while(fits).count()
}

/// Does changes of colors in one pass.
fn changed<S: Sample>(picture: &mut Picture<S>, run: &[Step], warnings: &mut Vec<String>) {
    let points: Vec<_> = run.iter().flat_map(|step| step.measured(picture, warnings)).collect();
    apply_points(picture, &points);
}

/// Refuses what a step that cut by what it found leaves no room for.
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

/// The images after one step.
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
        Reach::First | Reach::With(_) if pictures.is_empty() => Err(ExecuteError::NoPicture),
        Reach::First => {
            let first = step.apply(vec![pictures.remove(0)], warnings)?;
            pictures.insert(0, first);
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

/// Another image: the image itself when no later step needs it, else a copy.
fn lent<S: Sample>(
    plan: &Plan,
    number: usize,
    (pictures, other): (&mut [Picture<S>], usize),
) -> Result<Picture<S>, ExecuteError> {
    let at = other.checked_sub(1).filter(|at| *at > 0);
    let picture = at.and_then(|at| pictures.get_mut(at)).ok_or(ExecuteError::NoPicture)?;
    let mut later = plan.steps.iter().skip(number + 1);
    if later.any(|step| step.operation().joins() || step.operation().takes() == Some(other)) {
        return Ok(picture.clone());
    }
    Ok(std::mem::replace(picture, Picture::new(1, 1)?))
}
