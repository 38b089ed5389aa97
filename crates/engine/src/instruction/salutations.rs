//! What a letter begins and ends with: "Dear editor," and "Regards, Helen".

use super::token::{Kind, Token};
use super::{generative, spelling};

/// How a letter begins.
const GREETINGS: &[&str] =
    &["hi", "hello", "hey", "dear", "morning", "afternoon", "evening", "greetings"];
/// Who is greeted, besides people by their names.
const GREETED: &[&str] = &[
    "editor",
    "editors",
    "team",
    "friend",
    "friends",
    "folks",
    "all",
    "everyone",
    "everybody",
    "guys",
    "there",
    "sir",
    "madam",
    "retoucher",
    "retouchers",
    "experts",
    "people",
    "assistant",
    "support",
    "y",
    "yall",
    "or",
    "retouch",
    "photoshoppers",
    "wizards",
    "mate",
    "both",
];
/// What stands before a name at the end.
const LEAVES: &[&str] = &[
    "regards",
    "thanks",
    "cheers",
    "sincerely",
    "faithfully",
    "truly",
    "wishes",
    "best",
    "yours",
    "love",
    "gratefully",
    "kindly",
    "ta",
    "thx",
    "advance",
    "gratitude",
];
/// Most words of a name.
const NAME_WORDS_MAX: usize = 3;

/// The tokens without the names in greeting and leave-taking.
pub(super) fn without_names(tokens: &[Token], instruction: &str) -> Vec<Token> {
    let chars: Vec<char> = instruction.chars().collect();
    let is_name = |token: &Token| {
        let capital = chars.get(token.start).is_some_and(|first| first.is_uppercase());
        let word = token.word();
        capital && !word.is_empty() && !spelling::is_known(word) && !generative::is_verb(word)
    };
    let from = greeted(tokens, &is_name);
    let to = signed(tokens, &is_name).max(from);
    tokens.get(from..to).unwrap_or_default().to_vec()
}

/// Where the letter begins behind "Dear editor,".
fn greeted(tokens: &[Token], is_name: &dyn Fn(&Token) -> bool) -> usize {
    let good = usize::from(tokens.first().is_some_and(|token| token.word() == "good"));
    if !tokens.get(good).is_some_and(|token| GREETINGS.contains(&token.word())) {
        return 0;
    }
    let rest = tokens.get(good + 1..).unwrap_or_default();
    let is_greeted = |token: &&Token| is_name(token) || GREETED.contains(&token.word());
    let names = rest.iter().take(NAME_WORDS_MAX).take_while(is_greeted).count();
    let ends = rest.get(names).is_some_and(|next| matches!(next.kind, Kind::Mark(_)));
    if names > 0 && ends { good + 1 + names } else { 0 }
}

/// Where the letter ends before "Helen" behind a leave-taking.
fn signed(tokens: &[Token], is_name: &dyn Fn(&Token) -> bool) -> usize {
    let is_mark = |token: &Token| matches!(token.kind, Kind::Mark(_));
    let end = tokens.iter().rposition(|token| !is_mark(token)).map_or(0, |last| last + 1);
    let rest = tokens.get(..end).unwrap_or_default();
    let names = rest.iter().rev().take(NAME_WORDS_MAX).take_while(|token| is_name(token)).count();
    let before = rest.get(..end - names).unwrap_or_default();
    let mut last = before.iter().rev().filter(|token| !is_mark(token)).map(Token::word);
    let leaves = match last.next() {
        Some("you") => last.next() == Some("thank"),
        leave => leave.is_some_and(|leave| LEAVES.contains(&leave)),
    };
    if names > 0 && leaves { end - names } else { tokens.len() }
}
