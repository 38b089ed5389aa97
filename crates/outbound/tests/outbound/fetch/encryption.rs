//! Servers whose TLS certificate cannot be trusted.

use super::support::{Say, Server, fetch, fetcher, loopback, url};
use retouch_outbound::fetch::{FetchError, FetchSettings};
use std::io;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

/// A self-signed certificate for 127.0.0.1 and its key, made for this test with `openssl req -x509`
/// and used nowhere else.
const CERTIFICATE: &[u8] = include_bytes!("self_signed.der");
const KEY: &[u8] = include_bytes!("self_signed.key.der");

fn acceptor() -> TlsAcceptor {
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(KEY));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider is complete")
        .with_no_client_auth()
        .with_single_cert(vec![CertificateDer::from(CERTIFICATE)], key)
        .expect("certificate and key belong together");
    TlsAcceptor::from(Arc::new(config))
}

#[tokio::test]
async fn a_certificate_that_nobody_vouches_for_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("the listener is bound");
    let serve = async {
        let (stream, _) = listener.accept().await?;
        acceptor().accept(stream).await.map(|_| ())
    };
    let address = url(&format!("https://{address}/"));
    let (served, fetched): (io::Result<()>, _) = tokio::join!(serve, fetch(&address));
    assert_eq!(fetched, Err(FetchError::Unreachable));
    let complaint = served.expect_err("the handshake does not end well").to_string();
    assert!(complaint.contains("UnknownCA"), "{complaint}");
}

#[tokio::test]
async fn a_server_that_speaks_no_encryption_is_sent_no_request() {
    let server = Server::saying(Say::Once(b"HTTP/1.1 200 OK\r\n\r\nok".to_vec())).await;
    let address = url(&format!("https://{}/", server.address));
    let settings = FetchSettings { connect_ms_max: 100, ..loopback() };
    assert_eq!(fetcher(settings).fetch(&address, &()).await, Err(FetchError::Unreachable));
    assert!(server.heard().is_empty(), "no request was sent unencrypted");
}
