//! The HTTP client. It uses the same TLS implementation as all outgoing connections.

use std::time::Duration;

use async_trait::async_trait;
use futures_util::{StreamExt, TryStreamExt};
use http_body_util::BodyExt;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody,
    HttpResponse, HttpResponseBody, HttpService,
};
use reqwest::redirect::Policy;
use tokio::sync::watch;
use tokio_rustls::rustls::ClientConfig;

use super::pace::{Pace, Silent, pieces};

/// How long connecting may take.
const CONNECT_MAX: Duration = Duration::from_secs(3);
/// How long an unused connection is kept. Servers close them after about 20 to 60 seconds.
const IDLE_MAX: Duration = Duration::from_secs(15);

/// Creates the client with this TLS configuration.
#[derive(Debug)]
pub(super) struct Connector {
    pub(super) encryption: ClientConfig,
    /// How long a server may be silent.
    pub(super) silence_max: Duration,
}

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let said = |source: reqwest::Error| object_store::Error::Generic {
            store: "S3",
            source: source.into(),
        };
        let client = client(self.encryption.clone()).map_err(said)?;
        Ok(HttpClient::new(Calls { client, silence_max: self.silence_max }))
    }
}

/// The client's own read timeout is not used: its time already runs while an upload is being sent.
fn client(encryption: ClientConfig) -> reqwest::Result<reqwest::Client> {
    reqwest::Client::builder()
        .tls_backend_preconfigured(encryption)
        .user_agent(concat!("retouch/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_MAX)
        .pool_idle_timeout(IDLE_MAX)
        .tcp_nodelay(true)
        // A redirect means that the bucket is in another region, which the operator must learn.
        .redirect(Policy::none())
        // HTTP_PROXY and similar variables are meant for other programs.
        .no_proxy()
        .build()
}

/// Calls that are abandoned only when nothing moves any more.
#[derive(Debug)]
struct Calls {
    client: reqwest::Client,
    silence_max: Duration,
}

#[async_trait]
impl HttpService for Calls {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (head, body) = request.into_parts();
        let url = head.uri.to_string().parse();
        let url = url.map_err(|error: url::ParseError| fault(HttpErrorKind::Decode, error))?;
        let pace = Pace { silence_max: self.silence_max, bytes: body.content_length() };
        let (body, unsent) = sent(body);
        let mut call = reqwest::Request::new(head.method, url);
        *call.headers_mut() = head.headers;
        *call.body_mut() = Some(body);
        let answer = pace.watch(self.client.execute(call), unsent).await;
        let answer = answer.map_err(|silent| fault(HttpErrorKind::Timeout, silent))?;
        Ok(received(answer.map_err(broken)?, self.silence_max))
    }
}

/// The request's body, and a counter of the bytes that have not been accepted for sending yet.
fn sent(body: HttpRequestBody) -> (reqwest::Body, watch::Receiver<usize>) {
    if let Some(bytes) = body.as_bytes() {
        // It is small, and its length must be announced.
        return (bytes.clone().into(), watch::Sender::new(0).subscribe());
    }
    let unsent = watch::Sender::new(body.content_length());
    let watched = unsent.subscribe();
    let pieces = body.into_data_stream().map_ok(pieces::<HttpError>).try_flatten();
    let pieces = pieces.inspect_ok(move |piece| {
        unsent.send_modify(|bytes| *bytes = bytes.saturating_sub(piece.len()));
    });
    (reqwest::Body::wrap_stream(pieces), watched)
}

/// The response. Its body fails if the server falls silent.
fn received(answer: reqwest::Response, silence_max: Duration) -> HttpResponse {
    let (status, headers) = (answer.status(), answer.headers().clone());
    let pieces = answer.bytes_stream().map_err(broken).boxed();
    let pieces = futures_util::stream::try_unfold(pieces, move |mut pieces| async move {
        match tokio::time::timeout(silence_max, pieces.try_next()).await {
            Ok(piece) => Ok(piece?.map(|piece| (piece, pieces))),
            Err(_) => Err(fault(HttpErrorKind::Timeout, Silent(silence_max))),
        }
    });
    let body = reqwest::Body::wrap_stream(pieces).map_err(broken);
    let mut response = HttpResponse::new(HttpResponseBody::new(body));
    (*response.status_mut(), *response.headers_mut()) = (status, headers);
    response
}

fn broken(error: reqwest::Error) -> HttpError {
    let kind = if error.is_connect() {
        HttpErrorKind::Connect
    } else if error.is_timeout() {
        HttpErrorKind::Timeout
    } else if error.is_decode() {
        HttpErrorKind::Decode
    } else {
        // Every call that we make is safe to retry.
        HttpErrorKind::Interrupted
    };
    // The URL contains the file's name.
    fault(kind, error.without_url())
}

fn fault<E>(kind: HttpErrorKind, error: E) -> HttpError
where
    E: std::error::Error + Send + Sync + 'static,
{
    HttpError::new(kind, error)
}
