//! `retouch edit`: the built-in editor on this machine, without a server or an account. With a server,
//! that edits the images.

mod batch;
mod budget;
mod inputs;
mod local;
pub(super) mod output;
mod remote;
mod workers;

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use retouch_core::edit::{PICTURES_MAX, Task};
use retouch_core::image::{AspectRatio, Encoding, OutputFormat};
use retouch_engine::{AnyPicture, Context, Edited, Plan, codec};
use retouch_providers::built_in::plan;
use serde_json::{Value, json};

use super::answer::{Answer, Failure};
use super::command::EditArguments;
use super::progress::Progress;
use crate::app::fonts;

pub(super) use output::format;
use output::format_of;
use remote::Remote;

/// The file name that means standard output.
const STANDARD_OUTPUT: &str = "-";

/// Applies the instruction to the images and saves the result, or one result for each image.
pub(super) fn edit(asked: &EditArguments) -> Result<Answer, Failure> {
    check_shape(asked)?;
    if let Some(server) = &asked.server.server {
        let remote = Remote::new(asked, server)?;
        return match &asked.out_dir {
            Some(folder) => batch::edit_remotely(asked, folder, remote),
            None if asked.explain => remote.explain(asked),
            None => remote.one(asked),
        };
    }
    fonts::add(&asked.fonts).map_err(Failure::failed)?;
    match &asked.out_dir {
        Some(folder) => batch::edit(asked, folder),
        None => one(asked),
    }
}

/// One edit of all images together.
fn one(asked: &EditArguments) -> Result<Answer, Failure> {
    let (task, pictures) = task(asked)?;
    check_count(pictures)?;
    let ratio = asked.aspect_ratio.unwrap_or(AspectRatio::Auto);
    let plan = read(task, &plan::context(pictures.len(), ratio, asked.size))?;
    let Some(to) = asked.to.as_deref() else { return explained(&plan) };
    let encoding = encoding(result_format(to, asked.format)?, &plan)?;
    let progress = Progress::start("Editing");
    let pictures: Vec<AnyPicture> =
        pictures.iter().map(|path| load(path)).collect::<Result<_, _>>()?;
    let edited = retouch_engine::execute_any(&plan, pictures).map_err(Failure::failed)?;
    let encoded = output::encode(&edited.picture, encoding, &plan).map_err(Failure::Failed)?;
    drop(progress);
    let lost = output::lost(&encoded);
    let answer = if to == Path::new(STANDARD_OUTPUT) {
        Answer::bytes(encoded.bytes)
    } else {
        output::save(to, &encoded.bytes).map_err(Failure::Failed)?;
        let size = encoded.reduced_to.unwrap_or_else(|| edited.picture.size());
        saved(to, size, &edited, &plan)
    };
    let answer = render(answer, &edited, &plan);
    let notes = lost.iter().map(|lost| format!("warning: {lost}"));
    Ok(notes.fold(answer, Answer::note))
}

/// How the result of `plan` is encoded in this `format`. Without one, the instruction decides.
pub(super) fn encoding(format: Option<OutputFormat>, plan: &Plan) -> Result<Encoding, Failure> {
    let saving = plan::saving(format, None).with(plan.output.unwrap_or_default());
    saving.map(plan::encoded).map_err(Failure::failed)
}

/// The format of the result: that of its file's extension. For standard output, it is the one that is
/// asked for, if any.
pub(super) fn result_format(
    to: &Path,
    asked: Option<OutputFormat>,
) -> Result<Option<OutputFormat>, Failure> {
    if to == Path::new(STANDARD_OUTPUT) {
        return Ok(asked);
    }
    let Some(own) = format_of(to) else {
        return Err(Failure::Usage(format!(
            "{}: cannot save in this format; the name must end in .png, .jpg, .jpeg or .webp",
            to.display()
        )));
    };
    match asked.filter(|asked| *asked != own) {
        None => Ok(Some(own)),
        Some(asked) => Err(Failure::Usage(format!(
            "{} is not the name of a {} file; leave out --format or change the name",
            to.display(),
            asked.as_str()
        ))),
    }
}

/// The edit and its images. An instruction is the last argument; a plan is in a file.
fn task(asked: &EditArguments) -> Result<(Task, &[String]), Failure> {
    let all = asked.pictures_and_instruction.as_slice();
    if let Some(path) = &asked.plan {
        return Ok((Task::Plan(read_plan(path)?), all));
    }
    let Some((instruction, pictures)) = all.split_last().filter(|(_, rest)| !rest.is_empty())
    else {
        return Err(Failure::Usage("give an image file and an instruction".to_owned()));
    };
    if Path::new(instruction).is_file() {
        let message = format!("{instruction:?} is a file; the instruction must come last");
        return Err(Failure::Usage(message));
    }
    Ok((Task::Words(instruction.clone()), pictures))
}

/// The plan of an edit.
pub(super) fn read(task: Task, context: &Context) -> Result<Plan, Failure> {
    match task {
        Task::Words(words) => retouch_language::read(&words, context).map_err(Failure::failed),
        Task::Plan(plan) => plan::replayed(&plan, context).map_err(Failure::Failed),
    }
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

fn check_count(pictures: &[String]) -> Result<(), Failure> {
    if pictures.len() > PICTURES_MAX as usize {
        let count = pictures.len();
        return Err(Failure::Usage(format!(
            "{count} images given; the limit is {PICTURES_MAX} images per edit. To edit each of them \
             separately, replace -o with --out-dir FOLDER"
        )));
    }
    Ok(())
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

pub(super) fn load(path: &str) -> Result<AnyPicture, Failure> {
    let picture = bytes_of(Path::new(path)).and_then(|bytes| decode(&bytes));
    picture.map_err(|reason| Failure::Failed(format!("{path}: {reason}")))
}

/// The content of an image file.
pub(super) fn bytes_of(path: &Path) -> Result<Vec<u8>, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    // One byte more than allowed, so that the decoder can tell that the file is too large.
    let read = file.take(codec::Limits::default().bytes_max as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    Ok(bytes)
}

pub(super) fn decode(bytes: &[u8]) -> Result<AnyPicture, String> {
    codec::decode_any(bytes, &codec::Limits::default()).map_err(|error| error.to_string())
}

fn explained(plan: &Plan) -> Result<Answer, Failure> {
    let mut text = format!("{}\n", plan.shown().join(", then "));
    for assumption in plan.shown_assumptions() {
        text.push_str(&format!("assumed: {assumption}\n"));
    }
    let plan = plan::shown(plan).map_err(Failure::failed)?;
    Ok(Answer::new(text, json!({ "plan": plan })))
}

fn saved(to: &Path, (width, height): (u32, u32), edited: &Edited, plan: &Plan) -> Answer {
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
