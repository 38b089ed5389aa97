//! ComfyUI with the operator's own workflows. See docs/providers/comfyui.md.
//!
//! A route's model is the name of a [`Workflow`], whose slots are filled for each edit. Retouch
//! chooses the name of the task, so it can ask for the task if the submission gets no response.

mod answers;
mod fill;
mod request;
mod shape;
mod slot;
mod upload;
mod wishes;
mod workflow;

use std::collections::BTreeMap;

use retouch_core::edit::Edit;
use retouch_core::{Kind, Warning};
use retouch_engine::codec::Format;
use serde::{Deserialize, Serialize};

use crate::error::Refused;
use crate::upstream::{
    Answer, Auth, Call, Dialect, Fault, Meaning, Order, PictureRules, Submission, Ticket,
};

pub use workflow::{Workflow, WorkflowError};

/// The protocol of ComfyUI.
#[derive(Clone, Debug)]
pub struct ComfyUi {
    workflows: BTreeMap<String, Workflow>,
}

/// The name of a task, and what is known about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Task {
    /// ComfyUI's name for the task, which is the ID of the edit.
    prompt_id: String,
    /// The type of the result.
    kind: Kind,
    /// Whether the task has left the queue. Then the history says how it ended, or the task is
    /// lost.
    #[serde(default)]
    has_left: bool,
}

impl ComfyUi {
    /// The protocol with these workflows, by the names that routes use.
    pub fn new(workflows: BTreeMap<String, Workflow>) -> Self {
        Self { workflows }
    }

    fn image_count(&self, model: &str) -> usize {
        self.workflows.get(model).map_or(0, Workflow::image_count)
    }
}

impl Dialect for ComfyUi {
    /// ComfyUI itself needs no key, but a proxy in front of it may.
    fn auth(&self) -> Auth {
        Auth::Bearer
    }

    fn read(&self, edit: &Edit, model: &str) -> Result<Vec<Warning>, Refused> {
        wishes::read(self.workflows.get(model), edit)
    }

    fn picture_rules(&self, model: &str) -> PictureRules {
        PictureRules {
            formats: &[Format::Png, Format::Jpeg],
            count_max: self.image_count(model),
            ..PictureRules::GENEROUS
        }
    }

    fn uploads(&self, order: &Order<'_>) -> Vec<Call> {
        upload::calls(order)
    }

    fn submit(&self, order: &Order<'_>, uploaded: &[Answer]) -> Result<Submission, Fault> {
        let unknown = || Fault::barred(format!("unknown workflow {:?}", order.model));
        let workflow = self.workflows.get(order.model).ok_or_else(unknown)?;
        let names = uploaded.iter().map(upload::name).collect::<Result<_, _>>()?;
        request::submission(workflow, order, names)
    }

    fn submitted(&self, order: &Order<'_>, answer: &Answer) -> Meaning {
        answers::submitted(&Task::of(order), answer)
    }

    fn poll(&self, ticket: &Ticket) -> Call {
        match Task::deserialize(&ticket.0) {
            Ok(task) if task.has_left => Call::get(format!("/history/{}", task.prompt_id)),
            Ok(_) => Call::get("/queue"),
            Err(_) => self.probe(),
        }
    }

    fn polled(&self, ticket: &Ticket, answer: &Answer) -> Meaning {
        let task = Task::deserialize(&ticket.0)
            .map_err(|error| Fault::Lost(format!("cannot read the recorded task: {error}")))?;
        if task.has_left { answers::history(&task, answer) } else { answers::queue(task, answer) }
    }

    fn probe(&self) -> Call {
        Call::get("/system_stats")
    }

    fn probed(&self, answer: &Answer) -> Result<String, String> {
        match answer.status.as_u16() {
            200..=299 => Ok(answers::system(answer)),
            401 | 403 => Err(format!("the key was rejected ({})", answer.shown())),
            404 => Err("not found; check that base_url is the address of ComfyUI".into()),
            _ => Err(answer.shown()),
        }
    }
}

impl Task {
    fn of(order: &Order<'_>) -> Self {
        Self { prompt_id: order.id.to_string(), kind: order.edit.kind, has_left: false }
    }

    fn ticket(&self) -> Result<Ticket, Fault> {
        let value = serde_json::to_value(self);
        value.map(Ticket).map_err(|error| Fault::Failed(format!("the task has no ID: {error}")))
    }
}
