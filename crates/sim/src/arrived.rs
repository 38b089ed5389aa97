//! A request that has come in whole, read once for everybody: records, checks, answers.

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Multipart, Request};
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, Method, StatusCode, header};
use serde_json::Value;

/// The most that is read of a request, in bytes; above what any vendor takes.
const BODY_BYTES_MAX: usize = 512 << 20;

/// A request that has come in whole.
#[derive(Clone, Debug)]
pub(crate) struct Arrived {
    /// Its method.
    pub(crate) method: Method,
    /// Its path without the protocol's prefix.
    pub(crate) path: String,
    /// Its query, decoded.
    pub(crate) query: Vec<(String, String)>,
    /// Its headers.
    pub(crate) headers: HeaderMap,
    /// What it carries.
    pub(crate) content: Content,
}

/// What a request carries, by its media type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    /// Nothing.
    Empty,
    /// JSON.
    Json(Value),
    /// `multipart/form-data`.
    Form(Vec<Part>),
    /// What says that it is JSON or a form and is not, or is neither.
    Other(Bytes),
}

/// One part of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The name of the field.
    pub(crate) name: String,
    /// The name of the file; a text has none.
    pub(crate) file_name: Option<String>,
    /// The media type that it claims.
    pub(crate) media_type: Option<String>,
    /// What it holds.
    pub(crate) bytes: Bytes,
}

impl Arrived {
    /// Reads a request to its end.
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

    /// The value of a header, where it is text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// What follows `scheme` and a space in `Authorization`.
    pub(crate) fn authorization(&self, scheme: &str) -> Option<&str> {
        self.header("authorization")?.strip_prefix(scheme)?.strip_prefix(' ')
    }

    /// The same with this model, whatever it names.
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

    /// The address at which the client found us, such as `http://127.0.0.1:1234`: where results
    /// and tasks are to be found.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.header("host").unwrap_or("127.0.0.1"))
    }
}

/// Handlers take it, once; `world` puts it there.
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
    // The body is in memory already; its length was checked.
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
