//! Unknown fields: they are ignored, but never silently.

use crate::{Kind, Warning};

use super::body::Body;
use super::json::Text;

/// Every field that a request may have. Image requests have all but the last, and video requests
/// all but the first five. Text-to-image requests that contain image fields are refused elsewhere.
const KNOWN: [&str; 20] = [
    "plan",
    "instruction_reader",
    "background",
    "output_format",
    "output_compression",
    "instruction",
    "prompt",
    "model",
    "imageUrl",
    "imageUrls",
    "imageBase64",
    "input_name",
    "n",
    "aspectRatio",
    "watermark",
    "negative_prompt",
    "size",
    "quality",
    "prompt_extend",
    "duration_seconds",
];
/// How many of them only image requests have.
const OF_IMAGES: usize = 5;
/// The maximum number of unknown fields that get a warning of their own.
const NAMED_MAX: usize = 20;
/// How similar two names must be for one to count as a typo of the other, from 0 to 1.
const ALIKE_MIN: f64 = 0.8;
/// Names with more letters and digits are not that similar to any known one, and take long to compare.
const ALIKE_CHARS_MAX: usize = 24;

/// A warning for each field of `body` that a request for `kind` does not have. It suggests the name
/// that was probably meant.
pub(super) fn warnings(kind: Kind, body: &Body<'_>) -> Vec<Warning> {
    let known = known(kind);
    let unknown = || body.names().filter(|name| !known.iter().any(|known| name.is(known)));
    let mut warnings: Vec<Warning> =
        unknown().take(NAMED_MAX).map(|name| warning(name, known)).collect();
    let more = unknown().skip(NAMED_MAX).count();
    if more > 0 {
        warnings.push(Warning {
            code: "unknown_field".into(),
            message: format!("{more} more unknown fields were ignored."),
            param: None,
        });
    }
    warnings
}

fn known(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Video => KNOWN.get(OF_IMAGES..).unwrap_or_default(),
        Kind::ImageEdit | Kind::TextToImage => KNOWN.split_last().map_or(&[], |(_, rest)| rest),
    }
}

fn warning(name: Text<'_>, known: &[&'static str]) -> Warning {
    let shown = name.shown();
    let hint =
        meant(&shown, known).map_or_else(String::new, |known| format!(" Did you mean `{known}`?"));
    Warning::about(
        "unknown_field",
        &shown,
        format!("The unknown field `{shown}` was ignored.{hint}"),
    )
}

fn meant(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let name = plain(name);
    if name.chars().nth(ALIKE_CHARS_MAX).is_some() {
        return None;
    }
    let likeness = |known: &str| strsim::normalized_damerau_levenshtein(&plain(known), &name);
    let likenesses = known.iter().map(|known| (likeness(known), *known));
    let alike = likenesses.filter(|(likeness, _)| *likeness >= ALIKE_MIN);
    alike.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, known)| known)
}
