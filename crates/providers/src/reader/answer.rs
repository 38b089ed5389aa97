//! What a chat server answers.

use retouch_outbound::client::on_one_line;
use serde::{Deserialize, Serialize};

/// The most sentences that count.
const SENTENCES_MAX: usize = 12;
/// The most bytes of an answer as JSON. An instruction has at most 800 characters, which the answer
/// repeats a few times.
const BYTES_MAX: usize = 16 * 1024;
/// The most characters of a question.
const QUESTION_CHARS_MAX: usize = 200;

/// The answer of a model, as the schema of the prompt says. Nothing of it is believed yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The instruction in English, as literally as possible.
    pub(super) english: String,
    /// What kind of answer it is.
    pub(super) outcome: Outcome,
    /// The sentences of the editor, in order.
    #[serde(default)]
    pub(super) steps: Vec<Step>,
    /// Parts of the instruction that change nothing.
    #[serde(default)]
    pub(super) ignored: Vec<String>,
    #[serde(default)]
    question: String,
}

/// The kinds of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome {
    /// The sentences say all of it.
    Edit,
    /// It needs a generative model.
    NeedsModel,
    /// A detail is missing.
    Question,
}

/// A sentence of the editor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Step {
    /// The words of the instruction that it stands for.
    pub(super) words: String,
    /// The sentence.
    pub(super) sentence: String,
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    content: String,
}

impl Answer {
    /// Reads the response of a chat server. Models put reasoning or a code fence around the JSON if
    /// the server doesn't prevent it; that is cut off.
    pub(super) fn read(body: &[u8]) -> Option<Self> {
        let completion: Completion = serde_json::from_slice(body).ok()?;
        let content = completion.choices.into_iter().next()?.message.content;
        let after = content.rsplit_once("</think>").map_or(content.as_str(), |(_, after)| after);
        let json = after.get(after.find('{')?..=after.rfind('}')?)?;
        let answer: Self = serde_json::from_str(json).ok().filter(|_| json.len() <= BYTES_MAX)?;
        (answer.steps.len() <= SENTENCES_MAX).then_some(answer)
    }

    /// The JSON that was read, without what the prompt doesn't ask for.
    pub(super) fn to_json(&self) -> String {
        // Strings and lists of them can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The question, if it looks like one.
    pub(super) fn question(&self) -> Option<String> {
        let text = self.question.trim();
        let is_short = text.chars().count() <= QUESTION_CHARS_MAX;
        (is_short && text.ends_with('?')).then(|| on_one_line(text, QUESTION_CHARS_MAX))
    }
}
