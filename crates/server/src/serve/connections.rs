//! Accepts connections, enforces their limits, and closes them when the service stops.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, Request, Response, Version, header};
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use super::activity::{Activity, OpenRequest};
use super::arriving::Arriving;
use super::leaving::{Leaving, Streams};
use super::pace::Pace;
use super::places::{Place, Places};
use super::preface::Preface;
use super::writing::Writing;
use crate::app::App;
use crate::metrics::{EdgeLimit, EdgeNumbers, OpenConnection};

/// Buffer size of a connection, in bytes: for the unread part of an HTTP/1 request, and per HTTP/2
/// stream for the part of a response that the client has not read. The last piece may exceed it.
/// hyper's defaults are three times as large. If the headers of an HTTP/1 request do not fit, the
/// response is 431.
const BUFFER_BYTES_MAX: usize = 128 << 10;

/// Concurrent streams on an HTTP/2 connection. RFC 9113 recommends at least 100.
const STREAMS_MAX: u32 = 100;

/// The limits on connections, and the router that handles their requests.
pub(super) struct Door {
    router: Router,
    connections_max: usize,
    header_read: Duration,
    idle: Duration,
    age: Duration,
    body_bytes_max: usize,
    pace: Pace,
    places: Places,
    numbers: EdgeNumbers,
}

impl Door {
    /// The operator's limits with `router`.
    pub(super) fn of(app: &App, router: Router) -> Self {
        let server = &app.settings.server;
        let connections = &server.connections;
        Self {
            router,
            connections_max: connections.connections_max,
            header_read: Duration::from_millis(server.header_read_ms_max),
            idle: Duration::from_millis(connections.idle_ms_max),
            age: Duration::from_millis(connections.age_ms_max),
            body_bytes_max: server.body_bytes_max,
            pace: Pace::of(connections),
            places: Places::of(server),
            numbers: app.metrics.edge.clone(),
        }
    }

    fn versions(&self) -> Versions {
        let streams = Streams { pace: self.pace, numbers: self.numbers.clone() };
        let mut http1 = auto::Builder::new(streams.clone()).http1_only();
        let (timer, header_read) = (TokioTimer::new(), self.header_read);
        http1.http1().timer(timer).header_read_timeout(header_read).max_buf_size(BUFFER_BYTES_MAX);
        let mut http2 = auto::Builder::new(streams).http2_only();
        let timer = TokioTimer::new();
        http2
            .http2()
            .timer(timer)
            .keep_alive_interval(header_read)
            .max_concurrent_streams(STREAMS_MAX)
            .max_send_buf_size(BUFFER_BYTES_MAX);
        Versions { http1, http2 }
    }
}

/// How the connections of each version are served.
struct Versions {
    http1: auto::Builder<Streams>,
    http2: auto::Builder<Streams>,
}

/// Accepts connections until `ending`, then waits for their requests.
pub(super) async fn accept(listener: TcpListener, door: Door, ending: CancellationToken) {
    let room = Arc::new(Semaphore::new(door.connections_max));
    let connections = TaskTracker::new();
    let versions = Arc::new(door.versions());
    let door = Arc::new(door);
    loop {
        let next = async {
            // The semaphore is never closed.
            let room = Arc::clone(&room).acquire_owned().await.ok()?;
            Some((room, listener.accept().await))
        };
        let accepted = tokio::select! {
            () = ending.cancelled() => break,
            accepted = next => accepted,
        };
        match accepted {
            Some((room, Ok((stream, from)))) => {
                let Some(place) = door.places.take(from.ip()) else {
                    door.numbers.limited(EdgeLimit::Address);
                    continue;
                };
                let held = Held { _room: room, _place: place, _open: door.numbers.connected() };
                let connection = Connection { door: Arc::clone(&door), from, held };
                connections.spawn(connection.answer(stream, Arc::clone(&versions), ending.clone()));
            }
            Some((_, Err(error))) => {
                // For example, too many open files: waiting lets some close.
                tracing::warn!(%error, "could not accept a connection");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            None => break,
        }
    }
    drop(listener);
    connections.close();
    connections.wait().await;
}

/// What a connection occupies for as long as it lasts.
struct Held {
    _room: OwnedSemaphorePermit,
    _place: Place,
    _open: OpenConnection,
}

struct Connection {
    door: Arc<Door>,
    from: SocketAddr,
    held: Held,
}

impl Connection {
    /// Handles requests on `stream` until the client is done, a limit is reached, or `ending`.
    async fn answer(self, stream: TcpStream, versions: Arc<Versions>, ending: CancellationToken) {
        let Self { door, from, held } = self;
        let activity = Activity::new();
        let limits = (door.pace, door.body_bytes_max);
        let stream = Writing::new(stream, activity.clone(), door.numbers.clone(), limits);
        let time_max = door.header_read.min(door.idle);
        let begun = tokio::select! {
            begun = tokio::time::timeout(time_max, Preface::read(stream)) => begun,
            () = ending.cancelled() => return,
        };
        let Ok(Ok(stream)) = begun else { return };
        let server = if stream.is_http2() { &versions.http2 } else { &versions.http1 };
        let service =
            hyper::service::service_fn(|request| call(&door, from, request, activity.begin()));
        // On the heap: inline, the compiler reserves space for it three times in the task.
        let mut connection = Box::pin(server.serve_connection(TokioIo::new(stream), service));
        let limit = tokio::select! {
            ended = connection.as_mut() => return note(ended),
            () = ending.cancelled() => None,
            () = activity.idle_for(door.idle) => Some(EdgeLimit::Idle),
            () = tokio::time::sleep(door.age) => Some(EdgeLimit::Age),
        };
        if let Some(limit) = limit {
            door.numbers.limited(limit);
        }
        // Running requests are finished, but an idle client is not waited for.
        connection.as_mut().graceful_shutdown();
        tokio::select! {
            ended = connection => note(ended),
            () = activity.idle_for(door.pace.grace()) => {}
        }
        drop(held);
    }
}

fn note(ended: Result<(), Box<dyn std::error::Error + Send + Sync>>) {
    if let Err(error) = ended {
        tracing::debug!(error, "a connection ended with an error");
    }
}

/// Passes one request to the router.
fn call(
    door: &Door,
    from: SocketAddr,
    request: Request<Incoming>,
    open: OpenRequest,
) -> impl Future<Output = Result<Response<Leaving>, Infallible>> + Send + 'static {
    let (pace, numbers) = (door.pace, door.numbers.clone());
    let activity = open.activity().clone();
    let is_http1 = request.version() < Version::HTTP_2;
    let arriving = |body| Body::new(Arriving::new(body, pace, activity, numbers));
    let mut request = request.map(arriving);
    request.extensions_mut().insert(ConnectInfo(from));
    let answer = door.router.clone().oneshot(request);
    async move {
        let mut answer = answer.await?;
        // hyper closes such a connection without announcing it, so that clients would send their next
        // request on it.
        if is_http1 && open.activity().has_unread() {
            answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        Ok(answer.map(|body| Leaving::new(body, open)))
    }
}
