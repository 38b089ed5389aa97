//! The context in which a command runs inside a transaction: the rows, and the books of accounts.

mod books;
mod load;
mod lock;
mod save;

use retouch_core::credits::{Balance, Command, Entry, EntryKind, Refused, decide};
use retouch_core::{AccountId, Clock, EditId, KeyId, Timestamp};

pub(crate) use self::books::{Books, Count, DayOfEnd};
pub(crate) use self::load::{
    balance_from_row, bucket_from_row, hold_from_row, key_use_from_row, legs_from_text,
};

use crate::Error;
use crate::rows::Rows;

/// What an action works with inside a transaction: the rows, and the ledgers of accounts. A refusal
/// comes before any write. A fault rolls back the whole transaction.
pub(crate) struct Transaction<'a> {
    rows: &'a Rows,
    books: &'a mut Books,
    clock: &'a dyn Clock,
    trust: Trust,
}

/// Which checks may be skipped because the database itself rejects wrong writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// No checks are skipped.
    Nothing,
    /// The ID of a new hold is assumed to be unused. If it isn't, saving fails, and the caller
    /// runs the commands again with [`Trust::Nothing`].
    NewNames,
}

impl<'a> Transaction<'a> {
    pub(crate) fn new(
        rows: &'a Rows,
        books: &'a mut Books,
        clock: &'a dyn Clock,
        trust: Trust,
    ) -> Self {
        Self { rows, books, clock, trust }
    }

    /// The rows, for everything but the books.
    pub(crate) fn rows(&self) -> &'a Rows {
        self.rows
    }

    /// The current time.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Locks the books of these accounts, and all rows that may only be changed under the same
    /// locks. Lock several accounts in a single call, so that all transactions use the same order.
    pub(crate) fn lock(&mut self, accounts: &[&AccountId]) -> Result<(), Error> {
        lock::lock(self.rows, self.books, accounts)
    }

    /// Waits for the locks, which otherwise come with the next query.
    pub(crate) fn wait_for_locks(&mut self) -> Result<(), Error> {
        lock::settle(self.rows, self.books)
    }

    /// Counts edits that have ended, by the day and route of their end.
    pub(crate) fn count(&mut self, route: DayOfEnd, count: Count) {
        self.books.count(route, count);
    }

    /// Creates an empty book for a new account.
    pub(crate) fn begin_book(&mut self, account: &AccountId) {
        self.books.begin(account);
    }

    /// Decides a credit command and books the resulting entries.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`], [`Error::Refused`], or a fault.
    pub(crate) fn command(
        &mut self,
        account: &AccountId,
        command: &Command,
    ) -> Result<Balance, Error> {
        self.load(account, command)?;
        let turn = self.books.turn;
        let now = self.clock.now();
        let kept = self.books.kept.get_mut(account).ok_or(Error::AccountUnknown)?;
        kept.used = turn;
        let entries = decide(&kept.book, command, now)?;
        for entry in &entries {
            kept.book.apply(entry).map_err(|broken| Error::books(account, &broken))?;
        }
        let balance = kept.book.balance;
        for entry in entries {
            self.note(account, entry);
        }
        Ok(balance)
    }

    /// Writes what the commands have changed.
    pub(crate) fn save(&self) -> Result<(), Error> {
        save::save(self.rows, self.books)
    }

    /// Loads whatever the book needs for this command and doesn't have in memory.
    fn load(&mut self, account: &AccountId, command: &Command) -> Result<(), Error> {
        self.lock(&[account])?;
        self.wait_for_locks()?;
        if !self.books.kept.contains_key(account) {
            let book = load::book(self.rows, account)?.ok_or(Error::AccountUnknown)?;
            book.check().map_err(|broken| Error::books(account, &broken))?;
            self.books.keep(account, book);
        }
        match command {
            Command::Hold(hold) => {
                self.load_hold(account, hold.id, true)?;
                if let Some(key) = &hold.key {
                    self.load_key(account, &key.id)?;
                }
                Ok(())
            }
            Command::Capture { hold, .. } | Command::Release { hold } => {
                self.load_hold(account, *hold, false)?;
                self.load_key_of(account, *hold)
            }
            Command::Grant(grant) | Command::Paid(grant) => self.load_source(&grant.source_key),
            Command::TakeBack(taken) => self.load_source(&taken.source_key),
            Command::Expire => Ok(()),
        }
    }

    /// Loads a hold if it is not in memory, because holds that have ended are not kept. The ID of
    /// a new hold must be unused in all accounts.
    fn load_hold(&mut self, account: &AccountId, id: EditId, new: bool) -> Result<(), Error> {
        let kept = self.books.kept.get_mut(account).ok_or(Error::AccountUnknown)?;
        if kept.book.holds.contains_key(&id) {
            return Ok(());
        }
        if let Some(owner) = self.books.unwritten.new_holds.get(&id) {
            return if new && owner != account { Err(Refused::HoldIdTaken.into()) } else { Ok(()) };
        }
        if new && self.trust == Trust::NewNames {
            return Ok(());
        }
        match load::hold(self.rows, id)? {
            Some((owner, hold)) if owner == *account => {
                kept.book.holds.insert(id, hold);
                self.books.unwritten.loaded.insert(account.clone());
                Ok(())
            }
            Some(_) if new => Err(Refused::HoldIdTaken.into()),
            _ => Ok(()),
        }
    }

    fn load_key_of(&mut self, account: &AccountId, hold: EditId) -> Result<(), Error> {
        let kept = self.books.kept.get(account).ok_or(Error::AccountUnknown)?;
        match kept.book.holds.get(&hold).and_then(|hold| hold.key.clone()) {
            Some(key) => self.load_key(account, &key),
            None => Ok(()),
        }
    }

    fn load_key(&mut self, account: &AccountId, key: &KeyId) -> Result<(), Error> {
        let kept = self.books.kept.get_mut(account).ok_or(Error::AccountUnknown)?;
        if !kept.book.keys.contains_key(key) {
            let used = load::key_use(self.rows, account, key)?;
            kept.book.keys.insert(key.clone(), used);
        }
        Ok(())
    }

    fn load_source(&self, source_key: &str) -> Result<(), Error> {
        let known = self.books.unwritten.new_sources.contains(source_key)
            || load::source_is_known(self.rows, source_key)?;
        if known {
            return Err(Refused::AlreadyGranted { source_key: source_key.to_owned() }.into());
        }
        Ok(())
    }

    /// Remembers an applied entry, which is written later together with the rows that it changed.
    fn note(&mut self, account: &AccountId, entry: Entry) {
        let unwritten = &mut self.books.unwritten;
        let changed = unwritten.accounts.entry(account.clone()).or_default();
        changed.buckets.extend(entry.legs.iter().map(|leg| leg.bucket));
        changed.holds.extend(entry.hold);
        if let Some(id) = entry.hold {
            let kept = self.books.kept.get(account);
            let hold = kept.and_then(|kept| kept.book.holds.get(&id));
            changed.keys.extend(hold.and_then(|hold| hold.key.clone()));
            unwritten.new_holds.entry(id).or_insert_with(|| account.clone());
            if entry.kind == EntryKind::Hold {
                unwritten.made_holds.insert(id);
            }
        }
        unwritten.new_sources.extend(entry.source_key.clone());
        unwritten.entries.push((account.clone(), entry));
    }
}
