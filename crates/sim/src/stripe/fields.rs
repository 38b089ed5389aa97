//! Parameters in Stripe's notation: `a[b][0][c]=d`, in a form or in the query. Each is taken out
//! once, and any that are left are unknown.

use std::collections::BTreeMap;

use super::errors::Error;
use crate::arrived::{Arrived, Content};

/// The parameters of a call, by their full name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fields(BTreeMap<String, String>);

impl Fields {
    /// The parameters in the query.
    pub(super) fn query(arrived: &Arrived) -> Result<Self, Error> {
        Self::of(arrived.query.clone())
    }

    /// The parameters in the body, which must be a form.
    pub(super) fn body(arrived: &Arrived) -> Result<Self, Error> {
        let kind = arrived.header("content-type").unwrap_or_default();
        let form = kind.starts_with("application/x-www-form-urlencoded");
        match &arrived.content {
            Content::Empty => Ok(Self::default()),
            Content::Other(bytes) if form => {
                Self::of(form_urlencoded::parse(bytes).into_owned().collect())
            }
            _ => Err(Error::param("", "", "The body is not a form.")),
        }
    }

    fn of(pairs: Vec<(String, String)>) -> Result<Self, Error> {
        let mut all = BTreeMap::new();
        let mut unnamed = 0;
        for (name, value) in pairs {
            // `a[]=x&a[]=y` is also a list.
            let name = match name.strip_suffix("[]") {
                Some(list) => {
                    unnamed += 1;
                    format!("{list}[{}]", unnamed - 1)
                }
                None => name,
            };
            if all.insert(name.clone(), value).is_some() {
                return Err(Error::param("parameter_invalid", &name, "Duplicate parameter."));
            }
        }
        Ok(Self(all))
    }

    /// A parameter.
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        self.0.remove(name)
    }

    /// A parameter that is required and must not be empty.
    pub(super) fn need(&mut self, name: &str) -> Result<String, Error> {
        self.take(name).filter(|value| !value.is_empty()).ok_or_else(|| Error::missing(name))
    }

    /// An integer.
    pub(super) fn whole(&mut self, name: &str) -> Result<Option<i64>, Error> {
        let wrong = || Error::param("parameter_invalid_integer", name, "Invalid integer");
        self.take(name).map(|text| text.parse().map_err(|_| wrong())).transpose()
    }

    /// A boolean.
    pub(super) fn flag(&mut self, name: &str) -> Result<Option<bool>, Error> {
        let wrong = || Error::param("parameter_invalid_boolean", name, "Invalid boolean");
        self.take(name).map(|text| text.parse().map_err(|_| wrong())).transpose()
    }

    /// One of `allowed`.
    pub(super) fn one_of(&mut self, name: &str, allowed: &[&str]) -> Result<Option<String>, Error> {
        let wrong = || Error::param("parameter_invalid_enum", name, &allowed.join(", "));
        let right = |text: String| {
            if allowed.contains(&text.as_str()) { Ok(text) } else { Err(wrong()) }
        };
        self.take(name).map(right).transpose()
    }

    /// All parameters below `name`: `name[key]`, by key.
    pub(super) fn below(&mut self, name: &str) -> BTreeMap<String, String> {
        let start = format!("{name}[");
        let inside = |key: &String| key.strip_prefix(&start)?.strip_suffix(']').map(str::to_owned);
        let keys: Vec<(String, String)> =
            self.0.keys().filter_map(|key| Some((key.clone(), inside(key)?))).collect();
        let taken = keys.into_iter().filter_map(|(key, short)| Some((short, self.0.remove(&key)?)));
        taken.collect()
    }

    /// The fields to expand, which must be in `allowed`.
    pub(super) fn expand(&mut self, allowed: &[&str]) -> Result<Vec<String>, Error> {
        let wanted: Vec<String> = self.below("expand").into_values().collect();
        match wanted.iter().find(|one| !allowed.contains(&one.as_str())) {
            Some(other) => {
                let message = format!("This property cannot be expanded ({other}).");
                Err(Error::param("", "expand", &message))
            }
            None => Ok(wanted),
        }
    }

    /// Checks that no parameter is left.
    pub(super) fn end(self) -> Result<(), Error> {
        match self.0.into_keys().next() {
            Some(name) => Err(Error::unknown(&name)),
            None => Ok(()),
        }
    }
}
