//! Leases: which process performs an open edit, and which edits have been abandoned.

use std::collections::HashSet;

use retouch_core::{AccountId, Credits, EditId, Kind, Timestamp};

use super::row;
use crate::error::credits;
use crate::queue::Touches;
use crate::rows::{Row, Rows, Value, all, column, one, params};
use crate::{Error, Store};

/// The maximum number of accounts per query.
const ACCOUNTS_MAX: usize = 100;
/// The maximum number of open edits that are listed. Those whose leases end first come first.
const OPEN_MAX: i64 = 10_000;
/// The lease of an edit that its process has given up. It is in the past.
const LEFT: Timestamp = Timestamp(0);

/// The columns that [`from_row`] reads.
const COLUMNS: &str = "account_id, id, blob, cost, model, provider, plan, warnings, owner,
    lease_until, created_at, kind, task, background";

/// An open edit, with what recovery needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenEditRow {
    /// The account that owns it.
    pub account: AccountId,
    /// Its id.
    pub id: EditId,
    /// The name of its result's blob, if the edit gets that far.
    pub blob: String,
    /// The credits that are held for it.
    pub price: Credits,
    /// The model that the caller asked for.
    pub model: String,
    /// The provider that was to perform it.
    pub provider: String,
    /// How the instruction was understood, as JSON.
    pub plan: Option<String>,
    /// The warnings at the time it was opened, as JSON.
    pub warnings: String,
    /// Identifies the process that performed it.
    pub owner: String,
    /// When other processes may take over.
    pub lease_until: Timestamp,
    /// When it was opened.
    pub created_at: Timestamp,
    /// What it produces.
    pub kind: Kind,
    /// How to fetch the result from the provider, as JSON, if the provider accepted the work.
    pub task: Option<String>,
    /// Whether it is performed without its caller, from a stored request, and every attempt at a
    /// provider is recorded before it is sent.
    pub is_background: bool,
}

/// The open edits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenEdits {
    /// How many there are.
    pub count: i64,
    /// When the oldest of them was opened.
    pub oldest: Option<Timestamp>,
}

impl OpenEditRow {
    /// Whether its process has given it up.
    pub fn is_left(&self) -> bool {
        self.lease_until == LEFT
    }
}

/// What changes when another process takes over an edit.
#[derive(Clone, Debug)]
pub struct Adoption {
    /// Identifies the new process.
    pub owner: String,
    /// When its lease ends.
    pub until: Timestamp,
    /// A new name for the result's blob, under which no one else has stored anything.
    pub blob: String,
}

impl Store {
    /// Renews the leases of a process's open edits, and returns their ids. Rows that another
    /// process is changing are skipped: their leases are renewed the next time.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn renew_leases(
        &self,
        owner: &str,
        until: Timestamp,
    ) -> Result<HashSet<EditId>, Error> {
        let owner = owner.to_owned();
        self.write(Touches::Heartbeats, move |tx| {
            set_leases(tx.rows(), &owner, until)?;
            let sql = "SELECT id FROM edit WHERE owner = ?1 AND status = 'processing'";
            let own = all(tx.rows(), sql, [owner.as_str()], |row| column(row, "id"))?;
            Ok(own.into_iter().collect())
        })
        .await
    }

    /// Ends the leases of a process that gives up all its edits, so that others can take over
    /// immediately.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn leave_edits(&self, owner: &str) -> Result<(), Error> {
        let owner = owner.to_owned();
        self.write(Touches::Heartbeats, move |tx| set_leases(tx.rows(), &owner, LEFT)).await
    }

    /// Takes over an open edit from a process that is gone. Returns `false` if the edit is no
    /// longer as in `edit`: it has ended, its lease was renewed, it has another owner, or another
    /// task was recorded.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn adopt_edit(&self, edit: &OpenEditRow, adoption: Adoption) -> Result<bool, Error> {
        let OpenEditRow { account, id, owner: before, lease_until: ended, task, .. } = edit.clone();
        let task = task.unwrap_or_default();
        self.write(Touches::account(&account), move |tx| {
            let sql = "UPDATE edit SET owner = ?3, lease_until = ?4, blob = ?5
                       WHERE account_id = ?1 AND id = ?2 AND owner = ?6 AND lease_until = ?7
                           AND COALESCE(task, '') = ?8 AND status = 'processing'";
            let Adoption { owner, until, blob } = &adoption;
            let id = id.to_string();
            let values = params![account.as_str(), id, owner, until.0, blob, before, ended.0, task];
            Ok(tx.rows().execute(sql, values)? == 1)
        })
        .await
    }

    /// An account's open edit.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn find_open_edit(
        &self,
        account: &AccountId,
        edit: &EditId,
    ) -> Result<Option<OpenEditRow>, Error> {
        let (account, edit) = (account.clone(), *edit);
        let sql = format!(
            "SELECT {COLUMNS} FROM edit
             WHERE account_id = ?1 AND id = ?2 AND status = 'processing'"
        );
        self.read(move |rows| {
            one(rows, &sql, params![account.as_str(), edit.to_string()], from_row)
        })
        .await
    }

    /// The open edits of all accounts, for recovery; at most ten thousand, those whose leases end
    /// first.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_open_edits(&self) -> Result<Vec<OpenEditRow>, Error> {
        let sql = format!(
            "SELECT {COLUMNS} FROM edit WHERE status = 'processing' ORDER BY lease_until LIMIT ?1"
        );
        self.read(move |rows| all(rows, &sql, [OPEN_MAX], from_row)).await
    }

    /// Which edits of these accounts are open, whichever process performs them.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_open_of(&self, accounts: Vec<AccountId>) -> Result<HashSet<EditId>, Error> {
        let places: Vec<String> = (1..=ACCOUNTS_MAX).map(|place| format!("?{place}")).collect();
        // `owner` is in no index. Without it, SQLite would go through all edits of these accounts in
        // edit_search, which has the other columns.
        let sql = format!(
            "SELECT id, owner FROM edit WHERE status = 'processing' AND account_id IN ({})",
            places.join(", ")
        );
        self.read(move |rows| {
            let mut open = HashSet::new();
            for some in accounts.chunks(ACCOUNTS_MAX) {
                // One prepared statement for any number of accounts. No account has an empty ID.
                let some = some.iter().map(AccountId::as_str).chain(std::iter::repeat(""));
                let values: Vec<_> = some.take(ACCOUNTS_MAX).map(Value::Text).collect();
                open.extend(all(rows, &sql, values.as_slice(), |row| column::<EditId>(row, "id"))?);
            }
            Ok(open)
        })
        .await
    }

    /// Counts the open edits of all accounts and processes.
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

    /// The open edits that belong to this process, or whose leases ended by `now`. A lease that
    /// ends later than one of `lease_ms` milliseconds granted now must come from a clock that has
    /// since gone back, as can happen when another database server takes over. It counts as ended,
    /// because otherwise it would hold credits for as long as the clock went back.
    ///
    /// # Errors
    /// Faults of the database.
    pub async fn list_due_edits(
        &self,
        owner: &str,
        now: Timestamp,
        lease_ms: i64,
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

/// The process that performs an edit, if it is open.
pub(super) fn owner_of(
    rows: &Rows,
    account: &AccountId,
    edit: EditId,
) -> Result<Option<String>, Error> {
    let sql = "SELECT owner FROM edit WHERE account_id = ?1 AND id = ?2 AND status = 'processing'";
    one(rows, sql, params![account.as_str(), edit.to_string()], |row| row.get(0))
}

/// Sets the leases of a process's open edits. Only rows of edits change, so no balance is locked.
/// On a server, rows that others have locked are skipped, because waiting for one of them would
/// delay all the others.
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
        is_background: row.get("background")?,
    })
}
