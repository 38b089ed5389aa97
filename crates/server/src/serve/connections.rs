//! Connections: how many, how long their heads may take, and how they end when the service does.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use super::opening::Opening;
use crate::config::ServerSettings;

/// What may stand in a connection's memory, in bytes: of a request that nobody has read yet (of HTTP/1), and
/// of an answer that its caller does not take, for each stream of HTTP/2; the piece that is too much comes on
/// top. hyper's own are three times as large. The head of a request of HTTP/1 has to fit, or is answered 431.
const BUFFER_BYTES_MAX: usize = 128 << 10;

/// Calls at once on a connection of HTTP/2. RFC 9113 recommends to allow no fewer.
const STREAMS_MAX: u32 = 100;

/// What a connection may do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    connections_max: usize,
    header_read: Duration,
}

impl Limits {
    /// The operator's limits.
    pub(super) fn of(settings: &ServerSettings) -> Self {
        Self {
            connections_max: settings.connections_max,
            header_read: Duration::from_millis(settings.header_read_ms_max),
        }
    }
}

/// Accepts connections until `ending`, then waits for the calls on them.
pub(super) async fn accept(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    ending: CancellationToken,
) {
    let room = Arc::new(Semaphore::new(limits.connections_max));
    let graceful = GracefulShutdown::new();
    let connections = TaskTracker::new();
    let server = server(limits);
    loop {
        let next = async {
            // The semaphore is never closed.
            let place = Arc::clone(&room).acquire_owned().await.ok()?;
            Some((place, listener.accept().await))
        };
        let accepted = tokio::select! {
            () = ending.cancelled() => break,
            accepted = next => accepted,
        };
        match accepted {
            Some((place, Ok((stream, from)))) => {
                let one = Connection { stream, from, place, opening: limits.header_read };
                connections.spawn(one.answer(&server, &router, &graceful));
            }
            Some((_, Err(error))) => {
                // Such as too many open files: waiting lets some close.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            None => break,
        }
    }
    drop(listener);
    graceful.shutdown().await;
    connections.close();
    connections.wait().await;
}

fn server(limits: Limits) -> auto::Builder<TokioExecutor> {
    let mut server = auto::Builder::new(TokioExecutor::new());
    let (timer, header_read) = (TokioTimer::new(), limits.header_read);
    server.http1().timer(timer).header_read_timeout(header_read).max_buf_size(BUFFER_BYTES_MAX);
    let timer = TokioTimer::new();
    server
        .http2()
        .timer(timer)
        .keep_alive_interval(header_read)
        .max_concurrent_streams(STREAMS_MAX)
        .max_send_buf_size(BUFFER_BYTES_MAX);
    server
}

struct Connection {
    stream: TcpStream,
    from: SocketAddr,
    place: OwnedSemaphorePermit,
    /// How long its first bytes may take.
    opening: Duration,
}

impl Connection {
    fn answer(
        self,
        server: &auto::Builder<TokioExecutor>,
        router: &Router,
        graceful: &GracefulShutdown,
    ) -> impl Future<Output = ()> + Send + 'static {
        // Answers leave at once; they are whole when they are written.
        if let Err(error) = self.stream.set_nodelay(true) {
            tracing::debug!(%error, "the connection keeps Nagle's delay");
        }
        let from = self.from;
        let service = router.clone().map_request(move |mut request: axum::http::Request<_>| {
            request.extensions_mut().insert(ConnectInfo(from));
            request
        });
        let connection = server
            .serve_connection_with_upgrades(
                TokioIo::new(Opening::new(self.stream, self.opening)),
                TowerToHyperService::new(service),
            )
            .into_owned();
        let watched = graceful.watch(connection);
        let place = self.place;
        async move {
            if let Err(error) = watched.await {
                tracing::debug!(error, "a connection ended early");
            }
            drop(place);
        }
    }
}
