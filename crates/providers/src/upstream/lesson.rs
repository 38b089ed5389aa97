//! What a call teaches about the vendor, also where the time for the edit ends before the call
//! does: a vendor that hangs is left alone like one that fails.

use super::gate::Gate;
use crate::error::ProviderError;
use crate::provider::Output;

/// How long to wait before asking again a vendor that was not reached, in milliseconds.
pub(super) const RETRY_MS: u64 = 1_000;

/// A call that a vendor is at. The edit goes on when its caller hangs up, so where this is dropped
/// before the vendor has come to an end, the time for the edit was over: a trouble like any other.
/// (Or the server is ending, and the gate with it.)
pub(super) struct Lesson<'a> {
    gate: &'a Gate,
    provider: &'a str,
    is_waiting: bool,
}

impl<'a> Lesson<'a> {
    /// From here on `provider`, behind `gate`, is waited for.
    pub(super) fn begin(gate: &'a Gate, provider: &'a str) -> Self {
        Self { gate, provider, is_waiting: true }
    }

    /// The vendor has come to an end: what still takes time is our own work.
    pub(super) fn answered(&mut self) {
        self.is_waiting = false;
    }

    /// Notes what an outcome says about the vendor itself.
    pub(super) fn learn(mut self, outcome: &Result<Output, ProviderError>) {
        self.is_waiting = false;
        match outcome {
            Ok(_) | Err(ProviderError::Refused(_)) => self.gate.worked(),
            // Nothing of these is about the vendor.
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
            tracing::warn!(provider, cause, "a provider is left alone for a while");
        }
    }
}

impl Drop for Lesson<'_> {
    fn drop(&mut self) {
        if self.is_waiting {
            self.trouble("it had not answered when the time for the edit was over");
        }
    }
}
