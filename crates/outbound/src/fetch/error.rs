//! Why an image could not be downloaded.

use thiserror::Error;

/// Why an image could not be downloaded, for the caller.
///
/// The messages name no host, and do not distinguish a closed port from a name that does not exist.
/// Otherwise, callers could use them to map internal networks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FetchError {
    /// The scheme is not http or https.
    #[error("only http and https URLs can be fetched, not `{scheme}`")]
    Scheme {
        /// The scheme of the address.
        scheme: String,
    },
    /// The address needs TLS.
    #[error("the URL must start with https")]
    NotEncrypted,
    /// The address contains a user name or password.
    #[error("URLs with a user name or password cannot be fetched")]
    UserInfo,
    /// The address has no host.
    #[error("the URL has no host")]
    NoHost,
    /// The port is not one of the web's.
    #[error("port {port} is not allowed; use port 80 or 443")]
    Port {
        /// The port of the address.
        port: u16,
    },
    /// The address is not public.
    #[error("the URL does not point to a public internet address")]
    NotPublic,
    /// The server could not be reached, for whatever reason.
    #[error("the server could not be reached")]
    Unreachable,
    /// The status is not 200.
    #[error("the server responded with status {status} instead of 200")]
    Status {
        /// The status of the response.
        status: u16,
    },
    /// Too many redirects.
    #[error("the URL redirects more than {redirects_max} times")]
    TooManyRedirects {
        /// The maximum number of redirects.
        redirects_max: usize,
    },
    /// A redirect to an invalid address.
    #[error("the URL redirects to an invalid URL")]
    BadRedirect,
    /// The body is compressed although that was not requested.
    #[error("the server compressed the image (Content-Encoding), which is not supported")]
    Encoded,
    /// The body is too large.
    #[error("the image is larger than {bytes_max} bytes, the limit")]
    TooLarge {
        /// Maximum size, in bytes.
        bytes_max: usize,
    },
    /// Too little memory is free now.
    #[error("there is not enough memory for the image at the moment")]
    NoRoom,
    /// The time limit was reached.
    #[error("the image could not be fetched within {ms_max} ms")]
    TooSlow {
        /// The time limit, in milliseconds.
        ms_max: u64,
    },
    /// The response is incomplete or violates HTTP.
    #[error("the server's response was cut off or is not valid HTTP")]
    Broken,
}

/// Why no fetcher could be created.
#[derive(Debug, Error)]
#[error("cannot set up TLS for fetching: {0}")]
pub struct SetUpError(#[from] tokio_rustls::rustls::Error);
