//! A value that is copied from one database to another.

use crate::Error;
use crate::postgres::{Bound, without_nul};
use crate::rows::{Kind, Row, Value};

/// The value of a column. It has no `Debug`, so its content can't appear in output.
#[derive(Clone, PartialEq)]
pub(super) enum Field {
    Null(Kind),
    Integer(i64),
    Boolean(bool),
    Text(String),
    Bytes(Vec<u8>),
}

impl Field {
    /// Reads the column at `place`.
    pub(super) fn read(row: &Row<'_>, place: usize, kind: Kind) -> Result<Self, Error> {
        let field = match kind {
            Kind::Integer => row.get::<_, Option<i64>>(place)?.map(Self::Integer),
            Kind::Boolean => row.get::<_, Option<bool>>(place)?.map(Self::Boolean),
            Kind::Text => row.get::<_, Option<String>>(place)?.map(Self::Text),
            Kind::Bytes => row.get::<_, Option<Vec<u8>>>(place)?.map(Self::Bytes),
        };
        Ok(field.unwrap_or(Self::Null(kind)))
    }

    /// The value in the form that statements accept.
    pub(super) fn value(&self) -> Value<'_> {
        match self {
            Self::Null(kind) => Value::Null(*kind),
            Self::Integer(number) => Value::Integer(*number),
            Self::Boolean(is_so) => Value::Boolean(*is_so),
            Self::Text(text) => Value::Text(text),
            Self::Bytes(bytes) => Value::Bytes(bytes),
        }
    }

    /// The value in the form that a PostgreSQL statement accepts.
    pub(super) fn bound(&self) -> Bound {
        Bound::from(&self.value())
    }

    /// Whether it equals the value that was to be written. PostgreSQL stores a NUL character in a
    /// text as U+FFFD.
    pub(super) fn is_same(&self, written: &Self) -> bool {
        match (self, written) {
            (Self::Text(one), Self::Text(other)) => without_nul(one) == without_nul(other),
            (one, other) => one == other,
        }
    }
}
