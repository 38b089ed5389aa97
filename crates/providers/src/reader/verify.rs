//! What of a language model's answer counts. The strict reader, which is the judge, is only asked;
//! it never learns that there is a model.
//!
//! 1. It must accept the sentences. Its plan is what runs.
//! 2. Every word of the instruction is in a part that a sentence stands for, or is reported as
//!    ignored.
//! 3. What the strict reader says about English stays: if it finds that a part of the instruction
//!    needs a generative model, the plan must name each word of that finding. As the plan only names
//!    what the editor does, a person, a sky or a style cannot disappear behind a crop. About a text
//!    without one common English word, the strict reader knows nothing. There, and in addition
//!    everywhere else, it judges the literal translation. What is ignored may mention things, but not
//!    ask for them.
//! 4. Text to be written consists of the user's own words, and all that is in quotation marks is
//!    written, so that none of it can be an instruction.
//! 5. What is ignored says nothing about the file, and is no edit that the strict reader knows.
//! 6. Numbers and colors that the instruction doesn't say are reported as assumptions. Where the
//!    instruction leaves a detail out, the words that the strict reader stopped at must contain one
//!    that the detail can come from.

use std::collections::BTreeSet;
use std::ops::Range;

use retouch_core::edit::{RewordedSentence, Rewording};
use retouch_engine::{Color, RefusalKind};
use retouch_language::read;

use super::answer::{Answer, Step};
use super::common_words::{
    digits, is_common, is_empty, is_english, is_of_file, is_wish, opens_statement,
};
use super::text::{Text, is_joint};
use super::{Asked, plan};

/// Why the answer of a language model does not count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Distrust {
    /// The strict reader refuses the sentences, and why.
    #[error("the built-in editor refuses its sentences")]
    Refused(String),
    /// A sentence stands for words that the instruction doesn't have.
    #[error("it quotes words that are not in the instruction")]
    Misquoted,
    /// Words of the instruction are missing in the answer.
    #[error("it leaves words of the instruction out")]
    LeftOut(Vec<String>),
    /// Words would be ignored that ask for something.
    #[error("it ignores words that ask for something")]
    Ignored(String),
    /// A text would be written that the instruction doesn't have, or one would not be written.
    #[error("it changes a text to be written")]
    TextChanged,
    /// The strict reader has found something that needs a generative model, or cannot be.
    #[error("the built-in editor's refusal is certain")]
    Certain,
    /// It adds a detail that the instruction leaves open.
    #[error("it adds a detail that the instruction leaves open")]
    Invented,
}

impl Distrust {
    /// What to tell the model, if it can fix its answer. What is certain stays.
    pub(super) fn fault(&self) -> Option<String> {
        Some(match self {
            Self::Refused(why) => format!("The editor does not accept your sentences: {why}."),
            Self::Misquoted => "Some words are not copied exactly from the instruction.".to_owned(),
            Self::LeftOut(words) => {
                format!("These words are neither in words nor in ignored: {}.", words.join(", "))
            }
            Self::Ignored(words) => {
                format!("\"{words}\" asks for something, so it can't be ignored.")
            }
            Self::TextChanged => "Write each text exactly as it is in the instruction, and every \
                 text that is in quotation marks there."
                .to_owned(),
            Self::Certain | Self::Invented => return None,
        })
    }
}

/// The rewording in `answer`.
///
/// # Errors
/// Why it does not count.
pub(super) fn verify(asked: &Asked, answer: &Answer, model: &str) -> Result<Rewording, Distrust> {
    let text = Text::new(&asked.instruction);
    let (sentences, ignored) = located(&text, answer)?;
    let mut rewording =
        Rewording { model: model.to_owned(), sentences, ignored, assumed: Vec::new() };
    let plan = plan(&asked.instruction, &rewording, &asked.context);
    let plan = plan.map_err(|refusal| Distrust::Refused(refusal.message))?;
    let rendered = Text::new(&plan.render());
    check_texts(&text, &rendered)?;
    check_certain(asked, answer, &rendered.words())?;
    check_ignored(asked, &text, answer)?;
    let own = own_words(&text);
    check_detail(asked, answer, &own)?;
    rewording.assumed =
        answer.steps.iter().filter_map(|step| added(&step.sentence, &own)).collect();
    Ok(rewording)
}

/// The sentences with the places of their words, and what is ignored.
fn located(text: &Text, answer: &Answer) -> Result<(Vec<RewordedSentence>, Vec<String>), Distrust> {
    let mut covered: Vec<Range<usize>> = Vec::new();
    let mut sentences = Vec::new();
    for step in &answer.steps {
        let place = text.find(&step.words, &covered).ok_or(Distrust::Misquoted)?;
        sentences.push(RewordedSentence {
            span: [place.start, place.end],
            sentence: step.sentence.trim().to_owned(),
        });
        covered.push(place);
    }
    let mut ignored = Vec::new();
    for part in answer.ignored.iter().map(|part| part.trim()).filter(|part| !part.is_empty()) {
        covered.push(text.find(part, &covered).ok_or(Distrust::Misquoted)?);
        ignored.push(part.to_owned());
    }
    if sentences.is_empty() {
        return Err(Distrust::Refused("there is none".to_owned()));
    }
    let mut left_out = text.words_outside(&covered);
    left_out.retain(|word| !is_empty(word));
    match left_out.is_empty() {
        true => Ok((sentences, ignored)),
        false => Err(Distrust::LeftOut(left_out)),
    }
}

/// Checks that exactly the user's own words are written.
fn check_texts(text: &Text, rendered: &Text) -> Result<(), Distrust> {
    let (quoted, written) = (text.quoted(), rendered.quoted());
    let is_own = |it: &String| if quoted.is_empty() { text.says(it) } else { quoted.contains(it) };
    let is_complete = quoted.iter().all(|it| written.contains(it));
    if is_complete && written.iter().all(is_own) { Ok(()) } else { Err(Distrust::TextChanged) }
}

/// Checks that nothing is lost that the strict reader is certain about.
fn check_certain(asked: &Asked, answer: &Answer, named: &BTreeSet<String>) -> Result<(), Distrust> {
    let english = &answer.english;
    let original = Text::new(&asked.instruction);
    let is_foreign = !original.words().iter().any(|word| is_english(word));
    let translation = Text::new(english);
    let mut parts = translation.parts();
    parts.push(english.clone());
    if !is_foreign {
        parts.extend(original.parts());
        parts.push(asked.instruction.clone());
    }
    if let Err(refusal) = read(english, &asked.context)
        && !Asked::is_open(refusal.kind)
    {
        return Err(Distrust::Certain);
    }
    let told: Vec<String> =
        answer.ignored.iter().flat_map(|ignored| Text::new(ignored).parts()).collect();
    let is_told = |words: &str| {
        told.iter().any(|part| part.contains(words) && is_statement(&Text::new(part)))
    };
    let is_lost = |part: &String| match read(part, &asked.context) {
        Err(refusal)
            if refusal.kind == RefusalKind::NeedsGenerativeModel
                || refusal.mentions_thing && !is_told(&refusal.words) =>
        {
            let mut words = Text::new(&refusal.words).words();
            words.retain(|word| !is_empty(word));
            words.is_empty() || !words.iter().all(|word| is_named(word, named))
        }
        _ => false,
    };
    if parts.iter().any(is_lost) { Err(Distrust::Certain) } else { Ok(()) }
}

/// Checks that nothing is ignored that an edit of the built-in editor or the file depends on.
fn check_ignored(asked: &Asked, text: &Text, answer: &Answer) -> Result<(), Distrust> {
    let asks = |part: &str| {
        let is_edit = match read(part, &asked.context) {
            Ok(_) => true,
            // An edit that lacks a detail is still one, but "it" may be a thing that is only mentioned.
            Err(refusal) => match refusal.kind {
                RefusalKind::MissingDetail => !refusal.mentions_thing,
                RefusalKind::OutOfRange | RefusalKind::Contradiction => true,
                _ => false,
            },
        };
        is_edit || Text::new(part).words().iter().any(|word| is_of_file(word))
    };
    // What is cut into pieces is read as a whole, too.
    let mut parts = text.joined(&answer.ignored).into_iter().flat_map(|ignored| {
        let parts = Text::new(&ignored).parts();
        parts.into_iter().chain(std::iter::once(ignored)).collect::<Vec<_>>()
    });
    parts.find(|part| asks(part)).map_or(Ok(()), |part| Err(Distrust::Ignored(part)))
}

/// Whether a clause only tells something: it begins like a statement or a purpose, and wishes for
/// nothing.
fn is_statement(clause: &Text) -> bool {
    let words = clause.in_order();
    let mut words = words.iter().skip_while(|word| is_joint(word));
    words.next().is_some_and(|first| opens_statement(first)) && !words.any(|word| is_wish(word))
}

/// Whether the plan names a word, in the singular or plural.
fn is_named(word: &str, named: &BTreeSet<String>) -> bool {
    let singular = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
    named.contains(word) || named.iter().any(|it| singular(it) == singular(word))
}

/// Checks that a detail which the instruction leaves open comes from its words.
fn check_detail(asked: &Asked, answer: &Answer, own: &BTreeSet<String>) -> Result<(), Distrust> {
    if asked.refusal.kind != RefusalKind::MissingDetail {
        return Ok(());
    }
    let sentences = answer.steps.iter().map(|step| Text::new(&step.sentence).words());
    let said: BTreeSet<String> = sentences.flatten().collect();
    let stopped = Text::new(&asked.refusal.words).words();
    // A common word such as "crop" or "color" asks for a detail and doesn't give it.
    let is_source = |word: &String| !is_common(word) && !said.contains(word);
    let has_source = stopped.iter().any(is_source);
    let is_new = |word: &String| !is_empty(word) && !own.contains(word);
    // A text that the user has not marked as one is a detail too.
    let marked = Text::new(&asked.instruction).quoted();
    let is_found =
        |step: &Step| Text::new(&step.sentence).quoted().iter().any(|it| !marked.contains(it));
    let adds = said.iter().any(is_new) || answer.steps.iter().any(is_found);
    if adds && !has_source { Err(Distrust::Invented) } else { Ok(()) }
}

/// The words of the instruction, and its numbers as digits.
fn own_words(text: &Text) -> BTreeSet<String> {
    let mut own = text.words();
    let numbers: Vec<String> =
        own.iter().filter_map(|word| digits(word)).map(str::to_owned).collect();
    own.extend(numbers);
    own
}

/// What a sentence says about numbers and colors that the instruction doesn't say.
fn added(sentence: &str, own: &BTreeSet<String>) -> Option<String> {
    let counts = |word: &String| {
        let is_number = word.starts_with(|first: char| first.is_ascii_digit());
        is_number
            || word.starts_with('#')
            || digits(word).is_some()
            || Color::names().any(|name| name == word)
    };
    let words = Text::new(sentence).words();
    let is_new = |word: &String| {
        !own.contains(word) && !digits(word).is_some_and(|digits| own.contains(digits))
    };
    let new: Vec<String> = words.into_iter().filter(counts).filter(is_new).collect();
    (!new.is_empty())
        .then(|| format!("the language model chose {} in \"{sentence}\"", new.join(", ")))
}
