//! Pictures inside a request: base64 in any of the ways in which people write it.

use base64_simd::forgiving_decode_to_vec;
use bytes::Bytes;
use memchr::{memchr, memchr2};

use super::rejected::{Reason, Rejected};

/// Bytes of the largest picture, and the field that is being read.
#[derive(Clone, Copy)]
pub(super) struct Inline<'a> {
    pub(super) param: &'a str,
    pub(super) bytes_max: usize,
}

impl Inline<'_> {
    /// Reads raw base64: standard or URL-safe, padded or not, with any white space inside.
    pub(super) fn decode(self, text: &str) -> Result<Bytes, Rejected> {
        // White space counts towards this bound too; no honest wrapping doubles a text.
        if text.len() / 8 * 3 > self.bytes_max {
            return Err(self.too_large(text.len() / 4 * 3));
        }
        let decoded = if memchr2(b'-', b'_', text.as_bytes()).is_some() {
            forgiving_decode_to_vec(text.replace('-', "+").replace('_', "/").as_bytes())
        } else {
            forgiving_decode_to_vec(text.as_bytes())
        };
        let bytes = decoded.map_err(|_| self.not_base64())?;
        self.checked(bytes)
    }

    /// Reads a `data:` URI; its declared type decides nothing.
    pub(super) fn decode_data_uri(self, text: &str) -> Result<Bytes, Rejected> {
        let Some((head, data)) = text.split_once(',') else {
            let message = format!(
                "`{}` is a data: URI without a comma; write data:image/png;base64,DATA.",
                self.param
            );
            return Err(Rejected::field(Reason::InvalidValue, self.param, message));
        };
        let is_base64 = head.trim_end().to_ascii_lowercase().ends_with(";base64");
        if is_base64 && memchr(b'%', data.as_bytes()).is_none() {
            return self.decode(data);
        }
        let raw: Vec<u8> = percent_encoding::percent_decode_str(data).collect();
        if !is_base64 {
            return self.checked(raw);
        }
        let text = String::from_utf8(raw).map_err(|_| self.not_base64())?;
        self.decode(&text)
    }

    fn checked(self, bytes: Vec<u8>) -> Result<Bytes, Rejected> {
        if bytes.is_empty() {
            let message = format!("`{}` holds no bytes; send a picture.", self.param);
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
            "The picture in `{param}` has about {bytes} bytes; at most {most} are accepted. \
             Make it smaller or compress it more."
        );
        Rejected::field(Reason::ImageTooLarge, param, message)
    }

    fn not_base64(self) -> Rejected {
        let message = format!(
            "`{}` is not base64. Send the picture's bytes in base64, or as a data: URI.",
            self.param
        );
        Rejected::field(Reason::InvalidBase64, self.param, message)
    }
}
