//! A complete request, which records, checks and handlers share.

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Multipart, Request};
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, Method, StatusCode, header};
use serde_json::Value;

/// Largest request body, in bytes. It exceeds the limits of all providers.
const BODY_BYTES_MAX: usize = 512 << 20;

/// A complete request.
#[derive(Clone, Debug)]
pub(crate) struct Arrived {
    /// The method.
    pub(crate) method: Method,
    /// The path, without the protocol's prefix.
    pub(crate) path: String,
    /// The decoded query.
    pub(crate) query: Vec<(String, String)>,
    /// The headers.
    pub(crate) headers: HeaderMap,
    /// The content.
    pub(crate) content: Content,
}

/// The content of a request, by its media type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    /// No body.
    Empty,
    /// JSON.
    Json(Value),
    /// `multipart/form-data`.
    Form(Vec<Part>),
    /// Anything else, and invalid JSON or forms.
    Other(Bytes),
}

/// One part of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The name of the field.
    pub(crate) name: String,
    /// The name of the file. `None` for text.
    pub(crate) file_name: Option<String>,
    /// The declared media type.
    pub(crate) media_type: Option<String>,
    /// The content.
    pub(crate) bytes: Bytes,
}

impl Arrived {
    /// Reads a complete request.
    pub(crate) async fn read(parts: &Parts, body: Body) -> Result<Self, StatusCode> {
        let body = to_bytes(body, BODY_BYTES_MAX).await;
        let body = body.map_err(|_| StatusCode::PAYLOAD_TOO_LARGE)?;
        let query = parts.uri.query().unwrap_or_default().as_bytes();
        Ok(Self {
            method: parts.method.clone(),
            path: parts.uri.path().to_owned(),
            query: form_urlencoded::parse(query).into_owned().collect(),
            content: content(&parts.headers, body).await,
            headers: parts.headers.clone(),
        })
    }

    /// The value of a header, if it is text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// What comes after `scheme` and a space in the `Authorization` header.
    pub(crate) fn authorization(&self, scheme: &str) -> Option<&str> {
        self.header("authorization")?.strip_prefix(scheme)?.strip_prefix(' ')
    }

    /// The same request, but for this model.
    pub(crate) fn with_model(mut self, model: &str) -> Self {
        match &mut self.content {
            Content::Json(Value::Object(fields)) => {
                fields.insert("model".into(), model.into());
            }
            Content::Form(parts) => {
                parts.retain(|part| part.name != "model");
                let (file_name, media_type) = (None, None);
                let bytes = Bytes::copy_from_slice(model.as_bytes());
                parts.push(Part { name: "model".into(), file_name, media_type, bytes });
            }
            _ => {}
        }
        self
    }

    /// The first value of `name` in the query.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        let found = self.query.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The address that the client used for the simulator, such as `http://127.0.0.1:1234`. The
    /// addresses of results and tasks start with it.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.header("host").unwrap_or("127.0.0.1"))
    }
}

/// Extracts the request, which `world` has stored in the extensions. Works once per request.
impl<S: Sync> FromRequestParts<S> for Arrived {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, StatusCode> {
        parts.extensions.remove::<Self>().ok_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

async fn content(headers: &HeaderMap, body: Bytes) -> Content {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    match media_type.map(|text| text.split(';').next().unwrap_or_default().trim()) {
        _ if body.is_empty() => Content::Empty,
        Some("application/json") => {
            serde_json::from_slice(&body).map_or(Content::Other(body), Content::Json)
        }
        Some("multipart/form-data") => {
            form(headers, body.clone()).await.map_or(Content::Other(body), Content::Form)
        }
        _ => Content::Other(body),
    }
}

async fn form(headers: &HeaderMap, body: Bytes) -> Option<Vec<Part>> {
    let mut request = Request::new(Body::from(body));
    // The body is already in memory, and its length was checked.
    axum::extract::DefaultBodyLimit::disable().apply(&mut request);
    let media_type = headers.get(header::CONTENT_TYPE)?.clone();
    request.headers_mut().insert(header::CONTENT_TYPE, media_type);
    let mut form = Multipart::from_request(request, &()).await.ok()?;
    let mut parts = Vec::new();
    while let Some(field) = form.next_field().await.ok()? {
        parts.push(Part {
            name: field.name()?.to_owned(),
            file_name: field.file_name().map(str::to_owned),
            media_type: field.content_type().map(str::to_owned),
            bytes: field.bytes().await.ok()?,
        });
    }
    Some(parts)
}
