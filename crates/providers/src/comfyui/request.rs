//! The call that queues a workflow with filled slots.

use serde::Serialize;
use serde_json::{Map, Value};

use super::fill::Filling;
use super::slot::Slot;
use super::workflow::Workflow;
use super::{Task, shape};
use crate::upstream::{Body, Call, Fault, Order, Submission, text};

/// Number of bits in a seed. Every program can represent such a number exactly.
const SEED_BITS: u32 = 53;
/// Default length of a video, in seconds.
const SECONDS: u32 = 5;

#[derive(Serialize)]
struct Request<'a> {
    prompt: Map<String, Value>,
    /// The name that Retouch chooses for the task.
    prompt_id: &'a str,
}

/// The submission of `workflow` with the uploaded `images`.
pub(super) fn submission(
    workflow: &Workflow,
    order: &Order<'_>,
    images: Vec<String>,
) -> Result<Submission, Fault> {
    let edit = order.edit;
    let negative_prompt = edit.negative_prompt.as_deref().unwrap_or_default();
    let instruction = if workflow.has(|slot| slot == Slot::NegativePrompt) {
        edit.instruction.as_str().into()
    } else {
        text::prompt_with_negative(edit)
    };
    let filling = Filling {
        instruction,
        negative_prompt,
        images,
        sides: shape::sides(order),
        seed: seed(order),
        seconds: edit.duration_seconds.unwrap_or(SECONDS),
    };
    let task = Task::of(order);
    let request = Request { prompt: filling.fill(workflow), prompt_id: &task.prompt_id };
    let call = Call::post("/prompt", Body::json(&request));
    Ok(Submission { call, ticket: Some(task.ticket()?) })
}

/// A number derived from the edit's ID: different for each edit, the same if an edit is tried
/// again.
fn seed(order: &Order<'_>) -> u64 {
    let (_, random) = order.id.0.as_u64_pair();
    random & ((1 << SEED_BITS) - 1)
}
