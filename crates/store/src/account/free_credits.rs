//! Free credits: once for each person, and only so many a day for all sign-ups together.
//!
//! A person is known by a keyed hash of the mailbox, and of issuer and subject where a provider of
//! OpenID Connect vouches. The hashes outlive the account, so that deleting it and signing up again
//! grants nothing.

use retouch_core::credits::{BucketKind, Command, Grant};
use retouch_core::{AccountId, Credits, Email, Timestamp};

use crate::identity::Subject;
use crate::pseudonym::{Pseudonyms, hex};
use crate::rows::{Rows, one, params};
use crate::unit::Unit;
use crate::{Error, Store};

/// Milliseconds of a day.
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// What became of an account's free credits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FreeCredits {
    /// They were granted.
    Granted,
    /// Nothing was granted: this person has had them before.
    HadBefore,
    /// Nothing was granted: all sign-ups of the day together had been given as many as they may.
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
    /// What became of an account's free credits; none: there were none to grant, or it was made by a
    /// version that did not write it down.
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

/// Who signs up, by the hashes that outlive the account.
#[derive(Clone, Debug)]
pub(crate) struct Person(Vec<[u8; 32]>);

impl Person {
    /// The person behind an address, and behind an identity where there is one.
    pub(crate) fn of(names: &Pseudonyms, email: &Email, subject: Option<&Subject>) -> Self {
        let mut hashes = vec![names.hash("mailbox", &email.mailbox())];
        hashes.extend(subject.map(|subject| of_subject(names, subject)));
        Self(hashes)
    }

    /// The person behind an identity.
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

    /// The key by which the ledger grants once.
    fn source_key(&self) -> String {
        format!("sign_up:{}", hex(self.0.first().map_or(&[], |hash| hash.as_slice())))
    }
}

/// An account that has just been made.
pub(crate) struct Newcomer<'a> {
    pub(crate) account: &'a AccountId,
    pub(crate) person: &'a Person,
    /// What all sign-ups together may be given today; none: no limit for this one.
    pub(crate) day_max: Option<Credits>,
}

/// Grants a new account its free credits, or writes down why not.
pub(crate) fn grant(
    unit: &mut Unit<'_>,
    newcomer: &Newcomer<'_>,
    credits: Credits,
) -> Result<(), Error> {
    if credits.is_zero() {
        return Ok(());
    }
    let outcome = if newcomer.person.has_had(unit.rows())? {
        FreeCredits::HadBefore
    } else if !newcomer.day_max.map_or(Ok(true), |most| count(unit, (credits, most)))? {
        FreeCredits::DayFull
    } else {
        newcomer.person.note(unit.rows(), unit.now())?;
        let grant = Grant {
            kind: BucketKind::SignUp,
            credits,
            source_key: newcomer.person.source_key(),
            expires_at: None,
            priority: None,
            description: "Welcome".into(),
        };
        unit.command(newcomer.account, &Command::Grant(grant))?;
        FreeCredits::Granted
    };
    let sql = "UPDATE account SET free_credits = ?2 WHERE id = ?1";
    unit.rows().execute(sql, params![newcomer.account.as_str(), outcome.as_str()])?;
    Ok(())
}

/// Counts `credits` among those of today; false where they would be more than `most`.
fn count(unit: &Unit<'_>, (credits, most): (Credits, Credits)) -> Result<bool, Error> {
    let (rows, day) = (unit.rows(), day(unit.now()));
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

/// Notes that the owner of `account`, who has had free credits, is this person too.
pub(crate) fn also_known_as(
    unit: &Unit<'_>,
    account: &AccountId,
    person: &Person,
) -> Result<(), Error> {
    // Accounts of versions before this one have a bucket and no word about it.
    let sql = "SELECT 1 FROM account WHERE id = ?1 AND (free_credits = 'granted' OR (
                   free_credits IS NULL AND EXISTS (
                       SELECT 1 FROM bucket WHERE account_id = ?1 AND kind = 'sign_up')))";
    match one(unit.rows(), sql, [account.as_str()], |_| Ok(()))? {
        Some(()) => person.note(unit.rows(), unit.now()),
        None => Ok(()),
    }
}

/// The first moment of the day of `moment`, in UTC.
pub(crate) fn day(moment: Timestamp) -> i64 {
    moment.0.div_euclid(DAY_MS) * DAY_MS
}

fn of_subject(names: &Pseudonyms, subject: &Subject) -> [u8; 32] {
    names.hash("identity", &format!("{}\n{}", subject.issuer, subject.subject))
}
