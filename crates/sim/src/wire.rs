//! Connections: an accept loop of our own, since some faults are the connection's.

use std::error::Error;
use std::pin::Pin;
use std::{fmt, future};

use axum::Router;
use axum::response::Response;
use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use crate::spoil::Instead;

/// Accepts connections until `ending`; those that are open then are cut.
pub(crate) async fn accept(listener: TcpListener, router: Router, ending: CancellationToken) {
    let connections = TaskTracker::new();
    loop {
        tokio::select! {
            () = ending.cancelled() => break,
            accepted = listener.accept() => {
                // An error is one of a client that has gone already.
                if let Ok((stream, _)) = accepted {
                    let one = converse(stream, router.clone());
                    connections.spawn(ending.clone().run_until_cancelled_owned(one));
                }
            }
        }
    }
    connections.close();
    connections.wait().await;
}

/// Answers the requests on one connection, until either side ends it.
async fn converse(stream: TcpStream, router: Router) {
    // Answers leave at once; they are whole when they are written. Without it they are as right.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| answer(router.clone(), request));
    let mut connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    let ended = Pin::new(&mut connection).await;
    let cause = ended.as_ref().err().and_then(Error::source);
    if cause.and_then(|cause| cause.downcast_ref()) == Some(&Cut::Reset) {
        // Closing a connection that does not linger sends RST instead of FIN.
        let stream = connection.into_parts().io.into_inner();
        let _ = stream.set_zero_linger();
    }
}

/// Why a connection ends without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    Close,
    Reset,
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a planned fault")
    }
}

impl Error for Cut {}

async fn answer(router: Router, request: Request<Incoming>) -> Result<Response, Cut> {
    // A router has an answer to everything; its error type has no values.
    let response = router.oneshot(request).await.unwrap_or_else(|never| match never {});
    match response.extensions().get::<Instead>() {
        None => Ok(response),
        Some(Instead::Hang) => future::pending().await,
        Some(Instead::Close) => Err(Cut::Close),
        Some(Instead::Reset) => Err(Cut::Reset),
    }
}
