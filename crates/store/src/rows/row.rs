//! Reads the columns of a row.

use std::cell::Cell;
use std::fmt::Display;
use std::str::FromStr;

use rusqlite::Statement;
use rusqlite::types::{FromSql, ValueRef};

use crate::Error;

/// A row of a result.
pub(crate) enum Row<'a> {
    Sqlite(SqliteRow<'a>),
    Postgres(&'a tokio_postgres::Row),
}

/// A row of SQLite. `rusqlite` compares a name with those of all columns. Most columns are read in the order
/// of the query, so this tries the one after the last first. Of two columns with the same name, it may find
/// either.
pub(crate) struct SqliteRow<'a> {
    row: &'a rusqlite::Row<'a>,
    next: Cell<usize>,
}

impl<'a> SqliteRow<'a> {
    pub(super) fn new(row: &'a rusqlite::Row<'a>) -> Self {
        Self { row, next: Cell::new(0) }
    }

    /// The number of the column at `index`.
    fn number(&self, index: impl Index) -> rusqlite::Result<usize> {
        let number = index.find(self.row.as_ref(), self.next.get())?;
        self.next.set(number + 1);
        Ok(number)
    }

    /// The value in the column at `index`.
    fn value(&self, index: impl Index) -> rusqlite::Result<ValueRef<'_>> {
        self.row.get_ref(self.number(index)?)
    }
}

/// The position of a column: a number from 0, or a name.
pub(crate) trait Index: Copy + Display + tokio_postgres::row::RowIndex {
    /// The number of the column, which is probably `guess`.
    fn find(self, statement: &Statement<'_>, guess: usize) -> rusqlite::Result<usize>;
}

impl Index for usize {
    fn find(self, _statement: &Statement<'_>, _guess: usize) -> rusqlite::Result<usize> {
        Ok(self)
    }
}

impl Index for &str {
    fn find(self, statement: &Statement<'_>, guess: usize) -> rusqlite::Result<usize> {
        match statement.column_name(guess) {
            Ok(name) if name == self => Ok(guess),
            _ => statement.column_index(self),
        }
    }
}

/// A type that a column can be read as.
pub(crate) trait FromColumn: Sized {
    /// Reads the column at `index`.
    fn read(row: &Row<'_>, index: impl Index) -> Result<Self, Error>;
}

impl Row<'_> {
    /// The column at `index`.
    pub(crate) fn get<I: Index, T: FromColumn>(&self, index: I) -> Result<T, Error> {
        T::read(self, index)
    }

    /// The text in the column at `index`, without copying it. `None` if the column is NULL.
    pub(crate) fn text(&self, index: impl Index) -> Result<Option<&str>, Error> {
        Ok(match self {
            Self::Sqlite(row) => {
                row.value(index)?.as_str_or_null().map_err(rusqlite::Error::from)?
            }
            Self::Postgres(row) => row.try_get(index).map_err(unreadable)?,
        })
    }

    fn plain<I: Index, T>(&self, index: I) -> Result<T, Error>
    where
        T: FromSql + for<'b> tokio_postgres::types::FromSql<'b>,
    {
        Ok(match self {
            Self::Sqlite(row) => row.row.get(row.number(index)?)?,
            Self::Postgres(row) => row.try_get(index).map_err(unreadable)?,
        })
    }
}

/// A text column, parsed as `T`.
pub(crate) fn column<T: FromStr<Err: Display>>(row: &Row<'_>, name: &str) -> Result<T, Error> {
    let parse = |text: &str| {
        text.parse().map_err(|error| Error::Corrupt { what: format!("column {name}: {error}") })
    };
    match row {
        Row::Sqlite(row) => parse(row.value(name)?.as_str().map_err(rusqlite::Error::from)?),
        Row::Postgres(row) => parse(row.try_get(name).map_err(unreadable)?),
    }
}

/// Types that both databases can read directly.
macro_rules! plain {
    ($($type:ty),+) => {
        $(impl FromColumn for $type {
            fn read(row: &Row<'_>, index: impl Index) -> Result<Self, Error> {
                row.plain(index)
            }
        }
        impl FromColumn for Option<$type> {
            fn read(row: &Row<'_>, index: impl Index) -> Result<Self, Error> {
                row.plain(index)
            }
        })+
    };
}
plain!(i64, bool, String, Vec<u8>);

/// Types that are stored as another type.
macro_rules! narrow {
    ($($type:ty: $stored:ty),+) => {
        $(impl FromColumn for $type {
            fn read(row: &Row<'_>, index: impl Index) -> Result<Self, Error> {
                <$stored>::read(row, index)?.try_into().map_err(|_| out_of_range(index))
            }
        }
        impl FromColumn for Option<$type> {
            fn read(row: &Row<'_>, index: impl Index) -> Result<Self, Error> {
                let stored = Option::<$stored>::read(row, index)?;
                stored.map(TryInto::try_into).transpose().map_err(|_| out_of_range(index))
            }
        })+
    };
}
narrow!(u32: i64, u8: i64, [u8; 20]: Vec<u8>, [u8; 32]: Vec<u8>);

#[expect(clippy::needless_pass_by_value, reason = "the form that map_err wants")]
fn unreadable(error: tokio_postgres::Error) -> Error {
    Error::Corrupt { what: error.to_string() }
}

fn out_of_range(index: impl Index) -> Error {
    Error::Corrupt { what: format!("column {index}: value out of range") }
}

#[cfg(test)]
mod tests {
    use super::Row;
    use crate::Error;
    use crate::rows::{Rows, one, params};

    /// The columns of a row with these names, in this order.
    fn read(names: &[&str]) -> Result<Option<Vec<i64>>, Error> {
        let rows = Rows::Sqlite(rusqlite::Connection::open_in_memory()?);
        let read = |row: &Row<'_>| names.iter().map(|name| row.get(*name)).collect();
        one(&rows, "SELECT 1 AS a, 2 AS b, 3 AS c", params![], read)
    }

    #[test]
    fn columns_are_found_by_name_in_any_order() {
        assert_eq!(read(&["a", "b", "c"]), Ok(Some(vec![1, 2, 3])));
        assert_eq!(read(&["c", "a", "a", "c", "b", "B"]), Ok(Some(vec![3, 1, 1, 3, 2, 2])));
        assert!(read(&["a", "d"]).is_err());
    }
}
