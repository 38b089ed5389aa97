//! The operator's workflows, which are checked when they are loaded.

use serde_json::{Map, Value};
use thiserror::Error;

use super::slot::{Piece, Slot, pieces};

/// Largest workflow file, in bytes.
const FILE_BYTES_MAX: usize = 4 << 20;
/// Nodes that can write MP4 videos.
const VIDEO_NODES: [&str; 2] = ["SaveVideo", "VHS_VideoCombine"];

/// A workflow in ComfyUI's API format, and its slots.
#[derive(Clone, Debug, PartialEq)]
pub struct Workflow {
    pub(super) nodes: Map<String, Value>,
    pub(super) places: Vec<SlotPlace>,
    image_count: usize,
}

/// An input of a node that contains slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SlotPlace {
    pub(super) node: String,
    pub(super) input: String,
    pub(super) pieces: Vec<Piece>,
}

/// Why a file is not a usable workflow.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum WorkflowError {
    /// The file is too large.
    #[error("it has {bytes} bytes; the limit is {FILE_BYTES_MAX}")]
    TooLong {
        /// The size of the file.
        bytes: usize,
    },
    /// The file is not a JSON object.
    #[error("it is not a JSON object: {0}")]
    NotJson(String),
    /// The file is in the editor's format.
    #[error("it is in the editor's format; export it with Workflow > Export (API)")]
    EditorFormat,
    /// A node has the wrong structure.
    #[error(
        "node {node:?} has no `class_type` and `inputs`; export it with Workflow > Export (API)"
    )]
    NotANode {
        /// The name of the node.
        node: String,
    },
    /// A slot is not closed.
    #[error("{place}: a slot starts with {{{{ but does not end with }}}}")]
    Unclosed {
        /// The node and input.
        place: String,
    },
    /// There is no such slot.
    #[error(
        "{place}: unknown slot {{{{{name}}}}}; the slots are instruction, negative_prompt, image1 \
         to image16, width, height, seed, seconds and frames@RATE"
    )]
    UnknownSlot {
        /// The node and input.
        place: String,
        /// The unknown name.
        name: String,
    },
    /// There is other text around a slot that must be the whole value.
    #[error("{place}: {{{{{name}}}}} must be the whole value, without other text")]
    NotAlone {
        /// The node and input.
        place: String,
        /// The slot.
        name: String,
    },
    /// There is no slot for the instruction.
    #[error("no node input is {{{{instruction}}}}; put it where the prompt goes")]
    NoInstruction,
    /// A slot for an image is missing.
    #[error("there is a slot for a later image but none for image {number}")]
    ImageMissing {
        /// The first missing image, counted from 1.
        number: usize,
    },
    /// Only one of width and height has a slot.
    #[error("{{{{width}}}} and {{{{height}}}} must be used together; one of them is missing")]
    OneSide,
}

impl Workflow {
    /// Parses a workflow file.
    ///
    /// # Errors
    /// The problem, for the operator.
    pub fn parse(text: &str) -> Result<Self, WorkflowError> {
        if text.len() > FILE_BYTES_MAX {
            return Err(WorkflowError::TooLong { bytes: text.len() });
        }
        let nodes: Map<String, Value> = serde_json::from_str(text)
            .map_err(|error| WorkflowError::NotJson(error.to_string()))?;
        if nodes.get("nodes").is_some_and(Value::is_array) {
            return Err(WorkflowError::EditorFormat);
        }
        let mut places = Vec::new();
        for (name, node) in &nodes {
            find_slots(name, node, &mut places)?;
        }
        let mut workflow = Self { nodes, places, image_count: 0 };
        workflow.check()?;
        Ok(workflow)
    }

    /// The number of input images.
    pub fn image_count(&self) -> usize {
        self.image_count
    }

    /// Whether it makes videos.
    pub fn makes_videos(&self) -> bool {
        let class =
            |node: &Value| node.get("class_type").and_then(Value::as_str).map(str::to_owned);
        self.nodes.values().filter_map(class).any(|class| VIDEO_NODES.contains(&class.as_str()))
    }

    /// Whether any of its slots satisfies `is_such`.
    pub(super) fn has(&self, is_such: impl Fn(Slot) -> bool) -> bool {
        self.slots().any(is_such)
    }

    fn slots(&self) -> impl Iterator<Item = Slot> {
        self.places.iter().flat_map(|place| &place.pieces).filter_map(|piece| match piece {
            Piece::Slot(slot) => Some(*slot),
            Piece::Text(_) => None,
        })
    }

    fn check(&mut self) -> Result<(), WorkflowError> {
        if !self.has(|slot| slot == Slot::Instruction) {
            return Err(WorkflowError::NoInstruction);
        }
        if self.has(|slot| slot == Slot::Width) != self.has(|slot| slot == Slot::Height) {
            return Err(WorkflowError::OneSide);
        }
        let numbers = self.slots().filter_map(|slot| match slot {
            Slot::Image(number) => Some(number + 1),
            _ => None,
        });
        self.image_count = numbers.max().unwrap_or(0);
        let missing =
            (0..self.image_count).find(|number| !self.has(|slot| slot == Slot::Image(*number)));
        missing.map_or(Ok(()), |number| Err(WorkflowError::ImageMissing { number: number + 1 }))
    }
}

fn find_slots(name: &str, node: &Value, places: &mut Vec<SlotPlace>) -> Result<(), WorkflowError> {
    let inputs = node.get("inputs").and_then(Value::as_object);
    let is_node = node.get("class_type").is_some_and(Value::is_string);
    let Some(inputs) = inputs.filter(|_| is_node) else {
        return Err(WorkflowError::NotANode { node: name.to_owned() });
    };
    for (input, value) in inputs {
        let Some(text) = value.as_str() else { continue };
        let place = format!("node {name:?}, input {input:?}");
        if let Some(pieces) = pieces(text, &place)? {
            places.push(SlotPlace { node: name.to_owned(), input: input.clone(), pieces });
        }
    }
    Ok(())
}
