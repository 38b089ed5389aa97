//! Who is at an open edit, and which edits nobody is at any more.

use std::collections::HashSet;

use retouch_core::{AccountId, Credits, EditId, Kind, Timestamp};

use super::row;
use crate::error::credits;
use crate::rows::{Row, Rows, all, column, one, params};
use crate::work::Touches;
use crate::{Error, Store};

/// The most open edits that are listed at a time; those whose lease ends first come first.
const OPEN_MAX: i64 = 10_000;
/// The lease of an edit that its process has left: it ended before all time.
const LEFT: Timestamp = Timestamp(0);

/// The columns that [`from_row`] reads.
const COLUMNS: &str = "account_id, id, blob, cost, model, provider, plan, warnings, owner,
    lease_until, created_at, kind, task";

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

/// The edits that have not ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenEdits {
    /// How many edits.
    pub count: i64,
    /// When the oldest of them was opened.
    pub oldest: Option<Timestamp>,
}

impl OpenEditRow {
    /// Whether its process has said that it goes on with it no more.
    pub fn is_left(&self) -> bool {
        self.lease_until == LEFT
    }
}

/// What changes when a process takes an edit over.
#[derive(Clone, Debug)]
pub struct Adoption {
    /// Names the process.
    pub owner: String,
    /// Until when it is believed to be at the edit.
    pub until: Timestamp,
    /// The name that its result's blob will get: nobody else has stored anything under it.
    pub blob: String,
}

impl Store {
    /// A process says that it is still at its open edits; answers which they are. Whatever another
    /// process is changing at this moment is not waited for: its lease is renewed the next time.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn renew_leases(
        &self,
        owner: &str,
        until: Timestamp,
    ) -> Result<HashSet<EditId>, Error> {
        let owner = owner.to_owned();
        self.write(Touches::Signs, move |unit| {
            set_leases(unit.rows(), &owner, until)?;
            let sql = "SELECT id FROM edit WHERE owner = ?1 AND status = 'processing'";
            let own = all(unit.rows(), sql, [owner.as_str()], |row| column(row, "id"))?;
            Ok(own.into_iter().collect())
        })
        .await
    }

    /// A process says that it goes on with none of its edits, so that others need not wait for
    /// their leases to end.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn leave_edits(&self, owner: &str) -> Result<(), Error> {
        let owner = owner.to_owned();
        self.write(Touches::Signs, move |unit| set_leases(unit.rows(), &owner, LEFT)).await
    }

    /// Whether this process is at the edit: it is open, and nobody has taken it over.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn is_at_edit(
        &self,
        account: &AccountId,
        edit: &EditId,
        owner: &str,
    ) -> Result<bool, Error> {
        let (account, edit) = (account.clone(), *edit);
        let found = self.glance(move |rows| owner_of(rows, &account, edit)).await?;
        Ok(found.as_deref() == Some(owner))
    }

    /// A process takes an open edit over from one that is gone; answers whether it was still as `edit`
    /// says: open, that one's, without a further sign of life, and with no other word of who performs it.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn adopt_edit(&self, edit: &OpenEditRow, adoption: Adoption) -> Result<bool, Error> {
        let OpenEditRow { account, id, owner: before, lease_until: ended, task, .. } = edit.clone();
        let task = task.unwrap_or_default();
        self.write(Touches::account(&account), move |unit| {
            let sql = "UPDATE edit SET owner = ?3, lease_until = ?4, blob = ?5
                       WHERE account_id = ?1 AND id = ?2 AND owner = ?6 AND lease_until = ?7
                           AND COALESCE(task, '') = ?8 AND status = 'processing'";
            let Adoption { owner, until, blob } = &adoption;
            let id = id.to_string();
            let values = params![account.as_str(), id, owner, until.0, blob, before, ended.0, task];
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
        let sql = format!(
            "SELECT {COLUMNS} FROM edit WHERE status = 'processing' ORDER BY lease_until LIMIT ?1"
        );
        self.read(move |rows| all(rows, &sql, [OPEN_MAX], from_row)).await
    }

    /// How many edits are open, of all accounts and processes.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn count_open_edits(&self) -> Result<OpenEdits, Error> {
        let sql = "SELECT COUNT(*) AS count, MIN(created_at) AS oldest FROM edit
                   WHERE status = 'processing'";
        let read = |row: &Row<'_>| {
            let oldest: Option<i64> = row.get("oldest")?;
            Ok(OpenEdits { count: row.get("count")?, oldest: oldest.map(Timestamp) })
        };
        Ok(self.read(move |rows| one(rows, sql, params![], read)).await?.unwrap_or_default())
    }

    /// Those of them that are this process's, or whose lease has ended by `now`. A lease that ends later
    /// than one of `lease_ms` milliseconds given now was given by a clock that has gone back since, as it
    /// may when another server takes over: it counts as ended, or it would hold credits for as long as
    /// the clock went back.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_due_edits(
        &self,
        owner: &str,
        (now, lease_ms): (Timestamp, i64),
    ) -> Result<Vec<OpenEditRow>, Error> {
        let owner = owner.to_owned();
        let sql = format!(
            "SELECT {COLUMNS} FROM edit
             WHERE status = 'processing' AND (owner = ?1 OR lease_until <= ?2 OR lease_until > ?3)
             ORDER BY lease_until LIMIT ?4"
        );
        let latest = now.plus_ms(lease_ms);
        self.read(move |rows| all(rows, &sql, params![owner, now.0, latest.0, OPEN_MAX], from_row))
            .await
    }
}

/// Names the process that is at an edit, if it is open.
pub(super) fn owner_of(
    rows: &Rows,
    account: &AccountId,
    edit: EditId,
) -> Result<Option<String>, Error> {
    let sql = "SELECT owner FROM edit WHERE account_id = ?1 AND id = ?2 AND status = 'processing'";
    one(rows, sql, params![account.as_str(), edit.to_string()], |row| row.get(0))
}

/// Sets the leases of a process's open edits. Only rows of edits change, so no balance is locked;
/// where several write at a time, rows that somebody has locked are passed over, since whoever
/// waited for one of them would keep all the others waiting.
fn set_leases(rows: &Rows, owner: &str, until: Timestamp) -> Result<(), Error> {
    let passing_over = match rows {
        Rows::Sqlite(_) => "",
        Rows::Postgres(_) => "ORDER BY account_id, id FOR UPDATE SKIP LOCKED",
    };
    let sql = format!(
        "UPDATE edit SET lease_until = ?2
         WHERE (account_id, id) IN (
             SELECT account_id, id FROM edit
             WHERE owner = ?1 AND status = 'processing' {passing_over})"
    );
    rows.put(&sql, params![owner, until.0])
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
