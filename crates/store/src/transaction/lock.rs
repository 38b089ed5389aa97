//! Locks books that other writers may change.

use std::collections::HashSet;

use retouch_core::AccountId;
use retouch_core::credits::Book;

use super::books::{Books, Locking};
use super::load;
use crate::Error;
use crate::rows::Rows;

/// Locks the books of `accounts` in the order of their IDs. The lock is sent with the next query,
/// which saves a round trip.
pub(super) fn lock(rows: &Rows, books: &mut Books, accounts: &[&AccountId]) -> Result<(), Error> {
    // SQLite allows only one writing transaction at a time.
    let Rows::Postgres(session) = rows else { return Ok(()) };
    let mut accounts: Vec<AccountId> =
        accounts.iter().filter(|it| !books.is_locked(it)).map(|it| (*it).clone()).collect();
    if accounts.is_empty() {
        return Ok(());
    }
    settle(rows, books)?;
    accounts.sort_unstable();
    accounts.dedup();
    let names: Vec<&str> = accounts.iter().map(|account| account.as_str()).collect();
    // Books that are probably out of date are read together with the lock, which saves a round
    // trip.
    let likely = accounts.iter().filter(|account| books.are_others_at(account));
    let read: HashSet<AccountId> = likely.cloned().collect();
    let wanted: Vec<&str> = read.iter().map(|account| account.as_str()).collect();
    load::lock(session, &names, &wanted)?;
    books.locking = Some(Locking { accounts, read });
    Ok(())
}

/// Loads the books that have been locked since the last time and whose copy in memory is missing or
/// out of date. Accounts without a balance are skipped.
pub(super) fn settle(rows: &Rows, books: &mut Books) -> Result<(), Error> {
    let Rows::Postgres(session) = rows else { return Ok(()) };
    let Some(Locking { accounts, read }) = books.locking.take() else { return Ok(()) };
    let (balances, mut open) = load::locked(session)?;
    let found: HashSet<&AccountId> = balances.iter().map(|(account, _)| account).collect();
    // An account that was not found must not be served from memory either.
    accounts.iter().filter(|it| !found.contains(*it)).for_each(|it| drop(books.kept.remove(it)));
    let mut stale = Vec::new();
    for (account, balance) in balances {
        books.locked.insert(account.clone());
        // Every change of a book adds an entry, whose number is in the balance. So equal balances
        // mean that the kept book is up to date.
        match books.kept.get_mut(&account).filter(|kept| kept.book.balance == balance) {
            Some(kept) => kept.is_shared = false,
            None => stale.push((account, Book { balance, ..Book::default() })),
        }
    }
    let unread = stale.iter().map(|(account, _)| account).filter(|it| !read.contains(*it));
    let unread: Vec<&str> = unread.map(|account| account.as_str()).collect();
    open.extend(load::open(session, &unread)?);
    for (account, mut book) in stale {
        open.fill(&account, &mut book);
        book.check().map_err(|broken| Error::books(&account, &broken))?;
        books.keep_read(&account, book);
    }
    Ok(())
}
