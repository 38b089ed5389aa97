//! The one HTTP client for vendors: keys, time limits, caps, and what an error says about whether
//! a request was sent.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{RequestBuilder, Response, multipart};
use thiserror::Error;
use url::Url;

use super::{Answer, Auth, Body, Call, Key, Part, PartContent, Place};
use crate::stock::{Memory, Stock};

/// How long an idle connection is kept for the next call, in milliseconds: shorter than the 5 s
/// after which common servers (uvicorn, Node) close it, so that no request meets a closing door.
const IDLE_CONNECTION_MS: u64 = 3_000;

/// Largest answer that takes nothing of the memory for answers, in bytes: most say how a task is doing.
const SMALL_ANSWER_BYTES: usize = 256 * 1024;

/// How long things may take, and how large an answer may be.
#[derive(Clone, Copy, Debug)]
pub struct ClientLimits {
    /// Milliseconds for one connection.
    pub connect_ms_max: u64,
    /// Milliseconds from the request to the head of its answer; a vendor may take minutes.
    pub answer_ms_max: u64,
    /// Milliseconds between two pieces of an answer's body.
    pub idle_ms_max: u64,
    /// Bytes of an answer's body.
    pub answer_bytes_max: usize,
}

/// Where a vendor is and what opens it.
#[derive(Clone, Debug)]
pub struct Door {
    /// What the paths of calls are appended to; without a slash at its end.
    pub base: Url,
    /// The key, where one is needed.
    pub key: Option<Key>,
}

/// Speaks to one vendor.
pub struct Client {
    http: reqwest::Client,
    door: Door,
    auth: Auth,
    limits: ClientLimits,
    memory: Option<Stock>,
}

/// Bytes with the memory that they stand in, which goes back with the last of them.
struct Counted {
    bytes: Bytes,
    _memory: Memory,
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// `bytes` in `memory`, of which they keep what they need.
pub(super) fn counted(bytes: Bytes, mut memory: Memory) -> Bytes {
    memory.keep(bytes.len() as u64);
    Bytes::from_owner(Counted { bytes, _memory: memory })
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TransportError {
    /// The request did not leave this machine: nothing can have been done.
    #[error("not sent: {0}")]
    NotSent(String),
    /// The request was sent, wholly or in part, and no whole answer came.
    #[error("no answer: {0}")]
    NoAnswer(String),
}

/// The client cannot be made.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The client itself.
    #[error("the client for providers cannot be made: {0}")]
    Client(#[from] reqwest::Error),
    /// Its encryption.
    #[error(transparent)]
    Encryption(#[from] tokio_rustls::rustls::Error),
}

impl Client {
    /// A client for the vendor behind `door`, who is shown the key by `auth`.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn new(door: Door, auth: Auth, limits: ClientLimits) -> Result<Self, ClientError> {
        let http = reqwest::Client::builder()
            .tls_backend_preconfigured(crate::tls::config()?)
            .user_agent(concat!("retouch/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(Duration::from_millis(limits.connect_ms_max))
            .pool_idle_timeout(Duration::from_millis(IDLE_CONNECTION_MS))
            .tcp_nodelay(true)
            // Redirects are the driver's business: the key must not travel.
            .redirect(Policy::none())
            .referer(false)
            // HTTP_PROXY and its like are for other programs: a key goes to its provider alone.
            .no_proxy()
            .build()?;
        Ok(Self { http, door, auth, limits, memory: None })
    }

    /// The same, which takes large answers as soon as there is room for them in `memory`; they count as long
    /// as somebody has their bytes.
    #[must_use]
    pub fn within(self, memory: Stock) -> Self {
        Self { memory: Some(memory), ..self }
    }

    /// What the paths of calls are appended to.
    pub fn base(&self) -> &Url {
        &self.door.base
    }

    /// Whether `url` is on the vendor's configured host, port and scheme.
    pub fn is_at_home(&self, url: &Url) -> bool {
        url.origin() == self.door.base.origin()
    }

    /// `text` without the key.
    pub fn redact(&self, text: &str) -> String {
        self.door.key.as_ref().map_or_else(|| text.to_owned(), |key| key.redact(text))
    }

    /// Sends `call` and takes the whole answer; `with_key` only where the vendor itself is asked.
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
                return Err(TransportError::NoAnswer(format!("nothing within {ms_max} ms")));
            }
        };
        let (status, headers) = (response.status(), response.headers().clone());
        Ok(Answer { status, headers, body: self.read(response).await? })
    }

    fn request(&self, call: &Call, with_key: bool) -> Result<RequestBuilder, TransportError> {
        let url = match &call.place {
            Place::Address(url) => url.as_str().to_owned(),
            Place::Path(path) => {
                format!("{}{path}", self.door.base.as_str().trim_end_matches('/'))
            }
        };
        let mut request = self.http.request(call.method.clone(), url);
        for (name, value) in &call.headers {
            request = request.header(*name, value);
        }
        if let Some(key) = self.door.key.as_ref().filter(|_| with_key) {
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
            TransportError::NotSent("the key has characters that no header can carry".into())
        })?;
        value.set_sensitive(true);
        Ok(HeaderMap::from_iter([(name, value)]))
    }

    async fn read(&self, mut response: Response) -> Result<Bytes, TransportError> {
        let bytes_max = self.limits.answer_bytes_max;
        let too_large = || TransportError::NoAnswer(format!("more than {bytes_max} bytes"));
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
                TransportError::NoAnswer(format!("the answer stopped for {ms_max} ms"))
            })?;
            // A broken body is no answer, whatever its head said.
            let piece =
                piece.map_err(|error| TransportError::NoAnswer(self.redact(&causes(&error))))?;
            let Some(piece) = piece else {
                let body = body.freeze();
                return Ok(match memory {
                    Some(memory) => counted(body, memory),
                    None => body,
                });
            };
            let length = body.len() + piece.len();
            if length > bytes_max {
                return Err(too_large());
            }
            if memory.is_none() && length > SMALL_ANSWER_BYTES {
                // Its length is not known. Whoever has room waits for nothing more, so that no two wait for each other.
                memory = self.room(bytes_max).await;
            }
            body.extend_from_slice(&piece);
        }
    }

    /// Waits for room for an answer of so many bytes, in turn; nothing for one that needs none.
    async fn room(&self, bytes: usize) -> Option<Memory> {
        let memory = self.memory.as_ref().filter(|_| bytes > SMALL_ANSWER_BYTES)?;
        memory.take(bytes as u64).await
    }

    /// Only an error of connecting, or of making the request, proves that nothing was sent.
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

/// An error with everything that caused it; the address is left out, for it may hold a secret.
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
