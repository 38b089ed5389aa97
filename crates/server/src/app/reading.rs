//! Parsing of requests: their bodies and instructions. This can take a tenth of a second, or longer
//! for large bodies, so it runs on separate threads, with the accounts taking turns. Only small requests
//! are parsed on the thread of their call (`edits/accept.rs`).

use std::sync::Arc;

use retouch_core::AccountId;
use retouch_providers::turns::{Room, Turns};

use super::App;
use crate::error::{ApiError, ApiResult, overloaded};

/// How many requests may wait to be parsed.
const ROOM: Room = Room { all_max: 4_096, per_account_max: 512 };

/// Bodies above this size, in bytes, are parsed one at a time, so that small ones do not wait for
/// them.
const LARGE_BYTES: usize = 8 << 20;

/// The queues of requests to parse.
#[derive(Clone, Debug)]
pub struct Readings {
    usual: Turns,
    large: Turns,
}

impl Readings {
    /// Allows `at_once_max` requests at a time, and one large request.
    pub fn new(at_once_max: usize) -> Self {
        Self { usual: Turns::new(at_once_max), large: Turns::new(1) }
    }
}

impl App {
    /// Runs `work`, which parses a request of `account` with a body of `body_bytes`, on a thread
    /// where it does not block other calls.
    ///
    /// # Errors
    /// Those of `work`; 503 if too many requests are waiting.
    pub(crate) async fn reading<T: Send + 'static>(
        self: &Arc<Self>,
        account: &AccountId,
        body_bytes: usize,
        work: impl FnOnce(&Self) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        let Readings { usual, large } = &self.readings;
        let turns = if body_bytes > LARGE_BYTES { large } else { usual };
        let turn = turns.take(account, ROOM).await.map_err(|_full| overloaded())?;
        let app = Arc::clone(self);
        let read = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work(&app)
        });
        read.await.map_err(ApiError::internal)?
    }
}
