//! Values in the form in which they are sent to PostgreSQL.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt::{self, Debug, Formatter};

use bytes::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use crate::rows::{Kind, Value};

/// An owned value of a statement. `Debug` hides its content, because the client library logs the
/// values of statements.
#[derive(Clone)]
pub(crate) enum Bound {
    Null(Kind),
    Integer(i64),
    Boolean(bool),
    Text(String),
    Bytes(Vec<u8>),
    /// A list, for statements that handle several rows.
    Integers(Vec<Option<i64>>),
    Booleans(Vec<Option<bool>>),
    Texts(Vec<Option<String>>),
    Blobs(Vec<Option<Vec<u8>>>),
}

impl Bound {
    /// The type to declare for it, so that the server need not infer one.
    pub(super) fn declared(&self) -> Type {
        match self {
            Self::Null(Kind::Integer) | Self::Integer(_) => Type::INT8,
            Self::Null(Kind::Boolean) | Self::Boolean(_) => Type::BOOL,
            Self::Null(Kind::Text) | Self::Text(_) => Type::TEXT,
            Self::Null(Kind::Bytes) | Self::Bytes(_) => Type::BYTEA,
            Self::Integers(_) => Type::INT8_ARRAY,
            Self::Booleans(_) => Type::BOOL_ARRAY,
            Self::Texts(_) => Type::TEXT_ARRAY,
            Self::Blobs(_) => Type::BYTEA_ARRAY,
        }
    }

    /// The list of `values`, which must all have the same type.
    pub(crate) fn list(values: Vec<Self>) -> Self {
        macro_rules! list {
            ($one:ident, $all:ident) => {
                Self::$all(values.into_iter().map(Self::$one).collect())
            };
        }
        match values.first().map(Self::declared) {
            Some(Type::INT8) => list!(integer, Integers),
            Some(Type::BOOL) => list!(boolean, Booleans),
            Some(Type::BYTEA) => list!(bytes, Blobs),
            _ => list!(text, Texts),
        }
    }

    fn integer(self) -> Option<i64> {
        if let Self::Integer(number) = self { Some(number) } else { None }
    }

    fn boolean(self) -> Option<bool> {
        if let Self::Boolean(is_so) = self { Some(is_so) } else { None }
    }

    fn text(self) -> Option<String> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    fn bytes(self) -> Option<Vec<u8>> {
        if let Self::Bytes(bytes) = self { Some(bytes) } else { None }
    }
}

impl Debug for Bound {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null(kind) => Value::Null(*kind).fmt(formatter),
            Self::Integer(number) => Value::Integer(*number).fmt(formatter),
            Self::Boolean(is_so) => Value::Boolean(*is_so).fmt(formatter),
            Self::Text(text) => Value::Text(text).fmt(formatter),
            Self::Bytes(bytes) => Value::Bytes(bytes).fmt(formatter),
            Self::Integers(numbers) => write!(formatter, "{} Integers", numbers.len()),
            Self::Booleans(all) => write!(formatter, "{} Booleans", all.len()),
            Self::Texts(texts) => write!(formatter, "{} Texts", texts.len()),
            Self::Blobs(blobs) => write!(formatter, "{} lists of bytes", blobs.len()),
        }
    }
}

impl From<&Value<'_>> for Bound {
    fn from(value: &Value<'_>) -> Self {
        match *value {
            Value::Null(kind) => Self::Null(kind),
            Value::Integer(number) => Self::Integer(number),
            Value::Boolean(is_so) => Self::Boolean(is_so),
            Value::Text(text) => Self::Text(without_nul(text).into_owned()),
            Value::Bytes(bytes) => Self::Bytes(bytes.to_vec()),
        }
    }
}

/// PostgreSQL texts can't contain NUL characters, but user input may. Replaces them with U+FFFD.
pub(crate) fn without_nul(text: &str) -> Cow<'_, str> {
    if text.contains('\0') {
        Cow::Owned(text.replace('\0', "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

impl ToSql for Bound {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Self::Null(_) => Ok(IsNull::Yes),
            Self::Integer(number) => number.to_sql(ty, out),
            Self::Boolean(is_so) => is_so.to_sql(ty, out),
            Self::Text(text) => text.to_sql(ty, out),
            Self::Bytes(bytes) => bytes.to_sql(ty, out),
            Self::Integers(numbers) => numbers.to_sql(ty, out),
            Self::Booleans(all) => all.to_sql(ty, out),
            Self::Texts(texts) => texts.to_sql(ty, out),
            Self::Blobs(blobs) => blobs.to_sql(ty, out),
        }
    }

    fn accepts(ty: &Type) -> bool {
        let single = [Type::INT8, Type::BOOL, Type::TEXT, Type::BYTEA];
        let lists = [Type::INT8_ARRAY, Type::BOOL_ARRAY, Type::TEXT_ARRAY, Type::BYTEA_ARRAY];
        single.contains(ty) || lists.contains(ty)
    }

    to_sql_checked!();
}

#[cfg(test)]
mod tests {
    use super::Bound;
    use crate::rows::{Kind, Value};

    #[test]
    fn what_is_bound_does_not_show() {
        let values = [
            Value::Text("hunter22"),
            Value::Bytes(b"hunter22"),
            Value::Integer(732_622),
            Value::Boolean(true),
            Value::Null(Kind::Text),
        ];
        let bound: Vec<Bound> = values.iter().map(Bound::from).collect();
        let lists = bound.iter().map(|one| Bound::list(vec![one.clone()]));
        let shown = format!("{values:?} {bound:?} {:?}", lists.collect::<Vec<_>>());
        for secret in ["hunter", "104", "732", "true"] {
            assert!(!shown.contains(secret), "{shown}");
        }
        assert!(shown.contains("Text of 8 bytes"), "{shown}");
    }
}
