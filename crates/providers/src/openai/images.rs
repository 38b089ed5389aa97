//! Reads responses with images.

use std::borrow::Cow;

use retouch_core::Warning;
use serde::Deserialize;
use serde_json::Value;

use super::profile::Profile;
use super::verdict;
use crate::provider::Usage;
use crate::upstream::{Answer, Artefact, Fault, Harvest, Order, text, warnings};

/// A response with images. Other fields are ignored.
#[derive(Deserialize)]
struct Images<'a> {
    #[serde(borrow, default)]
    data: Option<Vec<Image<'a>>>,
    #[serde(default)]
    usage: Option<Value>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Image<'a> {
    #[serde(borrow, default)]
    b64_json: Option<Text<'a>>,
    #[serde(borrow, default)]
    url: Option<Text<'a>>,
    #[serde(borrow, default)]
    revised_prompt: Option<Text<'a>>,
}

/// A text that is borrowed from the response if possible. serde borrows a `Cow` only in a struct of
/// its own.
#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// The images in `answer`, whose status is a success.
///
/// # Errors
/// When there is no image in it.
pub(super) fn read(
    profile: &Profile,
    order: &Order<'_>,
    answer: &Answer,
) -> Result<Harvest, Fault> {
    let images: Images<'_> = answer.json()?;
    let items = images.data.unwrap_or_default();
    let mut artefacts = Vec::with_capacity(items.len());
    for image in &items {
        artefacts.extend(artefact(image)?);
    }
    if artefacts.is_empty() {
        return Err(without_pictures(profile, answer, images.error.is_some()));
    }
    let usage = images.usage.as_ref().map(usage).unwrap_or_default();
    Ok(Harvest { artefacts, usage, warnings: revised(order, &items).into_iter().collect() })
}

/// The image of one item, in either form. `None` if the item has neither.
fn artefact(image: &Image<'_>) -> Result<Option<Artefact>, Fault> {
    let forms = [&image.b64_json, &image.url].map(|form| form.as_ref().map(|text| text.0.trim()));
    let [data, url] = forms.map(|text| text.filter(|text| !text.is_empty()));
    match (data, url) {
        (Some(data), _) => text::decode_base64(data).map(|file| Some(Artefact::Bytes(file))),
        (None, Some(url)) if url.starts_with("data:") => {
            text::decode_base64(url).map(|file| Some(Artefact::Bytes(file)))
        }
        (None, Some(url)) => Ok(Some(Artefact::Address(url.to_owned()))),
        (None, None) => Ok(None),
    }
}

/// Why a successful response has no image.
fn without_pictures(profile: &Profile, answer: &Answer, has_error: bool) -> Fault {
    if has_error {
        return verdict::of_success(answer);
    }
    if profile.is_empty_refused {
        return Fault::content(
            "nothing: it returned no image and no reason, which is how this gateway reports a \
             refusal.",
        );
    }
    Fault::Failed(format!("no image in the response: {}", answer.shown()))
}

/// Token counts, under the names of the Images API or of the chat API. Anything that is not a count
/// is 0.
fn usage(usage: &Value) -> Usage {
    let count = |names: [&str; 2]| {
        names.iter().find_map(|name| usage.get(name)?.as_u64()).unwrap_or_default()
    };
    let prompt_tokens = count(["input_tokens", "prompt_tokens"]);
    let completion_tokens = count(["output_tokens", "completion_tokens"]);
    let total = usage.get("total_tokens").and_then(Value::as_u64);
    let sum = prompt_tokens.saturating_add(completion_tokens);
    Usage { prompt_tokens, completion_tokens, total_tokens: total.unwrap_or(sum) }
}

/// The warning that the server rewrote the prompt although that was not requested.
fn revised(order: &Order<'_>, items: &[Image<'_>]) -> Option<Warning> {
    let sent = text::prompt_with_negative(order.edit);
    let ours = [order.edit.instruction.trim(), sent.trim()];
    let is_other = |text: &str| !text.is_empty() && !ours.contains(&text);
    let rewritten = items
        .iter()
        .filter_map(|item| item.revised_prompt.as_ref())
        .any(|text| is_other(text.0.trim()));
    let how = "was rewritten by the provider.";
    (rewritten && order.edit.prompt_extend != Some(true))
        .then(|| warnings::approximated("instruction", how))
}
