//! Patterns of words that several operations share: a strength, a change, a share, a tolerance.

pub(crate) mod aspect_names;
pub(crate) mod change;
pub(crate) mod share;
pub(crate) mod strength;
mod tolerance;

pub(crate) use tolerance::{said_tolerance, tolerance};
