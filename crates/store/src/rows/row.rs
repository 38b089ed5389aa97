//! Reads the columns of a row.

use std::fmt::Display;
use std::str::FromStr;

use rusqlite::types::FromSql;

use crate::Error;

/// A row of a result.
pub(crate) enum Row<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a tokio_postgres::Row),
}

/// The position of a column: a number from 0, or a name.
pub(crate) trait Index:
    Copy + Display + rusqlite::RowIndex + tokio_postgres::row::RowIndex
{
}
impl Index for usize {}
impl Index for &str {}

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
                row.get_ref(index)?.as_str_or_null().map_err(rusqlite::Error::from)?
            }
            Self::Postgres(row) => row.try_get(index).map_err(unreadable)?,
        })
    }

    fn plain<I: Index, T>(&self, index: I) -> Result<T, Error>
    where
        T: FromSql + for<'b> tokio_postgres::types::FromSql<'b>,
    {
        Ok(match self {
            Self::Sqlite(row) => row.get(index)?,
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
        Row::Sqlite(row) => parse(row.get_ref(name)?.as_str().map_err(rusqlite::Error::from)?),
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
