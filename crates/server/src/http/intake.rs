//! Receives request bodies. The checks run in a fixed order: size and type, then the caller, then
//! the bytes.

use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use retouch_core::edit;
use retouch_store::Scope;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::auth::throttle::{address_account, address_key};
use crate::auth::{self, Caller, client};
use crate::error::{ApiError, ApiResult, Code};
use crate::http::bodies::{BodyMemory, Whose};
use crate::http::{multipart, rates};
use crate::previews::Viewer;

/// Most bytes of a body without images.
pub const SMALL_BODY_BYTES_MAX: usize = 64 * 1024;

/// Most bytes of a body from a visitor, who sends reduced copies of images.
const VISITOR_BODY_BYTES_MAX: usize = 8 * 1024 * 1024;

/// The buffer for a body grows to its declared length, but to at most this many times what has
/// arrived, because a declared length may be false.
const ROOM_TIMES: usize = 64;

/// The media type that is required, and the message for any other.
const JSON: BodyType = BodyType {
    name: "application/json",
    hint: "Send the body as JSON with the header Content-Type: application/json.",
};
const JSON_OR_FORM: BodyType = BodyType {
    name: JSON.name,
    hint: "Send a form with files (multipart/form-data), or JSON with the header Content-Type: \
           application/json.",
};
const FORM: BodyType = BodyType {
    name: "application/x-www-form-urlencoded",
    hint: "Send the form as a browser does, without files.",
};

const UPLOAD: BodyType =
    BodyType { name: "multipart/form-data", hint: "Send the form as a browser does." };

/// A media type of bodies.
struct BodyType {
    name: &'static str,
    /// What to do if a body has another type.
    hint: &'static str,
}

/// Who may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Anyone.
    Anyone,
    /// A session.
    Session,
    /// A session or an API key.
    Caller,
    /// An assistant with an API key or an access token of OAuth.
    Assistant,
    /// A session, or an API key with the scope `edit`, for a call that charges. Counts toward the
    /// limits.
    Payer,
    /// A session, an API key with the scope `edit`, or a visitor without an account, within the
    /// visitors' limit.
    Visitor,
}

/// A body that has been received, and its sender.
pub struct Received {
    /// The sender; `None` if anyone may call.
    pub caller: Option<Caller>,
    /// The head of the request.
    pub parts: Parts,
    /// The bytes.
    pub body: Bytes,
    /// The memory of the body, from its sender's share. Keep it as long as the body.
    pub memory: BodyMemory,
}

impl Received {
    /// The body as a `T`.
    ///
    /// # Errors
    /// When it is not a JSON object of that form. The message names the field.
    pub fn json<T: DeserializeOwned>(&self) -> ApiResult<T> {
        // Readers derived by serde accept arrays for structs and overlook duplicates of unknown
        // keys, so the body is first checked by the same rules as an edit.
        edit::Body::parse(&self.body)?;
        let mut reader = serde_json::Deserializer::from_slice(&self.body);
        serde_path_to_error::deserialize(&mut reader).map_err(|error| malformed(&error))
    }

    /// The sender of a call that visitors may make, too.
    pub fn viewer(&self, app: &App) -> Viewer {
        let account = self.caller.as_ref().map(|caller| caller.account.id.clone());
        let whose = account.clone();
        let whose = whose.unwrap_or_else(|| address_account(client::of_call(app, &self.parts)));
        Viewer { account, whose }
    }

    /// The sender.
    ///
    /// # Errors
    /// When anyone may call, so that the sender is unknown.
    pub fn caller(&self) -> ApiResult<&Caller> {
        self.caller.as_ref().ok_or_else(|| ApiError::internal("a call without a caller"))
    }
}

/// Receives a JSON body of at most `bytes_max` bytes from one of `who`.
///
/// # Errors
/// 413, 415, 401, 403, then 400 when the bytes do not arrive, 429 and 503 when there is no memory.
pub async fn receive(
    app: &App,
    request: Request,
    who: Who,
    bytes_max: usize,
) -> ApiResult<Received> {
    check_declared_length(request.headers(), bytes_max)?;
    check_content_type(request.headers(), &JSON)?;
    receive_from(app, request, who, bytes_max).await
}

/// Receives a JSON body or a form with files, of at most `bytes_max` bytes, from one of `who`.
///
/// # Errors
/// As [`receive`].
pub async fn receive_json_or_form(
    app: &App,
    request: Request,
    who: Who,
    bytes_max: usize,
) -> ApiResult<Received> {
    check_declared_length(request.headers(), bytes_max)?;
    if !multipart::is_form(content_type(request.headers())) {
        check_content_type(request.headers(), &JSON_OR_FORM)?;
    }
    receive_from(app, request, who, bytes_max).await
}

async fn receive_from(
    app: &App,
    request: Request,
    who: Who,
    bytes_max: usize,
) -> ApiResult<Received> {
    let (parts, body) = request.into_parts();
    let caller = match who {
        Who::Anyone => None,
        Who::Session => Some(auth::session(app, &parts).await?),
        Who::Caller => Some(auth::caller(app, &parts).await?),
        Who::Assistant => Some(auth::assistant(app, &parts).await?),
        Who::Payer => {
            let caller = auth::caller(app, &parts).await?;
            caller.require(Scope::Edit)?;
            rates::count(app, &parts, &caller).await?;
            Some(caller)
        }
        Who::Visitor => visitor(app, &parts).await?,
    };
    let bytes_max = match caller {
        None => bytes_max.min(VISITOR_BODY_BYTES_MAX),
        Some(_) => bytes_max,
    };
    check_declared_length(&parts.headers, bytes_max)?;
    let declared = declared_length(&parts.headers).unwrap_or(0).min(bytes_max);
    let whose = caller.as_ref().map(|caller| Whose::Account(caller.account.id.clone()));
    let memory = app.bodies.begin(whose.unwrap_or_else(|| sender(app, &parts)))?;
    let (body, memory) = collect(app, Arriving { body, memory, declared, bytes_max }).await?;
    Ok(Received { caller, parts, body, memory })
}

/// Receives an image file of at most the operator's limit: the whole body, or the field `file` of a
/// form. Counts toward the caller's limit on uploads.
///
/// # Errors
/// 413, 415, 401, 403, 429, then 400 when the bytes do not arrive or there is no such field, and 503
/// when there is no memory.
pub async fn receive_file(app: &App, request: Request) -> ApiResult<Received> {
    let (parts, body) = request.into_parts();
    let bytes_max = app.settings.edits.image_bytes_max.saturating_add(SMALL_BODY_BYTES_MAX);
    check_declared_length(&parts.headers, bytes_max)?;
    let content_type = content_type(&parts.headers);
    let boundary = multipart::boundary(content_type);
    if boundary.is_none() && !is_file(content_type) {
        let hint = "Send the image file as the body, or as the field `file` of a form \
                    (multipart/form-data).";
        return Err(ApiError::new(Code::UnsupportedMediaType, hint));
    }
    let caller = auth::caller(app, &parts).await?;
    caller.require(Scope::Edit)?;
    app.throttles.upload(&caller.account.id).await?;
    let declared = declared_length(&parts.headers).unwrap_or(0).min(bytes_max);
    let memory = app.bodies.begin(Whose::Account(caller.account.id.clone()))?;
    let (body, memory) = collect(app, Arriving { body, memory, declared, bytes_max }).await?;
    let file = match boundary {
        None => body,
        Some(boundary) => multipart::find_file(&body, boundary, "file").ok_or_else(|| {
            let message = "The form has no complete file in its field `file`.";
            ApiError::about(Code::MissingField, "file", message)
        })?,
    };
    Ok(Received { caller: Some(caller), parts, body: file, memory })
}

/// Whether a body of this media type is a file by itself. Its bytes decide the format.
fn is_file(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(essence.as_str(), "" | "application/octet-stream") || essence.starts_with("image/")
}

/// The caller, or none for a visitor without an account who may call.
async fn visitor(app: &App, parts: &Parts) -> ApiResult<Option<Caller>> {
    if rates::is_stranger(app, &parts.headers)
        && app.settings.studio.visitor_previews_per_minute_per_address > 0
    {
        app.throttles.visit(client::of_call(app, parts)).await?;
        return Ok(None);
    }
    let caller = auth::caller(app, parts).await?;
    caller.require(Scope::Edit)?;
    Ok(Some(caller))
}

/// Receives a form from one of our own pages. The page itself identifies the sender.
///
/// # Errors
/// 413, 415, 403 when another site's page sent it, then 400 when the bytes do not arrive.
pub async fn receive_form(app: &App, request: Request) -> ApiResult<Received> {
    from_page(app, request, &FORM, SMALL_BODY_BYTES_MAX).await
}

/// Receives a form from a program, which identifies itself in the form.
///
/// # Errors
/// 413, 415, then 400 when the bytes do not arrive, 429 and 503 when there is no memory.
pub async fn receive_program_form(app: &App, request: Request) -> ApiResult<Received> {
    check_declared_length(request.headers(), SMALL_BODY_BYTES_MAX)?;
    check_content_type(request.headers(), &FORM)?;
    receive_from(app, request, Who::Anyone, SMALL_BODY_BYTES_MAX).await
}

/// Receives the file in the field `name` of a form from one of our own pages, of at most `bytes_max`
/// bytes in all. Its body is the file, or empty if the form has no such file.
///
/// # Errors
/// As [`receive_form`].
pub async fn receive_form_file(
    app: &App,
    request: Request,
    name: &str,
    bytes_max: usize,
) -> ApiResult<Received> {
    let received = from_page(app, request, &UPLOAD, bytes_max).await?;
    let boundary = multipart::boundary(content_type(&received.parts.headers));
    let file = boundary.and_then(|boundary| multipart::find_file(&received.body, boundary, name));
    Ok(Received { body: file.unwrap_or_default(), ..received })
}

async fn from_page(
    app: &App,
    request: Request,
    wanted: &BodyType,
    bytes_max: usize,
) -> ApiResult<Received> {
    let (parts, body) = request.into_parts();
    check_declared_length(&parts.headers, bytes_max)?;
    check_content_type(&parts.headers, wanted)?;
    // Also without a session, so that another site's page cannot sign the browser in.
    auth::check_origin(&parts)?;
    let memory = app.bodies.begin(sender(app, &parts))?;
    let arriving = Arriving { body, memory, declared: 0, bytes_max };
    let (body, memory) = collect(app, arriving).await?;
    Ok(Received { caller: None, parts, body, memory })
}

/// The media type of a body, with its parameters. Empty if it is not declared.
pub fn content_type(headers: &HeaderMap) -> &str {
    headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// The share for a body whose sender is unknown: that of its client address.
fn sender(app: &App, parts: &Parts) -> Whose {
    Whose::Address(address_key(client::of_call(app, parts)))
}

/// A body that has not arrived yet.
struct Arriving {
    body: Body,
    /// Takes what has arrived.
    memory: BodyMemory,
    /// The length that was declared, in bytes, or 0.
    declared: usize,
    bytes_max: usize,
}

/// Receives a body, whose sender may not pause for longer than the operator's limit. The connection
/// also demands a minimum rate of it (`serve/arriving.rs`).
async fn collect(app: &App, arriving: Arriving) -> ApiResult<(Bytes, BodyMemory)> {
    let Arriving { mut body, memory, declared, bytes_max } = arriving;
    let idle_ms_max = app.settings.server.body_idle_ms_max;
    let mut arrived = BytesMut::new();
    loop {
        let frame = tokio::time::timeout(Duration::from_millis(idle_ms_max), body.frame());
        let frame = frame.await.map_err(|_elapsed| stalled(idle_ms_max))?;
        let Some(frame) = frame else { return Ok((arrived.freeze(), memory)) };
        let broke_off = |_| ApiError::new(Code::InvalidJson, "The body ended early. Try again.");
        let Ok(data) = frame.map_err(broke_off)?.into_data() else { continue };
        let length = arrived.len() + data.len();
        if length > bytes_max {
            return Err(too_large(bytes_max));
        }
        // Memory is taken as bytes arrive, so that a declared length alone takes none from others.
        memory.cover(length as u64)?;
        if length > arrived.capacity() {
            // Make room for the whole body once a part has arrived, to avoid copying it again.
            let expected = declared.min(length.saturating_mul(ROOM_TIMES));
            arrived.reserve(expected.saturating_sub(arrived.len()).max(data.len()));
        }
        arrived.extend_from_slice(&data);
    }
}

fn stalled(idle_ms_max: u64) -> ApiError {
    let seconds = idle_ms_max.div_ceil(1_000);
    let message = format!("Nothing of the body arrived for {seconds} seconds. Try again.");
    ApiError::new(Code::InvalidJson, message)
}

fn check_declared_length(headers: &HeaderMap, bytes_max: usize) -> ApiResult<()> {
    if !headers.contains_key(header::CONTENT_LENGTH) {
        return Ok(());
    }
    match declared_length(headers) {
        Some(length) if length <= bytes_max => Ok(()),
        _ => Err(too_large(bytes_max)),
    }
}

fn declared_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn too_large(bytes_max: usize) -> ApiError {
    let message = format!("The body is too large; the limit is {bytes_max} bytes.");
    ApiError::new(Code::BodyTooLarge, message)
}

/// Checks the media type, without its parameters.
fn check_content_type(headers: &HeaderMap, wanted: &BodyType) -> ApiResult<()> {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = value.and_then(|value| value.split(';').next()).map(str::trim);
    if essence.is_some_and(|essence| essence.eq_ignore_ascii_case(wanted.name)) {
        return Ok(());
    }
    Err(ApiError::new(Code::UnsupportedMediaType, wanted.hint))
}

/// The error for a JSON object that has another form.
pub(crate) fn malformed(error: &serde_path_to_error::Error<serde_json::Error>) -> ApiError {
    let path = error.path().to_string();
    let text = error.inner().to_string();
    // The field says where the error is, so line and column are not needed.
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
    let field = text.strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
    match field {
        Some(field) => ApiError::about(Code::MissingField, field, format!("`{field}` is missing.")),
        None => ApiError::about(Code::InvalidType, &path, format!("`{path}` is invalid: {text}.")),
    }
}
