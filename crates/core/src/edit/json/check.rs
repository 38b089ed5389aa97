//! What a body may hold at most, before anything is made of it.

use super::cursor::Cursor;
use super::text::Text;
use crate::edit::rejected::{Reason, Rejected};

/// How deep arrays and objects may lie in one another.
const DEPTH_MAX: usize = 32;
/// Most members of all the objects of a body: their names are looked at together, to find twins.
const MEMBERS_MAX: usize = 4_096;
/// Most bytes of a number: no field is told anything by more digits.
const NUMBER_BYTES_MAX: usize = 1_024;

/// Refuses what lies deeper than may be, also in text that is no JSON.
pub(super) fn depth(text: &str) -> Result<(), Rejected> {
    let mut cursor = Cursor::new(text);
    let mut depth = 0_usize;
    while let Some(bracket) = cursor.next_bracket() {
        match bracket {
            b'[' | b'{' => depth += 1,
            _ => depth = depth.saturating_sub(1),
        }
        if depth > DEPTH_MAX {
            let message = format!("The body nests arrays and objects more than {DEPTH_MAX} deep.");
            return Err(Rejected::body(Reason::InvalidJson, message));
        }
    }
    Ok(())
}

/// Refuses doubled keys, escapes that mean no character, and more members or digits than may be,
/// in JSON that is well-formed and not too deep.
pub(super) fn contents(text: &str) -> Result<(), Rejected> {
    Checker { cursor: Cursor::new(text), members: 0 }.value()
}

struct Checker<'a> {
    cursor: Cursor<'a>,
    /// Members that have been met.
    members: usize,
}

impl<'a> Checker<'a> {
    fn value(&mut self) -> Result<(), Rejected> {
        match self.cursor.peek() {
            Some(b'"') => self.text().map(drop),
            Some(b'[') => self.list(),
            Some(b'{') => self.object(),
            _ if self.cursor.scalar().len() > NUMBER_BYTES_MAX => {
                let message = format!(
                    "A number in the body has more than {NUMBER_BYTES_MAX} characters; shorten it."
                );
                Err(Rejected::body(Reason::InvalidJson, message))
            }
            _ => Ok(()),
        }
    }

    fn list(&mut self) -> Result<(), Rejected> {
        self.cursor.take();
        while self.cursor.has_more() {
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
            self.members += 1;
            if self.members > MEMBERS_MAX {
                let message = format!(
                    "The body has more than {MEMBERS_MAX} fields; remove those that the call does \
                     not have."
                );
                return Err(Rejected::body(Reason::InvalidJson, message));
            }
            keys.push(self.text()?);
            self.cursor.pass(b':');
            self.value()?;
            self.cursor.pass(b',');
        }
        self.cursor.take();
        unique(keys)
    }

    fn text(&mut self) -> Result<Text<'a>, Rejected> {
        let text = self.cursor.text();
        if text.is_sound() {
            return Ok(text);
        }
        let message = "The body is not JSON: an escape in a string stands for no character.";
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
    let message = format!("The key {key:?} appears more than once in the body; send it once.");
    Err(Rejected::field(Reason::DuplicateField, &key, message))
}
