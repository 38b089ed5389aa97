//! Reads books from their rows.

use std::collections::HashMap;

use retouch_core::credits::{
    Allotment, Balance, Book, Bucket, BucketKind, Delta, Hold, HoldState, KeyUse, Leg, Opening,
    PeriodUse,
};
use retouch_core::{AccountId, EditId, KeyId, Timestamp};

use crate::Error;
use crate::error::credits;
use crate::postgres::Session;
use crate::rows::{Row, Rows, all, column, one, params};

/// The book of an account with its open buckets and holds. None if it has no balance.
pub(super) fn book(rows: &Rows, account: &AccountId) -> Result<Option<Book>, Error> {
    let sql = "SELECT granted, available, held, spent, expired, taken_back, seq, buckets, last_at,
                   debt
               FROM balance WHERE account_id = ?1";
    let Some(balance) = one(rows, sql, [account.as_str()], balance_from_row)? else {
        return Ok(None);
    };
    let mut book = Book { balance, ..Book::default() };
    let sql = "SELECT number, kind, priority, expires_at, source_key,
                      granted, remaining, held, spent, expired, taken_back
               FROM bucket WHERE account_id = ?1 AND (remaining > 0 OR held > 0)";
    for bucket in all(rows, sql, [account.as_str()], bucket_from_row)? {
        book.buckets.insert(bucket.number, bucket);
    }
    let sql = "SELECT amount, captured, state, key_id, allocation, at, id
               FROM hold WHERE account_id = ?1 AND state = 'held'";
    let named = |row: &Row<'_>| Ok((column::<EditId>(row, "id")?, hold_from_row(row, 0)?));
    book.holds.extend(all(rows, sql, [account.as_str()], named)?);
    Ok(Some(book))
}

/// Locks the balances of the accounts in the order of their IDs, and then reads them.
const LOCK: &str = "SELECT granted, available, held, spent, expired, taken_back, seq, buckets,
        last_at, debt, account_id
    FROM balance WHERE account_id = ANY (?1) ORDER BY account_id FOR UPDATE";
const BUCKETS: &str = "SELECT number, kind, priority, expires_at, source_key,
        granted, remaining, held, spent, expired, taken_back, account_id
    FROM bucket WHERE account_id = ANY (?1) AND (remaining > 0 OR held > 0)";
const HOLDS: &str = "SELECT amount, captured, state, key_id, allocation, at, id, account_id
    FROM hold WHERE account_id = ANY (?1) AND state = 'held'";

/// Locks the balances of `accounts`, together with the next query. [`locked`] has what was read of
/// them, and the open buckets and holds of those in `wanted`.
pub(super) fn lock(session: &Session, accounts: &[&str], wanted: &[&str]) -> Result<(), Error> {
    let all = [(LOCK, accounts), (BUCKETS, wanted), (HOLDS, wanted)];
    session.ask_later(if wanted.is_empty() { &all[..1] } else { &all[..] })
}

/// The balances that [`lock`] has locked, with the open buckets and holds.
pub(super) fn locked(session: &Session) -> Result<(Vec<(AccountId, Balance)>, Open), Error> {
    let mut found = session.answers()?.into_iter();
    let read = |row: &tokio_postgres::Row| {
        let row = Row::Postgres(row);
        Ok((column(&row, "account_id")?, balance_from_row(&row)?))
    };
    let balances = found.next().unwrap_or_default().iter().map(read).collect::<Result<_, Error>>();
    Ok((balances?, Open::read(found)?))
}

/// The open buckets and holds of accounts whose balances are already locked.
pub(super) fn open(session: &Session, accounts: &[&str]) -> Result<Open, Error> {
    if accounts.is_empty() {
        return Ok(Open::default());
    }
    session.ask_later(&[(BUCKETS, accounts), (HOLDS, accounts)])?;
    Open::read(session.answers()?.into_iter())
}

/// Open buckets and holds by account.
#[derive(Debug, Default)]
pub(super) struct Open {
    buckets: HashMap<AccountId, Vec<Bucket>>,
    holds: HashMap<AccountId, Vec<(EditId, Hold)>>,
}

impl Open {
    /// Adds the open buckets and holds of other accounts.
    pub(super) fn extend(&mut self, others: Self) {
        self.buckets.extend(others.buckets);
        self.holds.extend(others.holds);
    }

    /// Moves the open buckets and holds of `account` into its book.
    pub(super) fn fill(&mut self, account: &AccountId, book: &mut Book) {
        let buckets = self.buckets.remove(account).unwrap_or_default();
        book.buckets.extend(buckets.into_iter().map(|bucket| (bucket.number, bucket)));
        book.holds.extend(self.holds.remove(account).unwrap_or_default());
    }

    fn read(mut found: impl Iterator<Item = Vec<tokio_postgres::Row>>) -> Result<Self, Error> {
        let mut open = Self::default();
        for row in &found.next().unwrap_or_default() {
            let row = Row::Postgres(row);
            let account = column(&row, "account_id")?;
            open.buckets.entry(account).or_default().push(bucket_from_row(&row)?);
        }
        for row in &found.next().unwrap_or_default() {
            let row = Row::Postgres(row);
            let named = (column(&row, "id")?, hold_from_row(&row, 0)?);
            open.holds.entry(column(&row, "account_id")?).or_default().push(named);
        }
        Ok(open)
    }
}

/// A hold and its account, by the hold's ID.
pub(super) fn hold(rows: &Rows, id: EditId) -> Result<Option<(AccountId, Hold)>, Error> {
    let sql = "SELECT amount, captured, state, key_id, allocation, at, account_id
               FROM hold WHERE id = ?1";
    let read = |row: &Row<'_>| Ok((column(row, "account_id")?, hold_from_row(row, 0)?));
    one(rows, sql, [id.to_string()], read)
}

/// What an API key has used or holds.
pub(super) fn key_use(rows: &Rows, account: &AccountId, key: &KeyId) -> Result<KeyUse, Error> {
    let sql = "SELECT credits, day, day_credits, month, month_credits FROM key_use
               WHERE account_id = ?1 AND key_id = ?2";
    let values = params![account.as_str(), key.as_str()];
    Ok(one(rows, sql, values, |row| key_use_from_row(row, 0))?.unwrap_or_default())
}

/// What an API key has used, from the columns credits, day, `day_credits`, month and
/// `month_credits`, the first of which is number `at`.
pub(crate) fn key_use_from_row(row: &Row<'_>, at: usize) -> Result<KeyUse, Error> {
    let used = |at: usize| {
        Ok::<_, Error>(PeriodUse { number: row.get(at)?, credits: credits(row.get(at + 1)?)? })
    };
    Ok(KeyUse { life: credits(row.get(at)?)?, day: used(at + 1)?, month: used(at + 3)? })
}

/// Whether any account has already booked a source key.
pub(super) fn source_is_known(rows: &Rows, source_key: &str) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM entry WHERE source_key = ?1";
    Ok(one(rows, sql, [source_key], |_| Ok(()))?.is_some())
}

pub(crate) fn balance_from_row(row: &Row<'_>) -> Result<Balance, Error> {
    Ok(Balance {
        granted: credits(row.get(0)?)?,
        available: credits(row.get(1)?)?,
        held: credits(row.get(2)?)?,
        spent: credits(row.get(3)?)?,
        expired: credits(row.get(4)?)?,
        taken_back: credits(row.get(5)?)?,
        seq: row.get(6)?,
        buckets: row.get(7)?,
        last_at: Timestamp(row.get(8)?),
        debt: credits(row.get(9)?)?,
    })
}

/// A bucket from the columns number, kind, priority, `expires_at`, `source_key` and its parts.
pub(crate) fn bucket_from_row(row: &Row<'_>) -> Result<Bucket, Error> {
    let kind: String = row.get(1)?;
    Ok(Bucket {
        number: row.get(0)?,
        kind: BucketKind::parse(&kind).ok_or_else(|| unknown("kind of bucket", &kind))?,
        priority: row.get(2)?,
        expires_at: row.get::<_, Option<i64>>(3)?.map(Timestamp),
        source_key: row.get(4)?,
        granted: credits(row.get(5)?)?,
        remaining: credits(row.get(6)?)?,
        held: credits(row.get(7)?)?,
        spent: credits(row.get(8)?)?,
        expired: credits(row.get(9)?)?,
        taken_back: credits(row.get(10)?)?,
    })
}

/// A hold from the columns amount, captured, state, `key_id`, allocation and at, the first of which
/// is number `at`.
pub(crate) fn hold_from_row(row: &Row<'_>, at: usize) -> Result<Hold, Error> {
    let state = row.text(at + 2)?.unwrap_or_default();
    let key = row.text(at + 3)?;
    let key = key.map(|text| text.parse::<KeyId>().map_err(|_| unknown("key", text)));
    let allocation = row.text(at + 4)?.unwrap_or_default();
    let allocation: Vec<(u32, i64)> = serde_json::from_str(allocation)?;
    let allotment = |(bucket, number)| Ok(Allotment { bucket, credits: credits(number)? });
    Ok(Hold {
        amount: credits(row.get(at)?)?,
        captured: credits(row.get(at + 1)?)?,
        state: HoldState::parse(state).ok_or_else(|| unknown("state of hold", state))?,
        allocation: allocation.into_iter().map(allotment).collect::<Result<_, Error>>()?,
        key: key.transpose()?,
        at: Timestamp(row.get(at + 5)?),
    })
}

/// A leg in its stored form: the bucket's number, the six changes and, if the leg opens the
/// bucket, its kind, priority and expiry.
pub(crate) type StoredLeg = (u32, [i64; 6], Option<(String, u8, Option<i64>)>);

/// Parses the legs of an entry from their column.
pub(crate) fn legs_from_text(text: &str) -> Result<Vec<Leg>, Error> {
    let stored: Vec<StoredLeg> = serde_json::from_str(text)?;
    stored.into_iter().map(leg).collect()
}

fn leg((bucket, parts, opening): StoredLeg) -> Result<Leg, Error> {
    let [granted, available, held, spent, expired, taken_back] = parts;
    let opening = opening.map(|(kind, priority, expires_at)| {
        let kind = BucketKind::parse(&kind).ok_or_else(|| unknown("kind of bucket", &kind))?;
        Ok::<_, Error>(Opening { kind, priority, expires_at: expires_at.map(Timestamp) })
    });
    Ok(Leg {
        bucket,
        delta: Delta { granted, available, held, spent, expired, taken_back, debt: 0 },
        opening: opening.transpose()?,
    })
}

fn unknown(what: &str, text: &str) -> Error {
    Error::Corrupt { what: format!("unknown {what} {text:?}") }
}
