//! Fields that no request has: ignored, but never in silence.

use crate::{Kind, Warning};

use super::body::Body;
use super::json::Text;

/// Every field that a request may have: one for a picture all but the last, though those that name
/// pictures have no place in one for a picture out of words, which says so; one for a video all but
/// the first.
const KNOWN: [&str; 15] = [
    "plan",
    "instruction",
    "prompt",
    "model",
    "imageUrl",
    "imageUrls",
    "imageBase64",
    "n",
    "aspectRatio",
    "watermark",
    "negative_prompt",
    "size",
    "quality",
    "prompt_extend",
    "duration_seconds",
];
/// Most unknown fields that are named one by one.
const NAMED_MAX: usize = 20;
/// How alike two names must be for one to be taken for a slip of the other, from 0 to 1.
const ALIKE_MIN: f64 = 0.8;

/// A warning for each field of `body` that a request for `kind` does not have, with the name that
/// was probably meant.
pub(super) fn warnings(kind: Kind, body: &Body<'_>) -> Vec<Warning> {
    let known = known(kind);
    let unknown = || body.names().filter(|name| !known.iter().any(|known| name.is(known)));
    let mut warnings: Vec<Warning> =
        unknown().take(NAMED_MAX).map(|name| warning(name, known)).collect();
    let more = unknown().skip(NAMED_MAX).count();
    if more > 0 {
        warnings.push(Warning {
            code: "unknown_field".into(),
            message: format!("{more} more fields are not known and were ignored."),
            param: None,
        });
    }
    warnings
}

fn known(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Video => KNOWN.split_first().map_or(&[], |(_, rest)| rest),
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
        format!("`{shown}` is not a known field and was ignored.{hint}"),
    )
}

fn meant(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let name = plain(name);
    let likeness = |known: &&str| strsim::normalized_damerau_levenshtein(&plain(known), &name);
    let best = known.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(&best) >= ALIKE_MIN).then_some(best)
}
