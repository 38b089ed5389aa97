//! Cuts an instruction into words, numbers, quoted texts and signs.

use retouch_engine::Color;

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// A word in lower case, without apostrophes.
    Word,
    /// Digits, with a decimal point if there is one. Signs and units are tokens of their own.
    Number(f64),
    /// Text between quotation marks.
    Quoted(String),
    /// A color as `#rrggbb`.
    Hex(Color),
    /// Punctuation or another sign. Line breaks are `\n`.
    Sign,
}

/// A piece of the instruction.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: Kind,
    /// How the lexicon would write it.
    pub(crate) text: String,
    /// How the instruction writes it.
    pub(crate) written: String,
    /// Start and end in the instruction, in Unicode scalar values.
    pub(crate) span: [usize; 2],
    /// Whether it begins with a capital letter.
    pub(crate) is_capitalized: bool,
}

impl Token {
    /// Whether the text to write may follow: "write", "a caption saying".
    pub(crate) fn says_text(&self) -> bool {
        matches!(
            self.text.as_str(),
            "write"
                | "writing"
                | "type"
                | "say"
                | "saying"
                | "says"
                | "reading"
                | "reads"
                | "stamp"
        )
    }

    /// Whether nothing but white space of one line lies between this token and the next one, and at
    /// least that.
    pub(crate) fn touches(&self, next: &Self) -> bool {
        self.span[1] == next.span[0]
    }
}

/// Pairs of quotation marks.
const QUOTES: [(char, char); 7] =
    [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('”', '”'), ('‘', '’'), ('\'', '\'')];

/// Cuts `instruction` into tokens.
pub(crate) fn cut(instruction: &str) -> Vec<Token> {
    let chars: Vec<char> = instruction.chars().collect();
    let mut cutter = Cutter { chars: &chars, at: 0, tokens: Vec::new() };
    while let Some(first) = cutter.peek(0) {
        cutter.token(first);
    }
    cutter.tokens
}

struct Cutter<'a> {
    chars: &'a [char],
    at: usize,
    tokens: Vec<Token>,
}

impl Cutter<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn token(&mut self, first: char) {
        match first {
            '\n' => self.push(1, Kind::Sign, "\n"),
            _ if first.is_whitespace() => self.at += 1,
            _ if self.quoted(first) || self.hex(first) || self.address(first) => {}
            _ if first.is_ascii_digit() || (first == '.' && self.digit(1)) => self.number(),
            _ if first.is_alphabetic() => self.word(),
            '½' | '¼' | '¾' => self.vulgar(first),
            _ => self.push(1, Kind::Sign, &canonical(first).to_string()),
        }
    }

    fn push(&mut self, length: usize, kind: Kind, text: &str) {
        let span = [self.at, self.at + length];
        let is_capitalized = self.peek(0).is_some_and(char::is_uppercase);
        let written = self.chars[span[0]..span[1]].iter().collect();
        self.at += length;
        self.tokens.push(Token { kind, text: text.to_owned(), written, span, is_capitalized });
    }

    fn digit(&self, ahead: usize) -> bool {
        self.peek(ahead).is_some_and(|c| c.is_ascii_digit())
    }

    /// A quoted text, if a quotation mark opens here and another one closes it.
    fn quoted(&mut self, first: char) -> bool {
        let Some((_, closing)) = QUOTES.iter().find(|(opening, _)| *opening == first) else {
            return false;
        };
        let single = *closing == '\'' || *closing == '’';
        // An apostrophe inside a word or after a number opens nothing.
        if single && self.at > 0 && self.chars[self.at - 1].is_alphanumeric() {
            return false;
        }
        let closes = |at: &usize| {
            self.chars[*at] == *closing
                && (!single || self.chars.get(at + 1).is_none_or(|next| !next.is_alphanumeric()))
        };
        let Some(end) = (self.at + 1..self.chars.len()).find(closes) else { return false };
        let text: String = self.chars[self.at + 1..end].iter().collect();
        self.push(end + 1 - self.at, Kind::Quoted(text.clone()), &text);
        true
    }

    /// An address of the web, which is a text without quotation marks.
    fn address(&mut self, first: char) -> bool {
        let is_inside = self.at > 0 && self.chars[self.at - 1].is_alphanumeric();
        if is_inside || !matches!(first, 'h' | 'H' | 'w' | 'W') {
            return false;
        }
        let text: String =
            self.chars[self.at..].iter().take_while(|c| !c.is_whitespace()).collect();
        let text = text.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '"', '\'', '”', '’']);
        let lower = text.to_lowercase();
        let begins = ["http://", "https://", "www."].into_iter().find(|it| lower.starts_with(it));
        if begins.is_none_or(|begins| begins.len() == text.len()) {
            return false;
        }
        self.push(text.chars().count(), Kind::Quoted(text.to_owned()), text);
        true
    }

    /// A color such as `#ff8800`.
    fn hex(&mut self, first: char) -> bool {
        if first != '#' {
            return false;
        }
        let digits: String =
            self.chars[self.at + 1..].iter().take_while(|c| c.is_ascii_alphanumeric()).collect();
        let Some(color) = Color::hex(&digits) else { return false };
        self.push(digits.len() + 1, Kind::Hex(color), &format!("#{digits}"));
        true
    }

    fn number(&mut self) {
        let mut length = 0;
        let mut points = 0;
        while self.digit(length) || (self.peek(length) == Some('.') && self.digit(length + 1)) {
            points += usize::from(self.peek(length) == Some('.'));
            if points > 1 {
                break;
            }
            length += 1;
        }
        let text: String = self.chars[self.at..self.at + length].iter().collect();
        let value = text.parse().unwrap_or(f64::NAN);
        self.push(length, Kind::Number(value), &text);
    }

    fn vulgar(&mut self, first: char) {
        let (value, text) = match first {
            '½' => (0.5, "1/2"),
            '¼' => (0.25, "1/4"),
            _ => (0.75, "3/4"),
        };
        self.push(1, Kind::Number(value), text);
    }

    fn word(&mut self) {
        let apostrophe = |c: char| matches!(c, '\'' | '’' | 'ʼ');
        let mut length = 0;
        while let Some(next) = self.peek(length) {
            let inside = apostrophe(next) && self.peek(length + 1).is_some_and(char::is_alphabetic);
            if !next.is_alphabetic() && !inside {
                break;
            }
            length += 1;
        }
        let letters = self.chars[self.at..self.at + length].iter().filter(|c| !apostrophe(**c));
        let text: String = letters.flat_map(|c| c.to_lowercase()).collect();
        self.push(length, Kind::Word, &text);
    }
}

/// One sign for those that mean the same.
const fn canonical(sign: char) -> char {
    match sign {
        '−' | '‐' | '‑' => '-',
        '–' | '—' => '—',
        '×' => 'x',
        '➔' | '⇒' => '→',
        '…' => '.',
        other => other,
    }
}
