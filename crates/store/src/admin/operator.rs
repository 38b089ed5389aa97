//! What the operator on the command line, and administrators, do on behalf of users. All of it is
//! logged.

use retouch_core::{AccountId, KeyId};

use super::Deed;
use super::audit::{self, AuditAct};
use super::roles::must_administer;
use crate::account::{self, Account, Making, NewAccount, NewPassword};
use crate::api_key::{self, ApiKey, NewKey};
use crate::queue::Touches;
use crate::{Error, Store};

impl Store {
    /// Creates an account and grants its sign-up credits.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`], [`Error::EmailTaken`], [`Error::EmailIsNobodys`].
    pub async fn create_account_as(&self, new: NewAccount, deed: Deed) -> Result<Account, Error> {
        let making = Making { day_max: None, ..self.making(new, None).await? };
        self.write(Touches::Global(None), move |tx| {
            must_administer(tx, &deed)?;
            let account = account::create(tx, &making)?;
            audit::note(tx, &deed, AuditAct::CreateAccount, Some(&account.id))?;
            Ok(account)
        })
        .await
    }

    /// Sets the password of an account, ends all its sessions, and emails its owner.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`], [`Error::AccountUnknown`].
    pub async fn set_password_as(
        &self,
        account: &AccountId,
        hash: String,
        deed: Deed,
    ) -> Result<(), Error> {
        let account = account.clone();
        let notice = self.notice();
        self.write(Touches::global(&account), move |tx| {
            must_administer(tx, &deed)?;
            let password = NewPassword { hash: &hash, keep: None };
            account::change_password(tx, &account, password, notice.as_ref())?;
            audit::note(tx, &deed, AuditAct::SetPassword, Some(&account))
        })
        .await
    }

    /// Creates an API key for an account.
    ///
    /// # Errors
    /// [`Error::AccountUnknown`].
    pub async fn create_key_as(
        &self,
        account: &AccountId,
        new: NewKey,
        deed: Deed,
    ) -> Result<ApiKey, Error> {
        let (key, hash) = self.new_key(account, new);
        self.write(Touches::global(&key.account), move |tx| {
            let key = api_key::insert(tx, &key, hash)?;
            audit::note(tx, &deed, AuditAct::CreateKey, Some(&key.account))?;
            Ok(key)
        })
        .await
    }

    /// Revokes any account's key. `false` if there is no such key.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn revoke_key_as(&self, key: &KeyId, deed: Deed) -> Result<bool, Error> {
        let key = key.clone();
        self.write(Touches::Global(None), move |tx| {
            let Some(owner) = api_key::owner(tx.rows(), &key)? else { return Ok(false) };
            tx.lock(&[&owner])?;
            if api_key::revoke(tx, &owner, &key)? {
                audit::note(tx, &deed, AuditAct::RevokeKey, Some(&owner))?;
            }
            Ok(true)
        })
        .await
    }
}
