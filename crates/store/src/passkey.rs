//! Passkeys: public keys whose private halves people's devices keep.

use retouch_core::{AccountId, Timestamp};

use crate::account::{self, Account};
use crate::identity::ways_in;
use crate::letter::{self, LetterKind};
use crate::rows::{Row, all, one, params};
use crate::work::Touches;
use crate::{Error, Store};

/// Passkeys that one account may have.
pub const PASSKEYS_MAX: usize = 20;

/// A passkey as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passkey {
    /// Its name among all passkeys, chosen by the device.
    pub id: Vec<u8>,
    /// What its owner calls it.
    pub name: String,
    /// Whether it is kept in more places than one device.
    pub is_backed_up: bool,
    /// When it was added.
    pub created_at: Timestamp,
    /// When somebody last signed in by it.
    pub last_used_at: Option<Timestamp>,
    /// Since when it opens nothing, because there seem to be two of it.
    pub doubted_at: Option<Timestamp>,
}

/// A passkey to keep.
#[derive(Clone, Debug)]
pub struct NewPasskey {
    /// Its name among all passkeys, chosen by the device.
    pub id: Vec<u8>,
    /// What its owner calls it.
    pub name: String,
    /// The public key, in COSE's form.
    pub public_key: Vec<u8>,
    /// How often it says to have signed.
    pub sign_count: u32,
    /// Whether it can be kept in more places than one device; never changes.
    pub may_back_up: bool,
    /// Whether it is.
    pub is_backed_up: bool,
}

/// What has to be known to check what a passkey has signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasskeyCheck {
    /// Whose it is.
    pub account: Account,
    /// The public key, in COSE's form.
    pub public_key: Vec<u8>,
    /// Whether it can be kept in more places than one device.
    pub may_back_up: bool,
}

/// What using a passkey came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasskeyUse {
    /// It is noted.
    Noted,
    /// It says to have signed no more often than before, now or once: there seem to be two of it
    /// (Web Authentication, 6.1.1). It opens nothing until it is removed and added anew.
    Doubted,
}

impl Store {
    /// Keeps a passkey of an account, and tells its owner.
    ///
    /// # Errors
    /// [`Error::PasskeyTaken`], [`Error::TooMany`], [`Error::AccountUnknown`].
    pub async fn create_passkey(&self, account: &AccountId, new: NewPasskey) -> Result<(), Error> {
        let (account, notice) = (account.clone(), self.notice());
        self.write(Touches::house(&account), move |unit| {
            let rows = unit.rows();
            let owner = account::find(rows, &account)?.ok_or(Error::AccountUnknown)?;
            let found = one(rows, "SELECT 1 FROM passkey WHERE id = ?1", [&new.id], |_| Ok(()))?;
            if found.is_some() {
                return Err(Error::PasskeyTaken);
            }
            let sql = "SELECT COUNT(*) >= ?2 FROM passkey WHERE account_id = ?1";
            let most = PASSKEYS_MAX;
            if one(rows, sql, params![account.as_str(), most as i64], |row| row.get(0))?
                == Some(true)
            {
                return Err(Error::TooMany { what: "passkeys", most });
            }
            let sql = "INSERT INTO passkey (id, account_id, name, public_key, sign_count,
                       may_back_up, is_backed_up, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
            rows.execute(
                sql,
                params![
                    new.id,
                    account.as_str(),
                    new.name,
                    new.public_key,
                    new.sign_count,
                    new.may_back_up,
                    new.is_backed_up,
                    unit.now().0
                ],
            )?;
            let whose = (&account, &owner.email);
            letter::tell(unit, notice.as_ref(), LetterKind::PasskeyAdded, whose)
        })
        .await
    }

    /// An account's passkeys, oldest first.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_passkeys(&self, account: &AccountId) -> Result<Vec<Passkey>, Error> {
        let account = account.clone();
        let sql = "SELECT id, name, is_backed_up, created_at, last_used_at, doubted_at FROM passkey
                   WHERE account_id = ?1 ORDER BY created_at, id";
        self.read(move |rows| all(rows, sql, [account.as_str()], from_row)).await
    }

    /// What checks the signature of a passkey, if anybody has it.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_passkey(&self, id: &[u8]) -> Result<Option<PasskeyCheck>, Error> {
        let id = id.to_vec();
        let sql = "SELECT account.id, account.email, account.created_at, public_key, may_back_up
                   FROM passkey JOIN account ON account.id = passkey.account_id
                   WHERE passkey.id = ?1";
        let read = |row: &Row<'_>| {
            Ok(PasskeyCheck {
                account: account::from_row(row)?,
                public_key: row.get("public_key")?,
                may_back_up: row.get("may_back_up")?,
            })
        };
        self.read(move |rows| one(rows, sql, [id], read)).await
    }

    /// Notes that a passkey has signed, and how often it says it has.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`] where the account does not have it.
    pub async fn use_passkey(
        &self,
        account: &AccountId,
        id: &[u8],
        (sign_count, is_backed_up): (u32, bool),
    ) -> Result<PasskeyUse, Error> {
        let (account, id) = (account.clone(), id.to_vec());
        self.write(Touches::house(&account), move |unit| {
            let (rows, now) = (unit.rows(), unit.now().0);
            let sql = "SELECT sign_count, doubted_at IS NOT NULL FROM passkey
                       WHERE account_id = ?1 AND id = ?2";
            let read = |row: &Row<'_>| Ok((row.get::<_, u32>(0)?, row.get::<_, bool>(1)?));
            let known = one(rows, sql, params![account.as_str(), id], read)?;
            let (before, is_doubted) = known.ok_or(Error::AccountUnknown)?;
            // A device that does not count says 0 for ever.
            let counts_on = sign_count > before || (sign_count == 0 && before == 0);
            if is_doubted || !counts_on {
                let sql = "UPDATE passkey SET doubted_at = COALESCE(doubted_at, ?2) WHERE id = ?1";
                rows.execute(sql, params![id, now])?;
                return Ok(PasskeyUse::Doubted);
            }
            let sql = "UPDATE passkey SET sign_count = ?2, is_backed_up = ?3, last_used_at = ?4
                       WHERE id = ?1";
            rows.execute(sql, params![id, sign_count, is_backed_up, now])?;
            Ok(PasskeyUse::Noted)
        })
        .await
    }

    /// Removes a passkey and tells the owner; whether the account had it. `live` is the provider of identities by whom
    /// people can sign in at present.
    ///
    /// # Errors
    /// [`Error::LastWayIn`], [`Error::AccountUnknown`].
    pub async fn remove_passkey(
        &self,
        account: &AccountId,
        id: &[u8],
        live: Option<&str>,
    ) -> Result<bool, Error> {
        let (account, id, live) = (account.clone(), id.to_vec(), live.map(str::to_owned));
        let notice = self.notice();
        self.write(Touches::house(&account), move |unit| {
            let rows = unit.rows();
            let sql = "SELECT doubted_at IS NULL FROM passkey WHERE account_id = ?1 AND id = ?2";
            let values = params![account.as_str(), id];
            let Some(is_way_in) = one(rows, sql, values, |row| row.get(0))? else {
                return Ok(false);
            };
            if is_way_in && ways_in(rows, &account, live.as_deref())? <= 1 {
                return Err(Error::LastWayIn);
            }
            rows.execute("DELETE FROM passkey WHERE id = ?1", [&id])?;
            let owner = account::find(rows, &account)?.ok_or(Error::AccountUnknown)?;
            let whose = (&account, &owner.email);
            letter::tell(unit, notice.as_ref(), LetterKind::PasskeyRemoved, whose)?;
            Ok(true)
        })
        .await
    }
}

fn from_row(row: &Row<'_>) -> Result<Passkey, Error> {
    Ok(Passkey {
        id: row.get("id")?,
        name: row.get("name")?,
        is_backed_up: row.get("is_backed_up")?,
        created_at: Timestamp(row.get("created_at")?),
        last_used_at: row.get::<_, Option<i64>>("last_used_at")?.map(Timestamp),
        doubted_at: row.get::<_, Option<i64>>("doubted_at")?.map(Timestamp),
    })
}
