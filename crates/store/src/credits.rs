//! Credits: the actions on an account's ledger. [`retouch_core::credits::decide`] decides what they
//! do; this module loads and saves it.

use retouch_core::credits::{Balance, BucketKind, Command, EntryKind, Grant, Refused};
use retouch_core::{AccountId, Credits, EditId, Timestamp};

use crate::error::credits;
use crate::page::Place;
use crate::queue::Touches;
use crate::rows::{Row, Rows, all, one, params};
use crate::transaction::bucket_from_row;
use crate::{Error, Page, PageRequest, Store};

/// The result of a grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granted {
    /// It was granted, which left this balance.
    New(Balance),
    /// The source key was used before, so nothing has changed.
    Already,
}

/// The balance as the account's owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalanceView {
    /// Available credits.
    pub available: Credits,
    /// Credits reserved for edits in progress.
    pub held: Credits,
    /// Credits that are owed. The next grants pay them first.
    pub debt: Credits,
    /// The sources of the available credits, in the order in which they are used.
    pub buckets: Vec<BucketView>,
}

/// A bucket as the account's owner sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BucketView {
    /// Where the credits came from.
    pub kind: BucketKind,
    /// How many of them are available.
    pub remaining: Credits,
    /// When they expire.
    pub expires_at: Option<Timestamp>,
}

/// An entry of the ledger as the account's owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryView {
    /// Its number within the account: 1, 2, 3 and so on.
    pub id: i64,
    /// When it was booked.
    pub created_at: Timestamp,
    /// Its kind.
    pub kind: EntryKind,
    /// By how much the available credits changed. For a capture, which changes the held credits,
    /// this is the number of charged credits, as a negative number.
    pub amount: i64,
    /// The credits of its hold that it reserved or, at its end, no longer reserves; else 0.
    pub reserved: i64,
    /// The available credits afterwards.
    pub available_after: Credits,
    /// The held credits afterwards.
    pub held_after: Credits,
    /// The edit that it is about.
    pub edit: Option<EditId>,
    /// A description.
    pub description: String,
}

impl Store {
    /// Adds a bucket of credits, once per source key.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`], [`Error::Refused`].
    pub async fn grant(&self, account: &AccountId, grant: Grant) -> Result<Granted, Error> {
        match self.ledger(account, Command::Grant(grant)).await {
            Ok(balance) => Ok(Granted::New(balance)),
            Err(Error::Refused(Refused::AlreadyGranted { .. })) => Ok(Granted::Already),
            Err(error) => Err(error),
        }
    }

    /// Decides and books a credit command. Returns the balance afterwards.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`], [`Error::Refused`].
    pub async fn ledger(&self, account: &AccountId, command: Command) -> Result<Balance, Error> {
        let account = account.clone();
        self.write(Touches::account(&account), move |tx| tx.command(&account, &command)).await
    }

    /// The balance, without what has expired by now.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`].
    pub async fn balance(&self, account: &AccountId) -> Result<BalanceView, Error> {
        self.book_expiries(account).await?;
        let account = account.clone();
        self.read(move |rows| balance_view(rows, &account)).await
    }

    /// The available credits alone, without what has expired by now. This is one query, for callers
    /// who ask after each call.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`].
    pub async fn available(&self, account: &AccountId) -> Result<Credits, Error> {
        let (account, now) = (account.clone(), self.clock.now());
        let sql = "SELECT available - CAST(COALESCE((
                       SELECT SUM(remaining) FROM bucket
                       WHERE account_id = ?1 AND remaining > 0 AND expires_at <= ?2), 0) AS BIGINT)
                   FROM balance WHERE account_id = ?1";
        let values = move |rows: &Rows| {
            one(rows, sql, params![account.as_str(), now.0], |row| credits(row.get(0)?))
        };
        self.read_row(values).await?.ok_or(Error::AccountUnknown)
    }

    /// Lists the entries, newest first.
    ///
    /// # Errors
    /// [`Error::BadCursor`], [`Error::BadLimit`].
    pub async fn list_entries(
        &self,
        account: &AccountId,
        page: &PageRequest,
    ) -> Result<Page<EntryView>, Error> {
        self.list_some_entries(account, Place::read("entries", page)?, "").await
    }

    /// Lists the entries without the holds that have ended, newest first: one for each edit, which
    /// is the one that ends it unless it is in progress.
    ///
    /// # Errors
    /// [`Error::BadCursor`], [`Error::BadLimit`].
    pub async fn list_transactions(
        &self,
        account: &AccountId,
        page: &PageRequest,
    ) -> Result<Page<EntryView>, Error> {
        let is_shown = "AND (kind <> 'hold' OR EXISTS (SELECT 1 FROM hold
                            WHERE hold.id = entry.hold_id AND hold.state = 'held'))";
        self.list_some_entries(account, Place::read("transactions", page)?, is_shown).await
    }

    /// Lists those entries that match the condition `is_shown`, newest first.
    async fn list_some_entries(
        &self,
        account: &AccountId,
        place: Place,
        is_shown: &'static str,
    ) -> Result<Page<EntryView>, Error> {
        let after = place.after_number()?;
        if after.is_none() {
            self.book_expiries(account).await?;
        }
        let account = account.clone();
        self.read(move |rows| {
            let sql = format!(
                "SELECT seq, at, kind, available, spent, available_after, held_after, hold_id,
                     description, held
                 FROM entry WHERE account_id = ?1 AND seq < ?2 {is_shown}
                 ORDER BY seq DESC LIMIT ?3"
            );
            let values = params![account.as_str(), after.unwrap_or(i64::MAX), place.rows()];
            let found = all(rows, &sql, values, entry_view)?;
            Ok(place.page(found, |entry| entry.id.to_string()))
        })
        .await
    }

    /// Books expired credits, if there are any. Checking for them takes no write transaction.
    async fn book_expiries(&self, account: &AccountId) -> Result<(), Error> {
        let (reader, now) = (account.clone(), self.clock.now());
        let sql = "SELECT 1 FROM bucket
                   WHERE account_id = ?1 AND remaining > 0 AND expires_at <= ?2";
        let due = self
            .read(move |rows| one(rows, sql, params![reader.as_str(), now.0], |_| Ok(())))
            .await?;
        if due.is_some() {
            self.ledger(account, Command::Expire).await?;
        }
        Ok(())
    }
}

fn balance_view(rows: &Rows, account: &AccountId) -> Result<BalanceView, Error> {
    let sql = "SELECT available, held, debt FROM balance WHERE account_id = ?1";
    let (available, held, debt) = one(rows, sql, [account.as_str()], |row| {
        Ok((credits(row.get(0)?)?, credits(row.get(1)?)?, credits(row.get(2)?)?))
    })?
    .ok_or(Error::AccountUnknown)?;
    let sql = "SELECT number, kind, priority, expires_at, source_key,
                      granted, remaining, held, spent, expired, taken_back
               FROM bucket WHERE account_id = ?1 AND remaining > 0
               ORDER BY priority, expires_at IS NULL, expires_at, number";
    let buckets = all(rows, sql, [account.as_str()], |row| {
        let bucket = bucket_from_row(row)?;
        let (kind, remaining, expires_at) = (bucket.kind, bucket.remaining, bucket.expires_at);
        Ok(BucketView { kind, remaining, expires_at })
    })?;
    Ok(BalanceView { available, held, debt, buckets })
}

fn entry_view(row: &Row<'_>) -> Result<EntryView, Error> {
    let name: String = row.get(2)?;
    let unknown = || Error::Corrupt { what: format!("unknown kind of entry {name:?}") };
    let kind = EntryKind::parse(&name).ok_or_else(unknown)?;
    let (available, spent): (i64, i64) = (row.get(3)?, row.get(4)?);
    let edit: Option<String> = row.get(7)?;
    let corrupt =
        |_| Error::Corrupt { what: "the hold of an entry is not the id of an edit".into() };
    Ok(EntryView {
        id: row.get(0)?,
        created_at: Timestamp(row.get(1)?),
        kind,
        amount: if kind == EntryKind::Capture { -spent } else { available },
        reserved: row.get::<_, i64>(9)?.abs(),
        available_after: credits(row.get(5)?)?,
        held_after: credits(row.get(6)?)?,
        edit: edit.map(|text| text.parse().map_err(corrupt)).transpose()?,
        description: row.get(8)?,
    })
}
