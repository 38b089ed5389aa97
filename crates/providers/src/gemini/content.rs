//! Responses of `generateContent`: an image, text instead of one, or a refusal. All have status
//! 200.

use std::borrow::Cow;

use retouch_outbound::client::on_one_line;
use serde::Deserialize;

use super::{frame, models};
use crate::error::{Refused, RefusedKind};
use crate::provider::Usage;
use crate::upstream::{Answer, Artefact, Fault, Harvest, Meaning, Order, Step, text};

/// Maximum number of characters of a model's text that are shown to callers.
const SHOWN_CHARS_MAX: usize = 400;

/// What a response with status 200 means.
pub(super) fn harvest(order: &Order<'_>, answer: &Answer) -> Meaning {
    let content: Content<'_> = answer.json()?;
    let mut artefacts = Vec::new();
    for data in content.pictures() {
        artefacts.push(Artefact::Bytes(text::decode_base64(data)?));
    }
    if artefacts.is_empty() {
        return Err(content.why_nothing());
    }
    // The first artefact is kept, and the model's last image is its final one.
    artefacts.reverse();
    let ratio = frame::ratio(order, models::abilities(order.model).ratios);
    Ok(Step::Done(Harvest {
        artefacts,
        usage: content.usage_metadata.unwrap_or_default().into(),
        warnings: frame::first_shape_warning(order, ratio).into_iter().collect(),
    }))
}

/// Some proxies in front of Gemini use snake case, hence the aliases.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Content<'a> {
    #[serde(borrow, default)]
    candidates: Option<Vec<Candidate<'a>>>,
    #[serde(borrow, default, alias = "prompt_feedback")]
    prompt_feedback: Option<Feedback<'a>>,
    #[serde(default, alias = "usage_metadata")]
    usage_metadata: Option<UsageMetadata>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate<'a> {
    #[serde(borrow, default)]
    content: Option<Parts<'a>>,
    #[serde(borrow, default, alias = "finish_reason")]
    finish_reason: Option<Cow<'a, str>>,
    #[serde(borrow, default, alias = "finish_message")]
    finish_message: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Parts<'a> {
    #[serde(borrow, default)]
    parts: Option<Vec<Part<'a>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part<'a> {
    /// Whether this is a draft or a thought, which is never the result.
    #[serde(default)]
    thought: bool,
    #[serde(borrow, default)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow, default, alias = "inline_data")]
    inline_data: Option<Data<'a>>,
}

#[derive(Deserialize)]
struct Data<'a> {
    #[serde(borrow)]
    data: Cow<'a, str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback<'a> {
    #[serde(borrow, default, alias = "block_reason")]
    block_reason: Option<Cow<'a, str>>,
    #[serde(borrow, default, alias = "block_reason_message")]
    block_reason_message: Option<Cow<'a, str>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct UsageMetadata {
    #[serde(alias = "prompt_token_count")]
    prompt_token_count: u64,
    #[serde(alias = "candidates_token_count")]
    candidates_token_count: u64,
    #[serde(alias = "thoughts_token_count")]
    thoughts_token_count: u64,
    #[serde(alias = "total_token_count")]
    total_token_count: u64,
}

impl From<UsageMetadata> for Usage {
    fn from(counted: UsageMetadata) -> Self {
        let completion_tokens =
            counted.candidates_token_count.saturating_add(counted.thoughts_token_count);
        let both = counted.prompt_token_count.saturating_add(completion_tokens);
        Self {
            prompt_tokens: counted.prompt_token_count,
            completion_tokens,
            total_tokens: if counted.total_token_count == 0 {
                both
            } else {
                counted.total_token_count
            },
        }
    }
}

impl Content<'_> {
    fn parts(&self) -> impl Iterator<Item = &Part<'_>> {
        let candidates = self.candidates.iter().flatten();
        let parts = candidates.filter_map(|candidate| candidate.content.as_ref()?.parts.as_ref());
        parts.flatten().filter(|part| !part.thought)
    }

    fn pictures(&self) -> impl Iterator<Item = &str> {
        self.parts().filter_map(|part| Some(part.inline_data.as_ref()?.data.as_ref()))
    }

    /// The model's text for the caller.
    fn said(&self) -> String {
        let texts: Vec<&str> = self.parts().filter_map(|part| part.text.as_deref()).collect();
        texts.concat()
    }

    fn why_nothing(&self) -> Fault {
        if let Some(feedback) = &self.prompt_feedback
            && let Some(reason) = &feedback.block_reason
        {
            return Fault::content(feedback.block_reason_message.as_deref().unwrap_or(reason));
        }
        let Some(candidate) = self.candidates.iter().flatten().next() else {
            return Fault::Failed("neither a candidate nor a block reason".into());
        };
        let reason = candidate.finish_reason.as_deref().unwrap_or("no finishReason");
        let said = self.said();
        match meaning(reason) {
            Ending::Content => {
                Fault::content(candidate.finish_message.as_deref().unwrap_or(reason))
            }
            Ending::Language => instead("does not support the language of the instruction", ""),
            Ending::Stopped if !said.trim().is_empty() => instead("answered with text", &said),
            Ending::Stopped | Ending::Broken => Fault::Failed(format!("no image: {reason}")),
        }
    }
}

/// What a candidate without an image means, judging by its `finishReason`.
enum Ending {
    /// The content of the request or of the result is not allowed.
    Content,
    /// The model does not support the language of the instruction.
    Language,
    /// The model finished. If there is text, it explains why there is no image.
    Stopped,
    /// The model was interrupted.
    Broken,
}

fn meaning(finish_reason: &str) -> Ending {
    match finish_reason {
        "SAFETY"
        | "IMAGE_SAFETY"
        | "PROHIBITED_CONTENT"
        | "IMAGE_PROHIBITED_CONTENT"
        | "RECITATION"
        | "IMAGE_RECITATION"
        | "SPII"
        | "BLOCKLIST" => Ending::Content,
        "LANGUAGE" => Ending::Language,
        "STOP" | "NO_IMAGE" => Ending::Stopped,
        _ => Ending::Broken,
    }
}

/// The model answered with text instead of an image. Only a different instruction can help, so the
/// error quotes what the model wrote.
fn instead(what_it_did: &str, said: &str) -> Fault {
    let said = on_one_line(said.trim(), SHOWN_CHARS_MAX);
    let said = if said.is_empty() { said } else { format!(" It said: {said}") };
    Fault::Refused(Refused {
        kind: RefusedKind::Instruction,
        message: format!(
            "The provider's model made no image: it {what_it_did}. Nothing was charged; describe \
             plainly what the image should show.{said}"
        ),
        param: Some("instruction".into()),
    })
}
