//! The books that the writer keeps in memory, and what of them is not written yet.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use retouch_core::credits::{Balance, Book, Entry};
use retouch_core::{AccountId, EditId, Entropy, KeyId};

/// The books that the writer keeps in memory, and what the transaction at hand has changed in
/// them and not yet written.
#[derive(Debug, Default)]
pub(crate) struct Books {
    /// By account; complete but for what [`Book::trim`] forgets.
    pub(super) kept: HashMap<AccountId, Kept>,
    /// What is not yet written.
    pub(super) unwritten: Unwritten,
    /// The accounts whose books are known to be as they are stored, until the transaction ends.
    pub(super) locked: BTreeSet<AccountId>,
    /// Where several write: which of the rows of a count this one adds to.
    pub(super) share: Option<i64>,
    /// Counts transactions, to tell which books have not been used for long.
    pub(super) turn: u64,
}

/// One account's book in memory.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) book: Book,
    /// The turn in which it was last used.
    pub(super) used: u64,
    /// Whether others had changed it when it was last looked at.
    pub(super) is_shared: bool,
}

/// The rows that a transaction has yet to write; many commands on one row write it once.
#[derive(Debug, Default)]
pub(super) struct Unwritten {
    pub(super) entries: Vec<(AccountId, Entry)>,
    pub(super) accounts: BTreeMap<AccountId, Changed>,
    /// Accounts for which more was loaded than is kept.
    pub(super) loaded: BTreeSet<AccountId>,
    /// Holds made in this transaction: a hold's name is used once, whoever uses it.
    pub(super) new_holds: HashMap<EditId, AccountId>,
    /// Those of them whose row is new; the others have changed.
    pub(super) made_holds: BTreeSet<EditId>,
    /// Edits that have ended: how many, their credits, and how long they took in all.
    pub(super) days: BTreeMap<DayOfEnd, [i64; 3]>,
    /// Source keys brought in this transaction.
    pub(super) new_sources: BTreeSet<String>,
}

/// When, where and how an edit has ended: the beginning of the day, the model, the provider, and the
/// outcome.
pub(crate) type DayOfEnd = (i64, String, String, String);

/// What has changed of one account.
#[derive(Debug, Default)]
pub(super) struct Changed {
    pub(super) buckets: BTreeSet<u32>,
    pub(super) holds: BTreeSet<EditId>,
    pub(super) keys: BTreeSet<KeyId>,
}

/// Among how many rows those who write share a count, so that they need not wait for one another.
const SHARES: u8 = 64;

impl Books {
    /// The books of one of several who write.
    pub(crate) fn of_lane(entropy: &dyn Entropy) -> Self {
        let mut dice = [0; 1];
        entropy.fill(&mut dice);
        let [dice] = dice;
        Self { share: Some(i64::from(dice % SHARES)), ..Self::default() }
    }

    /// A book that has just been loaded or begun.
    pub(super) fn keep(&mut self, account: &AccountId, book: Book) {
        self.kept.insert(account.clone(), Kept { book, used: self.turn, is_shared: false });
    }

    /// A book that has just been read, since it was not kept as it was stored, or not at all.
    pub(super) fn keep_read(&mut self, account: &AccountId, book: Book) {
        let is_shared = self.kept.contains_key(account);
        self.kept.insert(account.clone(), Kept { book, used: self.turn, is_shared });
    }

    /// Whether the book has to be read in all likelihood.
    pub(super) fn are_others_at(&self, account: &AccountId) -> bool {
        self.kept.get(account).is_none_or(|kept| kept.is_shared)
    }

    /// The book of a new account, to be written with nothing in it.
    pub(super) fn begin(&mut self, account: &AccountId) {
        self.keep(account, Book { balance: Balance::default(), ..Book::default() });
        self.unwritten.accounts.entry(account.clone()).or_default();
        self.locked.insert(account.clone());
    }

    pub(super) fn count(&mut self, day: DayOfEnd, (credits, took_ms): (i64, i64)) {
        let counted = self.unwritten.days.entry(day).or_default();
        let [edits, all_credits, all_took_ms] = counted;
        *edits += 1;
        *all_credits += credits;
        *all_took_ms += took_ms;
    }

    /// Throws everything away: the memory must not differ from the database.
    pub(crate) fn forget(&mut self) {
        self.kept.clear();
        self.locked.clear();
        self.unwritten = Unwritten::default();
    }

    /// After a commit: the books shrink to what further commands need, and the least used ones
    /// go where there are more than `books_max`.
    pub(crate) fn written(&mut self, books_max: usize) {
        let Unwritten { accounts, loaded, .. } = std::mem::take(&mut self.unwritten);
        for account in accounts.keys().chain(&loaded) {
            if let Some(kept) = self.kept.get_mut(account) {
                kept.book.trim();
            }
        }
        self.locked.clear();
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
