//! The HTTP client for services whose address the operator has configured. It adds the key, enforces
//! limits, and reports whether a failed request may have been sent. Addresses that come from
//! strangers are for [`fetch`](crate::fetch).

mod answer;
mod call;
mod key;

pub use answer::{Answer, UnexpectedJson, on_one_line};
pub use call::{Body, Call, CallUrl, Part, PartContent};
pub use key::Key;

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{RequestBuilder, Response, multipart};
use thiserror::Error;
use url::Url;

use crate::stock::{Memory, Stock};

/// How long an idle connection is kept for the next call, in milliseconds. Common servers (uvicorn,
/// Node) close idle connections after 5 s. A shorter time avoids sending a request into a
/// connection that is about to close.
const IDLE_CONNECTION_MS: u64 = 3_000;

/// Largest response that does not reserve memory for responses, in bytes. Most are short status
/// reports.
const SMALL_ANSWER_BYTES: usize = 256 * 1024;

/// Limits on calls.
#[derive(Clone, Copy, Debug)]
pub struct ClientLimits {
    /// Time limit for connecting, in milliseconds.
    pub connect_ms_max: u64,
    /// Time limit from the request to the response headers, in milliseconds. Those who perform
    /// edits may take minutes.
    pub answer_ms_max: u64,
    /// Longest pause in the middle of a response body, in milliseconds.
    pub idle_ms_max: u64,
    /// Largest response body, in bytes.
    pub answer_bytes_max: usize,
}

/// The address of a service, and the key for it.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The base URL of all calls, without a trailing slash.
    pub base: Url,
    /// The key, if the service needs one.
    pub key: Option<Key>,
}

/// How the key is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Auth {
    /// `Authorization: Bearer KEY`.
    Bearer,
    /// `Authorization: SCHEME KEY`.
    Scheme(&'static str),
    /// A header whose value is the key.
    Header(&'static str),
}

/// An HTTP client for one service.
pub struct Client {
    http: reqwest::Client,
    endpoint: Endpoint,
    auth: Auth,
    limits: ClientLimits,
    memory: Option<Stock>,
}

/// Why there is no response.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TransportError {
    /// The request was not sent, so no work can have been done.
    #[error("not sent: {0}")]
    NotSent(String),
    /// The request was sent, at least in part, and no complete response arrived.
    #[error("no response: {0}")]
    NoAnswer(String),
}

/// The client could not be created.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The HTTP client failed.
    #[error("cannot create the HTTP client for providers: {0}")]
    Client(#[from] reqwest::Error),
    /// The TLS configuration failed.
    #[error(transparent)]
    Encryption(#[from] tokio_rustls::rustls::Error),
}

impl Client {
    /// A client for the service at `endpoint`, which sends the key as `auth` says.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn new(endpoint: Endpoint, auth: Auth, limits: ClientLimits) -> Result<Self, ClientError> {
        let http = reqwest::Client::builder()
            .tls_backend_preconfigured(crate::tls::config()?)
            .user_agent(concat!("retouch/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(Duration::from_millis(limits.connect_ms_max))
            .pool_idle_timeout(Duration::from_millis(IDLE_CONNECTION_MS))
            .tcp_nodelay(true)
            // Callers follow redirects, because the key must not go to another host.
            .redirect(Policy::none())
            .referer(false)
            // Ignore HTTP_PROXY and similar variables: the key goes directly to the service.
            .no_proxy()
            .build()?;
        Ok(Self { http, endpoint, auth, limits, memory: None })
    }

    /// Limits the memory for large responses: each waits until there is room in `memory`, and keeps
    /// it as long as its bytes are in use.
    #[must_use]
    pub fn within(self, memory: Stock) -> Self {
        Self { memory: Some(memory), ..self }
    }

    /// The base URL of all calls.
    pub fn base(&self) -> &Url {
        &self.endpoint.base
    }

    /// Whether `url` has the scheme, host and port of the base URL.
    pub fn is_at_home(&self, url: &Url) -> bool {
        url.origin() == self.endpoint.base.origin()
    }

    /// `text` without the key.
    pub fn redact(&self, text: &str) -> String {
        self.endpoint.key.as_ref().map_or_else(|| text.to_owned(), |key| key.redact(text))
    }

    /// Sends `call` and reads the complete response. Set `with_key` only for calls to the service
    /// itself.
    ///
    /// # Errors
    /// [`TransportError`].
    pub async fn send(&self, call: &Call, with_key: bool) -> Result<Answer, TransportError> {
        let request = self.request(call, with_key)?;
        let wait = Duration::from_millis(self.limits.answer_ms_max);
        let sent = tokio::time::timeout(wait, request.send()).await;
        let response = match sent {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(self.classify(&error)),
            Err(_) => {
                let ms_max = self.limits.answer_ms_max;
                return Err(TransportError::NoAnswer(format!("timed out after {ms_max} ms")));
            }
        };
        let (status, headers) = (response.status(), response.headers().clone());
        Ok(Answer { status, headers, body: self.read(response).await? })
    }

    fn request(&self, call: &Call, with_key: bool) -> Result<RequestBuilder, TransportError> {
        let url = match &call.url {
            CallUrl::Absolute(url) => url.as_str().to_owned(),
            CallUrl::Path(path) => {
                format!("{}{path}", self.endpoint.base.as_str().trim_end_matches('/'))
            }
        };
        let mut request = self.http.request(call.method.clone(), url);
        for (name, value) in &call.headers {
            request = request.header(*name, value);
        }
        if let Some(key) = self.endpoint.key.as_ref().filter(|_| with_key) {
            request = request.headers(self.key_headers(key)?);
        }
        Ok(match &call.body {
            Body::Empty => request,
            Body::Json(text) => request.header(CONTENT_TYPE, "application/json").body(text.clone()),
            Body::Fields(text) => {
                let kind = "application/x-www-form-urlencoded";
                request.header(CONTENT_TYPE, kind).body(text.clone())
            }
            Body::Form(parts) => request.multipart(form(parts)?),
        })
    }

    fn key_headers(&self, key: &Key) -> Result<HeaderMap, TransportError> {
        let (name, text) = match self.auth {
            Auth::Bearer => (AUTHORIZATION, format!("Bearer {}", key.reveal())),
            Auth::Scheme(scheme) => (AUTHORIZATION, format!("{scheme} {}", key.reveal())),
            Auth::Header(name) => (http::HeaderName::from_static(name), key.reveal().to_owned()),
        };
        let mut value = HeaderValue::from_str(&text).map_err(|_| {
            TransportError::NotSent(
                "the key contains characters that are not allowed in a header".into(),
            )
        })?;
        value.set_sensitive(true);
        Ok(HeaderMap::from_iter([(name, value)]))
    }

    async fn read(&self, mut response: Response) -> Result<Bytes, TransportError> {
        let bytes_max = self.limits.answer_bytes_max;
        let too_large =
            || TransportError::NoAnswer(format!("the response is larger than {bytes_max} bytes"));
        let announced = response.content_length().unwrap_or(0);
        if announced > bytes_max as u64 {
            return Err(too_large());
        }
        let idle = Duration::from_millis(self.limits.idle_ms_max);
        let announced = usize::try_from(announced).unwrap_or(0);
        let mut memory = self.room(announced).await;
        let mut body = BytesMut::with_capacity(announced);
        loop {
            let piece = tokio::time::timeout(idle, response.chunk()).await.map_err(|_| {
                let ms_max = self.limits.idle_ms_max;
                TransportError::NoAnswer(format!("the response stalled for {ms_max} ms"))
            })?;
            // An incomplete body is no response, even if the headers arrived.
            let piece =
                piece.map_err(|error| TransportError::NoAnswer(self.redact(&causes(&error))))?;
            let Some(piece) = piece else {
                let body = body.freeze();
                return Ok(match memory {
                    Some(memory) => memory.tied_to(body),
                    None => body,
                });
            };
            let length = body.len() + piece.len();
            if length > bytes_max {
                return Err(too_large());
            }
            if memory.is_none() && length > SMALL_ANSWER_BYTES {
                // The length is unknown, so reserve the maximum once. If responses reserved more
                // and more while they hold some, two of them could block each other.
                memory = self.room(bytes_max).await;
            }
            body.extend_from_slice(&piece);
        }
    }

    /// Waits in line for memory for a response of `bytes` bytes. `None` if it needs no reservation.
    async fn room(&self, bytes: usize) -> Option<Memory> {
        let memory = self.memory.as_ref().filter(|_| bytes > SMALL_ANSWER_BYTES)?;
        memory.take(bytes as u64).await
    }

    /// Only errors while connecting or building the request prove that nothing was sent.
    fn classify(&self, error: &reqwest::Error) -> TransportError {
        let text = self.redact(&causes(error));
        if error.is_connect() || error.is_builder() {
            TransportError::NotSent(text)
        } else {
            TransportError::NoAnswer(text)
        }
    }
}

fn form(parts: &[Part]) -> Result<multipart::Form, TransportError> {
    let mut form = multipart::Form::new();
    for part in parts {
        let name = part.name.clone();
        form = match &part.content {
            PartContent::Text(text) => form.text(name, text.clone()),
            PartContent::File { file_name, media_type, bytes } => {
                let length = bytes.len() as u64;
                let file = multipart::Part::stream_with_length(bytes.clone(), length)
                    .file_name(file_name.clone())
                    .mime_str(media_type)
                    .map_err(|error| TransportError::NotSent(error.to_string()))?;
                form.part(name, file)
            }
        };
    }
    Ok(form)
}

/// The error with its causes. The address is left out, because it may contain a secret.
fn causes(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    if let Some(url) = error.url() {
        text = text.replace(url.as_str(), "the provider");
    }
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}
