//! `retouch edit --out-dir`: one instruction on many images, each of them an edit of its own.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Instant;

use retouch_core::image::{AspectRatio, OutputFormat};
use retouch_engine::Plan;
use retouch_providers::built_in::plan;
use serde_json::{Value, json};

use super::output;
use super::workers::{Done, Event, Order, Workers};
use super::{inputs, read};
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
}

/// Edits each of the images that the arguments name and saves the results in `folder`.
pub(super) fn edit(asked: &EditArguments, folder: &Path) -> Result<Answer, Failure> {
    let (task, named) = super::task(asked)?;
    let ratio = asked.aspect_ratio.unwrap_or(AspectRatio::Auto);
    let plan = read(task, &plan::context(1, ratio, asked.size))?;
    let files = inputs::list(named)?;
    let (orders, skipped) = orders(files, folder, asked.format)?;
    output::create_folder(folder)?;
    let began = Instant::now();
    let (workers, events) = Workers::start(orders, plan.clone())?;
    let mut summary = Summary { skipped, ..follow(&workers, &events) };
    summary.done.sort_by(|a, b| a.order.input.cmp(&b.order.input));
    summary.failed.sort();
    Ok(summary.answer(&plan, began.elapsed().as_secs_f64()))
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

    fn answer(self, plan: &Plan, seconds: f64) -> Answer {
        let is_incomplete = self.is_stopped || !self.failed.is_empty();
        let mut answer = Answer::new(self.text(seconds), self.json(plan, seconds));
        answer = answer.note(format!("Plan: {}.", plan.shown().join(", then ")));
        for assumption in plan.shown_assumptions() {
            answer = answer.note(format!("assumed: {assumption}"));
        }
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

    fn text(&self, seconds: f64) -> String {
        let (done, failed, skipped) = (self.done.len(), self.failed.len(), self.skipped.len());
        let mut text =
            format!("{done} edited, {failed} failed, {skipped} skipped, {seconds:.1} s\n");
        for (input, reason) in &self.failed {
            text.push_str(&format!("failed: {}: {reason}\n", input.display()));
        }
        for Order { input, output, .. } in &self.skipped {
            let (input, output) = (input.display(), output.display());
            text.push_str(&format!("skipped: {input}: {output} already exists\n"));
        }
        text
    }

    fn json(&self, plan: &Plan, seconds: f64) -> Value {
        let done = |done: &Done| {
            json!({
                "input": name(&done.order.input), "file": name(&done.order.output), "width": done.size.0,
                "height": done.size.1, "seconds": rounded(done.seconds), "warnings": done.warnings,
            })
        };
        let failed =
            |(input, reason): &(PathBuf, String)| json!({ "input": name(input), "reason": reason });
        let skipped =
            |order: &Order| json!({ "input": name(&order.input), "file": name(&order.output) });
        json!({
            "plan": plan,
            "done": self.done.iter().map(done).collect::<Vec<_>>(),
            "failed": self.failed.iter().map(failed).collect::<Vec<_>>(),
            "skipped": self.skipped.iter().map(skipped).collect::<Vec<_>>(),
            "stopped": self.is_stopped,
            "seconds": rounded(seconds),
        })
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
