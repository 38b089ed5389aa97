//! Limits on webhooks.

use super::duration::SECOND_MS;
use super::reader::Reader;

/// The section `[webhooks]`.
#[derive(Clone, Debug)]
pub struct WebhookSettings {
    /// The maximum number of webhooks of an account; 0 turns webhooks off.
    pub per_account_max: usize,
    /// Time limit for connecting and the response, in milliseconds.
    pub response_ms_max: u64,
}

impl WebhookSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        Self {
            per_account_max: reader.number("webhooks.per_account_max", 0..=1_000),
            // A claim ends after a minute (`retouch_store::webhook`).
            response_ms_max: reader.duration("webhooks.response_time_max", 10..=30 * SECOND_MS),
        }
    }
}
