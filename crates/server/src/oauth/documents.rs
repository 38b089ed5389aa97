//! Programs whose documents were read lately. A person who connects one of them causes several requests
//! that need its document, and its server says for how long an answer holds.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use retouch_core::Timestamp;

use super::client::Client;

/// How many programs are kept: those read last. Each takes at most about 50 KB.
const CLIENTS_MAX: usize = 100;
/// The longest time that a document is used, whatever its server says.
const FRESH_MAX: Duration = Duration::from_secs(24 * 3_600);

/// The programs, and until when their documents hold.
#[derive(Debug, Default)]
pub(crate) struct Documents(Mutex<VecDeque<(Timestamp, Client)>>);

impl Documents {
    /// The program with this client ID, if its document still holds at `now`.
    pub(super) fn find(&self, id: &str, now: Timestamp) -> Option<Client> {
        // A panic elsewhere cannot leave the list inconsistent.
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = all.iter().find(|(until, client)| client.id == id && *until > now);
        found.map(|(_, client)| client.clone())
    }

    /// Keeps a program whose document was read at `now`.
    pub(super) fn keep(&self, client: &Client, now: Timestamp, fresh_for: Duration) {
        let fresh_ms = i64::try_from(fresh_for.min(FRESH_MAX).as_millis()).unwrap_or_default();
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|(until, known)| known.id != client.id && *until > now);
        if fresh_ms > 0 {
            all.push_back((now.plus_ms(fresh_ms), client.clone()));
        }
        while all.len() > CLIENTS_MAX {
            all.pop_front();
        }
    }
}
