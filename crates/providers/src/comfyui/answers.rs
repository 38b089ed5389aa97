//! What ComfyUI's responses mean.

use std::collections::BTreeMap;

use http::StatusCode;
use retouch_core::Kind;
use serde::Deserialize;
use serde_json::Value;
use url::form_urlencoded::Serializer;

use super::Task;
use crate::upstream::{Answer, Artefact, Call, Fault, Harvest, Meaning, Step};

/// Extensions of images and of videos that are used as results.
const PICTURES: &[&str] = &["png", "jpg", "jpeg", "webp"];
const VIDEOS: &[&str] = &["mp4"];
/// Lists of files in the outputs of a node: images (and videos of newer nodes), and videos of older
/// ones.
const LISTS: [&str; 3] = ["images", "videos", "gifs"];

#[derive(Deserialize)]
struct Queued {
    prompt_id: String,
}

#[derive(Deserialize)]
struct Queue {
    queue_running: Vec<Value>,
    queue_pending: Vec<Value>,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    outputs: BTreeMap<String, Value>,
    #[serde(default)]
    status: Status,
}

#[derive(Default, Deserialize)]
struct Status {
    #[serde(default)]
    status_str: String,
    #[serde(default)]
    messages: Vec<(String, Value)>,
}

#[derive(Deserialize)]
struct File {
    filename: String,
    #[serde(default)]
    subfolder: String,
    #[serde(default, rename = "type")]
    kind: String,
}

/// What the response to the submission of `task` means.
pub(super) fn submitted(task: &Task, answer: &Answer) -> Meaning {
    // The task may have been queued despite the error, so the queue is checked.
    if answer.status.is_server_error() && answer.status != StatusCode::SERVICE_UNAVAILABLE {
        return Ok(Step::Submitted(task.ticket()?));
    }
    if !answer.status.is_success() {
        return Err(at_the_door(answer));
    }
    let ours = || task.prompt_id.clone();
    // Older servers do not let us choose the name and return their own.
    let theirs = answer.json::<Queued>().ok().map(|queued| queued.prompt_id);
    // The name becomes part of a path.
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let theirs = theirs.filter(|name| name.bytes().all(is_name));
    let prompt_id = theirs.unwrap_or_else(ours);
    Ok(Step::Submitted(Task { prompt_id, ..task.clone() }.ticket()?))
}

/// What an error before any work means. If the server rejects a workflow, this is the operator's
/// problem and not the caller's.
pub(super) fn at_the_door(answer: &Answer) -> Fault {
    match answer.status {
        StatusCode::TOO_MANY_REQUESTS => Fault::busy(answer.shown(), answer.retry_after_ms()),
        status if status.is_server_error() => Fault::busy(answer.shown(), answer.retry_after_ms()),
        StatusCode::BAD_REQUEST => {
            Fault::barred(format!("the workflow was rejected: {}", errors(answer)))
        }
        _ => Fault::barred(answer.shown()),
    }
}

/// What the queue says about the task. Once the task has left the queue, the history is checked.
pub(super) fn queue(task: Task, answer: &Answer) -> Meaning {
    if !answer.status.is_success() {
        return Err(not_told(answer));
    }
    let queue: Queue = answer.json()?;
    let is_task = |entry: &Value| entry.get(1).and_then(Value::as_str) == Some(&task.prompt_id);
    if queue.queue_running.iter().chain(&queue.queue_pending).any(is_task) {
        return Ok(Step::Working { wait_ms: None });
    }
    Ok(Step::Submitted(Task { has_left: true, ..task }.ticket()?))
}

/// What the history says about `task`, which has left the queue. ComfyUI moves tasks from one to
/// the other in one step.
pub(super) fn history(task: &Task, answer: &Answer) -> Meaning {
    if !answer.status.is_success() {
        return Err(not_told(answer));
    }
    let mut history: BTreeMap<String, Entry> = answer.json()?;
    let Some(entry) = history.remove(&task.prompt_id) else {
        return Err(Fault::Lost("the task is neither in the queue nor in the history".into()));
    };
    if entry.status.status_str == "error" {
        return Err(Fault::Failed(entry.status.problem()));
    }
    let artefacts = entry.artefacts(task.kind);
    Ok(Step::Done(Harvest { artefacts, ..Harvest::default() }))
}

/// A description of the server, for the operator.
pub(super) fn system(answer: &Answer) -> String {
    let stats: Value = answer.json().unwrap_or_default();
    let version = stats.pointer("/system/comfyui_version").and_then(Value::as_str);
    let device = stats.pointer("/devices/0/name").and_then(Value::as_str);
    format!("ComfyUI {} on {}", version.unwrap_or("?"), device.unwrap_or("?"))
}

/// A response that says nothing about the task.
fn not_told(answer: &Answer) -> Fault {
    Fault::busy(answer.shown(), answer.retry_after_ms())
}

/// What is wrong with a workflow: the general error, and the first error of each node.
fn errors(answer: &Answer) -> String {
    let body: Value = answer.json().unwrap_or_default();
    let mut texts = Vec::from_iter(text_of(body.get("error")));
    for (node, errors) in body.get("node_errors").and_then(Value::as_object).into_iter().flatten() {
        let class = errors.get("class_type").and_then(Value::as_str).unwrap_or_default();
        if let Some(text) = text_of(errors.pointer("/errors/0")) {
            texts.push(format!("node {node} ({class}): {text}"));
        }
    }
    if texts.is_empty() { answer.shown() } else { texts.join("; ") }
}

fn text_of(error: Option<&Value>) -> Option<String> {
    let error = error?;
    let part = |name| error.get(name).and_then(Value::as_str).unwrap_or_default();
    Some(format!("{} {}", part("message"), part("details")).trim().to_owned())
}

impl Status {
    fn problem(&self) -> String {
        let error = self.messages.iter().find(|(name, _)| name == "execution_error");
        let Some((_, error)) = error else { return "the task was interrupted".into() };
        let part = |name| error.get(name).and_then(Value::as_str).unwrap_or("?");
        format!(
            "{} failed: {}: {}",
            part("node_type"),
            part("exception_type"),
            part("exception_message").trim()
        )
    }
}

impl Entry {
    /// The files of the requested type: those that were saved, or else the previews.
    fn artefacts(self, kind: Kind) -> Vec<Artefact> {
        let wanted = if kind == Kind::Video { VIDEOS } else { PICTURES };
        let mut nodes: Vec<_> = self.outputs.into_iter().collect();
        // The same order as in ComfyUI's editor: node 9 before node 10.
        nodes.sort_by_key(|(name, _)| name.parse().unwrap_or(u64::MAX));
        let files: Vec<File> = nodes.iter().flat_map(|(_, outputs)| files(outputs)).collect();
        let files: Vec<File> = files.into_iter().filter(|file| file.ends_with(wanted)).collect();
        let has_saved = files.iter().any(|file| file.kind == "output");
        let kept = files.iter().filter(|file| !has_saved || file.kind == "output");
        kept.map(File::artefact).collect()
    }
}

fn files(outputs: &Value) -> impl Iterator<Item = File> {
    let lists = LISTS.into_iter().filter_map(|list| outputs.get(list)?.as_array());
    lists.flatten().filter_map(|file| File::deserialize(file).ok())
}

impl File {
    fn ends_with(&self, wanted: &[&str]) -> bool {
        let extension = self.filename.rsplit('.').next().unwrap_or_default();
        wanted.contains(&extension.to_ascii_lowercase().as_str())
    }

    fn artefact(&self) -> Artefact {
        let query = Serializer::new(String::new())
            .append_pair("filename", &self.filename)
            .append_pair("subfolder", &self.subfolder)
            .append_pair("type", &self.kind)
            .finish();
        Artefact::Call(Call::get(format!("/view?{query}")))
    }
}
