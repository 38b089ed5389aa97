//! Other ways to say the same.

use super::corpus::Known;
use super::random::Random;

/// Makes another instruction with the same meaning, if it can.
pub(crate) type Rewording = fn(&Known, &mut Random) -> Option<String>;

/// All kinds of rewordings.
pub(crate) const REWORDINGS: &[Rewording] =
    &[greeted, asked, thanked, in_other_case, in_british, in_other_units, remarked];

const GREETINGS: &[&str] = &[
    "please ",
    "Hi, ",
    "Hello there! ",
    "Good morning, ",
    "hey ",
    "Hi team, ",
    "pls ",
    "ok so ",
    "Dear editor, ",
    "Thanks in advance! ",
    "please, ",
];
const REQUESTS: &[&str] = &[
    "could you ",
    "can you please ",
    "would you kindly ",
    "Could you please ",
    "can u ",
    "I want you to ",
    "I'd like you to ",
    "Would it be possible to ",
    "please could you ",
    "I need you to ",
    "let's ",
    "Hi, I was wondering if you could ",
    "would you be so kind as to ",
];
const THANKS: &[&str] = &[
    " please",
    ", please",
    " thanks",
    ", thank you!",
    ". Thanks in advance!",
    ". Kind regards, Anna",
    " pls",
    " 🙏",
    "!",
    " :)",
    ". Cheers",
    ", thx",
    " if you could",
    ", many thanks",
];
const REMARKS: &[&str] = &[
    "I took this on holiday",
    "We love this photo",
    "It is for our website",
    "My boss asked for it",
    "I scanned it last week",
    "It's for my grandma's birthday",
    "this was taken indoors",
];
/// Words in American and in British spelling.
const BRITISH: &[(&str, &str)] = &[
    ("color", "colour"),
    ("gray", "grey"),
    ("center", "centre"),
    ("posterize", "posterise"),
    ("pixelize", "pixelise"),
    ("solarize", "solarise"),
    ("normalize", "normalise"),
    ("colorize", "colourise"),
    ("grayscale", "greyscale"),
];
/// Units that are the same behind a number.
const UNITS: &[(&str, &str)] = &[
    ("%", " percent"),
    ("%", " %"),
    ("px", " pixels"),
    ("px", " px"),
    (" degrees", "°"),
    (" degrees", " deg"),
    (" percent", "%"),
    (" pixels", "px"),
    ("°", " degrees"),
];
const JOINTS: &[&str] =
    &[", then ", ". ", "; ", " and then ", "\n", ". Then ", ", and after that "];
/// Verbs that can follow "could you".
const VERBS: &[&str] = &[
    "make", "add", "crop", "rotate", "turn", "flip", "resize", "increase", "reduce", "raise",
    "lower", "boost", "brighten", "darken", "sharpen", "blur", "convert", "write", "put", "change",
    "apply", "set", "remove", "trim", "round", "give", "tint", "draw", "cut", "scale", "pixelate",
    "invert",
];

fn greeted(one: &Known, random: &mut Random) -> Option<String> {
    Some(format!("{}{}", random.pick(GREETINGS), one.words))
}

fn asked(one: &Known, random: &mut Random) -> Option<String> {
    let first = one.words.split(' ').next().unwrap_or_default().to_lowercase();
    VERBS.contains(&first.as_str()).then(|| format!("{}{}", random.pick(REQUESTS), one.words))
}

fn thanked(one: &Known, random: &mut Random) -> Option<String> {
    (ends_open(one) && !is_signed(one)).then(|| format!("{}{}", one.words, random.pick(THANKS)))
}

/// Whether it ends with a name, behind which nothing more is said.
fn is_signed(one: &Known) -> bool {
    one.words.rsplit(' ').next().is_some_and(is_capitalized)
}

fn ends_open(one: &Known) -> bool {
    !one.words.ends_with(['.', '!', '?'])
}

fn is_capitalized(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

fn in_other_case(one: &Known, random: &mut Random) -> Option<String> {
    let reworded = match random.below(3) {
        // Only capital letters tell "Dave" from "save" with an error.
        0 | 1 if one.words.split(' ').skip(1).any(is_capitalized) => return None,
        0 => one.words.to_uppercase(),
        1 => one.words.to_lowercase(),
        _ => one.words.split(' ').map(capitalized).collect::<Vec<_>>().join(" "),
    };
    (one.is_free() && reworded != one.words).then_some(reworded)
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}

fn in_british(one: &Known, _: &mut Random) -> Option<String> {
    let british = BRITISH.iter().any(|(_, british)| one.words.contains(british));
    let reworded = BRITISH.iter().fold(one.words.clone(), |words, (american, other)| {
        if british { words.replace(other, american) } else { words.replace(american, other) }
    });
    (one.is_free() && reworded != one.words).then_some(reworded)
}

fn in_other_units(one: &Known, random: &mut Random) -> Option<String> {
    let (unit, other) = UNITS[random.below(UNITS.len())];
    let at = one.words.match_indices(unit).find(|(at, _)| {
        one.words[..*at].ends_with(|before: char| before.is_ascii_digit())
            && !one.words[at + unit.len()..].starts_with(char::is_alphanumeric)
    });
    let (at, _) = at.filter(|_| one.is_free())?;
    Some(format!("{}{other}{}", &one.words[..at], &one.words[at + unit.len()..]))
}

/// A remark that changes nothing, before it or behind it.
fn remarked(one: &Known, random: &mut Random) -> Option<String> {
    let remark = random.pick(REMARKS);
    let before = random.below(2) == 0 || is_signed(one);
    match (before, ends_open(one)) {
        (true, _) => Some(format!("{remark}. {}", one.words)),
        (false, true) => Some(format!("{}. {remark}.", one.words)),
        (false, false) => Some(format!("{} {remark}.", one.words)),
    }
}

/// Two instructions as one, if they have different operations. A crop and a size may contradict each
/// other, so they are not independent.
pub(crate) fn joined([one, other]: [&Known; 2], random: &mut Random) -> Option<Known> {
    let name = |known: &Known| known.steps[0].capability().name;
    let words = format!("{}{}{}", one.words, random.pick(JOINTS), other.words);
    let steps = [one.steps.clone(), other.steps.clone()].concat();
    let shapes = [name(one), name(other)].iter().all(|name| matches!(*name, "crop" | "resize"));
    let alike = one.context.inputs == other.context.inputs;
    (name(one) != name(other) && !shapes && alike).then(|| Known {
        words,
        steps,
        context: one.context.clone(),
    })
}
