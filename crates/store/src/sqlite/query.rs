//! Reading rows: one, or all.

use std::fmt::Display;
use std::str::FromStr;

use rusqlite::{Connection, Params, Row};

use crate::Error;

/// The first row that a query gives, if it gives any.
pub(crate) fn one<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    rows.next()?.map(read).transpose()
}

/// All rows that a query gives; the query limits them.
pub(crate) fn all<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl Fn(&Row<'_>) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

/// A text column, parsed into what it means.
pub(crate) fn column<T: FromStr<Err: Display>>(row: &Row<'_>, name: &str) -> Result<T, Error> {
    let text = row.get_ref(name)?.as_str().map_err(rusqlite::Error::from)?;
    text.parse().map_err(|error| Error::Corrupt { what: format!("column {name}: {error}") })
}
