//! `retouch edit`: the built-in editor on this machine, without a server or an account.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use retouch_core::edit::{PICTURES_MAX, Task};
use retouch_core::image::AspectRatio;
use retouch_engine::{AnyPicture, Edited, Plan, codec};
use retouch_providers::built_in::plan;
use serde_json::{Value, json};

use super::answer::{Answer, Failure};
use super::command::EditArguments;
use super::progress::Progress;
use crate::app::fonts;

/// The file name that means standard output.
const STANDARD_OUTPUT: &str = "-";

/// Applies the instruction to the images and saves the result.
pub(super) fn edit(asked: &EditArguments) -> Result<Answer, Failure> {
    let (task, pictures) = task(asked)?;
    check_shape(asked)?;
    fonts::add(&asked.fonts).map_err(Failure::failed)?;
    let ratio = asked.aspect_ratio.unwrap_or(AspectRatio::Auto);
    let context = plan::context(pictures.len(), ratio, asked.size);
    let plan = match task {
        Task::Words(words) => retouch_engine::read(&words, &context).map_err(Failure::failed)?,
        Task::Plan(plan) => plan::replayed(&plan, &context).map_err(Failure::Failed)?,
    };
    let Some(to) = asked.to.as_deref() else { return explained(&plan) };
    let progress = Progress::start("Editing");
    let pictures: Vec<AnyPicture> =
        pictures.iter().map(|path| load(path)).collect::<Result<_, _>>()?;
    let edited = retouch_engine::execute_any(&plan, pictures).map_err(Failure::failed)?;
    let png = codec::encode_png(&edited.picture).map_err(Failure::failed)?;
    drop(progress);
    let answer = if to == Path::new(STANDARD_OUTPUT) {
        Answer::bytes(png)
    } else {
        save(to, &png)?;
        saved(to, &edited, &plan)
    };
    Ok(render(answer, &edited, &plan))
}

/// The edit and its images. An instruction is the last argument; a plan is in a file.
fn task(asked: &EditArguments) -> Result<(Task, &[String]), Failure> {
    let all = asked.pictures_and_instruction.as_slice();
    if let Some(path) = &asked.plan {
        return Ok((Task::Plan(read_plan(path)?), few(all)?));
    }
    let Some((instruction, pictures)) = all.split_last().filter(|(_, rest)| !rest.is_empty())
    else {
        return Err(Failure::Usage("give an image file and an instruction".to_owned()));
    };
    if Path::new(instruction).is_file() {
        let message = format!("{instruction:?} is a file; the instruction must come last");
        return Err(Failure::Usage(message));
    }
    Ok((Task::Words(instruction.clone()), few(pictures)?))
}

/// The plan in a file: either the plan itself, or a response that contains it as `plan`.
fn read_plan(path: &Path) -> Result<Value, Failure> {
    let unusable = |reason: String| Failure::Failed(format!("{}: {reason}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| unusable(error.to_string()))?;
    let mut value: Value =
        serde_json::from_str(&text).map_err(|error| unusable(format!("not JSON: {error}")))?;
    let inner = ["/generation/plan", "/plan"].into_iter().find(|at| value.pointer(at).is_some());
    Ok(match inner.and_then(|at| value.pointer_mut(at)) {
        Some(plan) => plan.take(),
        None => value,
    })
}

fn few(pictures: &[String]) -> Result<&[String], Failure> {
    if pictures.len() > PICTURES_MAX as usize {
        let count = pictures.len();
        return Err(Failure::Usage(format!(
            "{count} images given; the limit is {PICTURES_MAX} images per edit"
        )));
    }
    Ok(pictures)
}

/// Refuses a size that does not match the aspect ratio, as the API does.
fn check_shape(asked: &EditArguments) -> Result<(), Failure> {
    match (asked.size, asked.aspect_ratio) {
        (Some(size), Some(ratio)) if !size.has_shape(ratio) => Err(Failure::Usage(format!(
            "--size {size} does not match --aspect-ratio {ratio}; change one of them"
        ))),
        _ => Ok(()),
    }
}

fn load(path: &str) -> Result<AnyPicture, Failure> {
    let limits = codec::Limits::default();
    let unusable = |reason: String| Failure::Failed(format!("{path}: {reason}"));
    let file = File::open(path).map_err(|error| unusable(error.to_string()))?;
    let mut bytes = Vec::new();
    // One byte more than allowed, so that the decoder can tell that the file is too large.
    let read = file.take(limits.bytes_max as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| unusable(error.to_string()))?;
    codec::decode_any(&bytes, &limits).map_err(|error| unusable(error.to_string()))
}

/// Writes to a temporary file and renames it, so that a full disk leaves no half-written image.
fn save(to: &Path, png: &[u8]) -> Result<(), Failure> {
    let cannot = |error| Failure::Failed(format!("cannot save {}: {error}", to.display()));
    let mut part = to.as_os_str().to_owned();
    part.push(".part");
    let written = fs::write(&part, png).and_then(|()| fs::rename(&part, to));
    written.map_err(|error| {
        // Best effort: the write has already failed.
        let _ = fs::remove_file(&part);
        cannot(error)
    })
}

fn explained(plan: &Plan) -> Result<Answer, Failure> {
    let mut text = format!("{}\n", plan.shown().join(", then "));
    for assumption in plan.shown_assumptions() {
        text.push_str(&format!("assumed: {assumption}\n"));
    }
    let plan = plan::shown(plan).map_err(Failure::failed)?;
    Ok(Answer::new(text, json!({ "plan": plan })))
}

fn saved(to: &Path, edited: &Edited, plan: &Plan) -> Answer {
    let (width, height) = edited.picture.size();
    let text =
        format!("Saved {} ({width}x{height}): {}.\n", to.display(), plan.shown().join(", then "));
    let json = json!({
        "file": to, "width": width, "height": height, "plan": plan, "warnings": edited.warnings,
    });
    Answer::new(text, json)
}

/// Adds the assumptions and warnings.
fn render(mut answer: Answer, edited: &Edited, plan: &Plan) -> Answer {
    for assumption in plan.shown_assumptions() {
        answer = answer.note(format!("assumed: {assumption}"));
    }
    for number in &plan.unused_inputs {
        answer = answer.note(format!("warning: image {} is not used", number + 1));
    }
    for warning in &edited.warnings {
        answer = answer.note(format!("warning: {warning}"));
    }
    answer
}
