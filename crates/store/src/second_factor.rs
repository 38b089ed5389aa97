//! Second factors: the secret of an authenticator app, and recovery codes. The secret is stored as
//! it is, because codes are computed from it. Of recovery codes, the store only sees the SHA-256.

use retouch_core::{AccountId, Timestamp};

use crate::account;
use crate::admin::{AuditAct, Deed, must_administer, note as audit};
use crate::mail::{self, EmailKind};
use crate::queue::Touches;
use crate::rows::{Row, Rows, one, params};
use crate::{Error, Store};

/// The length of an app's secret in bytes.
pub const SECRET_BYTES: usize = 20;

/// An authenticator app of an account.
#[derive(Clone, PartialEq, Eq)]
pub struct SecondFactor {
    /// The secret that codes are computed from.
    pub secret: [u8; SECRET_BYTES],
    /// Whether its owner has entered a valid code. Until then, signing in takes no code.
    pub is_confirmed: bool,
    /// The time step of the last used code. Later codes must be of later steps.
    pub last_step: i64,
    /// How many recovery codes are left.
    pub codes_left: usize,
}

impl std::fmt::Debug for SecondFactor {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SecondFactor").finish_non_exhaustive()
    }
}

/// An authenticator app whose owner has entered a code of it.
#[derive(Clone, Debug)]
pub struct ConfirmedApp {
    /// The time step of the code.
    pub step: i64,
    /// The hash of the token of the owner's session.
    pub session: [u8; 32],
    /// The hashes of the recovery codes.
    pub codes: Vec<[u8; 32]>,
}

impl Store {
    /// The authenticator app of an account, if one is set up or being set up.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_second_factor(
        &self,
        account: &AccountId,
    ) -> Result<Option<SecondFactor>, Error> {
        let account = account.clone();
        let sql = "SELECT secret, confirmed_at IS NOT NULL, last_step, (
                       SELECT COUNT(*) FROM recovery_code WHERE account_id = ?1)
                   FROM second_factor WHERE account_id = ?1";
        let read = |row: &Row<'_>| {
            Ok(SecondFactor {
                secret: row.get(0)?,
                is_confirmed: row.get(1)?,
                last_step: row.get(2)?,
                codes_left: usize::try_from(row.get::<_, i64>(3)?).unwrap_or(0),
            })
        };
        self.read(move |rows| one(rows, sql, [account.as_str()], read)).await
    }

    /// Starts to set up an app. This replaces an app that was never confirmed; a confirmed one
    /// stays.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`].
    pub async fn begin_second_factor(
        &self,
        account: &AccountId,
        secret: [u8; SECRET_BYTES],
    ) -> Result<(), Error> {
        let account = account.clone();
        self.write(Touches::account(&account), move |tx| {
            let (rows, id) = (tx.rows(), account.as_str());
            account::find(rows, &account)?.ok_or(Error::AccountUnknown)?;
            let sql = "DELETE FROM second_factor WHERE account_id = ?1 AND confirmed_at IS NULL";
            rows.execute(sql, [id])?;
            let sql = "INSERT INTO second_factor (account_id, secret, created_at, last_step)
                       VALUES (?1, ?2, ?3, 0) ON CONFLICT DO NOTHING";
            rows.execute(sql, params![id, secret.to_vec(), tx.now().0])?;
            Ok(())
        })
        .await
    }

    /// Confirms an app, stores its recovery codes, upgrades the session, and emails the owner.
    /// `false` if there is none to confirm.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`].
    pub async fn confirm_second_factor(
        &self,
        account: &AccountId,
        app: ConfirmedApp,
    ) -> Result<bool, Error> {
        let ConfirmedApp { step, session, codes } = app;
        let (account, notice) = (account.clone(), self.notice());
        self.write(Touches::global(&account), move |tx| {
            let (rows, id, now) = (tx.rows(), account.as_str(), tx.now().0);
            let owner = account::find(rows, &account)?.ok_or(Error::AccountUnknown)?;
            let sql = "UPDATE second_factor SET confirmed_at = ?2, last_step = ?3
                       WHERE account_id = ?1 AND confirmed_at IS NULL";
            if rows.execute(sql, params![id, now, step])? == 0 {
                return Ok(false);
            }
            rows.execute("DELETE FROM recovery_code WHERE account_id = ?1", [id])?;
            for code in &codes {
                let sql = "INSERT INTO recovery_code (account_id, code_hash) VALUES (?1, ?2)";
                rows.execute(sql, params![id, *code])?;
            }
            let sql = "UPDATE session SET second_factor_at = ?3
                       WHERE account_id = ?1 AND token_hash = ?2";
            rows.execute(sql, params![id, session, now])?;
            mail::tell(tx, notice.as_ref(), EmailKind::SecondFactorOn, &owner)?;
            Ok(true)
        })
        .await
    }

    /// Uses up a code of an app. `false` if a code of the same step or a later one was used before.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn use_code(&self, account: &AccountId, step: i64) -> Result<bool, Error> {
        let account = account.clone();
        self.write(Touches::account(&account), move |tx| {
            let sql = "UPDATE second_factor SET last_step = ?2
                       WHERE account_id = ?1 AND last_step < ?2 AND confirmed_at IS NOT NULL";
            Ok(tx.rows().execute(sql, params![account.as_str(), step])? > 0)
        })
        .await
    }

    /// Uses up a recovery code. `false` if the account has none with this hash.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn use_recovery_code(
        &self,
        account: &AccountId,
        code_hash: [u8; 32],
    ) -> Result<bool, Error> {
        let account = account.clone();
        self.write(Touches::account(&account), move |tx| {
            let sql = "DELETE FROM recovery_code WHERE account_id = ?1 AND code_hash = ?2";
            Ok(tx.rows().execute(sql, params![account.as_str(), code_hash])? > 0)
        })
        .await
    }

    /// Removes the app of an account and its recovery codes, and emails the owner. Returns whether
    /// there was one.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`].
    pub async fn remove_second_factor(&self, account: &AccountId) -> Result<bool, Error> {
        let (account, notice) = (account.clone(), self.notice());
        self.write(Touches::global(&account), move |tx| {
            let owner = account::find(tx.rows(), &account)?.ok_or(Error::AccountUnknown)?;
            let removed = forget_before(tx.rows(), &account, Timestamp(i64::MAX))?;
            if removed {
                mail::tell(tx, notice.as_ref(), EmailKind::SecondFactorOff, &owner)?;
            }
            Ok(removed)
        })
        .await
    }

    /// Removes the app of an account like [`Store::remove_second_factor`], on behalf of an
    /// administrator or the operator, and logs it.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`], [`Error::AccountUnknown`].
    pub async fn reset_second_factor_as(
        &self,
        account: &AccountId,
        deed: Deed,
    ) -> Result<bool, Error> {
        let (account, notice) = (account.clone(), self.notice());
        self.write(Touches::global(&account), move |tx| {
            must_administer(tx, &deed)?;
            let owner = account::find(tx.rows(), &account)?.ok_or(Error::AccountUnknown)?;
            let removed = forget_before(tx.rows(), &account, Timestamp(i64::MAX))?;
            if removed {
                mail::tell(tx, notice.as_ref(), EmailKind::SecondFactorOff, &owner)?;
                audit(tx, &deed, AuditAct::ResetSecondFactor, Some(&account))?;
            }
            Ok(removed)
        })
        .await
    }
}

/// Removes an app that was set up before `moment`, with its recovery codes. Returns whether there
/// was one.
pub(crate) fn forget_before(
    rows: &Rows,
    account: &AccountId,
    moment: Timestamp,
) -> Result<bool, Error> {
    let sql = "DELETE FROM second_factor WHERE account_id = ?1 AND created_at < ?2";
    let removed = rows.execute(sql, params![account.as_str(), moment.0])? > 0;
    if removed {
        rows.execute("DELETE FROM recovery_code WHERE account_id = ?1", [account.as_str()])?;
    }
    Ok(removed)
}
