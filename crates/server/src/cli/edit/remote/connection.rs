//! Calls to a server, repeated until it has answered them.

use std::time::Duration;

use retouch_outbound::client::{self, Auth, Call, Client, ClientLimits, Endpoint, TransportError};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::runtime::{self, Runtime};
use tokio::time::{Instant, sleep};

use crate::cli::answer::Failure;
use crate::cli::edit::workers::NotEdited;

/// The limits on calls. An edit may take minutes.
const LIMITS: ClientLimits = ClientLimits {
    connect_ms_max: 10_000,
    answer_ms_max: 10 * 60_000,
    idle_ms_max: 60_000,
    answer_bytes_max: 256 << 20,
};

/// How long the command waits for the answer to a call, with all repetitions.
const PATIENCE: Duration = Duration::from_secs(15 * 60);
/// How long it waits before it repeats a call, unless the server says how long.
const PAUSE: Duration = Duration::from_secs(1);

/// An error of the server.
#[derive(Deserialize)]
struct Refused {
    error: RefusedBody,
}

#[derive(Deserialize)]
struct RefusedBody {
    code: String,
    message: String,
}

/// A server, and the runtime that calls it from any thread.
pub(super) struct Connection {
    client: Client,
    runtime: Runtime,
}

impl Connection {
    /// Nothing is sent yet.
    pub(super) fn new(endpoint: Endpoint) -> Result<Self, Failure> {
        let client = Client::new(endpoint, Auth::Bearer, LIMITS).map_err(Failure::failed)?;
        let runtime =
            runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        Ok(Self { client, runtime })
    }

    /// The answer to a call. Repetitions must be harmless.
    pub(super) fn send<T: DeserializeOwned>(&self, call: &Call) -> Result<T, NotEdited> {
        let answer = self.runtime.block_on(send(&self.client, call))?;
        if !answer.status.is_success() {
            return Err(refused(&self.client, &answer));
        }
        let base = self.client.base();
        answer.json().map_err(|_| format!("{base} answered with {}", answer.shown()).into())
    }
}

/// Sends the call until the server has answered it.
async fn send(client: &Client, call: &Call) -> Result<client::Answer, NotEdited> {
    let until = Instant::now() + PATIENCE;
    loop {
        let (sent, wait) = match client.send(call, true).await {
            Err(error @ TransportError::NotSent(_)) => return Err(unanswered(client, &error)),
            Err(error @ TransportError::NoAnswer(_)) => (Err(unanswered(client, &error)), PAUSE),
            Ok(answer) => match wait(&answer) {
                None => return Ok(answer),
                Some(wait) => (Ok(answer), wait),
            },
        };
        if Instant::now() + wait > until {
            return sent;
        }
        sleep(wait).await;
    }
}

/// How long to wait before a call is repeated that came too early, or that a proxy has cut.
fn wait(answer: &client::Answer) -> Option<Duration> {
    let is_early = match answer.status.as_u16() {
        409 => answer.json().is_ok_and(|it: Refused| it.error.code == "idempotency_in_progress"),
        429 | 502..=504 => true,
        _ => false,
    };
    let asked = answer.retry_after_ms().map_or(PAUSE, Duration::from_millis);
    is_early.then_some(asked.max(PAUSE))
}

fn unanswered(client: &Client, error: &TransportError) -> NotEdited {
    let reason = format!("{} did not answer: {error}", client.base());
    NotEdited { reason, is_hopeless: true }
}

/// Why the server did not do what it was asked for. What is wrong with an image says nothing about
/// others.
fn refused(client: &Client, answer: &client::Answer) -> NotEdited {
    let server = client.base();
    let reason = match (answer.json::<Refused>(), answer.header("location")) {
        (Ok(Refused { error }), _) => format!("{server}: {} ({})", error.message, error.code),
        (Err(_), Some(address)) => format!("{server} has moved to {address}; use that address"),
        (Err(_), None) => format!("{server} answered with {}", answer.shown()),
    };
    let is_hopeless = !matches!(answer.status.as_u16(), 400 | 413 | 500);
    NotEdited { reason, is_hopeless }
}
