//! Limits on what a body may contain. They are checked before anything is built from it.

use super::cursor::Cursor;
use super::text::Text;
use crate::edit::rejected::{Reason, Rejected};

/// How deeply arrays and objects may be nested.
const DEPTH_MAX: usize = 32;
/// The maximum number of members and elements in all objects and arrays of a body together. Finding
/// duplicate names keeps the names of an object in memory, and reading many values takes time.
const VALUES_MAX: usize = 4_096;
/// The maximum length of a number, in bytes. No field needs more digits.
const NUMBER_BYTES_MAX: usize = 1_024;

/// Refuses text that is nested too deeply, even if it isn't JSON.
pub(super) fn depth(text: &str) -> Result<(), Rejected> {
    let mut cursor = Cursor::new(text);
    let mut depth = 0_usize;
    while let Some(bracket) = cursor.next_bracket() {
        match bracket {
            b'[' | b'{' => depth += 1,
            _ => depth = depth.saturating_sub(1),
        }
        if depth > DEPTH_MAX {
            let message = format!(
                "The body nests arrays and objects too deeply: the limit is {DEPTH_MAX} levels."
            );
            return Err(Rejected::body(Reason::InvalidJson, message));
        }
    }
    Ok(())
}

/// Refuses duplicate keys, escapes that encode no valid character, and too many values or digits.
/// The text must be well-formed JSON that is not nested too deeply.
pub(super) fn contents(text: &str) -> Result<(), Rejected> {
    Checker { cursor: Cursor::new(text), values: 0 }.value()
}

struct Checker<'a> {
    cursor: Cursor<'a>,
    /// How many members and elements have been read so far.
    values: usize,
}

impl<'a> Checker<'a> {
    fn value(&mut self) -> Result<(), Rejected> {
        match self.cursor.peek() {
            Some(b'"') => self.text().map(drop),
            Some(b'[') => self.list(),
            Some(b'{') => self.object(),
            _ if self.cursor.scalar().len() > NUMBER_BYTES_MAX => {
                let message = format!(
                    "A number in the body has more than {NUMBER_BYTES_MAX} characters. Shorten it."
                );
                Err(Rejected::body(Reason::InvalidJson, message))
            }
            _ => Ok(()),
        }
    }

    fn list(&mut self) -> Result<(), Rejected> {
        self.cursor.take();
        while self.cursor.has_more() {
            self.count()?;
            self.value()?;
            self.cursor.pass(b',');
        }
        self.cursor.take();
        Ok(())
    }

    fn object(&mut self) -> Result<(), Rejected> {
        let mut keys = Vec::new();
        self.cursor.take();
        while self.cursor.has_more() {
            self.count()?;
            keys.push(self.text()?);
            self.cursor.pass(b':');
            self.value()?;
            self.cursor.pass(b',');
        }
        self.cursor.take();
        unique(keys)
    }

    /// Counts one more member or element.
    fn count(&mut self) -> Result<(), Rejected> {
        self.values += 1;
        if self.values <= VALUES_MAX {
            return Ok(());
        }
        let message = format!(
            "The body has more than {VALUES_MAX} fields and array elements. Remove those that this \
             call doesn't use."
        );
        Err(Rejected::body(Reason::InvalidJson, message))
    }

    fn text(&mut self) -> Result<Text<'a>, Rejected> {
        let text = self.cursor.text();
        if text.is_sound() {
            return Ok(text);
        }
        let message = "The body is not valid JSON: a string contains an invalid escape.";
        Err(Rejected::body(Reason::InvalidJson, message))
    }
}

fn unique(mut keys: Vec<Text<'_>>) -> Result<(), Rejected> {
    keys.sort_by(|one, other| one.order(*other));
    let twins = keys.windows(2).find_map(|pair| match pair {
        [one, other] if one.order(*other).is_eq() => Some(*one),
        _ => None,
    });
    let Some(key) = twins else { return Ok(()) };
    let key = key.shown();
    let message = format!("The key {key:?} appears more than once. Send it once.");
    Err(Rejected::field(Reason::DuplicateField, &key, message))
}
