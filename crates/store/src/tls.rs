//! TLS to the servers that store data. Their certificates are always verified.

use std::path::Path;
use std::sync::Arc;

use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto};

/// A configuration that trusts the certificate authorities in a PEM file, or by default those that
/// Mozilla trusts, which are built in.
///
/// # Errors
/// What is wrong with the file.
pub(crate) fn config(authorities: Option<&Path>) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    match authorities {
        None => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
        Some(file) => {
            let read = CertificateDer::pem_file_iter(file).map_err(|it| it.to_string())?;
            for certificate in read {
                let certificate = certificate.map_err(|it| it.to_string())?;
                roots.add(certificate).map_err(|it| it.to_string())?;
            }
        }
    }
    if roots.is_empty() {
        return Err("the file contains no certificate".into());
    }
    let config = ClientConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(config)
}
