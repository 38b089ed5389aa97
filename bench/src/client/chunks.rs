//! A body that arrives in chunks (RFC 9112, section 7.1), whose length no head gives.

use crate::Fallible;

/// The most bytes of a line between chunks.
const LINE_BYTES_MAX: usize = 1024;

/// How far such a body has been read.
#[derive(Default)]
pub(super) struct Chunks {
    expected: Expected,
    /// The begun line, if one is expected.
    line: Vec<u8>,
}

/// What comes next.
#[derive(Clone, Copy, Default)]
enum Expected {
    /// The line with the length of a chunk.
    #[default]
    Length,
    /// So many more bytes of a chunk.
    Data(usize),
    /// The end of the line after a chunk.
    DataEnd,
    /// A field after the last chunk, or the empty line that ends the body.
    Field,
}

impl Chunks {
    /// Passes the data in `part` to `body`. Returns whether the body is complete.
    ///
    /// # Errors
    /// If it is not such a body, or continues after its end.
    pub(super) fn take(&mut self, mut part: &[u8], body: &mut impl FnMut(&[u8])) -> Fallible<bool> {
        while let Some((&first, after)) = part.split_first() {
            if let Expected::Data(missing) = self.expected {
                let (data, rest) = part.split_at(missing.min(part.len()));
                body(data);
                part = rest;
                self.expected = match missing - data.len() {
                    0 => Expected::DataEnd,
                    missing => Expected::Data(missing),
                };
                continue;
            }
            part = after;
            if first != b'\n' {
                self.line.push(first);
                if self.line.len() > LINE_BYTES_MAX {
                    return Err("a line between chunks is too long".into());
                }
            } else if self.is_last_line()? {
                return if part.is_empty() { Ok(true) } else { Err("an answer too long".into()) };
            }
        }
        Ok(false)
    }

    /// Decides by the complete line what comes next. Returns whether nothing does.
    fn is_last_line(&mut self) -> Fallible<bool> {
        let line = std::mem::take(&mut self.line);
        let line = std::str::from_utf8(&line)?.trim_end();
        self.expected = match self.expected {
            Expected::Field if line.is_empty() => return Ok(true),
            Expected::Field => Expected::Field,
            Expected::Length => {
                let length = line.split(';').next().unwrap_or_default().trim_end();
                match usize::from_str_radix(length, 16)? {
                    0 => Expected::Field,
                    bytes => Expected::Data(bytes),
                }
            }
            _ if line.is_empty() => Expected::Length,
            _ => return Err("a chunk is longer than its length".into()),
        };
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::Chunks;

    const BODY: &[u8] = b"4\r\nWiki\r\n6;x=1\r\npedia \r\nA\r\nin chunks.\r\n0\r\nfield: 1\r\n\r\n";

    #[test]
    fn a_body_in_chunks_is_read_however_it_arrives() {
        for bytes in 1..=BODY.len() {
            let (mut chunks, mut read, mut is_complete) = (Chunks::default(), Vec::new(), false);
            for part in BODY.chunks(bytes) {
                assert!(!is_complete);
                is_complete = chunks.take(part, &mut |data| read.extend_from_slice(data)).unwrap();
            }
            assert!(is_complete);
            assert_eq!(read, b"Wikipedia in chunks.");
        }
    }

    #[test]
    fn a_wrong_body_in_chunks_is_an_error() {
        for body in ["z\r\n", "1\r\nab\r\n", "0\r\n\r\nmore"] {
            assert!(Chunks::default().take(body.as_bytes(), &mut |_| {}).is_err(), "{body}");
        }
    }
}
