//! Counts a connection's open requests, and how long it has had none.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;

/// How many requests of a connection may share the minimum rate. Without this limit, a hundred
/// stalled requests could last a hundred times as long as one.
const SHARING_MAX: u32 = 8;

/// The number of open requests of a connection; clones share the count.
#[derive(Clone, Debug)]
pub(super) struct Activity(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    open: watch::Sender<u32>,
    has_unread: AtomicBool,
}

/// A request that counts as open until this is dropped: when its response is complete or abandoned.
#[derive(Debug)]
pub(super) struct OpenRequest(Activity);

impl Activity {
    pub(super) fn new() -> Self {
        let (open, has_unread) = (watch::Sender::new(0), AtomicBool::new(false));
        Self(Arc::new(Shared { open, has_unread }))
    }

    /// Counts a new request.
    pub(super) fn begin(&self) -> OpenRequest {
        self.0.open.send_modify(|open| *open += 1);
        OpenRequest(self.clone())
    }

    /// The client has read data that was waiting. The end of a response is sent after its request
    /// has ended.
    pub(super) fn touch(&self) {
        self.0.open.send_modify(|_| {});
    }

    /// Notes that a request was answered without reading all of its body.
    pub(super) fn leave_unread(&self) {
        self.0.has_unread.store(true, Ordering::Relaxed);
    }

    /// Whether the client may still be sending a body that was not read.
    pub(super) fn has_unread(&self) -> bool {
        self.0.has_unread.load(Ordering::Relaxed)
    }

    /// How many requests share the connection's minimum rate.
    pub(super) fn sharing(&self) -> u32 {
        (*self.0.open.borrow()).clamp(1, SHARING_MAX)
    }

    /// Completes once there has been no request and no waiting response for `idle`.
    pub(super) async fn idle_for(&self, idle: Duration) {
        let mut open = self.0.open.subscribe();
        // The sender lives as long as `self` does.
        while open.wait_for(|open| *open == 0).await.is_ok() {
            if tokio::time::timeout(idle, open.changed()).await.is_err() {
                return;
            }
        }
    }
}

impl OpenRequest {
    /// The connection's requests.
    pub(super) fn activity(&self) -> &Activity {
        &self.0
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        self.0.0.open.send_modify(|open| *open -= 1);
    }
}
