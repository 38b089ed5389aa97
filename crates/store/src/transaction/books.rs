//! The books that a writer keeps in memory, and their changes that are not written yet.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use retouch_core::credits::{Balance, Book, Entry};
use retouch_core::{AccountId, EditId, Entropy, KeyId};

/// The books that a writer keeps in memory, and the changes that the current transaction has not
/// written yet.
#[derive(Debug, Default)]
pub(crate) struct Books {
    /// Complete except for what [`Book::trim`] removes.
    pub(super) kept: HashMap<AccountId, Kept>,
    /// Changes that are not written yet.
    pub(super) unwritten: Unwritten,
    /// The accounts whose books are known to match the database until the transaction ends.
    pub(super) locked: BTreeSet<AccountId>,
    /// What is being locked.
    pub(super) locking: Option<Locking>,
    /// Which of the rows of a count this writer adds to.
    pub(super) share: i64,
    /// Counts transactions, to find the least recently used books.
    pub(super) turn: u64,
}

/// Accounts whose lock is sent with the next query.
#[derive(Debug)]
pub(super) struct Locking {
    pub(super) accounts: Vec<AccountId>,
    /// Those whose books are read together with the lock.
    pub(super) read: HashSet<AccountId>,
}

/// The book of one account in memory.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) book: Book,
    /// The value of `turn` when it was last used.
    pub(super) used: u64,
    /// Whether another writer had changed it when it was last loaded.
    pub(super) is_shared: bool,
}

/// What a transaction still has to write. A row that several commands changed is written once.
#[derive(Debug, Default)]
pub(super) struct Unwritten {
    pub(super) entries: Vec<(AccountId, Entry)>,
    pub(super) accounts: BTreeMap<AccountId, Changed>,
    /// Accounts for which rows were loaded that are not kept after the transaction.
    pub(super) loaded: BTreeSet<AccountId>,
    /// Holds created or ended in this transaction. A hold's ID is unique among all accounts.
    pub(super) new_holds: HashMap<EditId, AccountId>,
    /// Those of `new_holds` that were created. The others already have a row.
    pub(super) made_holds: BTreeSet<EditId>,
    /// Edits that have ended.
    pub(super) days: BTreeMap<DayOfEnd, Count>,
    /// Source keys booked in this transaction.
    pub(super) new_sources: BTreeSet<String>,
}

/// When, where and how an edit has ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DayOfEnd {
    /// The start of the day, in UTC.
    pub(crate) day: i64,
    pub(crate) model: String,
    pub(crate) provider: String,
    /// `succeeded`, or the code of the failure.
    pub(crate) outcome: String,
}

/// How many edits ended in the same way, their credits, how long they took in total and what
/// providers charged for them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    pub(crate) edits: i64,
    pub(crate) credits: i64,
    pub(crate) took_ms: i64,
    pub(crate) cost_micros: i64,
    /// Results whose cost is not known.
    pub(crate) unpriced: i64,
}

/// What has changed in the book of one account.
#[derive(Debug, Default)]
pub(super) struct Changed {
    pub(super) buckets: BTreeSet<u32>,
    pub(super) holds: BTreeSet<EditId>,
    pub(super) keys: BTreeSet<KeyId>,
}

/// How many rows share each count, so that several writers need not wait for each other.
const SHARES: u8 = 64;

impl Books {
    /// The books of one of several writers.
    pub(crate) fn of_one_writer(entropy: &dyn Entropy) -> Self {
        let mut dice = [0; 1];
        entropy.fill(&mut dice);
        let [dice] = dice;
        Self { share: i64::from(dice % SHARES), ..Self::default() }
    }

    /// Keeps a book that was just loaded or created.
    pub(super) fn keep(&mut self, account: &AccountId, book: Book) {
        self.kept.insert(account.clone(), Kept { book, used: self.turn, is_shared: false });
    }

    /// Keeps a book that was just read because the kept one was missing or out of date.
    pub(super) fn keep_read(&mut self, account: &AccountId, book: Book) {
        let is_shared = self.kept.contains_key(account);
        self.kept.insert(account.clone(), Kept { book, used: self.turn, is_shared });
    }

    /// Whether the account is locked, or will be by the next query.
    pub(super) fn is_locked(&self, account: &AccountId) -> bool {
        let is_being_locked = |it: &Locking| it.accounts.contains(account);
        self.locked.contains(account) || self.locking.as_ref().is_some_and(is_being_locked)
    }

    /// Whether the kept book is missing or probably out of date.
    pub(super) fn are_others_at(&self, account: &AccountId) -> bool {
        self.kept.get(account).is_none_or(|kept| kept.is_shared)
    }

    /// Creates the book of a new account. Its balance is written even without entries.
    pub(super) fn begin(&mut self, account: &AccountId) {
        self.keep(account, Book { balance: Balance::default(), ..Book::default() });
        self.unwritten.accounts.entry(account.clone()).or_default();
        self.locked.insert(account.clone());
        if let Some(locking) = &mut self.locking {
            locking.accounts.retain(|it| it != account);
        }
    }

    /// Adds to the counts of a day.
    pub(super) fn count(&mut self, route: DayOfEnd, count: Count) {
        let counted = self.unwritten.days.entry(route).or_default();
        counted.edits += count.edits;
        counted.credits += count.credits;
        counted.took_ms += count.took_ms;
        counted.cost_micros = counted.cost_micros.saturating_add(count.cost_micros);
        counted.unpriced += count.unpriced;
    }

    /// Discards everything, because the books may no longer match the database.
    pub(crate) fn forget(&mut self) {
        self.kept.clear();
        self.locked.clear();
        self.locking = None;
        self.unwritten = Unwritten::default();
    }

    /// Called after a commit: trims the books that were used, and drops the least recently used
    /// ones if there are more than `books_max`.
    pub(crate) fn written(&mut self, books_max: usize) {
        let Unwritten { accounts, loaded, .. } = std::mem::take(&mut self.unwritten);
        for account in accounts.keys().chain(&loaded) {
            if let Some(kept) = self.kept.get_mut(account) {
                kept.book.trim();
            }
        }
        self.locked.clear();
        self.locking = None;
        self.turn += 1;
        if self.kept.len() > books_max {
            self.drop_least_used(books_max / 2);
        }
    }

    fn drop_least_used(&mut self, books: usize) {
        let mut turns: Vec<u64> = self.kept.values().map(|kept| kept.used).collect();
        turns.sort_unstable_by(|one, other| other.cmp(one));
        let oldest = turns.get(books).copied().unwrap_or(0);
        self.kept.retain(|_, kept| kept.used > oldest);
    }
}
