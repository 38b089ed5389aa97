//! A bucket on a server that speaks S3: how it is reached, and with which key.

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

/// How often a call is repeated that failed on its way or at the server.
const RETRIES_MAX: usize = 3;
/// How long the first repetition waits, in milliseconds; each further one up to twice as long.
const RETRY_WAIT_MS: u64 = 100;
/// How long a repetition waits at most, in milliseconds.
const RETRY_WAIT_MS_MAX: u64 = 2_000;

/// A bucket, the server that has it, and what opens it.
#[derive(Clone, Debug)]
pub struct S3Settings {
    /// The bucket, which has to exist.
    pub bucket: String,
    /// What the names of all files begin with, without a slash at either end; may be empty.
    pub prefix: String,
    /// The server's address. `None`: Amazon's in the region.
    pub endpoint: Option<Url>,
    /// Whether the bucket is named in the host of addresses (`https://BUCKET.HOST/`) instead of their
    /// path.
    pub bucket_in_host: bool,
    /// A PEM file with the authorities that vouch for the server. `None`: those that Mozilla trusts.
    pub authority: Option<PathBuf>,
    /// The region. `None`: what the environment says, else `us-east-1`.
    pub region: Option<String>,
    /// The key. `None`: what Amazon's own environment gives, such as the role of the machine.
    pub keys: Option<S3Keys>,
    /// How long one call may take with its repetitions, in milliseconds; one that carries a file, a
    /// second more for each 32 KiB of it.
    pub call_ms_max: u64,
    /// How long the server may be silent, in milliseconds: take nothing of a request, say nothing of
    /// an answer.
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
    /// Its name.
    pub id: String,
    /// Its secret, which nothing shows.
    pub secret: String,
}

impl Debug for S3Keys {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}

/// The bucket; nobody is asked for it yet.
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
        // Not every server knows how to delete many at once.
        .with_disable_bulk_delete(true)
        .with_retry(retries(Duration::from_millis(settings.call_ms_max)))
        .with_http_connector(connector)
        .build()
}

/// The server's address as calls go to it: with the bucket in the host, where it belongs there.
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

/// An address without the slash that stands for an empty path.
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
