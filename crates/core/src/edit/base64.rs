//! Images inside a request, in every common way of writing base64. Decoding allocates memory for
//! the image itself, but no other buffer of its size.

use base64_simd::forgiving_decode_to_vec;
use bytes::Bytes;
use memchr::{memchr, memchr2};

use super::json::Text;
use super::rejected::{Reason, Rejected};

/// How many characters are decoded at a time when the text can't be decoded in place. A multiple
/// of four, because base64 comes in groups of four.
const DECODED_AT_ONCE_CHARS: usize = 64 * 1024;
/// The maximum number of characters before the comma of a `data:` URI.
const HEAD_CHARS_MAX: usize = 1_024;
const DATA_SCHEME: &str = "data:";
const BASE64_MARK: &str = ";base64";

/// Whether `text` is a `data:` URI.
pub(super) fn is_data_uri(text: Text<'_>) -> bool {
    let start: String =
        text.chars().skip_while(|c| c.is_whitespace()).take(DATA_SCHEME.len()).collect();
    start.eq_ignore_ascii_case(DATA_SCHEME)
}

/// The field that is being read, and the size limit of an image in bytes.
#[derive(Clone, Copy)]
pub(super) struct Inline<'a> {
    pub(super) param: &'a str,
    pub(super) bytes_max: usize,
}

impl Inline<'_> {
    /// Reads raw base64: standard or URL-safe, padded or not, with any white space in it.
    pub(super) fn decode(self, text: Text<'_>) -> Result<Bytes, Rejected> {
        match text.plain() {
            Some(plain) => self.decode_plain(plain),
            None => self.decode_bytes(bytes(text.chars()), text.bytes_written()),
        }
    }

    /// Reads a `data:` URI. Its declared type is ignored.
    pub(super) fn decode_data_uri(self, text: Text<'_>) -> Result<Bytes, Rejected> {
        let mut chars = text.chars();
        let mut head = String::new();
        let mut is_whole = false;
        for char in chars.by_ref().take(HEAD_CHARS_MAX) {
            is_whole = char == ',';
            if is_whole {
                break;
            }
            head.push(char.to_ascii_lowercase());
        }
        if !is_whole {
            let message = format!(
                "`{}` is a data: URI without a comma. Write it as data:image/png;base64,DATA.",
                self.param
            );
            return Err(Rejected::field(Reason::InvalidValue, self.param, message));
        }
        let is_base64 = head.trim_end().ends_with(BASE64_MARK);
        let plain = text.plain().and_then(|plain| plain.split_once(',')).map(|(_, data)| data);
        if let Some(data) =
            plain.filter(|data| is_base64 && memchr(b'%', data.as_bytes()).is_none())
        {
            return self.decode_plain(data);
        }
        let unescaped = PercentDecoded(bytes(chars));
        match is_base64 {
            true => self.decode_bytes(unescaped, text.bytes_written()),
            false => {
                let mut raw = Vec::with_capacity(self.expected(text.bytes_written()));
                raw.extend(unescaped.take(self.bytes_max.saturating_add(1)));
                self.checked(raw)
            }
        }
    }

    fn decode_plain(self, text: &str) -> Result<Bytes, Rejected> {
        // This bound counts white space too. Normal line wrapping never doubles the length.
        if text.len() / 8 * 3 > self.bytes_max {
            return Err(self.too_large(text.len() / 4 * 3));
        }
        match forgiving_decode_to_vec(text.as_bytes()) {
            Ok(bytes) => self.checked(bytes),
            Err(_) if memchr2(b'-', b'_', text.as_bytes()).is_some() => {
                self.decode_bytes(text.bytes(), text.len())
            }
            Err(_) => Err(self.not_base64()),
        }
    }

    /// Decodes base64 piece by piece. `written` is its length in bytes.
    fn decode_bytes(
        self,
        base64: impl Iterator<Item = u8>,
        written: usize,
    ) -> Result<Bytes, Rejected> {
        let mut picture = Vec::with_capacity(self.expected(written / 4 * 3 + 3));
        let mut piece = Vec::with_capacity(DECODED_AT_ONCE_CHARS);
        for (read, byte) in base64.enumerate() {
            if read / 8 * 3 > self.bytes_max {
                return Err(self.too_large(written / 4 * 3));
            }
            let standard = match byte {
                b'-' => b'+',
                b'_' => b'/',
                space if space.is_ascii_whitespace() => continue,
                other => other,
            };
            if piece.len() == DECODED_AT_ONCE_CHARS {
                // Padding is only allowed at the end, and more text follows this piece.
                if memchr(b'=', &piece).is_some() {
                    return Err(self.not_base64());
                }
                self.decode_piece(&mut piece, &mut picture)?;
            }
            piece.push(standard);
        }
        self.decode_piece(&mut piece, &mut picture)?;
        self.checked(picture)
    }

    fn decode_piece(self, piece: &mut Vec<u8>, picture: &mut Vec<u8>) -> Result<(), Rejected> {
        let decoded = forgiving_decode_to_vec(piece).map_err(|_| self.not_base64())?;
        if picture.len() + decoded.len() > self.bytes_max {
            return Err(self.too_large(picture.len() + decoded.len()));
        }
        picture.extend_from_slice(&decoded);
        piece.clear();
        Ok(())
    }

    /// The capacity to reserve for `bytes`: at most one byte over the limit, because reading stops
    /// there.
    fn expected(self, bytes: usize) -> usize {
        bytes.min(self.bytes_max.saturating_add(1))
    }

    fn checked(self, bytes: Vec<u8>) -> Result<Bytes, Rejected> {
        if bytes.is_empty() {
            let message = format!("`{}` contains no data. Send an image.", self.param);
            return Err(Rejected::field(Reason::InvalidValue, self.param, message));
        }
        if bytes.len() > self.bytes_max {
            return Err(self.too_large(bytes.len()));
        }
        Ok(bytes.into())
    }

    fn too_large(self, bytes: usize) -> Rejected {
        let (param, most) = (self.param, self.bytes_max);
        let message = format!(
            "The image in `{param}` is too large: about {bytes} bytes; the limit is {most}. \
             Resize it or save it as JPEG."
        );
        Rejected::field(Reason::ImageTooLarge, param, message)
    }

    fn not_base64(self) -> Rejected {
        let message = format!(
            "`{}` is not valid base64. Send the image as base64 or as a data: URI.",
            self.param
        );
        Rejected::field(Reason::InvalidBase64, self.param, message)
    }
}

/// The bytes of `chars` in UTF-8.
fn bytes(chars: impl Iterator<Item = char> + Clone) -> impl Iterator<Item = u8> + Clone {
    chars.flat_map(|char| {
        let (mut utf8, length) = ([0; 4], char.len_utf8());
        char.encode_utf8(&mut utf8);
        utf8.into_iter().take(length)
    })
}

/// Decodes percent-encoded bytes (RFC 3986, section 2.1). A percent sign that two hexadecimal
/// digits don't follow is kept.
#[derive(Clone)]
struct PercentDecoded<I>(I);

impl<I: Iterator<Item = u8> + Clone> Iterator for PercentDecoded<I> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let byte = self.0.next()?;
        if byte != b'%' {
            return Some(byte);
        }
        let mut ahead = self.0.clone();
        let mut digit = || char::from(ahead.next()?).to_digit(16);
        let code = digit().zip(digit()).and_then(|(high, low)| u8::try_from(high << 4 | low).ok());
        if code.is_some() {
            self.0 = ahead;
        }
        code.or(Some(byte))
    }
}
