//! Why an instruction or a plan is not done, in words for a person.

use serde::{Deserialize, Serialize};

/// The class of a refusal, for routing (a generative model may take over) and statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    /// It needs to see or invent content: objects, faces, styles.
    NeedsGenerativeModel,
    /// The operation is clear, but not how much, where or what.
    MissingDetail,
    /// A number, or the picture that would come out, is outside the limits.
    OutOfRange,
    /// Some words have no place in what this editor understands.
    NotUnderstood,
    /// Everything was understood, and it changes nothing.
    AsksForNothing,
    /// Two parts of the instruction cannot both be done.
    Contradiction,
}

/// The whole request is refused and no pixel changes; says which words stopped it and what can
/// be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The class.
    pub kind: RefusalKind,
    /// The words that stopped it, as they stand in the instruction.
    pub words: String,
    /// Where those words stand: start and end, counted in Unicode scalar values.
    pub span: [usize; 2],
    /// What is wrong and what to do instead, for a person.
    pub message: String,
    /// The nearest thing that can be done, as an instruction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<String>,
}

impl Refusal {
    /// Makes a refusal whose words and span are filled in by whoever knows the instruction.
    #[must_use]
    pub fn new(kind: RefusalKind, message: impl Into<String>) -> Self {
        Self { kind, words: String::new(), span: [0, 0], message: message.into(), nearest: None }
    }

    /// Quotes the words between two positions of the instruction.
    #[must_use]
    pub fn quoting(mut self, instruction: &str, span: [usize; 2]) -> Self {
        let length = span[1].saturating_sub(span[0]);
        self.words = instruction.chars().skip(span[0]).take(length).collect();
        self.span = span;
        self
    }

    /// Adds the closest edit that can be done. `how` begins the sentence that offers it.
    #[must_use]
    pub(crate) fn with_nearest(mut self, instruction: &str, how: &str) -> Self {
        self.message = format!("{}. {how} \"{instruction}\"", self.message);
        self.nearest = Some(instruction.to_owned());
        self
    }

    /// A refusal for a detail that the words leave open.
    #[must_use]
    pub fn missing(message: impl Into<String>) -> Self {
        Self::new(RefusalKind::MissingDetail, message)
    }

    /// A refusal for a number outside its limits.
    #[must_use]
    pub fn out_of_range(message: impl Into<String>) -> Self {
        Self::new(RefusalKind::OutOfRange, message)
    }

    /// A refusal for words that speak against each other.
    #[must_use]
    pub fn contradiction(message: impl Into<String>) -> Self {
        Self::new(RefusalKind::Contradiction, message)
    }
}
