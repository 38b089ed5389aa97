//! A plain HTTP server that reads each request and sends the same bytes: the cost of a call that
//! does nothing.

use std::convert::Infallible;
use std::io::Write;

use bytes::Bytes;
use http::{Request, Response, header};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::Fallible;
use crate::arguments::UpstreamArguments;

/// Serves until it is ended. Prints its address first.
///
/// # Errors
/// If it cannot listen.
pub(crate) fn run(asked: &UpstreamArguments) -> Fallible<()> {
    let body = Bytes::from(std::fs::read(&asked.body)?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        writeln!(std::io::stdout(), "{}", serde_json::to_string(&address)?)?;
        let mut connections = JoinSet::new();
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            connections.spawn(answer(stream, body.clone()));
        }
    })
}

async fn answer(stream: TcpStream, body: Bytes) {
    let service = service_fn(move |request: Request<Incoming>| {
        let body = body.clone();
        async move {
            // The content does not matter, but it must be read.
            let _ = request.into_body().collect().await;
            let answer = Response::builder().header(header::CONTENT_TYPE, "application/json");
            let answer = answer.body(Full::new(body)).unwrap_or_default();
            Ok::<_, Infallible>(answer)
        }
    });
    let server = auto::Builder::new(TokioExecutor::new());
    // The client notices a broken connection.
    let _ = server.serve_connection(TokioIo::new(stream), service).await;
}
