//! Statements: remarks and reasons about what the image shows, with words that are in no table
//! ("there's a bin there", "my phone saved it sideways"). They ask for nothing, whatever they name.
//!
//! A statement is recognized by its shape: a subject, a verb that describes how things are, and no
//! word that could ask for something or limit an edit. The reader decides which edits it may
//! accompany.

mod allowed_words;
mod cue_words;
mod without_comma;

use super::reasons::COMPLAINTS;
use super::token::{Kind, Token};
use super::{generative, spelling};
use crate::Color;
use allowed_words::{BARRED, COMPARED, FACTS, PLACES};
use cue_words::{
    ABOUT_PICTURES, AIMS, DEEDS, DETERMINERS, ITS, LOVES, NAMES, OURS, PAST, PAST_STATES, PEOPLE,
    PEOPLE_DEEDS, PICTURE_NAMES, SINCE, STATES, TAKEN, TAKEN_AT, TAKEN_WORDS, THERE, WHOSE,
};

pub(super) use cue_words::{PICTURE_NAMES as PICTURES, SINCE as REASONS};
pub(super) use without_comma::set_apart;

/// The most words of a statement. Longer sentences do more than describe.
const WORDS_MAX: usize = 24;
/// The most words of the subject of a statement: "the old lamp on the desk".
const SUBJECT_WORDS_MAX: usize = 6;
/// The most words of a purpose: "for a coloring sheet".
const PURPOSE_WORDS_MAX: usize = 3;
/// The most words for who or what an image shows: "a photo of our dog".
const SHOWN_WORDS_MAX: usize = 3;

/// The properties of a statement that matter for edits next to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Statement {
    /// It names something that a later pronoun may refer to.
    pub(super) names_thing: bool,
    /// It is about the past or the present and can't be a wish. "The man has a hat" could be one.
    pub(super) is_fact: bool,
    /// It only says what there is. A list of wishes could do the same.
    pub(super) is_there: bool,
    /// It complains about the tone or color of something: "the face is dark".
    pub(super) complains: bool,
    /// After "so", it may be a purpose: "so I can post it".
    pub(super) is_aim: bool,
}

impl Statement {
    const fn of_thing(names_thing: bool) -> Self {
        Self { names_thing, is_fact: true, is_there: false, complains: false, is_aim: false }
    }
}

/// A statement cut into its parts.
struct Cut<'w> {
    /// The words of its subject.
    subject: &'w [&'w str],
    /// The words that describe the subject.
    said: &'w [&'w str],
    statement: Statement,
}

/// Reads a clause as a statement.
pub(super) fn read(tokens: &[Token]) -> Option<Statement> {
    if tokens.len() > WORDS_MAX || !tokens.iter().all(is_readable) {
        return None;
    }
    let words: Vec<&str> = tokens.iter().map(Token::word).collect();
    let joined = words.iter().take_while(|word| SINCE.contains(word)).count();
    let words = words.get(joined..)?;
    let cut = there(words)
        .or_else(|| taken(words))
        .or_else(|| shown(words))
        .or_else(|| its(words))
        .or_else(|| told(words))
        .or_else(|| purpose(words))
        .or_else(|| aimed(words))
        .or_else(|| described(words))?;
    let mut statement = cut.statement;
    statement.is_fact |= joined > 0 || cut.said.iter().any(|word| FACTS.contains(word));
    statement.complains = cut.said.iter().any(|word| COMPLAINTS.contains(word));
    let words = without_frame(cut.said);
    let allowed = cut.subject.iter().chain(words).all(|word| asks_nothing(word));
    let colored = cut.said.iter().any(|word| COMPARED.contains(word) || is_color(word));
    (allowed && (statement.is_fact || !colored)).then_some(statement)
}

/// Words and numbers of a statement that would limit an edit. It counts as a statement only next to
/// an edit that has them too.
pub(super) fn limits<'t>(tokens: &[&'t Token]) -> impl Iterator<Item = &'t Token> {
    tokens.iter().enumerate().filter_map(move |(at, token)| {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at)).map(|token| token.word());
        // The number in "shot at ISO 6400" can't be an amount.
        let amount = token.number().is_some() && before != Some("iso");
        (amount || PLACES.contains(&token.word())).then_some(*token)
    })
}

/// Whether a token may be in a statement. Quoted text and hexadecimal colors belong to edits.
fn is_readable(token: &Token) -> bool {
    matches!(token.kind, Kind::Word(_) | Kind::Number { .. })
}

/// "there is a bin there"
fn there<'w>(words: &'w [&'w str]) -> Option<Cut<'w>> {
    let length = longest(words, THERE)?;
    let said = words.get(length..).filter(|said| !said.is_empty())?;
    let statement = Statement { is_there: true, ..Statement::of_thing(true) };
    Some(Cut { subject: &[], said, statement })
}

/// "shot at ISO 6400", "taken indoors"
fn taken<'w>(words: &'w [&'w str]) -> Option<Cut<'w>> {
    let [first, second, ..] = words else { return None };
    let statement = Statement::of_thing(false);
    (TAKEN.contains(first) && TAKEN_AT.contains(second)).then(|| Cut {
        subject: &[],
        said: words.get(1..).unwrap_or_default(),
        statement,
    })
}

/// "a photo of our dog"
fn shown<'w>(words: &'w [&'w str]) -> Option<Cut<'w>> {
    let article = usize::from(words.first().is_some_and(|word| DETERMINERS.contains(word)));
    let [name, "of", whose, shown @ ..] = words.get(article..)? else { return None };
    let is = PICTURE_NAMES.contains(name)
        && OURS.contains(whose)
        && (1..=SHOWN_WORDS_MAX).contains(&shown.len());
    let statement = Statement::of_thing(false);
    is.then_some(Cut { subject: &[], said: shown, statement })
}

/// "I took this at home", "we can hardly see the faces"
fn told<'w>(words: &'w [&'w str]) -> Option<Cut<'w>> {
    let that = usize::from(words.first() == Some(&"that"));
    let person = that + longest(words.get(that..)?, PEOPLE)?;
    let rest = words.get(person..)?;
    let loved = rest.first().is_some_and(|first| LOVES.contains(first));
    let deed = if loved { 1 } else { longest(rest, PEOPLE_DEEDS)? };
    let said = rest.get(deed..).filter(|said| !said.is_empty())?;
    let of_picture = picture_first(said);
    // "I like it blue" asks for more than "I like it".
    if loved && of_picture != Some(said.len()) {
        return None;
    }
    // "so I can see her smile" may be a wish.
    let is_aim = matches!(rest, ["can", verb, ..] if *verb != "see");
    let statement = Statement { is_aim, ..Statement::of_thing(of_picture.is_none()) };
    Some(Cut { subject: &[], said, statement })
}

/// "it loads quickly", which is a purpose after "so"
fn aimed<'w>(words: &'w [&'w str]) -> Option<Cut<'w>> {
    let that = usize::from(words.first() == Some(&"that"));
    let ["it", verb, said @ ..] = words.get(that..)? else { return None };
    let statement = Statement { is_aim: true, ..Statement::of_thing(false) };
    // "it matches our other pictures" limits nothing.
    let like_others = *verb == "matches" && said.iter().any(|word| OTHERS.contains(word));
    let of_others = |word: &&str| OTHERS.contains(word) || asks_nothing(word);
    let said = if like_others && said.iter().all(of_others) { &[] } else { said };
    AIMS.contains(verb).then_some(Cut { subject: &[], said, statement })
}

/// What an image may match.
const OTHERS: &[&str] = &["other", "others", "rest", "style"];

/// The words without "in the frame" at their end, which doesn't mean a frame around the image.
fn without_frame<'w>(said: &'w [&'w str]) -> &'w [&'w str] {
    match said {
        [rest @ .., "in", "the", "frame" | "shot"] | [rest @ .., "in", "frame" | "shot"] => rest,
        _ => said,
    }
}

/// "for a coloring sheet"; "for the dog" would limit an edit.
fn purpose<'w>(words: &'w [&'w str]) -> Option<Cut<'w>> {
    let ["for", whose, said @ ..] = words else { return None };
    let is = WHOSE.contains(whose)
        && (1..=PURPOSE_WORDS_MAX).contains(&said.len())
        && !said.iter().any(|word| generative::is_seen(word));
    is.then_some(Cut { subject: &[], said, statement: Statement::of_thing(false) })
}

/// "its hurting my eyes", but not "its face"
fn its<'w>(words: &'w [&'w str]) -> Option<Cut<'w>> {
    let ["its", said @ ..] = words else { return None };
    let first = said.first()?;
    // "it's a timestamp" says what there is.
    let is_there = ["a", "an"].contains(first);
    let statement = Statement { is_fact: is_there, is_there, ..Statement::of_thing(false) };
    (FACTS.contains(first) || ITS.contains(first)).then_some(Cut { subject: &[], said, statement })
}

/// "the window is very bright", "my phone saved it sideways"
fn described<'w>(words: &'w [&'w str]) -> Option<Cut<'w>> {
    let is_verb = |word: &&str| [STATES, DEEDS, PAST].iter().any(|verbs| verbs.contains(word));
    let at = words.iter().position(is_verb).filter(|at| (1..=SUBJECT_WORDS_MAX).contains(at))?;
    let (subject, rest) = words.split_at(at);
    let (verb, said) = rest.split_first()?;
    let first = said.first()?;
    // "the man turned into a frog" may be a wish, "the flash ruined it" can't.
    let finite = !PAST.contains(verb)
        || STATES.contains(verb)
        || NAMES.contains(first)
        || ABOUT_PICTURES.contains(first);
    if !finite || !is_name(subject) || ["to", "be"].contains(first) {
        return None;
    }
    let is_fact = !STATES.contains(verb) || PAST_STATES.contains(verb);
    let of_picture = picture_first(subject) == Some(subject.len());
    // "my phone saved it" is about the image, "the lamp was this bright" is about the lamp.
    let done = (!STATES.contains(verb) && picture_first(said).is_some()) || *first == "it";
    let names_thing = !of_picture && !done;
    Some(Cut {
        subject,
        said,
        statement: Statement { is_fact, ..Statement::of_thing(names_thing) },
    })
}

/// Whether words name a thing: one word, or several after an article or a similar word.
fn is_name(words: &[&str]) -> bool {
    let begins = words.len() == 1 || words.first().is_some_and(|first| NAMES.contains(first));
    begins && words.last().is_some_and(|last| !ENDINGS_BARRED.contains(last))
}

/// Words that the name of a thing can't end with.
const ENDINGS_BARRED: &[&str] = &[
    "the", "a", "an", "of", "in", "on", "at", "with", "for", "by", "to", "and", "or", "my", "so",
    "not",
];

/// The number of words at the front that refer to the image: "this", "our photo".
fn picture_first(words: &[&str]) -> Option<usize> {
    match words {
        [first, name, ..] if NAMES.contains(first) && PICTURE_NAMES.contains(name) => Some(2),
        [first, ..] if ABOUT_PICTURES.contains(first) || PICTURE_NAMES.contains(first) => Some(1),
        _ => None,
    }
}

/// Whether a word of a statement can neither ask for an edit nor limit one.
fn asks_nothing(word: &str) -> bool {
    if BARRED.contains(&word) {
        return false;
    }
    if TAKEN_WORDS.contains(&word) || word.is_empty() {
        return true;
    }
    let harmless =
        allowed_words::is_harmless(word) || generative::is_seen(word) || PLACES.contains(&word);
    !generative::is_verb(word) && (harmless || is_color(word) || !spelling::is_known(word))
}

fn is_color(word: &str) -> bool {
    !allowed_words::is_harmless(word) && Color::named(word).is_some()
}

/// The length of the longest of the phrases that the words begin with.
fn longest(words: &[&str], phrases: &[&str]) -> Option<usize> {
    let standing = phrases.iter().filter(|phrase| {
        let mut words = words.iter();
        phrase.split(' ').all(|word| words.next() == Some(&word))
    });
    standing.map(|phrase| phrase.split(' ').count()).max()
}
