//! Who is at an open edit, and which edits nobody is at any more.

use retouch_core::{AccountId, Credits, EditId, Kind, Timestamp};

use super::row;
use crate::error::credits;
use crate::rows::{Row, all, column, params};
use crate::work::Touches;
use crate::{Error, Store};

/// The most open edits that are listed at a time; those whose lease ends first come first.
const OPEN_MAX: i64 = 10_000;

/// An edit that has not ended, as recovery needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenEditRow {
    /// Whose it is.
    pub account: AccountId,
    /// Its name.
    pub id: EditId,
    /// The name that its result's blob has, if it got that far.
    pub blob: String,
    /// What is held for it.
    pub price: Credits,
    /// The model that was asked for.
    pub model: String,
    /// Who was to perform it.
    pub provider: String,
    /// What was understood, as JSON.
    pub plan: Option<String>,
    /// The warnings when it was opened, as JSON.
    pub warnings: String,
    /// Names the process that was at it.
    pub owner: String,
    /// Until when that process is believed to be at it.
    pub lease_until: Timestamp,
    /// When it was opened.
    pub created_at: Timestamp,
    /// What it makes.
    pub kind: Kind,
    /// How to ask for the result elsewhere, as JSON, where the work has been taken on.
    pub task: Option<String>,
}

impl Store {
    /// A process says that it is still at these edits; answers how many of them are its own and
    /// open.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn renew_leases(
        &self,
        owner: &str,
        edits: &[(AccountId, EditId)],
        until: Timestamp,
    ) -> Result<usize, Error> {
        let (owner, edits) = (owner.to_owned(), edits.to_vec());
        let accounts = edits.iter().map(|(account, _)| account.clone()).collect();
        self.write(Touches::Accounts(accounts), move |unit| {
            let sql = "UPDATE edit SET lease_until = ?4 WHERE account_id = ?1 AND id = ?2
                       AND owner = ?3 AND status = 'processing'";
            let mut renewed = 0;
            for (account, edit) in &edits {
                let values = params![account.as_str(), edit.to_string(), owner, until.0];
                renewed += unit.rows().execute(sql, values)?;
            }
            Ok(renewed)
        })
        .await
    }

    /// A process takes an open edit over from one that is gone; answers whether it was still open
    /// and that one's.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn adopt_edit(
        &self,
        edit: &OpenEditRow,
        owner: &str,
        until: Timestamp,
    ) -> Result<bool, Error> {
        let OpenEditRow { account, id, owner: before, .. } = edit.clone();
        let owner = owner.to_owned();
        self.write(Touches::account(&account), move |unit| {
            let sql = "UPDATE edit SET owner = ?3, lease_until = ?4
                       WHERE account_id = ?1 AND id = ?2 AND owner = ?5 AND status = 'processing'";
            let values = params![account.as_str(), id.to_string(), owner, until.0, before];
            Ok(unit.rows().execute(sql, values)? == 1)
        })
        .await
    }

    /// The edits that have not ended, of all accounts, for recovery; at most ten thousand, those
    /// whose lease ends first.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_open_edits(&self) -> Result<Vec<OpenEditRow>, Error> {
        let sql = "SELECT account_id, id, blob, cost, model, provider, plan, warnings, owner,
                       lease_until, created_at, kind, task
                   FROM edit WHERE status = 'processing' ORDER BY lease_until LIMIT ?1";
        self.read(move |rows| all(rows, sql, [OPEN_MAX], from_row)).await
    }
}

fn from_row(row: &Row<'_>) -> Result<OpenEditRow, Error> {
    Ok(OpenEditRow {
        account: column(row, "account_id")?,
        id: column(row, "id")?,
        blob: row.get("blob")?,
        price: credits(row.get("cost")?)?,
        model: row.get("model")?,
        provider: row.get("provider")?,
        plan: row.get("plan")?,
        warnings: row.get("warnings")?,
        owner: row.get("owner")?,
        lease_until: Timestamp(row.get("lease_until")?),
        created_at: Timestamp(row.get("created_at")?),
        kind: row::kind(row)?,
        task: row.get("task")?,
    })
}
