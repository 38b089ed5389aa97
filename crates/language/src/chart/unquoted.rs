//! Texts without quotation marks. Some are texts by how they are written: "@rose.cafe", "$24.99",
//! "© Maria Lopez", "SALE", "happy birthday mum". Any other words are one only behind a word for
//! writing, and only if something tells where they end.

mod courtesies;
mod numbered;

use self::numbered::{number, panel};
use super::{Chart, Edge, is_article};
use crate::lexicon::Entry;
use crate::token::{Kind, Token};
use crate::value::{Category, Unit, Value};
use retouch_engine::Color;

/// The most words of a text.
const WORDS_MAX: usize = 6;
/// The most words of a text in capitals.
const LOUD_WORDS_MAX: usize = 14;
/// The most words in which letters are looked for.
const SENTENCE_MAX: usize = 24;
/// The most words of a text behind a colon.
const COLON_WORDS_MAX: usize = 24;
/// The signs before a name, an amount of money and a name that is protected.
const BEFORE: &[&str] = &["@", "#", "$", "€", "£", "©"];
/// The signs inside an address or a name.
const INSIDE: &[&str] = &[".", "_", "-", "/", "@", "&"];

/// Adds the texts that begin at a position.
pub(super) fn add(chart: &mut Chart<'_>, start: usize) {
    let tokens = chart.tokens;
    let written = ends_of_written(chart, start);
    let known = if written.is_empty() { ends_of_known(chart, start) } else { Vec::new() };
    let free = if written.is_empty() { ends_of_free(chart, start) } else { Vec::new() };
    let listed = end_behind_colon(chart, start);
    for end in written.into_iter().chain(known).chain(free).chain(listed) {
        let end = end - courtesies::behind(&tokens[start..end]);
        let value = Value::Unquoted(as_written(&tokens[start..end]));
        chart.add(start, Edge { end, category: Category::Text, value });
    }
}

/// The words with the spaces that they have.
pub(super) fn as_written(tokens: &[Token]) -> String {
    let mut text = String::new();
    for (number, token) in tokens.iter().enumerate() {
        if number > 0 && !tokens[number - 1].touches(token) {
            text.push(' ');
        }
        text.push_str(&token.written);
    }
    text
}

/// Where a text ends that is one by how it is written.
fn ends_of_written(chart: &Chart<'_>, start: usize) -> Vec<usize> {
    let tokens = chart.tokens;
    let token = &tokens[start];
    let next = tokens.get(start + 1).filter(|next| token.touches(next) || token.text == "©");
    // A text in the middle of a word is a part of it.
    if start > 0 && tokens[start - 1].touches(token) && tokens[start - 1].kind != Kind::Sign {
        return Vec::new();
    }
    if let Some(end) = number(chart, start) {
        return vec![end];
    }
    let end = match token.text.as_str() {
        "©" => start + 1 + names(tokens, start + 1),
        sign if BEFORE.contains(&sign) && next.is_some() => touching(tokens, start + 1),
        "www" => touching(tokens, start),
        "(" => return panel(tokens, start).into_iter().collect(),
        _ if is_loud(chart, start) || is_share_of_loud(tokens, start) => loud(tokens, start),
        _ => return Vec::new(),
    };
    if end > start + 1 || is_loud(chart, start) { vec![end] } else { Vec::new() }
}

/// How many names and years follow: "Maria Lopez 2024".
fn names(tokens: &[Token], start: usize) -> usize {
    let name = |at: usize| tokens.get(at).is_some_and(|token| token.is_capitalized);
    let named = |at: &usize| {
        let token = &tokens[*at];
        let joins = token.text == "&" && *at > start && name(at - 1) && name(at + 1);
        let plain = matches!(token.kind, Kind::Number(_)) || token.text == ".";
        token.is_capitalized || plain || joins
    };
    (start..tokens.len()).take(WORDS_MAX).take_while(named).count()
}

/// The end of words and numbers with nothing between them.
fn touching(tokens: &[Token], start: usize) -> usize {
    let mut end = start + 1;
    while let Some(next) = tokens.get(end) {
        let inside = tokens.get(end + 1).is_some_and(|after| {
            let thousands = next.text == "," && matches!(after.kind, Kind::Number(_));
            next.touches(after) && (thousands || INSIDE.contains(&next.text.as_str()))
        });
        if !tokens[end - 1].touches(next) || next.kind == Kind::Sign && !inside {
            break;
        }
        end += 1;
    }
    end
}

/// Whether a word is written in capitals where others are not, and is no word of an edit.
fn is_loud(chart: &Chart<'_>, at: usize) -> bool {
    let tokens = chart.tokens;
    // "NEW DROP FRIDAY" is one although "new" alone is not.
    let run = &tokens[at..loud(tokens, at)];
    let several = run.iter().filter(|token| is_capital(token)).count() > 1;
    let unknown = |token: &Token| is_capital(token) && !is_edit(chart, &token.text);
    is_capital(&tokens[at])
        && tokens[at].written.chars().count() > 1
        && (!is_edit(chart, &tokens[at].text) || several && run.iter().any(unknown))
        && !is_behind_article(chart, at)
        && !at.checked_sub(1).is_some_and(|before| is_capital(&tokens[before]))
        && is_mixed(tokens)
}

/// Whether most of the instruction is not in capitals.
fn is_mixed(tokens: &[Token]) -> bool {
    tokens.iter().filter(|token| token.kind == Kind::Word && !is_capital(token)).count() > 1
}

/// "50% OFF".
fn is_share_of_loud(tokens: &[Token], start: usize) -> bool {
    matches!(tokens[start].kind, Kind::Number(_))
        && tokens.get(start + 1).is_some_and(|sign| sign.text == "%")
        && tokens.get(start + 2).is_some_and(is_capital)
        && is_mixed(tokens)
}

/// The end of words in capitals.
fn loud(tokens: &[Token], start: usize) -> usize {
    // "SUMMER SALE -30%": a sign that touches what follows.
    let glued = |at: usize| {
        let next = tokens.get(at + 1).filter(|next| tokens[at].touches(next));
        next.is_some_and(|next| is_capital(next) || matches!(next.kind, Kind::Number(_)))
    };
    let more = (start..tokens.len()).take_while(|at| {
        let token = &tokens[*at];
        is_capital(token)
            || matches!(token.kind, Kind::Number(_))
            || matches!(token.text.as_str(), "&" | "!" | "?" | "%")
            || matches!(token.text.as_str(), "-" | "+" | "/") && *at > start && glued(*at)
    });
    start + more.take(LOUD_WORDS_MAX).count()
}

fn is_capital(token: &Token) -> bool {
    token.kind == Kind::Word && token.written.chars().all(|c| !c.is_lowercase())
}

/// Whether the lexicon has the word for something that an edit may name.
fn is_edit(chart: &Chart<'_>, word: &str) -> bool {
    let entries = chart.lexicon.beginning_with(word);
    let exclaims = entries.iter().any(|entry| entry.category == Category::Social);
    let harmless = |entry: &Entry| match entry.category {
        Category::Saying | Category::Social | Category::Foreign | Category::Finite => true,
        Category::Filler => exclaims,
        _ => entry.words.len() > 1,
    };
    Color::named(word).is_some() || !entries.iter().all(harmless)
}

fn is_behind_article(chart: &Chart<'_>, at: usize) -> bool {
    let tokens = chart.tokens;
    let before = at.checked_sub(1).map_or("", |before| tokens[before].text.as_str());
    is_article(before)
        && at.checked_sub(2).is_none_or(|before| !is_text_noun(chart, &tokens[before].text))
}

fn is_text_noun(chart: &Chart<'_>, word: &str) -> bool {
    let entries = chart.lexicon.beginning_with(word).iter();
    entries
        .filter(|entry| entry.category == Category::Marker && entry.words.len() == 1)
        .any(|entry| matches!(entry.value, "text" | "caption" | "watermark" | "says"))
}

/// Where a text ends that begins with words that everyone writes: "happy birthday mum".
fn ends_of_known(chart: &Chart<'_>, start: usize) -> Vec<usize> {
    let tokens = chart.tokens;
    let entries = chart.lexicon.beginning_with(&tokens[start].text).iter();
    let here = entries.filter(|entry| {
        entry.category == Category::Saying
            && entry.value != "whom"
            && tokens.get(start..start + entry.words.len()).is_some_and(|tokens| {
                tokens.iter().zip(&entry.words).all(|(token, word)| token.text == *word)
            })
    });
    let Some(length) = here.map(|entry| entry.words.len()).max() else { return Vec::new() };
    // "A happy birthday card" is a thing, and "Good morning, crop it" greets.
    let entries = chart.lexicon.beginning_with(&tokens[start].text).iter();
    let greets = start == 0
        && tokens.get(length).is_some_and(|next| matches!(next.text.as_str(), "," | "!" | "."))
        && entries
            .into_iter()
            .any(|entry| entry.category == Category::Social && entry.words.len() == length);
    if greets || is_behind_article(chart, start) {
        return Vec::new();
    }
    let most = tokens.len().min(start + length + WORDS_MAX);
    (start + length..=most)
        .take_while(|end| (start + length..*end).all(|at| is_whom(chart, &tokens[at])))
        .filter(|end| ends_text(chart, *end))
        .collect()
}

/// Whether a word names who is greeted, or a year: "happy birthday mum", not "birthday balloons".
fn is_whom(chart: &Chart<'_>, token: &Token) -> bool {
    let entries = chart.lexicon.beginning_with(&token.text).iter();
    token.kind == Kind::Word && token.is_capitalized
        || matches!(token.kind, Kind::Number(_))
        || entries
            .into_iter()
            .any(|entry| entry.category == Category::Saying && entry.value == "whom")
}

/// Where any other words end that are to be written.
fn ends_of_free(chart: &Chart<'_>, start: usize) -> Vec<usize> {
    let tokens = chart.tokens;
    let asked = start.checked_sub(1).is_some_and(|before| {
        tokens[before].says_text()
            || matches!(tokens[before].text.as_str(), "words" | "phrase")
            || matches!(tokens[before].text.as_str(), "put" | "add" | "stick" | "slap")
                && is_lettered(chart, start)
            || is_text_noun(chart, &tokens[before].text) && tokens[start].is_capitalized
    });
    if !asked || !may_begin(chart, &tokens[start].text) {
        return Vec::new();
    }
    // "Anna and Tom": between names, "and" belongs to the text.
    let name = |at: usize| tokens.get(at).is_some_and(|token| token.is_capitalized);
    let joins = |at: usize| {
        matches!(tokens[at].text.as_str(), "and" | "&")
            && at > start
            && name(at - 1)
            && name(at + 1)
    };
    let words =
        (start..tokens.len()).take_while(|at| is_written(&tokens[*at]) || joins(*at)).count();
    let most = start + words.min(WORDS_MAX);
    let look = (start + 1..=most).find(|end| begins_look(chart, *end));
    let ends = (start + 1..=look.unwrap_or(most))
        .filter(|end| Some(*end) == look || *end < tokens.len() && ends_text(chart, *end));
    // Names up to the end of the instruction: "a yellow text saying Free Entry".
    let mut named = start + names(tokens, start);
    while named > start && tokens[named - 1].text == "." {
        named -= 1;
    }
    let closing = &tokens[named.min(tokens.len())..];
    let last = named > start
        && tokens[start].is_capitalized
        && closing.iter().all(|token| is_stop(&token.text));
    let said = end_of_said(chart, start);
    ends.chain(end_of_listed(chart, start)).chain(last.then_some(named)).chain(said).collect()
}

/// The end of what is said up to the end of the sentence: "a caption saying thanks everyone".
fn end_of_said(chart: &Chart<'_>, start: usize) -> Option<usize> {
    let tokens = chart.tokens;
    let says = |at: usize| {
        let edges = chart.lexicon.beginning_with(&tokens[at].text).iter();
        edges.into_iter().any(|entry| entry.words.len() == 1 && entry.value == "says")
    };
    let asked = start.checked_sub(1).is_some_and(says);
    let words = tokens[start..].iter().take_while(|token| !is_stop(&token.text));
    let end = start + words.count();
    let plain = |at: usize| is_written(&tokens[at]) && (at == start || !begins_edit(chart, at));
    (asked && end - start <= WORDS_MAX && (start..end).all(plain)).then_some(end)
}

/// Whether letters are named behind words that could be a text: "put love you in pink letters".
fn is_lettered(chart: &Chart<'_>, start: usize) -> bool {
    let behind = chart.tokens[start..].iter().take(SENTENCE_MAX);
    let behind = behind.take_while(|token| !is_stop(&token.text));
    let letters =
        |text: &str| matches!(text, "letters" | "lettering" | "font" | "writing" | "script");
    behind.enumerate().any(|(number, token)| number > 1 && letters(&token.text))
        && !chart.at(start + 1).iter().any(|edge| edge.value.word() == "letters")
        && !is_edit(chart, &chart.tokens[start].text)
}

/// Whether a word tells how a text looks, and what follows tells more or nothing: "write hello big at
/// the top".
fn begins_look(chart: &Chart<'_>, at: usize) -> bool {
    let looks = chart.at(at).iter().filter(|edge| match edge.category {
        Category::Marker => {
            matches!(edge.value.word(), "tiny" | "small" | "large" | "huge" | "bold" | "italic")
        }
        Category::Measure => matches!(edge.value.word(), "size" | "opacity"),
        _ => false,
    });
    let goes_on = |end: usize| {
        chart.tokens.get(end).is_none_or(|next| {
            matches!(
                next.text.as_str(),
                "and" | "," | "in" | "at" | "on" | "across" | "." | "along"
            )
        })
    };
    looks.map(|edge| edge.end).any(goes_on)
}

/// The end of a text with commas inside: "Mila, age 6 in the corner". What follows a comma is no edit
/// and no look, and a place or color tells where the text ends.
fn end_of_listed(chart: &Chart<'_>, start: usize) -> Option<usize> {
    let tokens = chart.tokens;
    let mut end = start;
    let mut listed = false;
    while end < tokens.len() && end < start + WORDS_MAX + 2 {
        let token = &tokens[end];
        if token.text == "," && end > start && tokens.get(end + 1).is_some_and(is_written) {
            listed = true;
        } else if !is_written(token) || listed && is_said(chart, end) {
            break;
        }
        end += 1;
    }
    let closed = tokens.get(end).is_some_and(|next| next.text != "," && next.text != ".");
    (listed && closed && ends_text(chart, end)).then_some(end)
}

/// Whether a word could tell what to do or how a text looks.
fn is_said(chart: &Chart<'_>, at: usize) -> bool {
    let token = &chart.tokens[at];
    token.kind == Kind::Word && is_edit(chart, &token.text)
        || chart.at(at).iter().any(|edge| {
            matches!(edge.category, Category::Measure | Category::Place | Category::Detail)
        })
}

/// The end of a text behind a colon: "Watermark it: Ann Lee Photos, at the bottom". It ends before a
/// look or an edit, and else with the instruction.
fn end_behind_colon(chart: &Chart<'_>, start: usize) -> Option<usize> {
    let tokens = chart.tokens;
    let colon = start.checked_sub(1).filter(|at| tokens[*at].text == ":")?;
    let sentence = tokens[..colon].iter().rposition(|token| is_stop(&token.text));
    let before = sentence.map_or(0, |stop| stop + 1)..colon;
    let asked = before
        .into_iter()
        .any(|at| tokens[at].says_text() || is_text_noun(chart, &tokens[at].text));
    // "Photo: A. Berg" begins with a word for an image.
    let image = chart
        .lexicon
        .beginning_with(&tokens[start].text)
        .iter()
        .any(|entry| entry.category == Category::Noun && entry.words.len() == 1)
        && tokens.get(start + 1).is_some_and(|next| next.text == ":");
    // "Title: My Summer" is one, and "write my name" none.
    let own = chart.lexicon.beginning_with(&tokens[start].text).iter().any(|entry| {
        entry.words.len() == 1
            && matches!(entry.category, Category::Possessive | Category::Subject | Category::Filler)
    });
    let begins = may_begin(chart, &tokens[start].text) || image || own;
    if !asked || !begins || !tokens[start].is_capitalized || begins_edit(chart, start) {
        return None;
    }
    let mut end = start + 1;
    while end < tokens.len() && end < start + COLON_WORDS_MAX {
        let stops = matches!(tokens[end].text.as_str(), "," | "-" | "—" | "." | "\n" | ";");
        // "Priya Nair. first line bold": a sentence behind it is no part of the text.
        let sentence = tokens[end].text == "."
            && tokens.get(end + 1).is_some_and(|next| {
                !tokens[end].touches(next) && !next.is_capitalized && next.kind == Kind::Word
            });
        // "Team Day, then blur it".
        let word = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
        let then = word(end + 1 + usize::from(word(end + 1) == "and")) == "then";
        let apart = end + 1 < tokens.len() && (then || goes_on(chart, end + 1));
        if tokens[end].text == "\n" || sentence || stops && apart {
            break;
        }
        end += 1;
    }
    let dot = end == tokens.len() && tokens[end - 1].text == "." && end > start + 1;
    let whole = end < tokens.len() || (start..end).all(|at| !begins_edit(chart, at));
    whole.then_some(if dot { end - 1 } else { end })
}

fn is_stop(text: &str) -> bool {
    matches!(text, "." | "!" | "?" | ";" | "\n")
}

/// Whether something other than a text begins at a position.
fn goes_on(chart: &Chart<'_>, at: usize) -> bool {
    begins_edit(chart, at)
        || chart.at(at).iter().any(|edge| {
            matches!(
                edge.category,
                Category::Place
                    | Category::Spot
                    | Category::Color
                    | Category::Detail
                    | Category::Preposition
                    | Category::Marker
                    | Category::Measure
                    | Category::Social
            ) || edge.value.amount().is_some_and(|amount| amount.unit != Unit::None)
        })
}

/// Whether a word commands an edit.
pub(super) fn begins_edit(chart: &Chart<'_>, at: usize) -> bool {
    chart.lexicon.is_verb(&chart.tokens[at].text)
        || chart.at(at).iter().any(|edge| {
            matches!(
                edge.category,
                Category::Verb
                    | Category::Op
                    | Category::Act
                    | Category::Push
                    | Category::Direction
                    | Category::Quality
                    | Category::Correction
            )
        })
}

/// Whether a text may begin with a word: "my name" and "something nice" only describe one.
pub(super) fn may_begin(chart: &Chart<'_>, word: &str) -> bool {
    let entries = chart.lexicon.beginning_with(word);
    let alone = |entry: &&Entry| entry.words.len() == 1;
    let marks = |entry: &Entry| {
        matches!(entry.value, "text" | "caption" | "watermark" | "says" | "letters")
            && entry.category == Category::Marker
    };
    entries.iter().filter(alone).all(|entry| {
        !marks(entry)
            && !matches!(
                entry.category,
                Category::Filler
                    | Category::Possessive
                    | Category::Subject
                    | Category::Image
                    | Category::Noun
                    | Category::Preposition
                    | Category::Negation
                    | Category::Color
                    | Category::Op
                    | Category::Direction
                    | Category::Degree
            )
    })
}

fn is_written(token: &Token) -> bool {
    // "FernAndClay diagonal across the middle": how the text runs.
    let turned = matches!(token.text.as_str(), "diagonal" | "diagonally") && !token.is_capitalized;
    !turned
        && matches!(token.kind, Kind::Word | Kind::Number(_))
        && !matches!(
            token.text.as_str(),
            "and"
                | "then"
                | "at"
                | "in"
                | "on"
                | "with"
                | "across"
                | "below"
                | "above"
                | "under"
                | "underneath"
                | "beneath"
                | "behind"
                | "over"
        )
}

/// Whether a text ends before a position: at the end, or before a place or a color.
fn ends_text(chart: &Chart<'_>, end: usize) -> bool {
    let Some(next) = chart.tokens.get(end) else { return true };
    let looks = |at: usize| {
        let filler = |edge: &Edge| edge.category == Category::Filler && edge.end == at + 1;
        let the = chart.at(at).iter().any(filler);
        chart.at(at + usize::from(the)).iter().any(|edge| {
            matches!(
                edge.category,
                Category::Place | Category::Spot | Category::Color | Category::Detail
            )
        })
    };
    match next.text.as_str() {
        "at" | "in" | "on" | "across" | "near" | "along" => looks(end + 1),
        word => matches!(word, "," | "."),
    }
}
