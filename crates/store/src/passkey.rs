//! Passkeys: public keys whose private keys stay on people's devices.

use retouch_core::{AccountId, Timestamp};

use crate::account::{self, Account};
use crate::identity::ways_in;
use crate::mail::{self, EmailKind};
use crate::queue::Touches;
use crate::rows::{Row, all, one, params};
use crate::{Error, Store};

/// The maximum number of passkeys per account.
pub const PASSKEYS_MAX: usize = 20;

/// A passkey as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passkey {
    /// Its credential id, chosen by the device.
    pub id: Vec<u8>,
    /// The name that its owner chose.
    pub name: String,
    /// Whether it is backed up, so that more than one device may have it.
    pub is_backed_up: bool,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was last used to sign in.
    pub last_used_at: Option<Timestamp>,
    /// Since when it is disabled because it may have been cloned.
    pub doubted_at: Option<Timestamp>,
}

/// A passkey to add.
#[derive(Clone, Debug)]
pub struct NewPasskey {
    /// Its credential id, chosen by the device.
    pub id: Vec<u8>,
    /// The name that its owner chose.
    pub name: String,
    /// The public key, encoded with COSE.
    pub public_key: Vec<u8>,
    /// Its signature counter.
    pub sign_count: u32,
    /// Whether it can be backed up. This never changes.
    pub may_back_up: bool,
    /// Whether it is backed up.
    pub is_backed_up: bool,
}

/// What is needed to verify the signature of a passkey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasskeyCheck {
    /// The account that owns it.
    pub account: Account,
    /// The public key, encoded with COSE.
    pub public_key: Vec<u8>,
    /// Whether it can be backed up.
    pub may_back_up: bool,
}

/// The result of using a passkey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasskeyUse {
    /// Its use was recorded.
    Noted,
    /// Its signature counter did not increase, now or at an earlier use, so it may have been cloned
    /// (Web Authentication, 6.1.1). It is disabled until it is removed and added again.
    Doubted,
}

/// What a passkey reports when it is used.
#[derive(Clone, Copy, Debug)]
pub struct PasskeyReport {
    /// Its signature counter. 0 if it has none.
    pub sign_count: u32,
    /// Whether it is backed up.
    pub is_backed_up: bool,
}

impl Store {
    /// Adds a passkey to an account and emails the owner.
    ///
    /// # Errors
    /// [`Error::PasskeyTaken`], [`Error::TooMany`], [`Error::AccountUnknown`].
    pub async fn create_passkey(&self, account: &AccountId, new: NewPasskey) -> Result<(), Error> {
        let (account, notice) = (account.clone(), self.notice());
        self.write(Touches::global(&account), move |tx| {
            let rows = tx.rows();
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
                    tx.now().0
                ],
            )?;
            mail::tell(tx, notice.as_ref(), EmailKind::PasskeyAdded, &owner)
        })
        .await
    }

    /// Lists an account's passkeys, oldest first.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_passkeys(&self, account: &AccountId) -> Result<Vec<Passkey>, Error> {
        let account = account.clone();
        let sql = "SELECT id, name, is_backed_up, created_at, last_used_at, doubted_at FROM passkey
                   WHERE account_id = ?1 ORDER BY created_at, id";
        self.read(move |rows| all(rows, sql, [account.as_str()], from_row)).await
    }

    /// What is needed to verify the signature of a passkey, if any account has it.
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

    /// Records that a passkey was used, and what it reported.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`] if the account does not have it.
    pub async fn use_passkey(
        &self,
        account: &AccountId,
        id: &[u8],
        report: PasskeyReport,
    ) -> Result<PasskeyUse, Error> {
        let PasskeyReport { sign_count, is_backed_up } = report;
        let (account, id) = (account.clone(), id.to_vec());
        self.write(Touches::global(&account), move |tx| {
            let (rows, now) = (tx.rows(), tx.now().0);
            let sql = "SELECT sign_count, doubted_at IS NOT NULL FROM passkey
                       WHERE account_id = ?1 AND id = ?2";
            let read = |row: &Row<'_>| Ok((row.get::<_, u32>(0)?, row.get::<_, bool>(1)?));
            let known = one(rows, sql, params![account.as_str(), id], read)?;
            let (before, is_doubted) = known.ok_or(Error::AccountUnknown)?;
            // Devices without a counter always report 0.
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

    /// Removes a passkey and emails the owner. Returns whether the account had it. `live` is the
    /// identity provider that is currently configured.
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
        self.write(Touches::global(&account), move |tx| {
            let rows = tx.rows();
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
            mail::tell(tx, notice.as_ref(), EmailKind::PasskeyRemoved, &owner)?;
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
