//! Reads `multipart/form-data` bodies (RFC 7578) that have arrived as a whole. The parts are slices
//! of the body, not copies.

use bytes::Bytes;
use memchr::memmem;
use thiserror::Error;

/// The maximum number of parts that are read. No call has as many fields.
const PARTS_MAX: usize = 128;
/// The maximum size of the headers of a part, in bytes.
const HEAD_BYTES_MAX: usize = 8 * 1024;
/// What separates the headers of a part from its content.
const HEAD_END: &[u8] = b"\r\n\r\n";

/// Whether this is the media type of a form with files.
pub fn is_form(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("multipart/form-data")
}

/// The boundary in a `Content-Type` of `multipart/form-data`; `None` for any other type, or without
/// a boundary.
pub fn boundary(content_type: &str) -> Option<&str> {
    let (_, parameters) = content_type.split_once(';').filter(|_| is_form(content_type))?;
    let named = parameters.split(';').filter_map(|parameter| parameter.trim().split_once('='));
    let (_, value) = named.into_iter().find(|(name, _)| name.eq_ignore_ascii_case("boundary"))?;
    Some(value.trim_matches('"')).filter(|value| !value.is_empty())
}

/// One part of a form.
#[derive(Debug)]
pub struct Part {
    /// The field.
    pub name: String,
    /// Its content, a slice of the body.
    pub content: Bytes,
}

/// Why a body is not a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Malformed {
    /// Its media type names no boundary.
    #[error("its Content-Type names no boundary")]
    NoBoundary,
    /// It ends too early.
    #[error("it ends before the boundary that closes it")]
    Cut,
    /// It has too many parts.
    #[error("it has more than {PARTS_MAX} parts")]
    TooManyParts,
    /// The headers of a part are too long, or do not end.
    #[error("the headers of a part are longer than {HEAD_BYTES_MAX} bytes")]
    LongHead,
    /// The name of a part is missing, or contains control characters.
    #[error("a part has no readable name")]
    NoName,
}

/// The parts of a form, in the order in which they were sent.
///
/// # Errors
/// The first mistake in it.
pub fn parts(body: &Bytes, boundary: &str) -> Result<Vec<Part>, Malformed> {
    let mut found = Vec::new();
    for part in Parts::new(body, boundary) {
        if found.len() == PARTS_MAX {
            return Err(Malformed::TooManyParts);
        }
        let Found { head, content, .. } = part?;
        found.push(Part { name: name_of(&head).ok_or(Malformed::NoName)?, content });
    }
    Ok(found)
}

/// The content of the first part named `name`.
pub fn find_file(body: &Bytes, boundary: &str, name: &str) -> Option<Bytes> {
    let parts = Parts::new(body, boundary).map_while(Result::ok);
    let mut named = parts.filter(|part| name_of(&part.head).is_some_and(|found| found == name));
    named.next().map(|part| part.content)
}

/// A part of a form, and where the next one begins.
struct Found {
    head: Bytes,
    content: Bytes,
    next_at: usize,
}

/// Goes through a form.
struct Parts<'a> {
    body: &'a Bytes,
    delimiter: String,
    /// Where the current delimiter ends; `None` if there is nothing more to read.
    at: Option<usize>,
}

impl<'a> Parts<'a> {
    fn new(body: &'a Bytes, boundary: &str) -> Self {
        let delimiter = format!("\r\n--{boundary}");
        // The first delimiter may be at the very start, without a line break before it.
        let first = delimiter.trim_start();
        let at = match body.starts_with(first.as_bytes()) {
            true => Some(first.len()),
            false => find(body, delimiter.as_bytes()).map(|start| start + delimiter.len()),
        };
        // Without any delimiter, reading begins at the end, where it fails.
        Self { body, delimiter, at: at.or(Some(body.len())) }
    }

    /// The part at `at`, and where the delimiter after it ends. `None` at the end of the form.
    fn read(&self, at: usize) -> Result<Option<Found>, Malformed> {
        let part = self.body.get(at..).ok_or(Malformed::Cut)?;
        if part.starts_with(b"--") {
            return Ok(None);
        }
        let start = part.get(..part.len().min(HEAD_BYTES_MAX)).unwrap_or_default();
        let head_bytes = match find(start, HEAD_END) {
            Some(bytes) => bytes,
            None if part.len() > HEAD_BYTES_MAX => return Err(Malformed::LongHead),
            None => return Err(Malformed::Cut),
        };
        let content_at = at + head_bytes + HEAD_END.len();
        let rest = self.body.get(content_at..).ok_or(Malformed::Cut)?;
        let content_bytes = find(rest, self.delimiter.as_bytes()).ok_or(Malformed::Cut)?;
        let content_end = content_at + content_bytes;
        Ok(Some(Found {
            head: self.body.slice(at..at + head_bytes),
            content: self.body.slice(content_at..content_end),
            next_at: content_end + self.delimiter.len(),
        }))
    }
}

impl Iterator for Parts<'_> {
    type Item = Result<Found, Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at.take()?;
        match self.read(at) {
            Ok(None) => None,
            Ok(Some(found)) => {
                self.at = Some(found.next_at);
                Some(Ok(found))
            }
            Err(malformed) => Some(Err(malformed)),
        }
    }
}

/// The name that the headers of a part give it.
fn name_of(head: &[u8]) -> Option<String> {
    let head = std::str::from_utf8(head).ok()?;
    let lines = head.lines().filter_map(|line| line.split_once(':'));
    let mut values = lines
        .filter(|(header, _)| header.trim().eq_ignore_ascii_case("content-disposition"))
        .flat_map(|(_, value)| value.split(';'))
        .filter_map(|field| field.trim().split_once('='));
    let (_, name) = values.find(|(field, _)| field.eq_ignore_ascii_case("name"))?;
    let name = name.trim_matches('"');
    (!name.is_empty() && !name.contains(char::is_control)).then(|| name.to_owned())
}

/// Where `needle` first begins in `bytes`.
fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    memmem::find(bytes, needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> Bytes {
        Bytes::copy_from_slice(text.as_bytes())
    }

    #[test]
    fn the_named_part_is_found_whatever_is_around_it() {
        let form = body(
            "preamble\r\n--X\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhi\r\n--X\r\n\
             content-disposition: form-data; name=\"file\"; filename=\"a;b.png\"\r\n\
             Content-Type: image/png\r\n\r\n\r\n-\r\n--Y\r\n\r\n--X--\r\n",
        );
        assert_eq!(find_file(&form, "X", "file").unwrap(), "\r\n-\r\n--Y\r\n");
        assert_eq!(find_file(&form, "X", "note").unwrap(), "hi");
        assert_eq!(find_file(&form, "X", "other"), None);
        assert_eq!(find_file(&form, "Z", "file"), None);
        let form = body(
            "------x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nno\r\n------x\r\n\
             Content-Disposition: form-data; name=\"logo\"; filename=\"l.png\"\r\n\
             Content-Type: image/png\r\n\r\n\x01\r\n--\x02\r\n------x--\r\n",
        );
        assert_eq!(find_file(&form, "----x", "logo").unwrap(), "\x01\r\n--\x02");
        let first = body("--X\r\nContent-Disposition: form-data; name=file\r\n\r\nA\r\n--X--");
        assert_eq!(find_file(&first, "X", "file").unwrap(), "A");
    }

    #[test]
    fn what_is_cut_off_is_not_found() {
        let form = "--X\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nabc\r\n--X--";
        for end in 0..form.len() - 2 {
            assert_eq!(find_file(&body(&form[..end]), "X", "file"), None, "{end}");
        }
    }

    #[test]
    fn hostile_forms_are_refused() {
        let field = "\r\n--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1";
        let many = |count: usize| body(&format!("{}\r\n--X--", field.repeat(count)));
        assert_eq!(parts(&many(PARTS_MAX), "X").unwrap().len(), PARTS_MAX);
        assert_eq!(parts(&many(PARTS_MAX + 1), "X").unwrap_err(), Malformed::TooManyParts);
        let long = format!("--X\r\nA: {}\r\n\r\n1\r\n--X--", "a".repeat(HEAD_BYTES_MAX));
        assert_eq!(parts(&body(&long), "X").unwrap_err(), Malformed::LongHead);
        for name in ["", "; name=\"\"", "; name=\"a\0b\"", "; filename=a"] {
            let form = format!("--X\r\nContent-Disposition: form-data{name}\r\n\r\n1\r\n--X--");
            assert_eq!(parts(&body(&form), "X").unwrap_err(), Malformed::NoName, "{name:?}");
        }
        for cut in ["", "--Y\r\n\r\n\r\n--Y--", "--X", "--X\r\nA: b\r\n\r\n1"] {
            assert_eq!(parts(&body(cut), "X").unwrap_err(), Malformed::Cut, "{cut:?}");
        }
        assert_eq!(parts(&body("--X--"), "X").unwrap().len(), 0, "a form without fields");
    }

    #[test]
    fn the_boundary_is_read_from_the_content_type() {
        let read = |text| boundary(text).unwrap_or_default();
        assert_eq!(read("multipart/form-data; boundary=abc"), "abc");
        assert_eq!(read("Multipart/Form-Data;charset=utf-8; Boundary=\"a b\""), "a b");
        assert_eq!(read("multipart/form-data"), "");
        assert_eq!(read("multipart/form-data; boundary="), "");
        assert_eq!(read("image/png; boundary=abc"), "");
    }
}
