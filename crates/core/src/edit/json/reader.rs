//! Reads a body once: checks that it is JSON within the limits, and finds its fields. A body with an
//! image is megabytes long, and every further pass over it would take as long again.

use serde::de::IgnoredAny;

use super::cursor::Cursor;
use super::text::Text;
use super::{Json, List, Object};
use crate::edit::rejected::{Reason, Rejected};

/// How deeply arrays and objects may be nested.
const DEPTH_MAX: usize = 32;
/// The maximum number of members and elements in all objects and arrays of a body together. Finding
/// duplicate names keeps the names of an object in memory, and reading many values takes time.
const VALUES_MAX: usize = 4_096;
/// The maximum length of a number, in bytes. No field needs more digits.
const NUMBER_BYTES_MAX: usize = 1_024;

/// The members of an object, in the order they were sent.
pub(in crate::edit) type Members<'a> = Vec<(Text<'a>, Json<'a>)>;

/// Reads the object that `text` is.
///
/// # Errors
/// When it is not an object in well-formed JSON (RFC 8259), or has duplicate keys, escapes that
/// encode no valid character, or too many levels, values or digits.
pub(in crate::edit) fn read(text: &str) -> Result<Members<'_>, Rejected> {
    let mut reader = Reader { text, cursor: Cursor::new(text), depth: 0, values: 0 };
    let read = match reader.cursor.peek() {
        Some(b'{') => Ok(reader.members()?),
        _ => Err(reader.value()?),
    };
    if reader.cursor.peek().is_some() {
        return Err(reader.malformed());
    }
    read.map_err(|other| {
        let message = format!("The body is {}. Send a JSON object.", other.type_name());
        invalid(message)
    })
}

struct Reader<'a> {
    text: &'a str,
    cursor: Cursor<'a>,
    /// How many arrays and objects are open.
    depth: usize,
    /// How many members and elements have been read so far.
    values: usize,
}

impl<'a> Reader<'a> {
    fn value(&mut self) -> Result<Json<'a>, Rejected> {
        let next = self.cursor.peek();
        let start = self.cursor;
        Ok(match next {
            Some(b'"') => Json::Text(self.string()?),
            Some(b'[') => {
                self.nested(b']', |reader| reader.value().map(drop))?;
                Json::List(List(start.until(self.cursor)))
            }
            Some(b'{') => {
                self.members()?;
                Json::Object(Object(start.until(self.cursor)))
            }
            _ => self.scalar()?,
        })
    }

    /// A number or a literal, such as `true`.
    fn scalar(&mut self) -> Result<Json<'a>, Rejected> {
        let start = self.cursor;
        let value = self.cursor.value();
        let written = start.until(self.cursor);
        if serde_json::from_str::<IgnoredAny>(written).is_err() {
            return Err(self.malformed());
        }
        if written.len() > NUMBER_BYTES_MAX {
            return Err(invalid(format!(
                "A number in the body has more than {NUMBER_BYTES_MAX} characters. Shorten it."
            )));
        }
        Ok(value)
    }

    fn members(&mut self) -> Result<Members<'a>, Rejected> {
        let mut members = Vec::new();
        self.nested(b'}', |reader| {
            let key = reader.string()?;
            if !reader.cursor.pass(b':') {
                return Err(reader.malformed());
            }
            members.push((key, reader.value()?));
            Ok(())
        })?;
        unique(&members)?;
        Ok(members)
    }

    /// Reads an array or object, from its bracket to the one that ends it.
    fn nested(
        &mut self,
        end: u8,
        mut read: impl FnMut(&mut Self) -> Result<(), Rejected>,
    ) -> Result<(), Rejected> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(invalid(format!(
                "The body nests arrays and objects too deeply: the limit is {DEPTH_MAX} levels."
            )));
        }
        self.cursor.take();
        let mut has_more = !self.cursor.pass(end);
        while has_more {
            self.count()?;
            read(self)?;
            has_more = self.cursor.pass(b',');
            if !has_more && !self.cursor.pass(end) {
                return Err(self.malformed());
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Counts one more member or element.
    fn count(&mut self) -> Result<(), Rejected> {
        self.values += 1;
        if self.values <= VALUES_MAX {
            return Ok(());
        }
        Err(invalid(format!(
            "The body has more than {VALUES_MAX} fields and array elements. Remove those that this \
             call doesn't use."
        )))
    }

    fn string(&mut self) -> Result<Text<'a>, Rejected> {
        let text = self.cursor.string().ok_or_else(|| self.malformed())?;
        if text.is_sound() {
            return Ok(text);
        }
        // serde_json overlooks half a surrogate pair, and only misses the rest of the text.
        let read = Cursor::new(self.text).until(self.cursor);
        let error = serde_json::from_str::<IgnoredAny>(read).err().filter(|error| !error.is_eof());
        let error = error.map_or("a string contains an invalid escape".into(), |it| it.to_string());
        Err(not_json(&error))
    }

    /// What is wrong with the text, and where. `serde_json`, which keeps a byte for each open bracket,
    /// gets no further than this reader, which has few of them open.
    fn malformed(&self) -> Rejected {
        let error = serde_json::from_str::<IgnoredAny>(self.text).err();
        not_json(&error.map(|error| error.to_string()).unwrap_or_default())
    }
}

fn not_json(error: &str) -> Rejected {
    invalid(format!("The body is not valid JSON: {error}."))
}

fn invalid(message: impl Into<String>) -> Rejected {
    Rejected::body(Reason::InvalidJson, message)
}

fn unique(members: &[(Text<'_>, Json<'_>)]) -> Result<(), Rejected> {
    let mut keys: Vec<_> = members.iter().map(|(key, _)| *key).collect();
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
