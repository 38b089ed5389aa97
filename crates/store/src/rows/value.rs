//! The values of a statement's placeholders.

use std::borrow::Cow;
use std::fmt::{self, Debug, Formatter};

use rusqlite::types::{ToSqlOutput, ValueRef};

/// The column types that both databases have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Integer,
    Boolean,
    Text,
    Bytes,
}

/// A bound value. Even NULL has a type, because PostgreSQL needs it. `Debug` does not show the
/// content, because users sent it.
#[derive(Clone, Copy)]
pub(crate) enum Value<'a> {
    Null(Kind),
    Integer(i64),
    Boolean(bool),
    Text(&'a str),
    Bytes(&'a [u8]),
}

impl Debug for Value<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null(kind) => write!(formatter, "no {kind:?}"),
            Self::Integer(_) => formatter.write_str("Integer"),
            Self::Boolean(_) => formatter.write_str("Boolean"),
            Self::Text(text) => write!(formatter, "Text of {} bytes", text.len()),
            Self::Bytes(bytes) => write!(formatter, "{} Bytes", bytes.len()),
        }
    }
}

/// A type that can be bound.
pub(crate) trait ToValue {
    /// Its type in the database, even if the value is NULL.
    fn kind() -> Kind
    where
        Self: Sized;

    /// The value to bind.
    fn value(&self) -> Value<'_>;
}

/// The values of one statement, in order.
pub(crate) trait Params {
    /// The values.
    fn list(&self) -> Vec<Value<'_>>;
}

/// Binds values of different types.
macro_rules! params {
    () => { [0_i64; 0] };
    ($($value:expr),+ $(,)?) => {
        &[$(&$value as &dyn $crate::rows::ToValue),+] as &[&dyn $crate::rows::ToValue]
    };
}
pub(crate) use params;

impl Params for &[&dyn ToValue] {
    fn list(&self) -> Vec<Value<'_>> {
        self.iter().map(|it| it.value()).collect()
    }
}

impl Params for &[Value<'_>] {
    fn list(&self) -> Vec<Value<'_>> {
        self.to_vec()
    }
}

impl<T: ToValue, const N: usize> Params for [T; N] {
    fn list(&self) -> Vec<Value<'_>> {
        self.iter().map(ToValue::value).collect()
    }
}

impl rusqlite::ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null(_) => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Boolean(is_so) => ValueRef::Integer(i64::from(*is_so)),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// Types that are bound as the same database type.
macro_rules! bound {
    ($($type:ty: $kind:ident($it:ident => $value:expr)),+ $(,)?) => {
        $(impl ToValue for $type {
            fn kind() -> Kind {
                Kind::$kind
            }
            fn value(&self) -> Value<'_> {
                let $it = self;
                Value::$kind($value)
            }
        })+
    };
}

bound! {
    i64: Integer(it => *it),
    u32: Integer(it => i64::from(*it)),
    u8: Integer(it => i64::from(*it)),
    bool: Boolean(it => *it),
    &str: Text(it => it),
    String: Text(it => it),
    Cow<'_, str>: Text(it => it),
    &[u8]: Bytes(it => it),
    Vec<u8>: Bytes(it => it),
    [u8; 32]: Bytes(it => it),
}

impl<T: ToValue> ToValue for Option<T> {
    fn kind() -> Kind {
        T::kind()
    }
    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null(T::kind()), ToValue::value)
    }
}

impl<T: ToValue> ToValue for &T {
    fn kind() -> Kind {
        T::kind()
    }
    fn value(&self) -> Value<'_> {
        T::value(self)
    }
}
