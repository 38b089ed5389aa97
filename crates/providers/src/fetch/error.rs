//! Why a picture could not be fetched.

use thiserror::Error;

/// Why a picture could not be fetched, for the caller.
///
/// The texts name no host and do not tell a closed port from a name that does not exist, so that
/// nobody can map networks with them.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FetchError {
    /// Not http or https.
    #[error("only http and https addresses are fetched, not `{scheme}`")]
    Scheme {
        /// The scheme of the address.
        scheme: String,
    },
    /// A user name or password stands before the host.
    #[error("an address with a user name or password in it is not fetched")]
    UserInfo,
    /// The address names no host.
    #[error("the address names no host")]
    NoHost,
    /// A port that is not the web's.
    #[error("port {port} is not fetched from; only 80 and 443 are")]
    Port {
        /// The port of the address.
        port: u16,
    },
    /// The address leads to something that is not the public internet.
    #[error("it does not lead to a public address on the internet")]
    NotPublic,
    /// Nobody answered, whatever the reason.
    #[error("its server could not be reached")]
    Unreachable,
    /// Another status than 200.
    #[error("its server answered with status {status} instead of 200")]
    Status {
        /// The status of the answer.
        status: u16,
    },
    /// More redirects than are followed.
    #[error("it redirects more than {redirects_max} times")]
    TooManyRedirects {
        /// Redirects that are followed.
        redirects_max: usize,
    },
    /// A redirect to something that is no address.
    #[error("it redirects to something that is not an address")]
    BadRedirect,
    /// The body is compressed although that was not asked for.
    #[error(
        "its server sent the picture compressed once more (Content-Encoding), which is not read"
    )]
    Encoded,
    /// The body is too long.
    #[error("it has more than {bytes_max} bytes, the most that are fetched")]
    TooLarge {
        /// Bytes that are fetched at most.
        bytes_max: usize,
    },
    /// There is no memory for it at the moment.
    #[error("there is no memory for it at the moment")]
    NoRoom,
    /// The time is over.
    #[error("it could not be fetched within {ms_max} ms")]
    TooSlow {
        /// Milliseconds that a fetch may take.
        ms_max: u64,
    },
    /// The answer ended early or breaks the rules of HTTP.
    #[error("its server's answer was cut off or is not proper HTTP")]
    Broken,
}

/// Why there can be no fetcher.
#[derive(Debug, Error)]
#[error("encryption for fetching could not be set up: {0}")]
pub struct SetUpError(#[from] tokio_rustls::rustls::Error);
