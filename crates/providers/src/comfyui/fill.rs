//! Fills the slots of a workflow.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::slot::{Piece, Slot};
use super::workflow::Workflow;

/// The values for the slots.
#[derive(Clone, Debug)]
pub(super) struct Filling<'a> {
    pub(super) instruction: Cow<'a, str>,
    pub(super) negative_prompt: &'a str,
    pub(super) images: Vec<String>,
    pub(super) sides: (u32, u32),
    pub(super) seed: u64,
    pub(super) seconds: u32,
}

impl Filling<'_> {
    /// The nodes of `workflow` with these values in its slots.
    pub(super) fn fill(&self, workflow: &Workflow) -> Map<String, Value> {
        let mut nodes = workflow.nodes.clone();
        for place in &workflow.places {
            let node = nodes.get_mut(&place.node).and_then(|node| node.get_mut("inputs"));
            if let Some(input) = node.and_then(|inputs| inputs.get_mut(&place.input)) {
                *input = self.value(&place.pieces);
            }
        }
        nodes
    }

    fn value(&self, pieces: &[Piece]) -> Value {
        if let [Piece::Slot(slot)] = pieces {
            return self.slot(*slot);
        }
        let text = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Slot(slot) => self.slot(*slot).as_str().unwrap_or_default().to_owned(),
        };
        Value::String(pieces.iter().map(text).collect())
    }

    fn slot(&self, slot: Slot) -> Value {
        match slot {
            Slot::Instruction => self.instruction.as_ref().into(),
            Slot::NegativePrompt => self.negative_prompt.into(),
            Slot::Image(number) => self.images.get(number).cloned().unwrap_or_default().into(),
            Slot::Width => self.sides.0.into(),
            Slot::Height => self.sides.1.into(),
            Slot::Seed => self.seed.into(),
            Slot::Seconds => self.seconds.into(),
            Slot::Frames(rate) => (self.seconds.saturating_mul(rate).saturating_add(1)).into(),
        }
    }
}
