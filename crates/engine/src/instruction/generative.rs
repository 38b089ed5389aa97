//! Tells what needs a generative model from what is only not understood. It decides the class
//! of a refusal, never whether there is one.

use super::spelling;
use super::token::Token;
use crate::RefusalKind;

/// Verbs that ask to change what is seen, whatever follows.
const STRONG_VERBS: &[&str] = &[
    "remove",
    "erase",
    "delete",
    "replace",
    "swap",
    "extend",
    "outpaint",
    "inpaint",
    "restore",
    "retouch",
    "imagine",
    "generate",
    "uncrop",
    "recolour",
    "recolor",
    "repaint",
    "redraw",
    "draw",
    "paint",
    "move",
    "clone",
    "duplicate",
    "hide",
    "airbrush",
    "photoshop",
    "isolate",
    "unblur",
    "deblur",
    "denoise",
    "colourise",
    "restyle",
    "reimagine",
    "enhance",
    "rid",
];
/// Verbs that do so when an ordinary word follows that no operation knows.
const WEAK_VERBS: &[&str] = &[
    "add", "put", "insert", "place", "open", "close", "create", "fix", "clean", "whiten", "smooth",
    "take", "zoom", "fill",
];
/// Verbs that do so when something seen follows.
const PLAIN_VERBS: &[&str] =
    &["give", "make", "turn", "change", "convert", "transform", "let", "render", "apply", "show"];
/// What is seen in pictures, and styles.
const SEEN: &[&str] = &[
    "sky",
    "background",
    "person",
    "people",
    "man",
    "woman",
    "girl",
    "boy",
    "child",
    "baby",
    "dog",
    "cat",
    "animal",
    "bird",
    "car",
    "tree",
    "trees",
    "grass",
    "water",
    "sea",
    "face",
    "faces",
    "eyes",
    "eye",
    "teeth",
    "skin",
    "hair",
    "hat",
    "shirt",
    "dress",
    "clothes",
    "glasses",
    "smile",
    "smiling",
    "object",
    "objects",
    "building",
    "house",
    "wall",
    "sun",
    "moon",
    "clouds",
    "logo",
    "shadow",
    "shadows",
    "reflection",
    "wrinkles",
    "blemishes",
    "pimples",
    "acne",
    "scratches",
    "foreground",
    "subject",
    "cartoon",
    "anime",
    "painting",
    "watercolour",
    "sketch",
    "style",
    "ghibli",
    "pixar",
    "realistic",
    "fantasy",
    "sunset",
    "night",
    "winter",
    "summer",
    "snow",
    "rain",
    "hand",
    "hands",
    "guy",
    "lady",
    "kid",
    "bride",
    "groom",
    "couple",
    "crowd",
    "beard",
    "tattoo",
    "flower",
    "flowers",
    "her",
    "him",
    "plate",
    "licence",
    "license",
    "street",
    "younger",
    "older",
    "slimmer",
    "thinner",
];

/// Whether a word names what is seen in pictures, or a style.
pub(super) fn is_seen(word: &str) -> bool {
    SEEN.contains(&word)
}

/// The class of a refusal for words at these positions, within the clause from `start` to `end`; and
/// the position from which to quote.
pub(super) fn class(
    tokens: &[Token],
    (start, end): (usize, usize),
    (from, to): (usize, usize),
) -> (RefusalKind, usize) {
    let clause = tokens.get(start..to).unwrap_or_default();
    let stopping = tokens.get(from..to).unwrap_or_default();
    let verb = |verbs: &[&str]| {
        clause.iter().position(|token| verbs.contains(&token.word())).map(|at| start + at)
    };
    let ordinary = |token: &Token| {
        let word = token.word();
        SEEN.contains(&word)
            || (!spelling::is_known(word)
                && (spelling::is_english(word) || word.len() < 5)
                && !word.is_empty())
    };
    if let Some(at) = verb(STRONG_VERBS).filter(|at| *at < to) {
        return (RefusalKind::NeedsGenerativeModel, at.min(from));
    }
    let whole = tokens.get(start..end).unwrap_or_default();
    let seen = whole.iter().any(|token| SEEN.contains(&token.word()));
    if let Some(at) = verb(WEAK_VERBS).filter(|at| *at <= from && stopping.iter().any(ordinary)) {
        return (RefusalKind::NeedsGenerativeModel, at);
    }
    match verb(PLAIN_VERBS).filter(|at| *at < from) {
        _ if !seen => (RefusalKind::NotUnderstood, from),
        at => (RefusalKind::NeedsGenerativeModel, at.unwrap_or(from)),
    }
}
