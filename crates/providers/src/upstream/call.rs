//! A request to a vendor, as data: without its key, so that it can be shown and compared.

use base64_simd::STANDARD;
use bytes::Bytes;
use http::Method;
use serde::{Serialize, Serializer};
use url::Url;

/// One request to a vendor. Its key is added by the client, never here.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The method.
    pub method: Method,
    /// Where it goes.
    pub place: Place,
    /// Headers beside those of the body and of the key.
    pub headers: Vec<(&'static str, String)>,
    /// What is sent.
    pub body: Body,
}

/// Where a call goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Below the base address that the operator configured: a path with a slash in front, and a
    /// query where there is one.
    Path(String),
    /// An address that the vendor named. The key goes with it only where the vendor's own hosts
    /// are meant: see [`Dialect::is_own_host`](super::Dialect::is_own_host).
    Address(Url),
}

/// What a call carries.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// Nothing.
    Empty,
    /// A JSON text.
    Json(Bytes),
    /// Names and values, `application/x-www-form-urlencoded`.
    Fields(String),
    /// A form of parts, `multipart/form-data`, in this order.
    Form(Vec<Part>),
}

/// One part of a form.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The name of the field.
    pub name: String,
    /// What it holds.
    pub content: PartContent,
}

/// What a part of a form holds.
#[derive(Clone, Debug, PartialEq)]
pub enum PartContent {
    /// A text.
    Text(String),
    /// A file.
    File {
        /// Its name.
        file_name: String,
        /// Its media type.
        media_type: &'static str,
        /// Its bytes.
        bytes: Bytes,
    },
}

impl Call {
    /// A `GET` of `path` below the base address.
    pub fn get(path: impl Into<String>) -> Self {
        Self {
            method: Method::GET,
            place: Place::Path(path.into()),
            headers: Vec::new(),
            body: Body::Empty,
        }
    }

    /// A `GET` of an address that the vendor named.
    pub fn get_address(url: Url) -> Self {
        Self { place: Place::Address(url), ..Self::get("") }
    }

    /// A `POST` of `body` to `path` below the base address.
    pub fn post(path: impl Into<String>, body: Body) -> Self {
        Self { method: Method::POST, body, ..Self::get(path) }
    }

    /// A `DELETE` of `path` below the base address.
    pub fn delete(path: impl Into<String>) -> Self {
        Self { method: Method::DELETE, ..Self::get(path) }
    }

    /// The same call with one more header.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

impl Body {
    /// The JSON text of `value`; a value of our own types always has one.
    pub fn json(value: &impl Serialize) -> Self {
        Self::Json(serde_json::to_vec(value).unwrap_or_default().into())
    }
}

impl Part {
    /// A field with a text.
    pub fn text(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), content: PartContent::Text(text.into()) }
    }

    /// A field with a file.
    pub fn file(
        name: impl Into<String>,
        file_name: impl Into<String>,
        (media_type, bytes): (&'static str, Bytes),
    ) -> Self {
        let file_name = file_name.into();
        Self { name: name.into(), content: PartContent::File { file_name, media_type, bytes } }
    }
}

/// Bytes that become base64 while JSON is written, without a copy in between.
#[derive(Clone, Debug)]
pub struct Base64<'a> {
    /// What stands before the base64, such as `data:image/png;base64,`; may be empty.
    pub prefix: &'a str,
    /// The bytes.
    pub bytes: &'a [u8],
}

impl Serialize for Base64<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl std::fmt::Display for Base64<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A multiple of three bytes, so that only the last piece is padded.
        const PIECE_BYTES: usize = 3 * 4096;
        out.write_str(self.prefix)?;
        let mut piece = String::with_capacity(PIECE_BYTES / 3 * 4);
        for bytes in self.bytes.chunks(PIECE_BYTES) {
            piece.clear();
            STANDARD.encode_append(bytes, &mut piece);
            out.write_str(&piece)?;
        }
        Ok(())
    }
}
