//! The requests that a connection has open, and how long it has had none.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

/// Requests of one connection share the lowest rate, but no more than so many: otherwise a hundred
/// stalled ones could last a hundred times as long as one.
const SHARING_MAX: u32 = 8;

/// How many requests a connection has open; clones share the count.
#[derive(Clone, Debug)]
pub(super) struct Activity(Arc<watch::Sender<u32>>);

/// A request that is open until this is dropped: until its response has been handed on whole, or it
/// has been given up.
#[derive(Debug)]
pub(super) struct OpenRequest(Activity);

impl Activity {
    pub(super) fn new() -> Self {
        Self(Arc::new(watch::Sender::new(0)))
    }

    /// A request begins.
    pub(super) fn begin(&self) -> OpenRequest {
        self.0.send_modify(|open| *open += 1);
        OpenRequest(self.clone())
    }

    /// The client has taken something that had to wait for it: the end of a response is on its way after
    /// its request has ended.
    pub(super) fn touch(&self) {
        self.0.send_modify(|_| {});
    }

    /// How many requests share the connection's rate.
    pub(super) fn sharing(&self) -> u32 {
        (*self.0.borrow()).clamp(1, SHARING_MAX)
    }

    /// Completes once there has been no request, and no waiting response, for as long as `idle`.
    pub(super) async fn idle_for(&self, idle: Duration) {
        let mut open = self.0.subscribe();
        // The sender lives as long as `self` does.
        while open.wait_for(|open| *open == 0).await.is_ok() {
            if tokio::time::timeout(idle, open.changed()).await.is_err() {
                return;
            }
        }
    }
}

impl OpenRequest {
    /// The requests of the same connection.
    pub(super) fn activity(&self) -> &Activity {
        &self.0
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        self.0.0.send_modify(|open| *open -= 1);
    }
}
