//! What fal's responses about a task mean.

use serde::Deserialize;

use super::{Task, failure};
use crate::queue::ticket;
use crate::upstream::{Answer, Artefact, Fault, Harvest, Meaning, Step};

#[derive(Deserialize)]
struct Status {
    status: String,
    error: Option<serde_json::Value>,
    error_type: Option<String>,
}

#[derive(Deserialize)]
struct Output {
    #[serde(default)]
    images: Vec<File>,
    image: Option<File>,
    video: Option<File>,
    #[serde(default)]
    has_nsfw_concepts: Option<Vec<bool>>,
}

#[derive(Deserialize)]
struct File {
    url: String,
}

/// The status of a task: 202 while it is running, 200 once it has ended, successfully or not.
pub(super) fn status(task: Task, answer: &Answer) -> Meaning {
    if !answer.status.is_success() {
        return Err(failure::of_look_up(answer));
    }
    let status: Status = answer.json()?;
    match status.status.as_str() {
        "COMPLETED" => match (&status.error, status.error_type.as_deref()) {
            (Some(error), Some(kind)) if failure::is_of_their_machines(kind) => {
                Err(Fault::Failed(format!("{kind}: {error}")))
            }
            // Only the result says whether the task succeeded.
            _ => Ok(Step::Submitted(ticket::write(&Task { has_ended: true, ..task })?)),
        },
        "IN_QUEUE" | "IN_PROGRESS" => Ok(Step::Working { wait_ms: None }),
        "CANCELLED" | "CANCELED" => Err(Fault::Failed("the task was canceled".into())),
        _ => Err(Fault::Failed(answer.shown())),
    }
}

/// The result of a task.
pub(super) fn result(answer: &Answer) -> Meaning {
    if !answer.status.is_success() {
        return Err(failure::of_result(answer));
    }
    let output: Output = answer.json()?;
    // In this case, the image is black.
    if output.has_nsfw_concepts.unwrap_or_default().contains(&true) {
        return Err(Fault::content("not safe for work"));
    }
    let files = output.images.into_iter().chain(output.image).chain(output.video);
    let artefacts = files.map(|file| Artefact::Address(file.url)).collect();
    Ok(Step::Done(Harvest { artefacts, ..Harvest::default() }))
}
