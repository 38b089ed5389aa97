//! Waiting for work that a vendor has named, without ever asking for it twice.

use std::borrow::Cow;
use std::time::Duration;

use super::driver::Upstream;
use super::{Answer, Call, Fault, Harvest, Place, Step, Ticket, TransportError};
use crate::error::ProviderError;

/// Failed look-ups in a row after which the vendor's verdict, or its silence, stands. With the
/// waits between them that is more than a minute, as long as a restart of a gateway takes.
const FAILURES_MAX: u32 = 20;
/// The same where a task that has ended has nothing but errors for a result: with the waits between
/// them some seconds, in which a hiccup is over.
const RESULT_FAILURES_MAX: u32 = 4;
/// Fewest and most milliseconds between two look-ups, whatever the vendor says.
const WAIT_MS: std::ops::RangeInclusive<u64> = 50..=30_000;

impl Upstream {
    /// Asks for `ticket` until it has ended. The caller bounds how long that may take.
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
                // The same work, further on: its result lies elsewhere, and is there already. Not
                // recorded: after a restart the first ticket leads here again.
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
            let error = ProviderError::Unknown(format!("the task cannot be looked up: {error}"));
            LookUp::Passing { error, hint_ms: None, failures_max: FAILURES_MAX }
        })?;
        let is_their_trouble = answer.status.is_server_error();
        self.dialect.polled(ticket, &answer).map_err(|fault| match fault {
            // It says nothing about the task, only about the look-up.
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

    /// Sends a call that changes nothing; the key goes only to the vendor's own hosts.
    pub(super) async fn ask(&self, call: &Call) -> Result<Answer, TransportError> {
        let with_key = match &call.place {
            Place::Path(_) => true,
            Place::Address(url) => self.may_have_key(url),
        };
        if with_key {
            return self.client.send(call, true).await;
        }
        Err(TransportError::NotSent("the address is not on one of the provider's own hosts".into()))
    }

    /// Whether `url` is the vendor's own: at home, or encrypted on a host that the dialect knows.
    pub(super) fn may_have_key(&self, url: &url::Url) -> bool {
        let is_known = url.host_str().is_some_and(|host| self.dialect.is_own_host(host));
        self.client.is_at_home(url) || (url.scheme() == "https" && is_known)
    }
}

/// Why a look-up did not bring the task further.
enum LookUp {
    /// The task has ended without a result.
    Final(ProviderError),
    /// Asking again may help.
    Passing {
        /// What is true if it never does.
        error: ProviderError,
        /// When to ask again, where the vendor said so, in milliseconds.
        hint_ms: Option<u64>,
        /// Failures in a row after which it is true.
        failures_max: u32,
    },
}
