//! `retouch edit --out-dir`: one instruction on many images, each of them an edit of its own.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Instant;

use retouch_core::image::{AspectRatio, OutputFormat};
use retouch_providers::built_in::plan;
use serde_json::{Value, json};

use super::local::Local;
use super::remote::Remote;
use super::workers::{Done, Editor, Event, Order, Workers};
use super::{inputs, output, read};
use crate::cli::answer::{Answer, Failure};
use crate::cli::command::EditArguments;
use crate::cli::progress::Bar;

/// What became of all images.
#[derive(Default)]
struct Summary {
    done: Vec<Done>,
    failed: Vec<(PathBuf, String)>,
    skipped: Vec<Order>,
    is_stopped: bool,
    seconds: f64,
}

/// Edits each of the images that the arguments name and saves the results in `folder`.
pub(super) fn edit(asked: &EditArguments, folder: &Path) -> Result<Answer, Failure> {
    let (task, named) = super::task(asked)?;
    let ratio = asked.aspect_ratio.unwrap_or(AspectRatio::Auto);
    let plan = read(task, &plan::context(1, ratio, asked.size))?;
    let saving = plan::saving(asked.format, None).with(plan.output.unwrap_or_default());
    let format = plan::format(saving.map_err(Failure::failed)?);
    let (orders, skipped) = orders(inputs::list(named)?, folder, format)?;
    let summary = run((orders, skipped), folder, Box::new(Local::new(plan.clone())))?;
    let mut answer = summary.answer(json!({ "plan": plan }));
    answer = answer.note(format!("Plan: {}.", plan.shown().join(", then ")));
    for assumption in plan.shown_assumptions() {
        answer = answer.note(format!("assumed: {assumption}"));
    }
    Ok(answer)
}

/// Does the same on a server, paid by the account of an API key.
pub(super) fn edit_remotely(
    asked: &EditArguments,
    folder: &Path,
    remote: Remote,
) -> Result<Answer, Failure> {
    let (_, named) = super::task(asked)?;
    let files = inputs::list(named)?;
    let estimate = remote.estimate(1)?;
    let (orders, skipped) = orders(files, folder, estimate.format().or(asked.format))?;
    estimate.check_cost(orders.len())?;
    let summary = run((orders, skipped), folder, Box::new(remote))?;
    let cost: i64 = summary.done.iter().map(|done| done.cost).sum();
    let answer = summary.answer(json!({ "cost": cost })).note(format!("{cost} credits charged."));
    Ok(match summary.is_stopped {
        true => {
            answer.note("Edits that had started are charged. Their results are in your history.")
        }
        false => answer,
    })
}

/// Lets `editor` edit the images of the first list. Those of the second have results already.
fn run(
    (orders, skipped): (Vec<Order>, Vec<Order>),
    folder: &Path,
    editor: Box<dyn Editor>,
) -> Result<Summary, Failure> {
    output::create_folder(folder)?;
    let began = Instant::now();
    let (workers, events) = Workers::start(orders, editor)?;
    let mut summary = Summary { skipped, ..follow(&workers, &events) };
    summary.done.sort_by(|a, b| a.order.input.cmp(&b.order.input));
    summary.failed.sort();
    summary.seconds = began.elapsed().as_secs_f64();
    Ok(summary)
}

/// What to do: images with the files for their results, and those whose result is already there.
fn orders(
    files: Vec<PathBuf>,
    folder: &Path,
    format: Option<OutputFormat>,
) -> Result<(Vec<Order>, Vec<Order>), Failure> {
    let mut inputs: HashMap<PathBuf, PathBuf> = HashMap::new();
    let mut orders = Vec::new();
    for input in files {
        let (format, output) = output::result_of(&input, folder, format);
        if let Some(first) = inputs.insert(output.clone(), input.clone()) {
            return Err(Failure::Failed(format!(
                "{} and {} would both be saved as {}. Edit them in two runs with different folders",
                first.display(),
                input.display(),
                output.display()
            )));
        }
        let is_input = output.exists() && output.canonicalize().ok() == input.canonicalize().ok();
        if is_input {
            return Err(Failure::Failed(format!(
                "{} would be overwritten by its result; choose another --out-dir",
                input.display()
            )));
        }
        orders.push(Order { input, output, format });
    }
    Ok(orders.into_iter().partition(|order| !order.output.exists()))
}

/// Collects what becomes of the images, until all are done or the user stops.
fn follow(workers: &Arc<Workers>, events: &Receiver<Event>) -> Summary {
    let mut summary = Summary::default();
    let bar = Bar::start("Editing", workers.count());
    let mut ended = 0;
    while ended < workers.count() {
        match events.recv() {
            Ok(Event::Ended(input, result)) => {
                ended += 1;
                bar.advance();
                summary.add(input, result);
            }
            Ok(Event::Stop) | Err(_) => {
                summary.is_stopped = true;
                workers.stop();
                break;
            }
        }
    }
    // Results that were saved before the stop.
    for event in events.try_iter() {
        if let Event::Ended(input, result) = event {
            summary.add(input, result);
        }
    }
    summary
}

impl Summary {
    fn add(&mut self, input: PathBuf, result: Result<Done, String>) {
        match result {
            Ok(done) => self.done.push(done),
            Err(reason) => self.failed.push((input, reason)),
        }
    }

    /// The answer, with `about` in its JSON.
    fn answer(&self, about: Value) -> Answer {
        let is_incomplete = self.is_stopped || !self.failed.is_empty();
        let mut answer = Answer::new(self.text(), self.json(about));
        for (warning, count) in self.warnings() {
            answer = answer.note(format!("warning: {warning} ({count} images)"));
        }
        if self.is_stopped {
            answer = answer.note("Stopped. Run the same command again to edit the rest.");
        }
        answer.failing_when(is_incomplete)
    }

    /// Each warning, and how many images have it.
    fn warnings(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for warning in self.done.iter().flat_map(|done| &done.warnings) {
            *counts.entry(warning.as_str()).or_default() += 1;
        }
        counts
    }

    fn text(&self) -> String {
        let (done, failed, skipped) = (self.done.len(), self.failed.len(), self.skipped.len());
        let mut text =
            format!("{done} edited, {failed} failed, {skipped} skipped, {:.1} s\n", self.seconds);
        for (input, reason) in &self.failed {
            text.push_str(&format!("failed: {}: {reason}\n", input.display()));
        }
        for Order { input, output, .. } in &self.skipped {
            let (input, output) = (input.display(), output.display());
            text.push_str(&format!("skipped: {input}: {output} already exists\n"));
        }
        text
    }

    fn json(&self, mut about: Value) -> Value {
        let done = |done: &Done| {
            json!({
                "input": name(&done.order.input), "file": name(&done.order.output), "width": done.size.0,
                "height": done.size.1, "seconds": rounded(done.seconds), "cost": done.cost,
                "warnings": done.warnings,
            })
        };
        let failed =
            |(input, reason): &(PathBuf, String)| json!({ "input": name(input), "reason": reason });
        let skipped =
            |order: &Order| json!({ "input": name(&order.input), "file": name(&order.output) });
        about["done"] = self.done.iter().map(done).collect();
        about["failed"] = self.failed.iter().map(failed).collect();
        about["skipped"] = self.skipped.iter().map(skipped).collect();
        about["stopped"] = self.is_stopped.into();
        about["seconds"] = rounded(self.seconds).into();
        about
    }
}

/// JSON has no file names that are not Unicode.
fn name(path: &Path) -> String {
    path.display().to_string()
}

/// Seconds with milliseconds.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1_000.0).round() / 1_000.0
}
