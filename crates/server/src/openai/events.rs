//! Answers as a stream of server-sent events. Until an image is finished, the stream has comments,
//! so that no proxy takes the connection for dead. No provider here makes partial images, and none
//! are invented.

use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, BodyDataStream};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use retouch_core::Kind;
use retouch_providers::Usage;
use serde_json::json;
use tokio::time::{Interval, MissedTickBehavior, interval, timeout};

use super::answer::{created_s, details, usage};
use super::errors::renamed;
use super::run::Run;
use crate::edits::{Answer, Finished};
use crate::error::{ApiError, ApiResult};
use crate::http::pieces::{Piece, Pieces};
use crate::http::{BUFFERING, rates, request_id};

/// A comment, which clients ignore.
const COMMENT: &[u8] = b": keep-alive\n\n";
/// What an event about a property says if it is not known.
const UNKNOWN: &str = "auto";

/// A stream of events.
struct Events {
    run: Run,
    results: BoxStream<'static, ApiResult<Answer>>,
    /// The event that is being sent.
    event: Option<BodyDataStream>,
    comments: Interval,
    /// How many images have been sent.
    sent: usize,
    first_error: Option<ApiError>,
    is_over: bool,
    /// The id of the request, which is no longer known when the stream is sent.
    request_id: Option<String>,
}

/// The stream with the images of `run`.
///
/// # Errors
/// If the call fails before the stream has begun. It begins with the first image, or when it is
/// time for a comment.
pub(super) async fn respond(run: Run) -> ApiResult<Response> {
    let pause = Duration::from_millis(run.app.settings.server.stream_comment_every_ms);
    let mut results = run.clone().results();
    let first = timeout(pause, results.next()).await.ok().flatten();
    let first = match first {
        Some(Err(error)) if run.ask.n == 1 => return Err(error),
        other => other,
    };
    let mut comments = interval(pause);
    comments.set_missed_tick_behavior(MissedTickBehavior::Delay);
    if first.is_some() {
        comments.reset();
    }
    let results = stream::iter(first).chain(results).boxed();
    let events = Events {
        run,
        results,
        event: None,
        comments,
        sent: 0,
        first_error: None,
        is_over: false,
        request_id: request_id::current(),
    };
    let body = stream::unfold(events, |mut events| async move {
        events.next().await.map(|piece| (piece, events))
    });
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (BUFFERING, HeaderValue::from_static("no")),
    ];
    Ok((headers, Body::from_stream(body)).into_response())
}

impl Events {
    /// The bytes to send next, or `None` at the end.
    async fn next(&mut self) -> Option<Result<Bytes, BoxError>> {
        loop {
            if let Some(event) = &mut self.event {
                if let Some(piece) = event.next().await {
                    return Some(piece.map_err(Into::into));
                }
                self.event = None;
            }
            if self.is_over {
                return None;
            }
            tokio::select! {
                biased;
                result = self.results.next() => match result {
                    Some(Ok(answer)) => {
                        self.sent += 1;
                        self.event = Some(completed(self.run.ask.kind, answer.finished));
                    }
                    Some(Err(error)) => self.failed(error).await,
                    None => {
                        self.is_over = true;
                        let error = self.first_error.take().filter(|_| self.sent == 0);
                        if let Some(error) = error {
                            return Some(Ok(failure(&error, self.request_id.take())));
                        }
                    }
                },
                _ = self.comments.tick() => return Some(Ok(Bytes::from_static(COMMENT))),
            }
        }
    }

    /// Counts a failure toward the limit of the account. The status of the response, by which other
    /// failures are counted, has been sent.
    async fn failed(&mut self, error: ApiError) {
        rates::count_failure(&self.run.app, &self.run.caller, &error).await;
        self.first_error.get_or_insert(error);
    }
}

/// The event for an image that is finished.
fn completed(kind: Kind, finished: Finished) -> BodyDataStream {
    let name = match kind {
        Kind::ImageEdit => "image_edit.completed",
        Kind::TextToImage | Kind::Video => "image_generation.completed",
    };
    let about = about(name, &finished);
    let about = about.strip_suffix('}').unwrap_or_default();
    let pieces = vec![
        Piece::Text(format!("event: {name}\ndata: {about},\"b64_json\":\"").into()),
        finished.image,
        Piece::Text(Bytes::from_static(b"\"}\n\n")),
    ];
    Body::new(Pieces::new(pieces, [finished.memory])).into_data_stream()
}

/// The event's data without the image. All of these fields are required.
fn about(name: &str, finished: &Finished) -> String {
    let details = details(finished);
    let known = |value: Option<String>| value.unwrap_or_else(|| UNKNOWN.to_owned());
    let mut data = json!({
        "type": name,
        "created_at": created_s(finished),
        "background": known(details.background),
        "output_format": details.output_format,
        "quality": known(details.quality),
        "size": known(details.size),
        "usage": details.usage.unwrap_or_else(|| usage(Usage::default())),
    });
    if let Some(data) = data.as_object_mut().filter(|_| !details.warnings.is_empty()) {
        data.insert("warnings".into(), json!(details.warnings));
    }
    data.to_string()
}

/// The event for a call that failed after the stream had begun.
fn failure(error: &ApiError, request_id: Option<String>) -> Bytes {
    let mut body = renamed(error).into_body();
    body.error.request_id = request_id;
    let data = json!(body);
    format!("event: error\ndata: {data}\n\n").into()
}
