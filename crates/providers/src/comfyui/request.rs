//! The call that puts a filled workflow into ComfyUI's queue.

use serde::Serialize;
use serde_json::{Map, Value};

use super::fill::Filling;
use super::slot::Slot;
use super::workflow::Workflow;
use super::{Task, shape};
use crate::upstream::{Body, Call, Fault, Order, Submission, words};

/// Bits of a seed: those of a number that every program reads exactly.
const SEED_BITS: u32 = 53;
/// Length of a video where none is asked for, in seconds.
const SECONDS: u32 = 5;

#[derive(Serialize)]
struct Request<'a> {
    prompt: Map<String, Value>,
    /// Our own name of the task.
    prompt_id: &'a str,
}

/// Asks for `workflow` with the pictures that were uploaded as `images`.
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
        words::prompt_with_negative(edit)
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

/// A number of the edit's own: another edit gets another picture, a second attempt the same.
fn seed(order: &Order<'_>) -> u64 {
    let (_, random) = order.id.0.as_u64_pair();
    random & ((1 << SEED_BITS) - 1)
}
