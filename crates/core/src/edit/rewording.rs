//! An instruction in other words, which the built-in editor understands.

use serde::{Deserialize, Serialize};

/// What a language model made of an instruction that the built-in editor refused, after it was
/// verified. It belongs to the request: a stored request has it too, so that the same edit is made
/// whatever the model would say later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rewording {
    /// The language model, by its name in the settings.
    pub model: String,
    /// The instruction as sentences of the built-in editor, in order.
    pub sentences: Vec<RewordedSentence>,
    /// Parts of the instruction that change nothing.
    pub ignored: Vec<String>,
    /// What the language model added to the instruction, for people.
    pub assumed: Vec<String>,
}

/// One sentence of a [`Rewording`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RewordedSentence {
    /// Start and end of the part of the instruction that it stands for, in Unicode scalar values.
    pub span: [usize; 2],
    /// The sentence.
    pub sentence: String,
}

impl Rewording {
    /// The sentences as one instruction.
    pub fn instruction(&self) -> String {
        let sentences: Vec<&str> = self.sentences.iter().map(|it| it.sentence.as_str()).collect();
        sentences.join(Self::SEPARATOR)
    }

    /// What separates the sentences.
    pub const SEPARATOR: &str = ", then ";
}
