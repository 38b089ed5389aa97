//! `GET /api/generations/{uuid}/events`: the states of a generation as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use futures_util::future::ready;
use futures_util::stream::{self, Stream};
use retouch_store::{EditRecord, EditStatus};
use tokio::time::Instant;
use utoipa::ToSchema;

use super::find;
use crate::api::path::Named;
use crate::app::App;
use crate::auth;
use crate::edits::{EventStream, view};
use crate::error::{ApiError, ApiResult, ErrorBody};
use crate::http::BUFFERING;

/// How long a stream lasts if the generation does not end. The client then connects again.
const STREAM_TIME_MAX: Duration = Duration::from_secs(30 * 60);
/// After how long a client connects again if the stream breaks.
const RECONNECT: Duration = Duration::from_secs(2);
/// The header with which a client says which event it got last.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// An event of the stream.
#[derive(ToSchema)]
pub struct GenerationEvent {
    /// Always `generation`.
    pub event: String,
    /// The generation's status.
    pub id: String,
    /// The generation as JSON, as in `GET /api/generations/{uuid}`.
    pub data: String,
    /// How many milliseconds to wait before you connect again.
    pub retry: u32,
}

/// Watch a generation.
///
/// A stream of server-sent events. Each event is named `generation`; its data is the generation as
/// `GET /api/generations/{uuid}` shows it, and its `id` is the status. You get the current state
/// immediately, and the final one when the generation has ended. Then the stream ends. Comments keep
/// the connection open in the meantime. If you connect again with the `Last-Event-ID` of a final
/// state, you get a 204, which tells browsers to stop.
#[utoipa::path(
    get,
    path = "/api/generations/{uuid}/events",
    operation_id = "watch_generation",
    tag = "Generations",
    params(
        ("uuid" = String, Path, description = "The generation's uuid"),
        ("Last-Event-ID" = Option<String>, Header, description = "The `id` of the last event that you got"),
    ),
    responses(
        (status = 200, description = "Events named `generation`", body = GenerationEvent, content_type = "text/event-stream"),
        (status = 204, description = "You already have the final state"),
        (status = 403, description = "The API key does not have the scope", body = ErrorBody),
        (status = 404, description = "There is no such generation, or it is not yours", body = ErrorBody),
        (status = 429, description = "Too many calls, or too many streams of the account", body = ErrorBody),
        (status = 503, description = "Too many streams", body = ErrorBody),
    ),
    security(("api_key" = []), ("session" = []))
)]
pub async fn watch_generation(
    State(app): State<Arc<App>>,
    Named(uuid): Named,
    parts: Parts,
) -> ApiResult<Response> {
    let caller = auth::caller(&app, &parts).await?;
    let made_by = caller.sees_only()?;
    // Start watching before the generation is read, so that its end cannot be missed.
    let watching = app.watchers.watch(&app, &caller.account.id, super::id(&uuid)?)?;
    let edit = find(&app, &caller.account, made_by, &uuid).await?;
    if has_ended(&edit) && is_last(&parts, &edit) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let until = Instant::now() + STREAM_TIME_MAX;
    // Comments keep the connection open in proxies.
    let pause = Duration::from_millis(app.settings.server.stream_comment_every_ms);
    let states = States { app, watching, until };
    let events = Sse::new(states.events(edit)?).keep_alive(KeepAlive::new().interval(pause));
    let mut response = events.into_response();
    response.headers_mut().insert(BUFFERING, HeaderValue::from_static("no"));
    Ok(response)
}

/// What a stream needs to follow its generation.
struct States {
    app: Arc<App>,
    watching: EventStream,
    until: Instant,
}

impl States {
    /// The state in `edit`, and later the final one.
    fn events(self, edit: EditRecord) -> ApiResult<impl Stream<Item = Result<Event, Infallible>>> {
        let (account, id, is_over) = (edit.account.clone(), edit.id, has_ended(&edit));
        let first = event(&self.app, edit)?;
        let rest = async move {
            if is_over || !self.ended().await {
                return None;
            }
            // If the state cannot be read, the client asks for it when the stream ends.
            let ended = self.app.store.find_edit(&account, &id).await.ok().flatten()?;
            event(&self.app, ended).ok()
        };
        let rest = stream::once(rest).filter_map(ready);
        Ok(stream::iter([first]).chain(rest).map(Ok))
    }

    /// Waits until the generation has ended. Returns false if the stream ends before that.
    async fn ended(&self) -> bool {
        tokio::select! {
            () = self.watching.ended() => true,
            () = self.app.ending.cancelled() => false,
            () = tokio::time::sleep_until(self.until) => false,
        }
    }
}

fn event(app: &App, edit: EditRecord) -> ApiResult<Event> {
    let id = edit.status.as_str();
    let event = Event::default().event("generation").id(id).retry(RECONNECT);
    event.json_data(view(app, edit)?).map_err(ApiError::internal)
}

fn has_ended(edit: &EditRecord) -> bool {
    edit.status != EditStatus::Processing
}

/// Whether the client already has the state in `edit`.
fn is_last(parts: &Parts, edit: &EditRecord) -> bool {
    let last = parts.headers.get(LAST_EVENT_ID).map(HeaderValue::as_bytes);
    last == Some(edit.status.as_str().as_bytes())
}
