//! A JSON string, as it is written between its quotation marks.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::NAME_CHARS_SHOWN;

/// A string that may contain escapes. Comparisons use its meaning, not how it is written.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::edit) struct Text<'a> {
    written: &'a str,
    is_plain: bool,
}

impl<'a> Text<'a> {
    /// The string that begins `written` and ends before its quotation mark. `None` if there is no
    /// such mark, or a control character before it. Escapes are not checked yet.
    pub(super) fn until_quote(written: &'a str) -> Option<Self> {
        let bytes = written.as_bytes();
        let (mut end, mut is_plain) = (0, true);
        loop {
            end += plain_bytes(bytes.get(end..)?);
            match bytes.get(end)? {
                b'"' => return Some(Self { written: written.get(..end)?, is_plain }),
                // The next character belongs to the escape, even if it is a quotation mark.
                b'\\' => (end, is_plain) = (end + 2, false),
                _ => return None,
            }
        }
    }

    /// The text itself, if it contains no escape.
    pub(in crate::edit) fn plain(self) -> Option<&'a str> {
        self.is_plain.then_some(self.written)
    }

    /// The length of the string in the body, in bytes. The text itself is never longer.
    pub(in crate::edit) fn bytes_written(self) -> usize {
        self.written.len()
    }

    /// The length of the text in UTF-8, in bytes.
    pub(in crate::edit) fn bytes(self) -> usize {
        match self.plain() {
            Some(plain) => plain.len(),
            None => self.chars().map(char::len_utf8).sum(),
        }
    }

    /// The characters of the text, up to the first invalid escape.
    pub(in crate::edit) fn chars(self) -> Chars<'a> {
        Chars { written: self.written.chars(), is_broken: false }
    }

    /// The text. It is copied if it contains escapes, so use this only for texts that are known to
    /// be short.
    pub(in crate::edit) fn read(self) -> Cow<'a, str> {
        match self.plain() {
            Some(plain) => Cow::Borrowed(plain),
            None => Cow::Owned(self.chars().collect()),
        }
    }

    /// As much of it as a response may quote.
    pub(in crate::edit) fn shown(self) -> Cow<'a, str> {
        self.start(NAME_CHARS_SHOWN)
    }

    /// At most the first `chars_max` characters.
    pub(in crate::edit) fn start(self, chars_max: usize) -> Cow<'a, str> {
        match self.plain() {
            Some(plain) => {
                let end = plain.char_indices().nth(chars_max);
                Cow::Borrowed(end.map_or(plain, |(end, _)| &plain[..end]))
            }
            None => Cow::Owned(self.chars().take(chars_max).collect()),
        }
    }

    /// Whether every escape encodes a valid character.
    pub(super) fn is_sound(self) -> bool {
        if self.is_plain {
            return true;
        }
        let mut chars = self.chars();
        chars.by_ref().for_each(drop);
        !chars.is_broken
    }

    /// The order of the texts by their bytes.
    pub(in crate::edit) fn order(self, other: Self) -> Ordering {
        match (self.plain(), other.plain()) {
            (Some(one), Some(other)) => one.cmp(other),
            // Characters compare in the same order as their UTF-8 bytes.
            _ => self.chars().cmp(other.chars()),
        }
    }

    /// Whether it means `text`.
    pub(in crate::edit) fn is(self, text: &str) -> bool {
        match self.plain() {
            Some(plain) => plain == text,
            None => self.chars().eq(text.chars()),
        }
    }
}

/// How many bytes come before the first that ends a string, begins an escape or may not be in one
/// (RFC 8259, section 7). The compiler vectorizes the loop over a block.
fn plain_bytes(bytes: &[u8]) -> usize {
    let is_special = |byte: &u8| *byte == b'"' || *byte == b'\\' || *byte < b' ';
    let is_plain = |block: &&[u8; BLOCK_BYTES]| {
        !block.iter().fold(false, |found, byte| found | is_special(byte))
    };
    let plain = bytes.as_chunks().0.iter().take_while(is_plain).count() * BLOCK_BYTES;
    let rest = bytes.get(plain..).unwrap_or_default();
    plain + rest.iter().position(is_special).unwrap_or(rest.len())
}

const BLOCK_BYTES: usize = 64;

/// The characters of a string.
#[derive(Clone, Debug)]
pub(in crate::edit) struct Chars<'a> {
    written: std::str::Chars<'a>,
    is_broken: bool,
}

impl Iterator for Chars<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        match self.written.next()? {
            '\\' => {
                let meant = self.escape();
                if meant.is_none() {
                    self.is_broken = true;
                    self.written = "".chars();
                }
                meant
            }
            plain => Some(plain),
        }
    }
}

impl Chars<'_> {
    /// Decodes the escape whose backslash has been read (RFC 8259, section 7).
    fn escape(&mut self) -> Option<char> {
        Some(match self.written.next()? {
            same @ ('"' | '\\' | '/') => same,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.code(),
            _ => return None,
        })
    }

    fn code(&mut self) -> Option<char> {
        let first = self.unit()?;
        let second = match first {
            0xD800..0xDC00 => {
                let is_pair = self.written.next() == Some('\\') && self.written.next() == Some('u');
                Some(if is_pair { self.unit()? } else { return None })
            }
            _ => None,
        };
        let mut units = std::char::decode_utf16(std::iter::once(first).chain(second));
        units.next()?.ok()
    }

    fn unit(&mut self) -> Option<u16> {
        (0..4).try_fold(0, |unit, _| {
            let digit = self.written.next()?.to_digit(16)?;
            Some(unit << 4 | u16::try_from(digit).ok()?)
        })
    }
}
