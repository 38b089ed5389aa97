//! Encryption for everything that goes out: one implementation, with its roots built in.

use std::sync::Arc;

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// A configuration that trusts the authorities that Mozilla trusts, which are built in, so that
/// starting needs neither files nor a network.
///
/// # Errors
/// When the cryptography that is built in offers no version of TLS.
pub(crate) fn config() -> Result<ClientConfig, tokio_rustls::rustls::Error> {
    let roots = RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(config)
}
