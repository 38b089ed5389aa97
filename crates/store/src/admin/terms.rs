//! Limits that administrators give to one account, and their notes about it.

use retouch_core::AccountId;

use super::audit::{self, AuditAct};
use super::roles::must_administer;
use super::{Deed, must_exist};
use crate::queue::Touches;
use crate::rows::{Row, Rows, all, column, one, params};
use crate::service;
use crate::{Error, Store};

/// How many accounts can have limits of their own. Every node keeps them in memory.
const LIMITED_MAX: i64 = 10_000;

/// The limits of one account, and the notes about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountTerms {
    /// Calls that charge per minute; 0 for no limit. `None`: as in the plan.
    pub calls_per_minute: Option<u32>,
    /// Image edits at the same time. `None`: as in the plan.
    pub edits_at_once_max: Option<u32>,
    /// Videos at the same time. `None`: as in the plan.
    pub videos_at_once_max: Option<u32>,
    /// Notes that only administrators see.
    pub note: String,
}

impl AccountTerms {
    /// Whether any limit differs from the plan's.
    pub fn has_limits(&self) -> bool {
        let limits = [self.calls_per_minute, self.edits_at_once_max, self.videos_at_once_max];
        limits.iter().any(Option::is_some)
    }
}

const COLUMNS: &str = "account_id, calls_per_minute, edits_at_once_max, videos_at_once_max, note";

impl Store {
    /// Sets the limits of an account and the notes about it.
    ///
    /// # Errors
    /// [`Error::NotAdministrator`], [`Error::AccountUnknown`]; [`Error::TooMany`] if 10,000
    /// accounts already have limits of their own.
    pub async fn set_terms(
        &self,
        account: &AccountId,
        terms: AccountTerms,
        deed: Deed,
    ) -> Result<(), Error> {
        let account = account.clone();
        self.write(Touches::global(&account), move |tx| {
            must_administer(tx, &deed)?;
            must_exist(tx, &account)?;
            let rows = tx.rows();
            if terms.has_limits() && count_others(rows, &account)? >= LIMITED_MAX {
                let most = usize::try_from(LIMITED_MAX).unwrap_or(usize::MAX);
                return Err(Error::TooMany { what: "accounts with limits of their own", most });
            }
            let sql = "INSERT INTO account_terms (account_id, calls_per_minute, edits_at_once_max,
                           videos_at_once_max, note, changed_at)
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                       ON CONFLICT (account_id) DO UPDATE SET
                           calls_per_minute = excluded.calls_per_minute,
                           edits_at_once_max = excluded.edits_at_once_max,
                           videos_at_once_max = excluded.videos_at_once_max,
                           note = excluded.note, changed_at = excluded.changed_at";
            let many = |limit: Option<u32>| limit.map(i64::from);
            rows.execute(
                sql,
                params![
                    account.as_str(),
                    many(terms.calls_per_minute),
                    many(terms.edits_at_once_max),
                    many(terms.videos_at_once_max),
                    terms.note,
                    tx.now().0,
                ],
            )?;
            service::note_change(rows)?;
            audit::note(tx, &deed, AuditAct::SetTerms, Some(&account))
        })
        .await
    }

    /// The limits of an account and the notes about it.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_terms(&self, account: &AccountId) -> Result<AccountTerms, Error> {
        let account = account.clone();
        let sql = format!("SELECT {COLUMNS} FROM account_terms WHERE account_id = ?1");
        let found = self.read(move |rows| one(rows, &sql, [account.as_str()], from_row));
        Ok(found.await?.map(|(_, terms)| terms).unwrap_or_default())
    }
}

/// The accounts that have limits of their own.
pub(crate) fn limited(rows: &Rows) -> Result<Vec<(AccountId, AccountTerms)>, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM account_terms
         WHERE calls_per_minute IS NOT NULL OR edits_at_once_max IS NOT NULL
             OR videos_at_once_max IS NOT NULL
         LIMIT ?1"
    );
    all(rows, &sql, [LIMITED_MAX], from_row)
}

/// Forgets the terms of an account.
pub(crate) fn forget(rows: &Rows, account: &AccountId) -> Result<(), Error> {
    rows.execute("DELETE FROM account_terms WHERE account_id = ?1", [account.as_str()])?;
    Ok(())
}

fn count_others(rows: &Rows, account: &AccountId) -> Result<i64, Error> {
    let sql = "SELECT COUNT(*) FROM account_terms
               WHERE account_id <> ?1 AND (calls_per_minute IS NOT NULL
                   OR edits_at_once_max IS NOT NULL OR videos_at_once_max IS NOT NULL)";
    Ok(one(rows, sql, [account.as_str()], |row| row.get(0))?.unwrap_or(0))
}

fn from_row(row: &Row<'_>) -> Result<(AccountId, AccountTerms), Error> {
    let terms = AccountTerms {
        calls_per_minute: row.get("calls_per_minute")?,
        edits_at_once_max: row.get("edits_at_once_max")?,
        videos_at_once_max: row.get("videos_at_once_max")?,
        note: row.get("note")?,
    };
    Ok((column(row, "account_id")?, terms))
}
