//! What administrators do to accounts.

use retouch_core::AccountId;
use retouch_core::credits::{Balance, Command, Grant, Refused, TakeBack};

use super::Deed;
use super::audit::{self, AuditAct, Line};
use super::roles::must_administer;
use crate::mail::{self, EmailKind};
use crate::queue::Touches;
use crate::rows::{one, params};
use crate::transaction::Transaction;
use crate::{Error, Granted, Store, account, credit_request};

impl Store {
    /// Grants credits to an account, once per source key, and logs it. This answers the account's
    /// open request for credits, if it has one.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`], [`Error::AccountUnknown`], [`Error::Refused`].
    pub async fn grant_as(
        &self,
        account: &AccountId,
        grant: Grant,
        deed: Deed,
    ) -> Result<Granted, Error> {
        let (account, credits) = (account.clone(), grant.credits);
        let command = Command::Grant(grant);
        let notice = self.notice();
        self.write(Touches::global(&account), move |tx| {
            must_administer(tx, &deed)?;
            let Some((balance, _)) = book(tx, &account, &command)? else {
                return Ok(Granted::Already);
            };
            let subject = Some(&account);
            let line = Line { act: AuditAct::Grant, subject, credits: Some(credits) };
            audit::note_line(tx, &deed, &line)?;
            if credit_request::answered(tx.rows(), &account)? {
                let owner = account::find(tx.rows(), &account)?.ok_or(Error::AccountUnknown)?;
                let notice = notice.as_ref().map(|it| it.about(&credits.to_string()));
                mail::tell(tx, notice.as_ref(), EmailKind::CreditsGranted, &owner)?;
            }
            Ok(Granted::New(balance))
        })
        .await
    }

    /// Takes back as many of an account's credits as are available, once per source key, and logs
    /// how many they were.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`], [`Error::AccountUnknown`], [`Error::Refused`].
    pub async fn take_back_as(
        &self,
        account: &AccountId,
        taken: TakeBack,
        deed: Deed,
    ) -> Result<Granted, Error> {
        let command = Command::TakeBack(taken);
        let account = account.clone();
        self.write(Touches::global(&account), move |tx| {
            must_administer(tx, &deed)?;
            let Some((balance, before)) = book(tx, &account, &command)? else {
                return Ok(Granted::Already);
            };
            let credits = balance.taken_back.checked_sub(before.taken_back);
            let line = Line { act: AuditAct::TakeBack, subject: Some(&account), credits };
            audit::note_line(tx, &deed, &line)?;
            Ok(Granted::New(balance))
        })
        .await
    }

    /// Suspends an account: its sessions end and its keys stop working, but edits in progress are
    /// finished. Returns whether anything changed.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`], [`Error::AccountUnknown`]; [`Error::OwnAccount`] if
    /// administrators try to suspend themselves.
    pub async fn suspend(&self, account: &AccountId, deed: Deed) -> Result<bool, Error> {
        if deed.by.as_ref() == Some(account) {
            return Err(Error::OwnAccount);
        }
        let account = account.clone();
        self.write(Touches::global(&account), move |tx| {
            must_administer(tx, &deed)?;
            must_exist(tx, &account)?;
            let sql = "UPDATE account SET suspended_at = ?2
                       WHERE id = ?1 AND suspended_at IS NULL";
            let changed = tx.rows().execute(sql, params![account.as_str(), tx.now().0])? > 0;
            if changed {
                end_sessions(tx, &account)?;
                audit::note(tx, &deed, AuditAct::Suspend, Some(&account))?;
            }
            Ok(changed)
        })
        .await
    }

    /// Reinstates a suspended account. Returns whether anything changed.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`], [`Error::AccountUnknown`].
    pub async fn lift_suspension(&self, account: &AccountId, deed: Deed) -> Result<bool, Error> {
        let account = account.clone();
        self.write(Touches::global(&account), move |tx| {
            must_administer(tx, &deed)?;
            must_exist(tx, &account)?;
            let sql = "UPDATE account SET suspended_at = NULL
                       WHERE id = ?1 AND suspended_at IS NOT NULL";
            let changed = tx.rows().execute(sql, [account.as_str()])? > 0;
            if changed {
                audit::note(tx, &deed, AuditAct::Lift, Some(&account))?;
            }
            Ok(changed)
        })
        .await
    }

    /// Ends all sessions of an account. Returns how many there were.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`], [`Error::AccountUnknown`].
    pub async fn sign_out_everywhere(
        &self,
        account: &AccountId,
        deed: Deed,
    ) -> Result<usize, Error> {
        let account = account.clone();
        self.write(Touches::global(&account), move |tx| {
            must_administer(tx, &deed)?;
            must_exist(tx, &account)?;
            let ended = end_sessions(tx, &account)?;
            audit::note(tx, &deed, AuditAct::SignOut, Some(&account))?;
            Ok(ended)
        })
        .await
    }
}

/// Books `command`. Returns the balances after and before it, or nothing if it was booked already.
fn book(
    tx: &mut Transaction<'_>,
    account: &AccountId,
    command: &Command,
) -> Result<Option<(Balance, Balance)>, Error> {
    must_exist(tx, account)?;
    // Book due expiries first, so that they don't count as changes made by the command.
    let before = tx.command(account, &Command::Expire)?;
    match tx.command(account, command) {
        Ok(balance) => Ok(Some((balance, before))),
        Err(Error::Refused(Refused::AlreadyGranted { .. })) => Ok(None),
        Err(error) => Err(error),
    }
}

fn end_sessions(tx: &Transaction<'_>, account: &AccountId) -> Result<usize, Error> {
    tx.rows().execute("DELETE FROM session WHERE account_id = ?1", [account.as_str()])
}

pub(crate) fn must_exist(tx: &Transaction<'_>, account: &AccountId) -> Result<(), Error> {
    let sql = "SELECT 1 FROM account WHERE id = ?1 AND deleted_at IS NULL";
    one(tx.rows(), sql, [account.as_str()], |_| Ok(()))?.ok_or(Error::AccountUnknown)
}
