//! Requests, as data. They do not contain the key, so they can be logged and compared.

use bytes::Bytes;
use http::Method;
use serde::Serialize;
use url::Url;

/// A request. The client adds the key when it sends the request.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The HTTP method.
    pub method: Method,
    /// The URL.
    pub url: CallUrl,
    /// Headers other than those for the body and the key.
    pub headers: Vec<(&'static str, String)>,
    /// The request body.
    pub body: Body,
}

/// The URL of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallUrl {
    /// A path below the configured base URL, with a leading slash and an optional query.
    Path(String),
    /// A URL from a response of the service. Send the key along only if the URL belongs to the
    /// service.
    Absolute(Url),
}

/// The body of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// No body.
    Empty,
    /// JSON.
    Json(Bytes),
    /// A URL-encoded form, `application/x-www-form-urlencoded`.
    Fields(String),
    /// A multipart form, `multipart/form-data`, with its parts in this order.
    Form(Vec<Part>),
}

/// One part of a multipart form.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The name of the field.
    pub name: String,
    /// The content.
    pub content: PartContent,
}

/// The content of a part.
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
    /// A `GET` request to `path` below the base URL.
    pub fn get(path: impl Into<String>) -> Self {
        Self {
            method: Method::GET,
            url: CallUrl::Path(path.into()),
            headers: Vec::new(),
            body: Body::Empty,
        }
    }

    /// A `GET` request to a URL from a response of the service.
    pub fn get_url(url: Url) -> Self {
        Self { url: CallUrl::Absolute(url), ..Self::get("") }
    }

    /// A `POST` request with `body` to `path` below the base URL.
    pub fn post(path: impl Into<String>, body: Body) -> Self {
        Self { method: Method::POST, body, ..Self::get(path) }
    }

    /// A `DELETE` request to `path` below the base URL.
    pub fn delete(path: impl Into<String>) -> Self {
        Self { method: Method::DELETE, ..Self::get(path) }
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

impl Body {
    /// `value` as JSON. This cannot fail for our own types.
    pub fn json(value: &impl Serialize) -> Self {
        Self::Json(serde_json::to_vec(value).unwrap_or_default().into())
    }
}

impl Part {
    /// A text field.
    pub fn text(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), content: PartContent::Text(text.into()) }
    }

    /// A file field.
    pub fn file(
        name: impl Into<String>,
        file_name: impl Into<String>,
        media_type: &'static str,
        bytes: Bytes,
    ) -> Self {
        let file_name = file_name.into();
        Self { name: name.into(), content: PartContent::File { file_name, media_type, bytes } }
    }
}
