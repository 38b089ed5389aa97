//! A body on its way in, checked in the order of the requirement: size and type, then who calls,
//! then the bytes themselves.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use serde::de::DeserializeOwned;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::app::App;
use crate::auth::{self, Caller};
use crate::error::{ApiError, ApiResult, Code, overloaded};

/// Most bytes of a body that carries no picture.
pub const SMALL_BODY_BYTES_MAX: usize = 64 * 1024;
/// Bytes in which the stock of memory for bodies is counted.
const UNIT_BYTES: usize = 4 * 1024;

/// Who may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Anybody; a cookie plays no part.
    Anyone,
    /// Whoever has a session.
    Session,
    /// Whoever has a session or an API key.
    SessionOrKey,
}

/// A stock of memory for bodies that are being received or worked on.
#[derive(Clone, Debug)]
pub struct BodyStock(Arc<Semaphore>);

impl BodyStock {
    /// A stock of `bytes`.
    pub fn new(bytes: usize) -> Self {
        Self(Arc::new(Semaphore::new(bytes / UNIT_BYTES)))
    }

    fn take(&self, bytes: usize) -> ApiResult<OwnedSemaphorePermit> {
        let units = u32::try_from(bytes.div_ceil(UNIT_BYTES)).map_err(|_| overloaded())?;
        Arc::clone(&self.0).try_acquire_many_owned(units).map_err(|_| overloaded())
    }
}

/// A body that has come in, and who sent it.
pub struct Received {
    /// Who sent it; `None` where anybody may.
    pub caller: Option<Caller>,
    /// The head of the request.
    pub parts: Parts,
    /// The bytes.
    pub body: Bytes,
    /// Memory for the body; to be kept as long as the body is.
    pub memory: OwnedSemaphorePermit,
}

impl Received {
    /// The body as a `T`.
    ///
    /// # Errors
    /// When it is not JSON of that form; the message says where.
    pub fn json<T: DeserializeOwned>(&self) -> ApiResult<T> {
        let mut reader = serde_json::Deserializer::from_slice(&self.body);
        let value =
            serde_path_to_error::deserialize(&mut reader).map_err(|error| malformed(&error))?;
        reader.end().map_err(|error| {
            ApiError::new(Code::InvalidJson, format!("The body goes on behind its end: {error}."))
        })?;
        Ok(value)
    }

    /// Who sent it.
    ///
    /// # Errors
    /// When nobody had to say so.
    pub fn caller(&self) -> ApiResult<&Caller> {
        self.caller.as_ref().ok_or_else(|| ApiError::internal("a call without a caller"))
    }
}

/// Receives a JSON body of at most `bytes_max` bytes from one of `who`.
///
/// # Errors
/// 413, 415, 401, 403, then 400 when the bytes do not come.
pub async fn receive(
    app: &App,
    request: Request,
    who: Who,
    bytes_max: usize,
) -> ApiResult<Received> {
    let (parts, body) = request.into_parts();
    let declared = declared_length(&parts.headers, bytes_max)?;
    check_content_type(&parts.headers)?;
    let caller = match who {
        Who::Anyone => None,
        Who::Session => Some(auth::session(app, &parts).await?),
        Who::SessionOrKey => Some(auth::caller(app, &parts).await?),
    };
    let memory = app.bodies.take(declared.unwrap_or(bytes_max))?;
    let body = collect(app, body, bytes_max).await?;
    Ok(Received { caller, parts, body, memory })
}

async fn collect(app: &App, body: Body, bytes_max: usize) -> ApiResult<Bytes> {
    let ms_max = app.settings.server.body_read_ms_max;
    let collected = Limited::new(body, bytes_max).collect();
    match tokio::time::timeout(Duration::from_millis(ms_max), collected).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => {
            Err(too_large(bytes_max))
        }
        Ok(Err(_)) => Err(ApiError::new(Code::InvalidJson, "The body broke off before its end.")),
        Err(_) => {
            let message = format!("The body did not arrive within {ms_max} ms.");
            Err(ApiError::new(Code::InvalidJson, message))
        }
    }
}

fn declared_length(headers: &HeaderMap, bytes_max: usize) -> ApiResult<Option<usize>> {
    let Some(value) = headers.get(header::CONTENT_LENGTH) else { return Ok(None) };
    let length = value.to_str().ok().and_then(|text| text.parse::<u64>().ok());
    match length.map(usize::try_from) {
        Some(Ok(length)) if length <= bytes_max => Ok(Some(length)),
        _ => Err(too_large(bytes_max)),
    }
}

fn too_large(bytes_max: usize) -> ApiError {
    let message = format!("The body is larger than the {bytes_max} bytes that are accepted.");
    ApiError::new(Code::BodyTooLarge, message)
}

/// `application/json`, with any parameters.
fn check_content_type(headers: &HeaderMap) -> ApiResult<()> {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = value.and_then(|value| value.split(';').next()).map(str::trim);
    if essence.is_some_and(|essence| essence.eq_ignore_ascii_case("application/json")) {
        return Ok(());
    }
    let message = "Send the body as JSON with the header Content-Type: application/json.";
    Err(ApiError::new(Code::UnsupportedMediaType, message))
}

fn malformed(error: &serde_path_to_error::Error<serde_json::Error>) -> ApiError {
    let path = error.path().to_string();
    let cause = error.inner();
    if cause.is_syntax() || cause.is_eof() {
        return ApiError::new(Code::InvalidJson, format!("The body is not JSON: {cause}."));
    }
    let text = cause.to_string();
    let field = text.strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
    match field {
        Some(field) => ApiError::about(Code::MissingField, field, format!("`{field}` is missing.")),
        None if path == "." => {
            ApiError::new(Code::InvalidType, format!("The body is wrong: {text}."))
        }
        None => ApiError::about(Code::InvalidType, &path, format!("`{path}` is wrong: {text}.")),
    }
}
