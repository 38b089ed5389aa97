//! Accepts connections. Faults that affect connections require a custom accept loop.

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

use crate::network_faults::ConnectionFault;

/// Accepts connections until `ending`, which also cuts the open ones.
pub(crate) async fn accept(listener: TcpListener, router: Router, ending: CancellationToken) {
    let connections = TaskTracker::new();
    loop {
        tokio::select! {
            () = ending.cancelled() => break,
            accepted = listener.accept() => {
                // An error means that the client has already gone.
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

/// Handles the requests on a connection until either side closes it.
async fn converse(stream: TcpStream, router: Router) {
    // Responses are written in one piece, so sending them without delay only saves time.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| answer(router.clone(), request));
    let mut connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    let ended = Pin::new(&mut connection).await;
    let cause = ended.as_ref().err().and_then(Error::source);
    if cause.and_then(|cause| cause.downcast_ref()) == Some(&Cut::Reset) {
        // Closing a socket with a linger time of zero sends RST instead of FIN.
        let stream = connection.into_parts().io.into_inner();
        let _ = stream.set_zero_linger();
    }
}

/// Why a connection ends without a response.
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
    // A router always responds. Its error type has no values.
    let response = router.oneshot(request).await.unwrap_or_else(|never| match never {});
    match response.extensions().get::<ConnectionFault>() {
        None => Ok(response),
        Some(ConnectionFault::Hang) => future::pending().await,
        Some(ConnectionFault::Close) => Err(Cut::Close),
        Some(ConnectionFault::Reset) => Err(Cut::Reset),
    }
}
