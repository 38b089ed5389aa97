//! Why an instruction or a plan is refused, in words for a person.

use serde::{Deserialize, Serialize};

/// The class of a refusal, for routing (a generative model may take over) and statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    /// It needs to recognize or create content: objects, faces, styles.
    NeedsGenerativeModel,
    /// The operation is clear, but not how much, where or to what it applies.
    MissingDetail,
    /// A number, or the size of the resulting image, is outside the limits.
    OutOfRange,
    /// The editor does not understand some of the words.
    NotUnderstood,
    /// It is in another language than English.
    OtherLanguage,
    /// Everything was understood, but it changes nothing.
    AsksForNothing,
    /// Two parts of the instruction contradict each other.
    Contradiction,
}

/// The refusal of a whole request: which words caused it, and what the person can do instead. No
/// pixel changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The class of the refusal.
    pub kind: RefusalKind,
    /// The words that caused it, as written in the instruction.
    pub words: String,
    /// Where those words start and end in the instruction, in Unicode scalar values.
    pub span: [usize; 2],
    /// What is wrong and what to do instead, for a person.
    pub message: String,
    /// The closest edit that can be done, as an instruction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<String>,
    /// Whether those words may be about a thing in the image, although nobody can be sure.
    #[serde(skip)]
    pub mentions_thing: bool,
}

impl Refusal {
    /// Makes a refusal without words and span; a caller that has the instruction adds them.
    #[must_use]
    pub fn new(kind: RefusalKind, message: impl Into<String>) -> Self {
        let (words, message) = (String::new(), message.into());
        Self { kind, words, span: [0, 0], message, nearest: None, mentions_thing: false }
    }

    /// Quotes the words between two positions of the instruction.
    #[must_use]
    pub fn quoting(mut self, instruction: &str, span: [usize; 2]) -> Self {
        let length = span[1].saturating_sub(span[0]);
        self.words = instruction.chars().skip(span[0]).take(length).collect();
        self.span = span;
        self
    }

    /// A refusal because the words leave out a detail.
    #[must_use]
    pub fn missing(message: impl Into<String>) -> Self {
        Self::new(RefusalKind::MissingDetail, message)
    }

    /// A refusal because a number is outside its limits.
    #[must_use]
    pub fn out_of_range(message: impl Into<String>) -> Self {
        Self::new(RefusalKind::OutOfRange, message)
    }

    /// A refusal because words contradict each other.
    #[must_use]
    pub fn contradiction(message: impl Into<String>) -> Self {
        Self::new(RefusalKind::Contradiction, message)
    }
}
