//! An operation's entry in the table of operations.

use super::{Control, Parameter};
use serde::Serialize;

/// What documentation, controls and the reader of instructions need to know about an operation.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Capability {
    /// The operation's name in plans.
    pub name: &'static str,
    /// The numeric parameters.
    pub parameters: &'static [Parameter],
    /// The fields that people can change by hand, in the order in which to show them.
    pub controls: &'static [Control],
    /// What the operation does, in one sentence.
    pub summary: &'static str,
    /// The exact definition.
    pub definition: &'static str,
    /// Example instructions.
    pub examples: &'static [&'static str],
}

/// An operation in the table; separate from [`Operation`](super::Operation), which has no constants so
/// that it can be used as `dyn`.
pub(crate) trait Described {
    /// The operation's entry in the table of operations.
    const CAPABILITY: Capability;
}
