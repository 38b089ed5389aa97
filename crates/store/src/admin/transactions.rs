//! The ledger entries of all accounts, for export.

use retouch_core::credits::EntryKind;
use retouch_core::{AccountId, Timestamp};

use crate::page::Place;
use crate::rows::{Row, all, column, params};
use crate::{Error, Page, PageRequest, Store};

/// An entry of any account's ledger. The changes of an account's entries add up to its balance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyEntry {
    /// The account.
    pub account: AccountId,
    /// The account's address. `None` if the account is gone.
    pub email: Option<String>,
    /// Its number within the account: 1, 2, 3 and so on.
    pub number: i64,
    /// When it was booked.
    pub at: Timestamp,
    /// Its kind.
    pub kind: EntryKind,
    /// By how many credits the available credits changed.
    pub available: i64,
    /// By how many credits the reserved credits changed.
    pub held: i64,
    /// How many credits were charged.
    pub spent: i64,
    /// The edit that it is about.
    pub edit: Option<String>,
    /// A description.
    pub description: String,
}

impl Store {
    /// Lists the entries of all accounts: account by account, oldest entry first.
    ///
    /// # Errors
    /// [`Error::BadCursor`], [`Error::BadLimit`].
    pub async fn list_all_entries(&self, page: &PageRequest) -> Result<Page<AnyEntry>, Error> {
        let place = Place::read("all_entries", page)?;
        let (account, number) = match place.after.as_deref().map(|text| text.split_once(' ')) {
            None => (String::new(), 0),
            Some(Some((account, number))) => {
                (account.to_owned(), number.parse().map_err(|_| Error::BadCursor)?)
            }
            Some(None) => return Err(Error::BadCursor),
        };
        let sql = "SELECT account_id, (SELECT email FROM account
                           WHERE account.id = account_id AND deleted_at IS NULL) AS email,
                       seq, at, kind, available, held, spent, hold_id, description
                   FROM entry WHERE (account_id, seq) > (?1, ?2)
                   ORDER BY account_id, seq LIMIT ?3";
        self.read(move |rows| {
            let values: (String, i64) = (account, number);
            let found = all(rows, sql, params![values.0, values.1, place.rows()], from_row)?;
            Ok(place.page(found, |entry| format!("{} {}", entry.account, entry.number)))
        })
        .await
    }
}

fn from_row(row: &Row<'_>) -> Result<AnyEntry, Error> {
    let name: String = row.get("kind")?;
    let unknown = || Error::Corrupt { what: format!("unknown kind of entry {name:?}") };
    Ok(AnyEntry {
        account: column(row, "account_id")?,
        email: row.get("email")?,
        number: row.get("seq")?,
        at: Timestamp(row.get("at")?),
        kind: EntryKind::parse(&name).ok_or_else(unknown)?,
        available: row.get("available")?,
        held: row.get("held")?,
        spent: row.get("spent")?,
        edit: row.get("hold_id")?,
        description: row.get("description")?,
    })
}
