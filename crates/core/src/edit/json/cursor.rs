//! A position in JSON. Text that is not well-formed doesn't cause a panic, but only
//! [`Cursor::string`] and [`Cursor::pass`] find out: what else is read from it is meaningless.

use super::text::Text;
use super::{Json, List, Object};

/// A position in a text, from which reading continues.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// The beginning of `text`.
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The next byte that isn't white space, without moving past it.
    pub(super) fn peek(&mut self) -> Option<u8> {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        self.byte()
    }

    /// The next byte that isn't white space, moving past it.
    pub(super) fn take(&mut self) -> Option<u8> {
        let byte = self.peek();
        self.at += usize::from(byte.is_some());
        byte
    }

    /// Moves past `byte` if it is next. Returns whether it was.
    pub(super) fn pass(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// The text from here to `end`.
    pub(super) fn until(self, end: Self) -> &'a str {
        self.text.get(self.at..end.at).unwrap_or_default()
    }

    /// Whether the enclosing array or object has another element here.
    pub(super) fn has_more(&mut self) -> bool {
        !matches!(self.peek(), None | Some(b']' | b'}'))
    }

    /// The next string, if one is next and it ends.
    pub(super) fn string(&mut self) -> Option<Text<'a>> {
        if !self.pass(b'"') {
            return None;
        }
        let text = Text::until_quote(self.text.get(self.at..)?);
        self.at = text.map_or(self.text.len(), |text| self.at + text.bytes_written() + 1);
        text
    }

    /// The next string.
    pub(super) fn text(&mut self) -> Text<'a> {
        self.string().unwrap_or_default()
    }

    /// The whole next value.
    pub(super) fn value(&mut self) -> Json<'a> {
        let next = self.peek();
        let start = *self;
        match next {
            Some(b'"') => return Json::Text(self.text()),
            Some(b'[' | b'{') => self.skip_nested(),
            _ => self.skip_scalar(),
        }
        let written = start.until(*self);
        match next {
            Some(b'[') => Json::List(List(written)),
            Some(b'{') => Json::Object(Object(written)),
            Some(b't') => Json::Bool(true),
            Some(b'f') => Json::Bool(false),
            Some(b'-' | b'0'..=b'9') => Json::Number(written),
            _ => Json::Null,
        }
    }

    /// The next bracket or brace outside strings.
    fn next_bracket(&mut self) -> Option<u8> {
        loop {
            match self.byte()? {
                b'"' => drop(self.string()),
                bracket @ (b'[' | b'{' | b']' | b'}') => {
                    self.at += 1;
                    return Some(bracket);
                }
                _ => self.at += 1,
            }
        }
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_scalar(&mut self) {
        let start = self.at;
        while matches!(self.byte(), Some(b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E')) {
            self.at += 1;
        }
        // Always advance, so that no text can cause an endless loop.
        self.at = self.at.max(start + 1).min(self.text.len());
    }

    fn skip_nested(&mut self) {
        let mut depth = 0_usize;
        while let Some(bracket) = self.next_bracket() {
            match bracket {
                b'[' | b'{' => depth += 1,
                _ => depth = depth.saturating_sub(1),
            }
            if depth == 0 {
                return;
            }
        }
    }
}
