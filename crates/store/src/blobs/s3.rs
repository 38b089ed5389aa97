//! A bucket on a server that speaks S3: how it is reached, and with which key.

mod client;
pub(super) mod fault;

use std::fmt::{self, Debug, Display, Formatter};
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::{BackoffConfig, RetryConfig};

use self::client::Connector;
use super::objects::Objects;
use crate::Error;

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
    pub endpoint: Option<String>,
    /// The region. `None`: what the environment says, else `us-east-1`.
    pub region: Option<String>,
    /// The key. `None`: what Amazon's own environment gives, such as the role of the machine.
    pub keys: Option<S3Keys>,
    /// How long one call may take with its repetitions, in milliseconds.
    pub call_ms_max: u64,
}

impl Display for S3Settings {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "s3://{}/{}", self.bucket, self.prefix)?;
        match &self.endpoint {
            Some(endpoint) => write!(formatter, " at {endpoint}"),
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
    let said = |error| Error::Files { message: fault::explain(&error) };
    let bucket = bucket(settings).map_err(said)?;
    Ok(Objects::new(bucket, &settings.prefix, settings.call_ms_max))
}

fn bucket(settings: &S3Settings) -> object_store::Result<AmazonS3> {
    let mut builder = match &settings.keys {
        Some(keys) => {
            AmazonS3Builder::new().with_access_key_id(&keys.id).with_secret_access_key(&keys.secret)
        }
        None => AmazonS3Builder::from_env(),
    };
    if let Some(endpoint) = &settings.endpoint {
        builder = builder.with_endpoint(endpoint);
    }
    if let Some(region) = &settings.region {
        builder = builder.with_region(region);
    }
    builder
        .with_bucket_name(&settings.bucket)
        // Not every server knows how to delete many at once.
        .with_disable_bulk_delete(true)
        .with_retry(retries(Duration::from_millis(settings.call_ms_max)))
        .with_http_connector(Connector)
        .build()
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
