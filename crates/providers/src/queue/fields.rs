//! The fields of a model's input, which are written as JSON without copying images.

use std::borrow::Cow;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::family::Fixed;
use crate::upstream::Base64;

/// Fields in the order in which they were added.
#[derive(Debug, Default)]
pub(super) struct Fields<'a>(Vec<(Cow<'static, str>, Value<'a>)>);

/// The value of a field.
#[derive(Debug)]
pub(super) enum Value<'a> {
    /// A text.
    Text(Cow<'a, str>),
    /// A whole number.
    Whole(u64),
    /// True or false.
    Flag(bool),
    /// A size.
    Sides(Sides),
    /// An image.
    Picture(Sent<'a>),
    /// Several images.
    Pictures(Vec<Sent<'a>>),
}

/// A width and a height, in pixels.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Sides {
    width: u32,
    height: u32,
}

/// An input image in the form in which it is sent.
#[derive(Debug)]
pub(super) enum Sent<'a> {
    /// In the request.
    Inline {
        /// The text before the base64.
        prefix: String,
        /// The file.
        bytes: &'a [u8],
    },
    /// At this address.
    Address(String),
}

impl<'a> Fields<'a> {
    /// Adds a field, or replaces its value.
    pub(super) fn set(&mut self, name: impl Into<Cow<'static, str>>, value: Value<'a>) {
        let name = name.into();
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    /// Adds each of `fixed`.
    pub(super) fn set_fixed(&mut self, fixed: &'static [(&'static str, Fixed)]) {
        for (name, value) in fixed {
            self.set(*name, (*value).into());
        }
    }
}

impl From<Fixed> for Value<'_> {
    fn from(fixed: Fixed) -> Self {
        match fixed {
            Fixed::Text(text) => Self::Text(Cow::Borrowed(text)),
            Fixed::Whole(number) => Self::Whole(number),
        }
    }
}

impl From<(u32, u32)> for Sides {
    fn from((width, height): (u32, u32)) -> Self {
        Self { width, height }
    }
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Whole(number) => serializer.serialize_u64(*number),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Sides(sides) => sides.serialize(serializer),
            Self::Picture(picture) => picture.serialize(serializer),
            Self::Pictures(pictures) => pictures.serialize(serializer),
        }
    }
}

impl Serialize for Sent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Inline { prefix, bytes } => Base64 { prefix, bytes }.serialize(serializer),
            Self::Address(address) => serializer.serialize_str(address),
        }
    }
}
