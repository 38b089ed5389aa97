//! Where requests are read: their bodies, and the words in them. That takes up to a tenth of a second,
//! and longer for large bodies, so it happens on a few threads of its own, the accounts in turn.

use std::sync::Arc;

use retouch_core::AccountId;
use retouch_providers::turns::{Room, Turns};

use super::App;
use crate::error::{ApiError, ApiResult, overloaded};

/// How many requests may wait to be read.
const ROOM: Room = Room { all_max: 4_096, per_account_max: 512 };

/// Bytes of a body above which it is large: these are read one at a time, so that the others do not wait
/// for them.
const LARGE_BYTES: usize = 8 << 20;

/// The turns to read requests.
#[derive(Clone, Debug)]
pub struct Readings {
    usual: Turns,
    large: Turns,
}

impl Readings {
    /// So many requests at once, and one that is large.
    pub fn new(at_once_max: usize) -> Self {
        Self { usual: Turns::new(at_once_max), large: Turns::new(1) }
    }
}

impl App {
    /// Does `work`, which reads a request of `account` with a body of so many bytes, on a thread that no
    /// other call waits for.
    ///
    /// # Errors
    /// Those of `work`; and where more requests wait to be read than may.
    pub(crate) async fn reading<T: Send + 'static>(
        self: &Arc<Self>,
        (account, body_bytes): (&AccountId, usize),
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
