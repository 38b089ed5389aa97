//! Reads single fields: checks their types and lengths, and explains what is wrong with them.

use super::body::Body;
use super::json::{Json, Text};
use super::rejected::{Reason, Rejected};
use super::{INPUT_NAME_CHARS_MAX, PLAN_BYTES_MAX, TEXT_CHARS_MAX, number};
use crate::catalogue::Model;
use serde_json::Value;
use std::borrow::Cow;

/// The maximum size of a plan as it is sent, including its white space and escapes.
const SPACED_PLAN_BYTES_MAX: usize = 8 * PLAN_BYTES_MAX;

/// The text of the field `name`, if there is one. It can have any length.
pub(super) fn text<'a>(body: &Body<'a>, name: &str) -> Result<Option<Text<'a>>, Rejected> {
    match body.get(name) {
        None => Ok(None),
        Some(Json::Text(text)) => Ok(Some(text)),
        Some(other) => Err(wrong_type(name, "a string", other)),
    }
}

/// The text of the field `name`, if there is one, for fields that hold one of a few known values.
/// A text much longer than any of those is cut off.
pub(super) fn word<'a>(body: &Body<'a>, name: &str) -> Result<Option<Cow<'a, str>>, Rejected> {
    const WORD_CHARS_MAX: usize = 1_024;
    Ok(text(body, name)?.map(|text| text.start(WORD_CHARS_MAX)))
}

/// The value of the boolean field `name`, if there is one.
pub(super) fn boolean(body: &Body<'_>, name: &str) -> Result<Option<bool>, Rejected> {
    match body.get(name) {
        None => Ok(None),
        Some(Json::Bool(value)) => Ok(Some(value)),
        Some(other) => Err(wrong_type(name, "true or false", other)),
    }
}

/// Whether `instruction_reader` keeps the instruction from a language model.
pub(super) fn is_read_strictly(body: &Body<'_>) -> Result<bool, Rejected> {
    const NAME: &str = "instruction_reader";
    match word(body, NAME)?.as_deref() {
        None | Some("auto") => Ok(false),
        Some("strict") => Ok(true),
        Some(_) => {
            let message = "`instruction_reader` must be \"auto\" or \"strict\".";
            Err(Rejected::field(Reason::InvalidValue, NAME, message))
        }
    }
}

/// The instruction, from the field `instruction` or its other name `prompt`.
pub(super) fn instruction(body: &Body<'_>) -> Result<String, Rejected> {
    let (name, text) = match (text(body, "instruction")?, text(body, "prompt")?) {
        (Some(instruction), Some(prompt)) if instruction.order(prompt).is_ne() => {
            let message = "`prompt` is another name for `instruction`, and they differ. Send one.";
            return Err(Rejected::field(Reason::ConflictingFields, "prompt", message));
        }
        (Some(instruction), _) => ("instruction", instruction),
        (None, Some(prompt)) => ("prompt", prompt),
        (None, None) => {
            let message = "`instruction` is missing. Describe the edit you want.";
            return Err(Rejected::field(Reason::MissingField, "instruction", message));
        }
    };
    let chars_max = body.supplement().map_or(TEXT_CHARS_MAX, |it| it.instruction_chars_max);
    let text = limited(name, text, chars_max)?;
    if text.trim().is_empty() {
        let message = format!("`{name}` is empty. Describe the edit you want.");
        return Err(Rejected::field(Reason::InvalidValue, name, message));
    }
    Ok(text.into_owned())
}

/// The plan that replaces the instruction, if there is one.
pub(super) fn plan(body: &Body<'_>) -> Result<Option<Value>, Rejected> {
    let plan = match body.get("plan") {
        None => return Ok(None),
        Some(Json::Object(plan)) => plan,
        Some(other) => return Err(wrong_type("plan", "an object", other)),
    };
    if body.get("instruction").is_some() || body.get("prompt").is_some() {
        let message = "`plan` replaces `instruction`. Send only one of them.";
        return Err(Rejected::field(Reason::ConflictingFields, "plan", message));
    }
    let too_long = |bytes: usize| {
        let message = format!("`plan` is {bytes} bytes; the limit is {PLAN_BYTES_MAX}.");
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

/// The negative prompt, if there is one.
pub(super) fn negative_prompt(body: &Body<'_>) -> Result<Option<String>, Rejected> {
    let Some(text) = text(body, "negative_prompt")? else { return Ok(None) };
    let text = limited("negative_prompt", text, TEXT_CHARS_MAX)?;
    Ok(Some(text.into_owned()).filter(|text| !text.trim().is_empty()))
}

/// The file name of the first input, if there is one: without folders and control characters.
pub(super) fn input_name(body: &Body<'_>) -> Result<Option<String>, Rejected> {
    let Some(text) = text(body, "input_name")? else { return Ok(None) };
    let sent = text.start(INPUT_NAME_CHARS_MAX + 1);
    if sent.chars().count() > INPUT_NAME_CHARS_MAX {
        let message = format!("`input_name` is longer than {INPUT_NAME_CHARS_MAX} characters.");
        return Err(Rejected::field(Reason::TooLong, "input_name", message));
    }
    let name = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = name.chars().filter(|letter| !letter.is_control()).collect();
    Ok(Some(name.trim().to_owned()).filter(|name| !name.is_empty()))
}

/// Whether `n` asks for more than one image.
///
/// # Errors
/// When `n` is not a whole number of at least 1.
pub(super) fn asks_for_several(body: &Body<'_>) -> Result<bool, Rejected> {
    let wrong = |what: &str| {
        let message = format!("`n` is {what}. It must be a whole number of at least 1.");
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

/// The length of a video of `model` in seconds: the one requested, or the model's default.
pub(super) fn duration_seconds(body: &Body<'_>, model: &Model) -> Result<u32, Rejected> {
    let lengths = model.durations_seconds();
    let allowed = || {
        let all: Vec<String> = lengths.iter().map(u32::to_string).collect();
        all.join(", ")
    };
    let wrong = |why: &str| {
        let message = format!("`duration_seconds` {why}. {} offers {}.", model.id, allowed());
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
    seconds.map_or_else(|| wrong("is not an available length"), Ok)
}

/// The error for a field that has a value of another type.
pub(super) fn wrong_type(name: &str, wanted: &str, found: Json<'_>) -> Rejected {
    let message = format!("`{name}` must be {wanted}, not {}.", found.type_name());
    Rejected::field(Reason::InvalidType, name, message)
}

/// The text of a field that a person writes. It must be short enough.
fn limited<'a>(name: &str, text: Text<'a>, chars_max: usize) -> Result<Cow<'a, str>, Rejected> {
    let length = text.chars().count();
    if length > chars_max {
        let message = format!("`{name}` is too long: {length} of {chars_max} characters.");
        return Err(Rejected::field(Reason::TooLong, name, message));
    }
    let text = text.read();
    if text.contains('\0') {
        let message = format!("`{name}` contains the null character U+0000. Remove it.");
        return Err(Rejected::field(Reason::InvalidValue, name, message));
    }
    Ok(text)
}
