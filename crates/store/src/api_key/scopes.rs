//! What an API key may do.

use std::str::FromStr;

use thiserror::Error;

/// One thing that an API key may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Make images and videos, and read what the key itself made.
    Edit,
    /// Read everything of the account.
    Read,
    /// Delete what the key may read.
    Delete,
}

impl Scope {
    /// All scopes, in the order in which they are listed.
    pub const ALL: [Self; 3] = [Self::Edit, Self::Read, Self::Delete];

    /// The name in the API and in rows.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Edit => "edit",
            Self::Read => "read",
            Self::Delete => "delete",
        }
    }
}

/// Names that are not scopes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScopesError {
    /// A name is not a scope.
    #[error("\"{0}\" is not a scope; the scopes are edit, read and delete")]
    Unknown(String),
    /// No scope is named.
    #[error("a key needs at least one scope: edit, read or delete")]
    None,
}

/// The scopes of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scopes([bool; 3]);

impl Scopes {
    /// The scopes of a key whose owner chooses none: it makes images and reads what it made.
    pub const DEFAULT: Self = Self([true, false, false]);
    /// Every scope.
    pub const ALL: Self = Self([true; 3]);

    /// The scopes with these names. Repeated names are ignored.
    ///
    /// # Errors
    /// [`ScopesError`] if a name is not a scope, or if there are no names.
    pub fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, ScopesError> {
        let mut scopes = [false; 3];
        for name in names {
            let found = Scope::ALL.into_iter().position(|scope| scope.as_str() == name);
            *found
                .and_then(|index| scopes.get_mut(index))
                .ok_or_else(|| ScopesError::Unknown(name.to_owned()))? = true;
        }
        if scopes == [false; 3] { Err(ScopesError::None) } else { Ok(Self(scopes)) }
    }

    /// Whether `scope` is among them.
    pub fn contains(self, scope: Scope) -> bool {
        self.iter().any(|one| one == scope)
    }

    /// Each of them, in order.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().zip(self.0).filter_map(|(scope, is_held)| is_held.then_some(scope))
    }

    /// The scopes in the form that rows store: their names, separated by spaces.
    pub(crate) fn text(self) -> String {
        self.iter().map(Scope::as_str).collect::<Vec<_>>().join(" ")
    }
}

impl FromStr for Scopes {
    type Err = ScopesError;

    /// Parses names that are separated by spaces or commas.
    fn from_str(text: &str) -> Result<Self, ScopesError> {
        Self::named(text.split([' ', ',']).filter(|name| !name.is_empty()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Scope, Scopes, ScopesError};

    #[test]
    fn scopes_are_read_as_they_are_written() {
        for text in ["edit", "read delete", "edit read delete"] {
            let scopes: Scopes = text.parse().unwrap();
            assert_eq!(scopes.text(), text);
        }
        assert_eq!("delete,edit edit".parse(), Ok(Scopes([true, false, true])));
        assert!(!Scopes::DEFAULT.contains(Scope::Read));
        assert_eq!("".parse::<Scopes>(), Err(ScopesError::None));
        assert_eq!("admin".parse::<Scopes>(), Err(ScopesError::Unknown("admin".into())));
    }
}
