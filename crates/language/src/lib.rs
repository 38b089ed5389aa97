//! Reads an instruction: from words to a plan of the built-in editor.
//!
//! The words are data (`lexicon/*.tsv`), and so is what an edit may consist of (`frames/*.tsv`).
//!
//! 1. [`PASSES`] cut the instruction into words and correct them.
//! 2. A chart finds every phrase of the lexicon, and rules combine phrases: amounts, colors, places,
//!    parts of the image, lists of edits.
//! 3. A clause is one edit: phrases that fill the slots of a frame, in any order. Every word fills a
//!    slot or changes nothing.
//! 4. A sentence is clauses with words around them that change nothing: greetings, reasons, purposes,
//!    remarks. They are recognized by their grammar and reported.
//!
//! The reading that leaves out the fewest words wins, then the one with the fewest edits. If two
//! equally good readings mean different plans, the instruction is ambiguous and refused.

mod build;
mod chart;
mod clause;
mod frame;
mod lexicon;
mod passes;
mod read;
mod refuse;
mod rules;
mod sentence;
mod social;
mod token;
mod value;

pub use frame::{FrameRow, frame_rows};
pub use lexicon::{Row, rows};
pub use passes::{PASSES, Pass};
pub use read::read;
