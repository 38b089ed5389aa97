//! TLS for all outgoing connections, with built-in root certificates.

use std::sync::Arc;

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// A configuration that trusts Mozilla's certificate authorities. They are built in, so starting
/// needs neither files nor a network.
///
/// # Errors
/// When the built-in cryptography supports no version of TLS.
pub(crate) fn config() -> Result<ClientConfig, tokio_rustls::rustls::Error> {
    let roots = RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(config)
}
