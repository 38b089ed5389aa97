//! Deleting an account. Its ledger is kept under the id alone, and still balances.

use retouch_core::AccountId;
use retouch_core::credits::{Command, TakeBack};

use super::free_credits::{self, Person};
use super::{Account, find};
use crate::admin::{self, AuditAct, Deed};
use crate::billing;
use crate::credit_request;
use crate::edit::FORGOTTEN;
use crate::grant;
use crate::identity;
use crate::mail::{self, EmailKind, Notice};
use crate::pseudonym::Pseudonyms;
use crate::queue::Touches;
use crate::refusal;
use crate::rows::{Rows, one, params};
use crate::session;
use crate::transaction::Transaction;
use crate::upload;
use crate::webhook;
use crate::{Error, Store};

/// The result of deleting an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    /// The account is gone: its sessions and keys are revoked, its address is free again, and the
    /// files of its edits are queued for removal.
    Gone,
    /// Some of its edits are in progress. It can be deleted when they have ended.
    Running {
        /// How many are in progress.
        edits: usize,
    },
    /// It is still charged for a plan, which must be canceled first.
    Paying,
    /// There is no such account, or it is already deleted.
    Unknown,
}

impl Store {
    /// Deletes an account: removes its remaining credits, ends a plan that the operator assigned,
    /// ends its sessions, revokes its keys, deletes its edits, forgets its address and password,
    /// and emails its owner.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn delete_account(&self, account: &AccountId) -> Result<Deletion, Error> {
        let account = account.clone();
        let (notice, names) = (self.notice(), self.pseudonyms().await?);
        self.write(Touches::global(&account), move |tx| {
            delete(tx, &account, notice.as_ref(), &names)
        })
        .await
    }
}

impl Store {
    /// Deletes an account for its administrator and logs it; see [`Store::delete_account`].
    ///
    /// # Errors
    /// [`Error::NotAdministrator`]; [`Error::OwnAccount`] if administrators try to delete
    /// themselves here.
    pub async fn delete_account_as(
        &self,
        account: &AccountId,
        deed: Deed,
    ) -> Result<Deletion, Error> {
        if deed.by.as_ref() == Some(account) {
            return Err(Error::OwnAccount);
        }
        let account = account.clone();
        let (notice, names) = (self.notice(), self.pseudonyms().await?);
        self.write(Touches::global(&account), move |tx| {
            admin::must_administer(tx, &deed)?;
            let done = delete(tx, &account, notice.as_ref(), &names)?;
            if done == Deletion::Gone {
                admin::note(tx, &deed, AuditAct::DeleteAccount, Some(&account))?;
            }
            Ok(done)
        })
        .await
    }
}

fn delete(
    tx: &mut Transaction<'_>,
    account: &AccountId,
    notice: Option<&Notice>,
    names: &Pseudonyms,
) -> Result<Deletion, Error> {
    let rows = tx.rows();
    let Some(found) = find(rows, account)? else { return Ok(Deletion::Unknown) };
    if let edits @ 1.. = running(rows, account)? {
        return Ok(Deletion::Running { edits });
    }
    if billing::is_paying(rows, account)? {
        return Ok(Deletion::Paying);
    }
    let left = tx.command(account, &Command::Expire)?.available;
    if !left.is_zero() {
        let taken = TakeBack {
            credits: left,
            excused_max: None,
            source_key: format!("account_deleted:{account}"),
            only_from: None,
            description: "The account was deleted".into(),
        };
        tx.command(account, &Command::TakeBack(taken))?;
    }
    remember(tx, &found, names)?;
    billing::end_given(tx, account)?;
    session::end_all(rows, account, None)?;
    identity::forget(tx.rows(), account)?;
    forget(tx, account)?;
    upload::expire_all(tx.rows(), account)?;
    mail::forget(rows, account)?;
    refusal::forget(rows, account)?;
    admin::forget_terms(rows, account)?;
    credit_request::forget(rows, account)?;
    webhook::forget(rows, account)?;
    mail::tell(tx, notice, EmailKind::Deleted, &found)?;
    Ok(Deletion::Gone)
}

/// Remembers, by address and identities, that the owner already received free credits.
fn remember(tx: &Transaction<'_>, account: &Account, names: &Pseudonyms) -> Result<(), Error> {
    let person = Person::of(names, &account.email, None);
    free_credits::also_known_as(tx, &account.id, &person)?;
    for identity in identity::list(tx.rows(), &account.id)? {
        let person = Person::of_subject(names, &identity.subject);
        free_credits::also_known_as(tx, &account.id, &person)?;
    }
    Ok(())
}

fn running(rows: &Rows, account: &AccountId) -> Result<usize, Error> {
    let sql = "SELECT COUNT(*) FROM edit WHERE account_id = ?1 AND status = 'processing'";
    let count = one(rows, sql, [account.as_str()], |row| row.get::<_, i64>(0))?;
    Ok(count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0))
}

fn forget(tx: &Transaction<'_>, account: &AccountId) -> Result<(), Error> {
    let (rows, id, now) = (tx.rows(), account.as_str(), tx.now().0);
    let sql = format!(
        "UPDATE edit SET deleted_at = ?2, {FORGOTTEN} WHERE account_id = ?1 AND deleted_at IS NULL"
    );
    rows.execute(&sql, params![id, now])?;
    // Calls of the account can no longer be repeated.
    rows.execute("DELETE FROM idempotency WHERE account_id = ?1", [id])?;
    grant::forget(rows, account)?;
    // Ledger entries refer to keys, so the rows stay. The new hash belongs to no secret.
    let sql = format!(
        "UPDATE api_key SET revoked_at = COALESCE(revoked_at, ?2), name = '', start = '',
             client_hash = NULL, hash = CAST(id AS {})
         WHERE account_id = ?1",
        rows.bytes_type()
    );
    rows.execute(&sql, params![id, now])?;
    // The placeholder is in a reserved domain (RFC 2606) that receives no email, and frees the real
    // address.
    let sql = "UPDATE account SET deleted_at = ?2, email = id || '@deleted.invalid',
                   email_folded = lower(id) || '@deleted.invalid', password_hash = NULL,
                   verified_at = NULL, role = 'member', is_unwarned = FALSE
               WHERE id = ?1";
    rows.execute(sql, params![id, now])?;
    Ok(())
}
