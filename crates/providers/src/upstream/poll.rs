//! Waits for tasks that a provider has named, without ever submitting them twice.

use std::borrow::Cow;
use std::time::Duration;

use retouch_outbound::client::TransportError;

use super::driver::Upstream;
use super::{Answer, Call, CallUrl, Fault, Harvest, Step, Ticket};
use crate::error::ProviderError;

/// Failed status requests in a row after which the outcome is accepted. With the pauses between
/// them, this takes more than a minute, as long as a gateway needs to restart.
const FAILURES_MAX: u32 = 20;
/// Like `FAILURES_MAX`, for a finished task whose result cannot be read. With the pauses between
/// them, this takes a few seconds, which is enough for a transient error to pass.
const RESULT_FAILURES_MAX: u32 = 4;
/// Shortest and longest pause between two status requests, in milliseconds, whatever the provider
/// says.
const WAIT_MS: std::ops::RangeInclusive<u64> = 50..=30_000;

impl Upstream {
    /// Asks for `ticket` until its task has ended. The caller limits how long this may take.
    pub(super) async fn await_task(&self, ticket: &Ticket) -> Result<Harvest, ProviderError> {
        let (mut round, mut failures) = (0, 0);
        let mut wait_ms = self.dialect.poll_wait_ms(round);
        let mut ticket = Cow::Borrowed(ticket);
        loop {
            tokio::time::sleep(Duration::from_millis(wait_ms)).await;
            round += 1;
            wait_ms = self.dialect.poll_wait_ms(round);
            let trouble = match self.look_up(&ticket).await {
                Ok(Step::Done(harvest)) => return Ok(harvest),
                Ok(Step::Working { wait_ms: None }) => None,
                // The task continues under another ticket, for example because its result has
                // another address. This is not recorded, because the first ticket leads here again
                // after a restart.
                Ok(Step::Submitted(next)) => {
                    ticket = Cow::Owned(next);
                    wait_ms = *WAIT_MS.start();
                    None
                }
                Ok(Step::Working { wait_ms: Some(ms) }) => {
                    wait_ms = ms;
                    None
                }
                Err(trouble) => Some(trouble),
            };
            match trouble {
                None => failures = 0,
                Some(LookUp::Final(error)) => return Err(error),
                Some(LookUp::Passing { error, hint_ms, failures_max }) => {
                    failures += 1;
                    if failures >= failures_max {
                        return Err(error);
                    }
                    wait_ms = hint_ms.unwrap_or(wait_ms);
                }
            }
            wait_ms = wait_ms.clamp(*WAIT_MS.start(), *WAIT_MS.end());
        }
    }

    async fn look_up(&self, ticket: &Ticket) -> Result<Step, LookUp> {
        let call = self.dialect.poll(ticket);
        let answer = self.ask(&call).await.map_err(|error| {
            let error = ProviderError::Unknown(format!("cannot look up the task: {error}"));
            LookUp::Passing { error, hint_ms: None, failures_max: FAILURES_MAX }
        })?;
        let is_their_trouble = answer.status.is_server_error();
        self.dialect.polled(ticket, &answer).map_err(|fault| match fault {
            // This is about the status request and says nothing about the task.
            Fault::NotAccepted { reason, wait_ms, .. } => LookUp::Passing {
                error: ProviderError::Unknown(self.client.redact(&reason)),
                hint_ms: wait_ms,
                failures_max: FAILURES_MAX,
            },
            fault if is_their_trouble => {
                let is_at_result = self.dialect.is_at_result(ticket);
                let failures_max = if is_at_result { RESULT_FAILURES_MAX } else { FAILURES_MAX };
                LookUp::Passing { error: self.explain(fault), hint_ms: None, failures_max }
            }
            fault => LookUp::Final(self.explain(fault)),
        })
    }

    /// Sends a call that changes nothing. The key is only sent to the provider's own hosts.
    pub(super) async fn ask(&self, call: &Call) -> Result<Answer, TransportError> {
        let with_key = match &call.url {
            CallUrl::Path(_) => true,
            CallUrl::Absolute(url) => self.may_have_key(url),
        };
        if with_key {
            return self.client.send(call, true).await;
        }
        Err(TransportError::NotSent("the address is not on one of the provider's own hosts".into()))
    }

    /// Whether the key may be sent to `url`: it is at the base URL, or encrypted on a host that the
    /// dialect knows.
    pub(super) fn may_have_key(&self, url: &url::Url) -> bool {
        let is_known = url.host_str().is_some_and(|host| self.dialect.is_own_host(host));
        self.client.is_at_home(url) || (url.scheme() == "https" && is_known)
    }
}

/// Why a status request made no progress.
enum LookUp {
    /// The task has ended without a result.
    Final(ProviderError),
    /// Asking again may help.
    Passing {
        /// The error if it never does.
        error: ProviderError,
        /// When to ask again, in milliseconds, if the provider said so.
        hint_ms: Option<u64>,
        /// Failures in a row after which the error is final.
        failures_max: u32,
    },
}
