//! Memory or disk space for the requests of background work, which holds it for minutes. So each
//! account is limited to a share, or to one request that is larger. Otherwise, a few large requests
//! could make everyone wait.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use retouch_core::AccountId;
use retouch_outbound::stock::{Memory, Stock};

/// One account's share is the total divided by this.
const SHARE: u64 = 4;

/// The memory or disk space. Clones share it.
#[derive(Clone, Debug)]
pub struct AccountShares {
    stock: Stock,
    share_bytes: u64,
    /// The shares of accounts that hold or wait for something.
    shares: Arc<Mutex<HashMap<AccountId, Share>>>,
}

#[derive(Debug)]
struct Share {
    stock: Stock,
    users: usize,
}

/// What is in use. Dropping this frees it.
#[derive(Debug)]
pub struct AccountShare {
    // Dropped in this order, so that the next user of the share finds the memory free.
    _memory: Option<Memory>,
    _of_share: Option<Memory>,
    _user: User,
}

/// A user that holds or waits for part of a share.
#[derive(Debug)]
struct User {
    all: AccountShares,
    account: AccountId,
}

impl AccountShares {
    /// `bytes_max` for all accounts together.
    pub fn new(bytes_max: u64) -> Self {
        let share_bytes = (bytes_max / SHARE).max(1);
        Self { stock: Stock::new(bytes_max), share_bytes, shares: Arc::default() }
    }

    /// Waits until `bytes` are free for `account`, first come, first served within the account. A
    /// request larger than the share waits for the whole share.
    pub async fn take(&self, account: &AccountId, bytes: u64) -> AccountShare {
        let (user, share) = self.enter(account);
        // Take from the share first, so that the account never blocks more than its share while it
        // waits for others.
        let of_share = share.take(bytes).await;
        AccountShare { _memory: self.stock.take(bytes).await, _of_share: of_share, _user: user }
    }

    /// Takes `bytes` for `account` if they are free now.
    pub fn try_take(&self, account: &AccountId, bytes: u64) -> Option<AccountShare> {
        self.take(account, bytes).now_or_never()
    }

    fn enter(&self, account: &AccountId) -> (User, Stock) {
        let mut shares = self.lock();
        let new = || Share { stock: Stock::new(self.share_bytes), users: 0 };
        let share = shares.entry(account.clone()).or_insert_with(new);
        share.users += 1;
        (User { all: self.clone(), account: account.clone() }, share.stock.clone())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<AccountId, Share>> {
        // A panic elsewhere cannot leave a count inconsistent.
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

    use super::AccountShares;

    const MB: u64 = 1 << 20;

    fn accounts() -> (AccountId, AccountId) {
        let clock = Arc::new(TestClock::new(Timestamp(0)));
        let ids = Ids::new(clock, Arc::new(SeededEntropy::new(1)));
        (ids.account(), ids.account())
    }

    #[tokio::test]
    async fn an_account_with_many_large_videos_keeps_nobody_else_waiting() {
        let memory = AccountShares::new(8 * MB);
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
        let memory = AccountShares::new(8 * MB);
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
