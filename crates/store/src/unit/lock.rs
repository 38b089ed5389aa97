//! Locking books, where others may change them meanwhile.

use std::collections::BTreeMap;

use retouch_core::AccountId;
use retouch_core::credits::Book;

use super::books::Books;
use super::load;
use crate::Error;
use crate::rows::Rows;

/// Locks the books of `accounts`, in the order of their names, and loads those that are not kept as
/// they are stored. An account without a balance is left for whoever asks for its book.
pub(super) fn lock(rows: &Rows, books: &mut Books, accounts: &[&AccountId]) -> Result<(), Error> {
    // SQLite has one transaction at a time that writes.
    let Rows::Postgres(session) = rows else { return Ok(()) };
    let wanted = |account: &&&AccountId| !books.locked.contains(**account);
    let mut names: Vec<&str> =
        accounts.iter().filter(wanted).map(|account| account.as_str()).collect();
    if names.is_empty() {
        return Ok(());
    }
    names.sort_unstable();
    let balances = session.lock_balances(&names)?;
    for account in accounts.iter().filter(|account| !books.locked.contains(**account)) {
        // Whoever is not found must not be taken from memory either.
        if !balances.iter().any(|(found, _)| found == *account) {
            books.kept.remove(*account);
        }
    }
    let mut stale: BTreeMap<AccountId, Book> = BTreeMap::new();
    for (account, balance) in balances {
        books.locked.insert(account.clone());
        // Every change of a book has an entry of its own, whose number is in the balance.
        if books.kept.get(&account).is_none_or(|kept| kept.book.balance != balance) {
            stale.insert(account, Book { balance, ..Book::default() });
        }
    }
    load::fill(session, &mut stale)?;
    for (account, book) in stale {
        book.check().map_err(|broken| Error::books(&account, &broken))?;
        books.keep(&account, book);
    }
    Ok(())
}
