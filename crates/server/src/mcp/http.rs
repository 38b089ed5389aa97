//! `POST /mcp`: the streamable HTTP transport, for the account of an API key or of an access token.
//!
//! Each request is answered by itself, without a session, so any node can answer any request. Clients
//! of the revisions before 2026-07-28 may still begin with `initialize`.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use rmcp::ServerHandler;
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use tower::Service;

use super::desk::{Desk, Incoming};
use super::{message, origin};
use crate::api::schema::McpMessage;
use crate::app::App;
use crate::error::{ApiResult, Code, ErrorBody};
use crate::http::bodies::{ANSWER_BYTES, Whose};
use crate::http::intake::{self, Who};
use crate::http::request_id;
use crate::oauth;

/// How many times the bytes of a message it takes in memory at most: the bytes, a copy of them, the
/// values that are read from it, and the request to the API that these become.
const TIMES: u64 = 4;

/// Bytes that an answer takes until it is sent: a result with its preview, as values and as text.
const REPLY_BYTES: u64 = 3 * ANSWER_BYTES;

/// How often a waiting stream says that it is alive, in seconds. Many proxies cut what is silent for
/// 30 seconds or longer.
const KEEP_ALIVE_S: u64 = 15;

/// Send a message of the Model Context Protocol.
///
/// The streamable HTTP transport of the revisions 2025-11-25 and 2026-07-28, without sessions. A client
/// that accepts `text/event-stream` gets a stream, any other gets JSON.
#[utoipa::path(
    post,
    path = "/mcp",
    operation_id = "send_mcp_message",
    tag = "Assistants",
    request_body(content = McpMessage, description = "A request or notification of JSON-RPC 2.0"),
    responses(
        (status = 200, description = "The JSON-RPC response", content((Object = "application/json"), (String = "text/event-stream"))),
        (status = 202, description = "The notification has been accepted"),
        (status = 400, description = "The message or one of its headers is invalid", body = Object),
        (status = 401, description = "There is no valid API key or access token. `WWW-Authenticate` says where to get a token", body = ErrorBody),
        (status = 403, description = "The call came from another site's page", body = ErrorBody),
        (status = 404, description = "There is no such method", body = Object),
    ),
    security(("api_key" = []))
)]
pub async fn answer(State(app): State<Arc<App>>, request: Request) -> ApiResult<Response> {
    let showed_credentials = request.headers().contains_key(header::AUTHORIZATION);
    let error = match answered(Arc::clone(&app), request).await {
        Err(error) if error.code == Code::Unauthenticated => error,
        other => return other,
    };
    let challenge = oauth::challenge(&app, showed_credentials)?;
    let mut response = error.into_response();
    response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    Ok(response)
}

async fn answered(app: Arc<App>, request: Request) -> ApiResult<Response> {
    origin::check(&app.public_url, request.headers())?;
    let bytes_max = app.settings.server.body_bytes_max;
    let received = intake::receive(&app, request, Who::Assistant, bytes_max).await?;
    received.memory.cover(TIMES.saturating_mul(received.body.len() as u64))?;
    let caller = received.caller()?.clone();
    let reply = app.bodies.begin(Whose::Account(caller.account.id.clone()))?;
    reply.cover(REPLY_BYTES)?;
    let (parts, body, memory) = (received.parts, received.body, received.memory);
    let carrier = request_id::carrier();
    let incoming = Arc::new(Incoming::new(caller, parts.clone(), (memory, reply)));
    let desk = Desk { app, incoming: Arc::clone(&incoming), carrier };
    let response = serve(move || desk.clone(), parts, body).await;
    // The memory of the answer is held until it has been sent.
    Ok(response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let _held = &incoming;
            frame
        }))
    }))
}

/// Serves one request, whose origin has been checked, to `handler` by the streamable HTTP transport. A client that accepts a stream
/// gets one, so that a long call stays connected through proxies; any other gets JSON.
pub async fn serve<H: ServerHandler>(
    handler: impl Fn() -> H + Send + Sync + 'static,
    mut parts: Parts,
    body: Bytes,
) -> Response {
    if let Err(unreadable) = message::check(&body) {
        return unreadable.into_response();
    }
    let accepted = parts.headers.get_all(header::ACCEPT).iter();
    let mut accepted = accepted.filter_map(|value| value.to_str().ok());
    let wants_stream = accepted.any(|value| value.contains("text/event-stream"));
    // The transport refuses clients that do not accept both, although it sends one of them.
    let both = HeaderValue::from_static("application/json, text/event-stream");
    parts.headers.insert(header::ACCEPT, both);
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(!wants_stream)
        .with_sse_keep_alive(Some(Duration::from_secs(KEEP_ALIVE_S)))
        .with_max_request_body_bytes(body.len())
        // `origin` has checked where the call comes from.
        .disable_allowed_hosts();
    let sessions = Arc::new(NeverSessionManager::default());
    let mut service = StreamableHttpService::new(move || Ok(handler()), sessions, config);
    let request = Request::from_parts(parts, Full::new(body));
    let mut response = match service.call(request).await {
        // The media type has been checked, so this is about the message.
        Ok(response) if response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            return message::unrecognized().into_response();
        }
        Ok(response) => response.map(Body::new),
        Err(never) => match never {},
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
