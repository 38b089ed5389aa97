//! The layer between the actions and the databases: one SQL text for both, and one way to bind
//! values and read rows. Placeholders are `?1`, `?2` and so on; the rest is SQL that both databases
//! understand.

mod insertion;
mod row;
mod value;

use rusqlite::{CachedStatement, Connection, Statement, StatementStatus, params_from_iter};

pub(crate) use self::insertion::{Insert, Insertion};
use self::row::SqliteRow;
pub(crate) use self::row::{Row, column};
pub(crate) use self::value::{Kind, Params, ToValue, Value, params};

use crate::Error;
use crate::postgres::Session;

/// A connection. A caller has a transaction on it to itself.
#[derive(Debug)]
pub(crate) enum Rows {
    /// The embedded database.
    Sqlite(Connection),
    /// A server.
    Postgres(Box<Session>),
}

#[expect(clippy::needless_pass_by_value, reason = "the values are listed where they are bound")]
impl Rows {
    /// Runs a statement. Returns how many rows changed.
    pub(crate) fn execute(&self, sql: &str, params: impl Params) -> Result<usize, Error> {
        match self {
            Self::Sqlite(connection) => {
                let mut statement = begin(connection, sql)?;
                let changed = statement.execute(params_from_iter(params.list()))?;
                tell_of_work(&statement, sql);
                Ok(changed)
            }
            Self::Postgres(session) => session.execute(sql, &params.list()),
        }
    }

    /// Runs a statement without returning how many rows changed. It may be sent together with later
    /// statements, so its errors may appear later, but always before the commit.
    pub(crate) fn put(&self, sql: &str, params: impl Params) -> Result<(), Error> {
        match self {
            Self::Sqlite(_) => self.execute(sql, params).map(drop),
            Self::Postgres(session) => session.put(sql, &params.list()),
        }
    }

    /// Runs several statements, separated by semicolons and without values.
    pub(crate) fn batch(&self, sql: &str) -> Result<(), Error> {
        match self {
            Self::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
            Self::Postgres(session) => session.batch(sql),
        }
    }

    /// Starts inserting rows into one table. They are all inserted when the insertion ends.
    pub(crate) fn insert(&self, insert: Insert) -> Insertion<'_> {
        Insertion::new(self, insert)
    }

    /// The end of a subquery that selects rows to change. It skips rows that others have locked.
    /// SQLite has only one writer and needs none.
    pub(crate) const fn skip_locked(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "",
            Self::Postgres(_) => " FOR UPDATE SKIP LOCKED",
        }
    }

    /// The operator that compares a text with a pattern, ignoring ASCII case.
    pub(crate) const fn like(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "LIKE",
            Self::Postgres(_) => "ILIKE",
        }
    }

    /// The name of the type of bytes, for a cast.
    pub(crate) const fn bytes_type(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "BLOB",
            Self::Postgres(_) => "BYTEA",
        }
    }

    /// Calls `read` for each row of a query, until it returns `false`.
    fn each(
        &self,
        sql: &str,
        params: impl Params,
        mut read: impl FnMut(&Row<'_>) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        match self {
            Self::Sqlite(connection) => {
                let mut statement = begin(connection, sql)?;
                let mut rows = statement.query(params_from_iter(params.list()))?;
                while let Some(row) = rows.next()? {
                    if !read(&Row::Sqlite(SqliteRow::new(row)))? {
                        break;
                    }
                }
                drop(rows);
                tell_of_work(&statement, sql);
            }
            Self::Postgres(session) => {
                for row in &session.query(sql, &params.list())? {
                    if !read(&Row::Postgres(row))? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Prepares the statement and resets its step counter, which a failed earlier run may have left.
fn begin<'a>(connection: &'a Connection, sql: &str) -> rusqlite::Result<CachedStatement<'a>> {
    let statement = connection.prepare_cached(sql)?;
    statement.reset_status(StatementStatus::VmStep);
    Ok(statement)
}

/// Logs SQLite statements that scanned many rows, whether that was intended (such as verifying the
/// ledger) or SQLite chose a plan whose cost grows with the data. A server has its own log for that
/// (`log_min_duration_statement`).
fn tell_of_work(statement: &Statement<'_>, sql: &str) {
    /// How many steps of SQLite's virtual machine are many: a row takes five to ten, so this is
    /// some milliseconds.
    const STEPS_TOLD: u32 = 50_000;
    // SQLite's counter is unsigned.
    let steps = statement.get_status(StatementStatus::VmStep).cast_unsigned();
    if steps >= STEPS_TOLD {
        tracing::debug!(steps, sql, "a query scanned many rows");
    }
}

/// The first row of a query, if any.
pub(crate) fn one<T>(
    rows: &Rows,
    sql: &str,
    params: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    let mut found = None;
    rows.each(sql, params, |row| {
        found = Some(read(row)?);
        Ok(false)
    })?;
    Ok(found)
}

/// All rows of a query, which must limit them itself.
pub(crate) fn all<T>(
    rows: &Rows,
    sql: &str,
    params: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let mut found = Vec::new();
    rows.each(sql, params, |row| {
        found.push(read(row)?);
        Ok(true)
    })?;
    Ok(found)
}
