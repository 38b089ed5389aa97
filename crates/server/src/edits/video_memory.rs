//! Memory for the requests of videos that are being made, of which no account has more than a share at once,
//! or one request where that is more: a video keeps its own for minutes, and a few large ones would have
//! everybody else wait.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retouch_core::AccountId;
use retouch_providers::stock::{Memory, Stock};

/// What part of the memory one account may have at once.
const SHARE: u64 = 4;

/// The memory; clones share it.
#[derive(Clone, Debug)]
pub struct VideoMemory {
    stock: Stock,
    share_bytes: u64,
    /// The shares of those who have some of it or wait for it.
    shares: Arc<Mutex<HashMap<AccountId, Share>>>,
}

#[derive(Debug)]
struct Share {
    stock: Stock,
    users: usize,
}

/// Memory that was taken; it goes back when this is dropped.
#[derive(Debug)]
pub struct VideoShare {
    // Dropped in this order: whoever waits for the share finds the memory free.
    _memory: Option<Memory>,
    _of_share: Option<Memory>,
    _user: User,
}

/// Somebody who has some of a share or waits for it.
#[derive(Debug)]
struct User {
    all: VideoMemory,
    account: AccountId,
}

impl VideoMemory {
    /// So many bytes, for all together.
    pub fn new(bytes_max: u64) -> Self {
        let share_bytes = (bytes_max / SHARE).max(1);
        Self { stock: Stock::new(bytes_max), share_bytes, shares: Arc::default() }
    }

    /// Waits until `account` may have `bytes`, in the order in which it has asked; what is larger than its
    /// share waits for all of it.
    pub async fn take(&self, account: &AccountId, bytes: u64) -> VideoShare {
        let (user, share) = self.enter(account);
        // Its own first, so that it waits for the others with no more than its share.
        let of_share = share.take(bytes).await;
        VideoShare { _memory: self.stock.take(bytes).await, _of_share: of_share, _user: user }
    }

    fn enter(&self, account: &AccountId) -> (User, Stock) {
        let mut shares = self.lock();
        let new = || Share { stock: Stock::new(self.share_bytes), users: 0 };
        let share = shares.entry(account.clone()).or_insert_with(new);
        share.users += 1;
        (User { all: self.clone(), account: account.clone() }, share.stock.clone())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<AccountId, Share>> {
        // No panic can leave a count half changed.
        self.shares.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for User {
    fn drop(&mut self) {
        let mut shares = self.all.lock();
        let Some(share) = shares.get_mut(&self.account) else { return };
        share.users -= 1;
        if share.users == 0 {
            shares.remove(&self.account);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures_util::FutureExt;
    use retouch_core::{AccountId, Ids, SeededEntropy, TestClock, Timestamp};

    use super::VideoMemory;

    const MB: u64 = 1 << 20;

    fn accounts() -> (AccountId, AccountId) {
        let clock = Arc::new(TestClock::new(Timestamp(0)));
        let ids = Ids::new(clock, Arc::new(SeededEntropy::new(1)));
        (ids.account(), ids.account())
    }

    #[tokio::test]
    async fn an_account_with_many_large_videos_keeps_nobody_else_waiting() {
        let memory = VideoMemory::new(8 * MB);
        let (ada, bob) = accounts();
        let first = memory.take(&ada, 2 * MB).await;
        let second = memory.take(&ada, 2 * MB);
        tokio::pin!(second);
        assert!(second.as_mut().now_or_never().is_none(), "its share is taken");
        let bobs = memory.take(&bob, MB).now_or_never();
        assert!(bobs.is_some());
        drop(first);
        assert!(second.now_or_never().is_some());
    }

    #[tokio::test]
    async fn what_is_larger_than_a_share_has_all_of_it_and_shares_are_forgotten() {
        let memory = VideoMemory::new(8 * MB);
        let (ada, bob) = accounts();
        let large = memory.take(&ada, 7 * MB).await;
        assert!(memory.take(&ada, 1).now_or_never().is_none());
        let bobs = memory.take(&bob, 2 * MB);
        tokio::pin!(bobs);
        assert!(bobs.as_mut().now_or_never().is_none(), "there is too little for both");
        drop(large);
        drop(bobs.now_or_never().unwrap());
        assert!(memory.lock().is_empty());
    }
}
