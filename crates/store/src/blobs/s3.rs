//! A bucket on an S3 server: its address, its key, and how to connect.

mod client;
pub(super) mod fault;
pub(super) mod pace;

use std::fmt::{self, Debug, Display, Formatter};
use std::path::{Path, PathBuf};
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::{BackoffConfig, RetryConfig};
use tokio_rustls::rustls::ClientConfig;
use url::Url;

use self::client::Connector;
use super::objects::Objects;
use crate::{Error, tls};

/// How often a call is retried after a network or server error.
const RETRIES_MAX: usize = 3;
/// The wait before the first retry, in milliseconds. Each further wait is up to twice as long.
const RETRY_WAIT_MS: u64 = 100;
/// The longest wait before a retry, in milliseconds.
const RETRY_WAIT_MS_MAX: u64 = 2_000;

/// A bucket, its server, and the key.
#[derive(Clone, Debug)]
pub struct S3Settings {
    /// The bucket, which must exist.
    pub bucket: String,
    /// The common prefix of all names, without a slash at either end. May be empty.
    pub prefix: String,
    /// The server's address. `None`: Amazon's server for the region.
    pub endpoint: Option<Url>,
    /// Whether URLs have the bucket in the host (`https://BUCKET.HOST/`) instead of the path.
    pub bucket_in_host: bool,
    /// A PEM file with the certificate authorities to trust. `None`: those that Mozilla trusts.
    pub authority: Option<PathBuf>,
    /// The region. `None`: that of the environment, or else `us-east-1`.
    pub region: Option<String>,
    /// The key. `None`: the credentials that AWS environments provide, such as the role of the
    /// machine.
    pub keys: Option<S3Keys>,
    /// How long one call may take with its retries, in milliseconds. A call that transfers a file
    /// gets another second for each 32 KiB of it.
    pub call_ms_max: u64,
    /// How long the server may be silent, in milliseconds: accept nothing of a request, or send
    /// nothing of a response.
    pub silence_ms_max: u64,
}

impl Display for S3Settings {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "s3://{}/{}", self.bucket, self.prefix)?;
        match &self.endpoint {
            Some(endpoint) => write!(formatter, " at {}", bare(endpoint)),
            None => Ok(()),
        }
    }
}

/// An access key.
#[derive(Clone, PartialEq, Eq)]
pub struct S3Keys {
    /// Its id.
    pub id: String,
    /// Its secret, which is never shown.
    pub secret: String,
}

impl Debug for S3Keys {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}

/// Opens the bucket, without connecting yet.
pub(super) fn open(settings: &S3Settings) -> Result<Objects, Error> {
    let unusable = |message| Error::Files { message };
    let endpoint = settings.endpoint.as_ref().map(|endpoint| address(endpoint, settings));
    let endpoint = endpoint.transpose().map_err(unusable)?;
    let encryption = encryption(settings.authority.as_deref()).map_err(unusable)?;
    let silence_max = Duration::from_millis(settings.silence_ms_max);
    let bucket = bucket(settings, endpoint, Connector { encryption, silence_max });
    let bucket = bucket.map_err(|error| unusable(fault::explain(&error)))?;
    Ok(Objects::new(bucket, &settings.prefix, settings.call_ms_max))
}

fn bucket(
    settings: &S3Settings,
    endpoint: Option<String>,
    connector: Connector,
) -> object_store::Result<AmazonS3> {
    let mut builder = match &settings.keys {
        Some(keys) => {
            AmazonS3Builder::new().with_access_key_id(&keys.id).with_secret_access_key(&keys.secret)
        }
        None => AmazonS3Builder::from_env(),
    };
    if let Some(endpoint) = endpoint {
        builder = builder.with_endpoint(endpoint);
    }
    if let Some(region) = &settings.region {
        builder = builder.with_region(region);
    }
    builder
        .with_bucket_name(&settings.bucket)
        .with_virtual_hosted_style_request(settings.bucket_in_host)
        // Not every server supports bulk deletes.
        .with_disable_bulk_delete(true)
        .with_retry(retries(Duration::from_millis(settings.call_ms_max)))
        .with_http_connector(connector)
        .build()
}

/// The address that calls go to, with the bucket in the host if configured.
fn address(endpoint: &Url, settings: &S3Settings) -> Result<String, String> {
    let mut address = endpoint.clone();
    if settings.bucket_in_host {
        let (bucket, host) = (&settings.bucket, endpoint.host_str().unwrap_or_default());
        let named = address.set_host(Some(&format!("{bucket}.{host}")));
        named.map_err(|_| format!("{bucket} cannot be part of the host name of {host}"))?;
    }
    Ok(bare(&address).to_owned())
}

fn encryption(authority: Option<&Path>) -> Result<ClientConfig, String> {
    tls::config(authority).map_err(|said| match authority {
        Some(file) => format!("the certificates in {}: {said}", file.display()),
        None => said,
    })
}

/// The address without the slash of an empty path.
fn bare(address: &Url) -> &str {
    address.as_str().trim_end_matches('/')
}

fn retries(timeout: Duration) -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(RETRY_WAIT_MS),
            max_backoff: Duration::from_millis(RETRY_WAIT_MS_MAX),
            base: 2.0,
        },
        max_retries: RETRIES_MAX,
        retry_timeout: timeout,
    }
}
