//! Converts values to types. Each read checks one setting; problems are collected.

use std::ops::RangeInclusive;

use super::layers::Layers;
use super::problem::Problem;
use super::value::{Value, quoted};
use super::{Origin, Secret, duration, size};

/// Reads settings and collects problems. A failed read returns the type's default, which is never
/// used: if there is any problem, loading fails.
pub(super) struct Reader<'a> {
    layers: &'a Layers,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(layers: &'a Layers, problems: Vec<Problem>) -> Self {
        Self { layers, problems }
    }

    pub(super) fn layers(&self) -> &'a Layers {
        self.layers
    }

    /// All problems.
    pub(super) fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    /// Reports that the value of `key` is invalid.
    pub(super) fn refuse(&mut self, key: &str, message: impl Into<String>) {
        let origin = self.layers.find(key).map_or(Origin::Default, |entry| entry.origin.clone());
        self.problems.push(Problem::new(key, message, &origin));
    }

    /// Reports that the value of `key` contradicts that of `other`. Does nothing if either of them
    /// has been refused already, because then it is not the value that was set.
    pub(super) fn refuse_pair(&mut self, key: &str, other: &str, message: String) {
        if !self.problems.iter().any(|problem| [key, other].contains(&&*problem.key)) {
            self.refuse(key, message);
        }
    }

    /// Reports that `key` must have a value because `said` has one.
    pub(super) fn refuse_because(&mut self, key: &str, message: impl Into<String>, said: &str) {
        let origin = self.layers.find(said).map_or(Origin::Default, |entry| entry.origin.clone());
        self.problems.push(Problem::new(key, message, &origin));
    }

    /// A whole number within `range`.
    pub(super) fn number<T>(&mut self, key: &str, range: RangeInclusive<i64>) -> T
    where
        T: TryFrom<i64> + Default,
    {
        match self.value(key) {
            Some(Value::Number(number)) => {
                self.checked(key, within(*number, &range, |number| number.to_string()))
            }
            _ => T::default(),
        }
    }

    /// A duration within `range`, in milliseconds.
    pub(super) fn duration<T>(&mut self, key: &str, range: RangeInclusive<u64>) -> T
    where
        T: TryFrom<u64> + Default,
    {
        match self.value(key) {
            Some(Value::Duration(ms)) => self.checked(key, within(*ms, &range, duration::show)),
            _ => T::default(),
        }
    }

    /// A size within `range`, in bytes.
    pub(super) fn size<T>(&mut self, key: &str, range: RangeInclusive<u64>) -> T
    where
        T: TryFrom<u64> + Default,
    {
        match self.value(key) {
            Some(Value::Size(bytes)) => self.checked(key, within(*bytes, &range, size::show)),
            _ => T::default(),
        }
    }

    /// The value that was read, or its problem.
    fn checked<T: Default>(&mut self, key: &str, read: Result<T, String>) -> T {
        read.unwrap_or_else(|message| {
            self.refuse(key, message);
            T::default()
        })
    }

    /// The string value of `key`, which may be empty.
    pub(super) fn text(&self, key: &str) -> &'a str {
        match self.value(key) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// The parsed string value of `key`; `None` if it is empty or invalid.
    pub(super) fn optional<T>(
        &mut self,
        key: &str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let text = self.text(key);
        if text.is_empty() {
            return None;
        }
        parse(text)
            .map_err(|expected| self.refuse(key, format!("{}: {expected}", quoted(text))))
            .ok()
    }

    /// The parsed string value of `key`, which may be empty only if `parse` accepts that.
    pub(super) fn required<T>(
        &mut self,
        key: &str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let text = self.text(key);
        parse(text)
            .map_err(|expected| self.refuse(key, format!("{}: {expected}", quoted(text))))
            .ok()
    }

    /// The parsed elements of `key`.
    pub(super) fn list<T>(
        &mut self,
        key: &str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Vec<T> {
        let Some(Value::List(list)) = self.value(key) else { return Vec::new() };
        let mut parsed = Vec::new();
        for text in list {
            match parse(text) {
                Ok(one) => parsed.push(one),
                Err(expected) => self.refuse(key, format!("{}: {expected}", quoted(text))),
            }
        }
        parsed
    }

    /// The secret value of `key`; `None` if it is empty.
    pub(super) fn secret(&self, key: &str) -> Option<Secret> {
        match self.value(key) {
            Some(Value::Secret(secret)) if !secret.is_empty() => Some(secret.clone()),
            _ => None,
        }
    }

    fn value(&self, key: &str) -> Option<&'a Value> {
        self.layers.find(key).map(|entry| &entry.value)
    }
}

/// `number` as a `T`, if it is within `range`.
fn within<N, T>(
    number: N,
    range: &RangeInclusive<N>,
    show: impl Fn(N) -> String,
) -> Result<T, String>
where
    N: Copy + PartialOrd,
    T: TryFrom<N>,
{
    let typed = T::try_from(number).ok().filter(|_| range.contains(&number));
    typed.ok_or_else(|| {
        let [number, least, most] = [number, *range.start(), *range.end()].map(show);
        format!("{number} is out of range; expected {least} to {most}")
    })
}
