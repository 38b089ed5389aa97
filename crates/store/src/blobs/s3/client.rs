//! The client of HTTP: as everything that goes out, on one implementation of TLS.

use std::time::Duration;

use object_store::ClientOptions;
use object_store::client::{HttpClient, HttpConnector};
use reqwest::redirect::Policy;
use tokio_rustls::rustls::ClientConfig;

/// How long a connection may take to be made.
const CONNECT_MAX: Duration = Duration::from_secs(3);
/// How long a server may be silent before or in the middle of an answer; then the call is made again.
const SILENCE_MAX: Duration = Duration::from_secs(20);
/// How long a connection that nobody uses is kept; servers close them after some 20 to 60 seconds.
const IDLE_MAX: Duration = Duration::from_secs(15);

/// Makes the client, on this configuration of TLS.
#[derive(Debug)]
pub(super) struct Connector(pub(super) ClientConfig);

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let said = |source: reqwest::Error| object_store::Error::Generic {
            store: "S3",
            source: source.into(),
        };
        client(self.0.clone()).map(HttpClient::new).map_err(said)
    }
}

fn client(encryption: ClientConfig) -> reqwest::Result<reqwest::Client> {
    reqwest::Client::builder()
        .tls_backend_preconfigured(encryption)
        .user_agent(concat!("retouch/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_MAX)
        .read_timeout(SILENCE_MAX)
        .pool_idle_timeout(IDLE_MAX)
        .tcp_nodelay(true)
        // A server that sends callers elsewhere is in another region, which has to be said.
        .redirect(Policy::none())
        .build()
}
