//! Single fields: their types, their lengths, and what to say when they are wrong.

use super::body::Body;
use super::json::{Json, Text};
use super::rejected::{Reason, Rejected};
use super::{PLAN_BYTES_MAX, TEXT_CHARS_MAX, number};
use crate::catalogue::Model;
use serde_json::Value;
use std::borrow::Cow;

/// Most bytes of a plan with the white space and the escapes that it is sent with.
const SPACED_PLAN_BYTES_MAX: usize = 8 * PLAN_BYTES_MAX;

/// The text of the field `name`, if it is there; of any length.
pub(super) fn text<'a>(body: &Body<'a>, name: &str) -> Result<Option<Text<'a>>, Rejected> {
    match body.get(name) {
        None => Ok(None),
        Some(Json::Text(text)) => Ok(Some(text)),
        Some(other) => Err(wrong_type(name, "a string", other)),
    }
}

/// The text of the field `name`, one of a few words that there are, if it is there. What is much
/// longer than any of them is cut.
pub(super) fn word<'a>(body: &Body<'a>, name: &str) -> Result<Option<Cow<'a, str>>, Rejected> {
    const WORD_CHARS_MAX: usize = 1_024;
    Ok(text(body, name)?.map(|text| text.start(WORD_CHARS_MAX)))
}

/// The truth of the field `name`, if it is there.
pub(super) fn boolean(body: &Body<'_>, name: &str) -> Result<Option<bool>, Rejected> {
    match body.get(name) {
        None => Ok(None),
        Some(Json::Bool(value)) => Ok(Some(value)),
        Some(other) => Err(wrong_type(name, "true or false", other)),
    }
}

/// What the instruction is, from `instruction` or its other name `prompt`.
pub(super) fn instruction(body: &Body<'_>) -> Result<String, Rejected> {
    let (name, text) = match (text(body, "instruction")?, text(body, "prompt")?) {
        (Some(instruction), Some(prompt)) if instruction.order(prompt).is_ne() => {
            let message = "`prompt` is another name for `instruction`, and the two hold different texts; send one.";
            return Err(Rejected::field(Reason::ConflictingFields, "prompt", message));
        }
        (Some(instruction), _) => ("instruction", instruction),
        (None, Some(prompt)) => ("prompt", prompt),
        (None, None) => {
            let message = "`instruction` is missing; say in a sentence what to do.";
            return Err(Rejected::field(Reason::MissingField, "instruction", message));
        }
    };
    let text = limited(name, text)?;
    if text.trim().is_empty() {
        let message = format!("`{name}` is empty; say in a sentence what to do.");
        return Err(Rejected::field(Reason::InvalidValue, name, message));
    }
    Ok(text.into_owned())
}

/// The plan that stands in place of an instruction, if there is one.
pub(super) fn plan(body: &Body<'_>) -> Result<Option<Value>, Rejected> {
    let plan = match body.get("plan") {
        None => return Ok(None),
        Some(Json::Object(plan)) => plan,
        Some(other) => return Err(wrong_type("plan", "an object", other)),
    };
    if body.get("instruction").is_some() || body.get("prompt").is_some() {
        let message = "`plan` stands in place of `instruction`; send one of them.";
        return Err(Rejected::field(Reason::ConflictingFields, "plan", message));
    }
    let too_long = |bytes: usize| {
        let message = format!("`plan` has {bytes} bytes; at most {PLAN_BYTES_MAX} are allowed.");
        Err(Rejected::field(Reason::TooLong, "plan", message))
    };
    if plan.bytes() > SPACED_PLAN_BYTES_MAX {
        return too_long(plan.bytes());
    }
    let plan = plan.to_value();
    match plan.to_string().len() {
        bytes if bytes > PLAN_BYTES_MAX => too_long(bytes),
        _ => Ok(Some(plan)),
    }
}

/// The negative prompt, if it is there.
pub(super) fn negative_prompt(body: &Body<'_>) -> Result<Option<String>, Rejected> {
    let Some(text) = text(body, "negative_prompt")? else { return Ok(None) };
    let text = limited("negative_prompt", text)?;
    Ok(Some(text.into_owned()).filter(|text| !text.trim().is_empty()))
}

/// Whether `n` asks for more than one image; refuses what is not a whole number of at least 1.
pub(super) fn asks_for_several(body: &Body<'_>) -> Result<bool, Rejected> {
    let wrong = |what: &str| {
        let message = format!("`n` is {what}; it must be a whole number of at least 1.");
        Err(Rejected::field(Reason::InvalidValue, "n", message))
    };
    match body.get("n") {
        None => Ok(false),
        Some(Json::Number(text)) => match number::classify(text) {
            number::Whole::One => Ok(false),
            number::Whole::AboveOne => Ok(true),
            number::Whole::BelowOne => wrong("below 1"),
            number::Whole::No => wrong("not a whole number"),
        },
        Some(other) => Err(wrong_type("n", "a whole number of at least 1", other)),
    }
}

/// How long a video of `model` is to be, in seconds.
pub(super) fn duration_seconds(body: &Body<'_>, model: &Model) -> Result<u32, Rejected> {
    let lengths = model.durations_seconds();
    let allowed = || {
        let all: Vec<String> = lengths.iter().map(u32::to_string).collect();
        all.join(", ")
    };
    let wrong = |why: &str| {
        let message = format!("`duration_seconds` {why}: {} offers {}.", model.id, allowed());
        Err(Rejected::field(Reason::InvalidValue, "duration_seconds", message))
    };
    let seconds = match body.get("duration_seconds") {
        None => lengths.first().copied(),
        Some(Json::Number(text)) => match number::whole(text) {
            Some(seconds) => lengths.iter().find(|one| **one == seconds).copied(),
            None => return wrong("is not a whole number of seconds"),
        },
        Some(other) => {
            return Err(wrong_type("duration_seconds", "a whole number of seconds", other));
        }
    };
    seconds.map_or_else(|| wrong("is not a length that there is"), Ok)
}

/// The error for a field that holds something of another type.
pub(super) fn wrong_type(name: &str, wanted: &str, found: Json<'_>) -> Rejected {
    let message = format!("`{name}` must be {wanted}, not {}.", found.type_name());
    Rejected::field(Reason::InvalidType, name, message)
}

/// The text of a field for a person's words, which must be short enough.
fn limited<'a>(name: &str, text: Text<'a>) -> Result<Cow<'a, str>, Rejected> {
    let length = text.chars().count();
    if length > TEXT_CHARS_MAX {
        let message =
            format!("`{name}` has {length} characters; at most {TEXT_CHARS_MAX} are allowed.");
        return Err(Rejected::field(Reason::TooLong, name, message));
    }
    let text = text.read();
    if text.contains('\0') {
        let message = format!("`{name}` holds the character U+0000, which no text has; remove it.");
        return Err(Rejected::field(Reason::InvalidValue, name, message));
    }
    Ok(text)
}
