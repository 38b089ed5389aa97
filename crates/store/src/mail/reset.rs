//! Following a link to reset a password.

use retouch_core::{AccountId, Timestamp};

use super::EmailKind;
use super::follow::{find, nobody, note_verified};
use crate::account::{self, Account, NewPassword};
use crate::queue::Touches;
use crate::rows::{Rows, all, one, params};
use crate::transaction::Transaction;
use crate::{Error, Store, browser, second_factor};

/// What a reset keeps besides the account itself; by default, nothing. Whatever was added before
/// the address was confirmed is always removed, because it may not belong to the owner of the
/// address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// Keeps the passkeys.
    pub passkeys: bool,
    /// Keeps the identities.
    pub identities: bool,
    /// Keeps the API keys.
    pub keys: bool,
}

/// A password to set by following a link.
#[derive(Clone, Debug)]
pub struct PasswordReset {
    /// The hash of the link's token.
    pub token_hash: [u8; 32],
    /// The hash of the new password.
    pub password_hash: String,
    /// What the account keeps.
    pub keep: Keep,
    /// The hash of the token of the browser that follows the link.
    pub browser: [u8; 32],
}

/// What gives access to an account besides its password, as its owner knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Openers {
    /// The names of the passkeys that can be kept.
    pub passkeys: Vec<String>,
    /// The issuers of the identities that can be kept.
    pub identities: Vec<String>,
    /// The names of the API keys that can be kept.
    pub keys: Vec<String>,
    /// How many of all kinds were added before the address was confirmed. They are always removed.
    pub older: usize,
}

/// Each kind of access: the column with its name, and the rows.
const KINDS: [(&str, &str); 3] = [
    ("name", "passkey WHERE account_id = ?1"),
    ("issuer", "identity WHERE account_id = ?1"),
    ("name", "api_key WHERE account_id = ?1 AND revoked_at IS NULL"),
];

impl Store {
    /// Lists what gives access to an account besides its password.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_openers(&self, account: &AccountId) -> Result<Openers, Error> {
        let account = account.clone();
        self.read(move |rows| {
            let since = verified_at(rows, &account)?;
            let mut older = 0;
            let mut names = Vec::new();
            for (name, from) in KINDS {
                let sql = format!("SELECT {name}, created_at FROM {from} ORDER BY created_at");
                let found = all(rows, &sql, [account.as_str()], |row| {
                    Ok((row.get::<_, String>(0)?, Timestamp(row.get(1)?)))
                })?;
                let (kept, gone): (Vec<_>, Vec<_>) =
                    found.into_iter().partition(|(_, at)| since.is_some_and(|since| *at >= since));
                older += gone.len();
                names.push(kept.into_iter().map(|(name, _)| name).collect());
            }
            let mut names = names.into_iter();
            let mut next = || names.next().unwrap_or_default();
            Ok(Openers { passkeys: next(), identities: next(), keys: next(), older })
        })
        .await
    }

    /// Follows a link to reset a password: changes it, ends all sessions of the account, removes
    /// other access except what is kept, and emails the owner. This uses up the link and the
    /// account's other links. Afterwards the account knows only the browser of the reset.
    ///
    /// # Errors
    /// [`Error::LinkUnknown`].
    pub async fn reset_password(&self, reset: PasswordReset) -> Result<Account, Error> {
        let notice = self.notice();
        self.write(Touches::Global(None), move |tx| {
            let found = find(tx.rows(), &reset.token_hash, tx.now())?.ok_or(Error::LinkUnknown)?;
            let account = found.account.filter(|_| found.kind == EmailKind::Reset);
            let account = account.ok_or(Error::LinkUnknown)?;
            tx.lock(&[&account])?;
            let password = NewPassword { hash: &reset.password_hash, keep: None };
            let changed = account::change_password(tx, &account, password, notice.as_ref());
            let account = changed.map_err(nobody)?;
            evict(tx, &account.id, reset.keep)?;
            browser::forget(tx.rows(), &account.id)?;
            browser::note(tx, &account.id, reset.browser)?;
            note_verified(tx, &account.id)?;
            Ok(account)
        })
        .await
    }
}

/// Removes access to an account besides its password, except what is kept.
fn evict(tx: &Transaction<'_>, account: &AccountId, keep: Keep) -> Result<(), Error> {
    let rows = tx.rows();
    // If the address was never confirmed, everything is older than its confirmation.
    let since = verified_at(rows, account)?.unwrap_or(Timestamp(i64::MAX));
    let until = |is_kept| if is_kept { since.0 } else { i64::MAX };
    for (table, is_kept) in [("passkey", keep.passkeys), ("identity", keep.identities)] {
        let sql = format!("DELETE FROM {table} WHERE account_id = ?1 AND created_at < ?2");
        rows.execute(&sql, params![account.as_str(), until(is_kept)])?;
    }
    let sql = "UPDATE api_key SET revoked_at = ?3
               WHERE account_id = ?1 AND created_at < ?2 AND revoked_at IS NULL";
    rows.execute(sql, params![account.as_str(), until(keep.keys), tx.now().0])?;
    // A reset proves access to the mailbox only, so the owner's second factor stays.
    second_factor::forget_before(rows, account, since).map(drop)
}

fn verified_at(rows: &Rows, account: &AccountId) -> Result<Option<Timestamp>, Error> {
    let sql = "SELECT verified_at FROM account WHERE id = ?1";
    let found = one(rows, sql, [account.as_str()], |row| row.get::<_, Option<i64>>(0))?;
    Ok(found.flatten().map(Timestamp))
}
