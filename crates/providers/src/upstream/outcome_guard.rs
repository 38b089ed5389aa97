//! What a call shows about its provider, also if the edit times out before the call ends: a
//! provider that hangs is paused like one that fails.

use super::gate::Gate;
use crate::error::ProviderError;
use crate::provider::Output;

/// How long to wait before calling a provider again that could not be reached, in milliseconds.
pub(super) const RETRY_MS: u64 = 1_000;

/// A call in progress. The edit continues if its caller disconnects. If this is dropped before the
/// provider has responded, the edit has therefore timed out, which counts as a failure. (It is also
/// dropped when the server stops, but then the gate ends too.)
pub(super) struct OutcomeGuard<'a> {
    gate: &'a Gate,
    provider: &'a str,
    is_waiting: bool,
}

impl<'a> OutcomeGuard<'a> {
    /// Starts to wait for `provider`, which is behind `gate`.
    pub(super) fn begin(gate: &'a Gate, provider: &'a str) -> Self {
        Self { gate, provider, is_waiting: true }
    }

    /// Notes that the provider has finished. Any time after this is spent on our own work.
    pub(super) fn answered(&mut self) {
        self.is_waiting = false;
    }

    /// Updates the gate with what the outcome says about the provider.
    pub(super) fn observe(mut self, outcome: &Result<Output, ProviderError>) {
        self.is_waiting = false;
        match outcome {
            Ok(_) | Err(ProviderError::Refused(_)) => self.gate.worked(),
            // These say nothing about the provider.
            Err(ProviderError::Input(_) | ProviderError::Busy | ProviderError::QueueFull) => {}
            Err(ProviderError::NotAccepted { retry_ms: Some(ms), .. }) if *ms > RETRY_MS => {
                self.gate.throttled(*ms);
            }
            Err(error) => self.trouble(&error.to_string()),
        }
    }

    fn trouble(&self, cause: &str) {
        if self.gate.troubled() {
            let provider = self.provider;
            tracing::warn!(provider, cause, "a provider is paused for a while");
        }
    }
}

impl Drop for OutcomeGuard<'_> {
    fn drop(&mut self) {
        if self.is_waiting {
            self.trouble("it had not responded when the edit timed out");
        }
    }
}
