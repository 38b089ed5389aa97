//! Cuts an instruction into words, numbers, quoted texts, colors and marks, with positions.

/// One piece of an instruction.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: Kind,
    /// First character, counted in Unicode scalar values.
    pub(crate) start: usize,
    /// One after the last character.
    pub(crate) end: usize,
}

/// What a piece is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// A word in lower case, without apostrophes, in American spelling.
    Word(String),
    /// A number; `signed` when a plus or minus stands before it.
    Number { value: f64, signed: bool },
    /// Text in quotation marks: data, never a command.
    Quoted(String),
    /// The digits of a color after `#`.
    Hex(String),
    /// Any other character.
    Mark(char),
}

impl Token {
    /// The word, or nothing for other kinds.
    pub(crate) fn word(&self) -> &str {
        match &self.kind {
            Kind::Word(word) => word,
            _ => "",
        }
    }

    /// The number without regard to its sign mark.
    pub(crate) fn number(&self) -> Option<f64> {
        match self.kind {
            Kind::Number { value, .. } => Some(value),
            _ => None,
        }
    }
}

/// Cuts the whole text; every character that is not white space ends up in a token.
pub(crate) fn cut(text: &str) -> Vec<Token> {
    let mut cutter = Cutter { chars: text.chars().collect(), at: 0, tokens: Vec::new() };
    while let Some(next) = cutter.peek(0) {
        cutter.step(next);
    }
    cutter.tokens
}

struct Cutter {
    chars: Vec<char>,
    at: usize,
    tokens: Vec<Token>,
}

impl Cutter {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn before(&self) -> Option<char> {
        self.at.checked_sub(1).and_then(|at| self.chars.get(at)).copied()
    }

    fn push(&mut self, kind: Kind, end: usize) {
        self.tokens.push(Token { kind, start: self.at, end });
        self.at = end;
    }

    fn step(&mut self, next: char) {
        if next == '\n' {
            // A new line separates like a comma.
            return self.push(Kind::Mark(','), self.at + 1);
        }
        if next.is_whitespace() {
            self.at += 1;
            return;
        }
        let done = self.quoted(next)
            || self.arrow(next)
            || self.hex(next)
            || self.number(next)
            || self.letters(next);
        if !done {
            self.mark(next);
        }
    }

    /// Takes a text between quotation marks of any common shape.
    fn quoted(&mut self, open: char) -> bool {
        let closers: &[char] = match open {
            '"' | '“' | '”' | '„' => &['"', '”', '“'],
            '«' => &['»'],
            '\'' | '‘' | '’' if !self.before().is_some_and(char::is_alphanumeric) => {
                &['\'', '’']
            }
            _ => return false,
        };
        let single = closers.contains(&'’');
        let end = (self.at + 1..self.chars.len()).find(|at| {
            let follows = self.chars.get(at + 1).is_some_and(|next| next.is_alphanumeric());
            self.chars.get(*at).is_some_and(|mark| closers.contains(mark)) && !(single && follows)
        });
        let Some(end) = end else { return false };
        let text: String = self.chars.get(self.at + 1..end).unwrap_or_default().iter().collect();
        self.push(Kind::Quoted(text), end + 1);
        true
    }

    /// Takes an arrow from one step to the next: "crop it -> sharpen it".
    fn arrow(&mut self, next: char) -> bool {
        let length = match (next, self.peek(1)) {
            ('→' | '⇒', _) => 1,
            ('-' | '=', Some('>')) => 2,
            _ => return false,
        };
        self.push(Kind::Word("then".to_owned()), self.at + length);
        true
    }

    /// Takes `#` and the digits after it.
    fn hex(&mut self, next: char) -> bool {
        let digits = self.run(1, char::is_alphanumeric);
        if next != '#' || crate::Color::hex(&digits).is_none() {
            return false;
        }
        let end = self.at + 1 + digits.chars().count();
        self.push(Kind::Hex(digits.to_lowercase()), end);
        true
    }

    /// Takes a decimal number with an optional sign; a sign must not touch what stands before.
    fn number(&mut self, next: char) -> bool {
        let signed = matches!(next, '+' | '-' | '−') && self.is_sign(next);
        let offset = usize::from(signed);
        let mut digits = self.run(offset, |digit| digit.is_ascii_digit());
        let whole = digits.chars().count();
        let dot = self.peek(offset + whole) == Some('.');
        let fraction = if dot {
            self.run(offset + whole + 1, |digit| digit.is_ascii_digit())
        } else {
            String::new()
        };
        if !fraction.is_empty() {
            digits.push('.');
            digits.push_str(&fraction);
        }
        let Some(value) = digits.parse::<f64>().ok().filter(|value| value.is_finite()) else {
            return false;
        };
        let end = self.at + offset + digits.chars().count();
        let value = if signed && next != '+' { -value } else { value };
        self.push(Kind::Number { value, signed }, end);
        true
    }

    /// Whether a plus or minus is one: a minus that touches a word only joins, and one between
    /// numbers makes a range of them.
    fn is_sign(&self, sign: char) -> bool {
        let before = self.before();
        let bare = before.is_none_or(|before| before.is_whitespace() || before == '(');
        let labeled = matches!(before, Some(':' | '=')) && !self.digit_before(1);
        bare || labeled || (sign == '+' && before.is_some_and(char::is_alphabetic))
    }

    /// Whether a digit stands so many characters before the last one.
    fn digit_before(&self, back: usize) -> bool {
        let at = self.at.checked_sub(back + 1);
        at.and_then(|at| self.chars.get(at)).is_some_and(char::is_ascii_digit)
    }

    /// Whether a line begins here.
    fn starts_line(&self) -> bool {
        let before = self.chars.get(..self.at).unwrap_or_default().iter().rev();
        before
            .copied()
            .find(|before| *before == '\n' || !before.is_whitespace())
            .is_none_or(|last| last == '\n')
    }

    /// Takes a word; an apostrophe inside is dropped ("don't" is "dont").
    fn letters(&mut self, next: char) -> bool {
        if !next.is_alphabetic() {
            return false;
        }
        let mut end = self.at;
        let mut word = String::new();
        while let Some(letter) = self.chars.get(end).copied() {
            let inside = self.chars.get(end + 1).is_some_and(|after| after.is_alphabetic());
            if letter.is_alphabetic() || ('\u{300}'..='\u{36f}').contains(&letter) {
                word.extend(letter.to_lowercase());
            } else if !(matches!(letter, '\'' | '’') && inside) {
                break;
            }
            end += 1;
        }
        self.push(Kind::Word(super::common_words::canonical(&word).to_owned()), end);
        true
    }

    /// Takes one other character, brought to the form that the grammar knows.
    fn mark(&mut self, next: char) {
        let joins = self.before().is_some_and(char::is_alphanumeric)
            && self.peek(1).is_some_and(char::is_alphanumeric);
        let kind = match next {
            // The dots before the lines of a list.
            '*' | '-' | '–' | '•' | '·' if self.starts_line() => Kind::Mark(','),
            '/' if joins && self.is_between_letters() => Kind::Word("/".to_owned()),
            '%' | '°' => Kind::Word(next.to_string()),
            '×' | '*' => Kind::Word("x".to_owned()),
            ':' if joins => Kind::Word(":".to_owned()),
            '&' => Kind::Word("and".to_owned()),
            '+' if self.peek(1) == Some(' ') && self.peek(2).is_some_and(char::is_alphabetic) => {
                Kind::Word("and".to_owned())
            }
            // A hyphen inside a word only joins: "black-and-white".
            '-' | '‐' | '‑' if joins && !self.digit_follows() => {
                self.at += 1;
                return;
            }
            '–' | '—' | '-' if !joins => Kind::Mark(','),
            other => Kind::Mark(other),
        };
        self.push(kind, self.at + 1);
    }

    fn is_between_letters(&self) -> bool {
        let letter = |letter: Option<char>| letter.is_some_and(char::is_alphabetic);
        letter(self.before()) && letter(self.peek(1))
    }

    fn digit_follows(&self) -> bool {
        self.peek(1).is_some_and(|next| next.is_ascii_digit())
    }

    fn run(&self, offset: usize, wanted: impl Fn(char) -> bool) -> String {
        let from = (self.at + offset).min(self.chars.len());
        self.chars
            .get(from..)
            .unwrap_or_default()
            .iter()
            .copied()
            .take_while(|c| wanted(*c))
            .collect()
    }
}
