//! Free credits: once per person, with a daily limit on all sign-ups together.
//!
//! A person is recognized by a keyed hash of the mailbox and, for OpenID Connect, of the issuer and
//! the subject. The hashes outlive the account, so deleting it and signing up again grants nothing.

use std::sync::atomic::Ordering;

use retouch_core::credits::{BucketKind, Command, Grant};
use retouch_core::{AccountId, Credits, Email, Timestamp};

use crate::identity::Subject;
use crate::pseudonym::{Pseudonyms, hex};
use crate::rows::{Rows, one, params};
use crate::transaction::Transaction;
use crate::{Error, Store};

/// A day in milliseconds.
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// What happened to the free credits of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FreeCredits {
    /// They were granted.
    Granted,
    /// Nothing was granted: this person already received them.
    HadBefore,
    /// Nothing was granted: the sign-ups of the day had reached their limit.
    DayFull,
}

impl FreeCredits {
    const ALL: [Self; 3] = [Self::Granted, Self::HadBefore, Self::DayFull];

    /// The stable name, as stored and as callers see it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Granted => "granted",
            Self::HadBefore => "had_before",
            Self::DayFull => "day_full",
        }
    }
}

impl Store {
    /// What happened to the free credits of an account. `None` if there were none to grant, or if a
    /// version that did not record it created the account.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_free_credits(
        &self,
        account: &AccountId,
    ) -> Result<Option<FreeCredits>, Error> {
        let account = account.clone();
        let sql = "SELECT free_credits FROM account WHERE id = ?1";
        let found = self.read(move |rows| one(rows, sql, [account.as_str()], |row| row.get(0)));
        let name: Option<String> = found.await?.flatten();
        Ok(name.and_then(|name| FreeCredits::ALL.into_iter().find(|it| it.as_str() == name)))
    }
}

impl Store {
    /// How many free credits all sign-ups of a day together may receive.
    pub(crate) fn free_credits_max(&self) -> Credits {
        Credits::new(self.free_credits_per_day_max.load(Ordering::Relaxed)).unwrap_or_default()
    }
}

/// The person who signs up, as hashes that outlive the account.
#[derive(Clone, Debug)]
pub(crate) struct Person(Vec<[u8; 32]>);

impl Person {
    /// The person with this address and, if any, this identity.
    pub(crate) fn of(names: &Pseudonyms, email: &Email, subject: Option<&Subject>) -> Self {
        let mut hashes = vec![names.hash("mailbox", &email.mailbox())];
        hashes.extend(subject.map(|subject| of_subject(names, subject)));
        Self(hashes)
    }

    /// The person with this identity.
    pub(crate) fn of_subject(names: &Pseudonyms, subject: &Subject) -> Self {
        Self(vec![of_subject(names, subject)])
    }

    fn has_had(&self, rows: &Rows) -> Result<bool, Error> {
        let sql = "SELECT 1 FROM person WHERE hash = ?1";
        for hash in &self.0 {
            if one(rows, sql, [*hash], |_| Ok(()))?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn note(&self, rows: &Rows, now: Timestamp) -> Result<(), Error> {
        let sql = "INSERT INTO person (hash, granted_at) VALUES (?1, ?2)
                   ON CONFLICT (hash) DO NOTHING";
        self.0.iter().try_for_each(|hash| rows.execute(sql, params![*hash, now.0]).map(drop))
    }

    /// The source key that makes the ledger grant only once.
    fn source_key(&self) -> String {
        format!("sign_up:{}", hex(self.0.first().map_or(&[], |hash| hash.as_slice())))
    }
}

/// An account that was just created.
pub(crate) struct Newcomer<'a> {
    pub(crate) account: &'a AccountId,
    pub(crate) person: &'a Person,
    /// The daily limit on free credits of all sign-ups together. `None`: no limit for this one.
    pub(crate) day_max: Option<Credits>,
}

/// Grants a new account its free credits, or records why not.
pub(crate) fn grant(
    tx: &mut Transaction<'_>,
    newcomer: &Newcomer<'_>,
    credits: Credits,
) -> Result<(), Error> {
    if credits.is_zero() {
        return Ok(());
    }
    let outcome = if newcomer.person.has_had(tx.rows())? {
        FreeCredits::HadBefore
    } else if !newcomer.day_max.map_or(Ok(true), |most| count(tx, credits, most))? {
        FreeCredits::DayFull
    } else {
        newcomer.person.note(tx.rows(), tx.now())?;
        let grant = Grant {
            kind: BucketKind::SignUp,
            credits,
            source_key: newcomer.person.source_key(),
            expires_at: None,
            priority: None,
            description: "Welcome".into(),
        };
        tx.command(newcomer.account, &Command::Grant(grant))?;
        FreeCredits::Granted
    };
    let sql = "UPDATE account SET free_credits = ?2 WHERE id = ?1";
    tx.rows().execute(sql, params![newcomer.account.as_str(), outcome.as_str()])?;
    Ok(())
}

/// Adds `credits` to today's total. `false` if that would exceed `most`.
fn count(tx: &Transaction<'_>, credits: Credits, most: Credits) -> Result<bool, Error> {
    let (rows, day) = (tx.rows(), day(tx.now()));
    let sql = "SELECT credits FROM free_day WHERE day = ?1";
    let before: i64 = one(rows, sql, [day], |row| row.get(0))?.unwrap_or(0);
    if before.saturating_add(credits.get()) > most.get() {
        return Ok(false);
    }
    let sql = "INSERT INTO free_day (day, credits) VALUES (?1, ?2)
               ON CONFLICT (day) DO UPDATE SET credits = free_day.credits + excluded.credits";
    rows.execute(sql, params![day, credits.get()])?;
    Ok(true)
}

/// Records that the owner of `account`, who has received free credits, is also this person.
pub(crate) fn also_known_as(
    tx: &Transaction<'_>,
    account: &AccountId,
    person: &Person,
) -> Result<(), Error> {
    // Older versions created a bucket, but did not record the grant in the account.
    let sql = "SELECT 1 FROM account WHERE id = ?1 AND (free_credits = 'granted' OR (
                   free_credits IS NULL AND EXISTS (
                       SELECT 1 FROM bucket WHERE account_id = ?1 AND kind = 'sign_up')))";
    match one(tx.rows(), sql, [account.as_str()], |_| Ok(()))? {
        Some(()) => person.note(tx.rows(), tx.now()),
        None => Ok(()),
    }
}

/// The start of the day of `moment`, in UTC.
pub(crate) fn day(moment: Timestamp) -> i64 {
    moment.0.div_euclid(DAY_MS) * DAY_MS
}

fn of_subject(names: &Pseudonyms, subject: &Subject) -> [u8; 32] {
    names.hash("identity", &format!("{}\n{}", subject.issuer, subject.subject))
}
