//! Values as PostgreSQL is sent them.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt::{self, Debug, Formatter};

use bytes::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use crate::rows::{Kind, Value};

/// A value that outlives the call that binds it. What it is shows nowhere: the client writes what it
/// binds into the log.
#[derive(Clone)]
pub(crate) enum Bound {
    Null(Kind),
    Integer(i64),
    Boolean(bool),
    Text(String),
    Bytes(Vec<u8>),
    /// A list of texts, for what is done to several rows at once.
    Texts(Vec<String>),
}

impl Bound {
    /// The type as which it is declared, so that the server need not guess.
    pub(super) fn declared(&self) -> Type {
        match self {
            Self::Null(Kind::Integer) | Self::Integer(_) => Type::INT8,
            Self::Null(Kind::Boolean) | Self::Boolean(_) => Type::BOOL,
            Self::Null(Kind::Text) | Self::Text(_) => Type::TEXT,
            Self::Null(Kind::Bytes) | Self::Bytes(_) => Type::BYTEA,
            Self::Texts(_) => Type::TEXT_ARRAY,
        }
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
            Self::Texts(texts) => write!(formatter, "{} Texts", texts.len()),
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

/// PostgreSQL has no texts with a zero in them; what people write may have one.
fn without_nul(text: &str) -> Cow<'_, str> {
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
            Self::Texts(texts) => texts.to_sql(ty, out),
        }
    }

    fn accepts(ty: &Type) -> bool {
        [Type::INT8, Type::BOOL, Type::TEXT, Type::BYTEA, Type::TEXT_ARRAY].contains(ty)
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
        let names = Bound::Texts(vec!["hunter22".into()]);
        let shown = format!("{values:?} {bound:?} {names:?}");
        for secret in ["hunter", "104", "732", "true"] {
            assert!(!shown.contains(secret), "{shown}");
        }
        assert!(shown.contains("Text of 8 bytes"), "{shown}");
    }
}
