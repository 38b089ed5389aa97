//! An operation's entry in the table, and how it is parsed from an instruction.

use super::{Control, Parameter};
use crate::Refusal;
use crate::instruction::Clause;
use serde::Serialize;

/// What documentation and spelling correction need to know about an operation.
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
    /// The words that name the operation. An instruction without any of them never means it.
    pub heads: &'static [&'static str],
    /// The other words that the operation understands besides amounts, colors and places.
    pub details: &'static [&'static str],
    /// Example instructions.
    pub examples: &'static [&'static str],
}

/// Parses an operation; separate from [`Operation`](super::Operation) because it creates the value.
pub(crate) trait Spoken: Sized {
    /// The operation's entry in the table of operations.
    const CAPABILITY: Capability;

    /// Parses the operation and takes its words from the clause. Returns `None` if the clause
    /// doesn't name it, and a refusal if it does but a detail is missing or wrong.
    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal>;
}
