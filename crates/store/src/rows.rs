//! The seam between the verbs and the databases: one SQL text, one way to bind values and to read
//! rows. Placeholders are `?1`, `?2` and so on; what follows is SQL that both databases understand.

mod insertion;
mod row;
mod value;

use rusqlite::{CachedStatement, Connection, Statement, StatementStatus, params_from_iter};

pub(crate) use self::insertion::{Insert, Insertion};
pub(crate) use self::row::{Row, column};
pub(crate) use self::value::{Kind, Params, ToValue, Value, params};

use crate::Error;
use crate::postgres::Session;

/// A connection, in a transaction of its own.
#[derive(Debug)]
pub(crate) enum Rows {
    /// The embedded database.
    Sqlite(Connection),
    /// A server.
    Postgres(Box<Session>),
}

#[expect(clippy::needless_pass_by_value, reason = "the values are listed where they are bound")]
impl Rows {
    /// Runs a statement; how many rows it has changed.
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

    /// Runs a statement of which nobody asks how many rows it changes: it may be sent together with
    /// what comes after it, and a fault of it shows then, at the latest before the commit.
    pub(crate) fn put(&self, sql: &str, params: impl Params) -> Result<(), Error> {
        match self {
            Self::Sqlite(_) => self.execute(sql, params).map(drop),
            Self::Postgres(session) => session.put(sql, &params.list()),
        }
    }

    /// Begins to write rows of one table; they are there when the insertion has ended.
    pub(crate) fn insert(&self, insert: Insert) -> Insertion<'_> {
        Insertion::new(self, insert)
    }

    /// What a subquery that picks rows ends with, so that it passes by those that somebody else has
    /// locked; SQLite has one who writes.
    pub(crate) const fn passing_by_locked(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "",
            Self::Postgres(_) => " FOR UPDATE SKIP LOCKED",
        }
    }

    /// Calls `read` with each row of a query until it says that it has enough.
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
                    if !read(&Row::Sqlite(row))? {
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

/// The statement, with no steps counted yet: of a run that failed nobody has asked.
fn begin<'a>(connection: &'a Connection, sql: &str) -> rusqlite::Result<CachedStatement<'a>> {
    let statement = connection.prepare_cached(sql)?;
    statement.reset_status(StatementStatus::VmStep);
    Ok(statement)
}

/// Says which statement of SQLite has gone through many rows, whether it was meant to (a proof of the books)
/// or SQLite has chosen a way that grows with what is stored. A server has a log of its own for that
/// (`log_min_duration_statement`).
fn tell_of_work(statement: &Statement<'_>, sql: &str) {
    /// Steps of SQLite's machine from which on they are many: five to ten a row, some milliseconds.
    const STEPS_TOLD: u32 = 50_000;
    // SQLite counts without a sign.
    let steps = statement.get_status(StatementStatus::VmStep).cast_unsigned();
    if steps >= STEPS_TOLD {
        tracing::debug!(steps, sql, "a query scanned many rows");
    }
}

/// The first row that a query gives, if it gives any.
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

/// All rows that a query gives; the query limits them.
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
