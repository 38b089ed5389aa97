//! How an operation stands in the table, and is found in words.

use super::Parameter;
use crate::Refusal;
use crate::instruction::Clause;
use serde::Serialize;

/// What documents and spelling need to know about an operation.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Capability {
    /// Its name in a plan.
    pub name: &'static str,
    /// The numbers that it takes.
    pub parameters: &'static [Parameter],
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// The exact definition.
    pub definition: &'static str,
    /// The words that name it; an instruction with none of them never means it.
    pub heads: &'static [&'static str],
    /// The other words that it understands besides amounts, colors and places.
    pub details: &'static [&'static str],
    /// Sentences that ask for it.
    pub examples: &'static [&'static str],
}

/// How an operation is found in words; separate from [`Operation`](super::Operation) because it makes the value.
pub(crate) trait Spoken: Sized {
    /// The operation's entry in the table of operations.
    const CAPABILITY: Capability;

    /// Takes its words from a clause. `None` when the clause does not name it; a refusal when it
    /// does and a detail is missing or wrong.
    fn read(clause: &mut Clause<'_>) -> Result<Option<Self>, Refusal>;
}
