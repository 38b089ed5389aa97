//! Reads an instruction: from words to a plan of the built-in editor.
//!
//! What words mean is data. A row of `lexicon/*.tsv` is a phrase, its category, its value and an
//! instruction that uses it. A row of `frames/*.tsv` says what an edit may consist of: slots with the
//! categories, values and prepositions that fill them, and the builder that makes steps of them. A
//! row of `frames/operations.tsv` is an operation that is one word with an amount; limits and scales
//! come from the engine.
//!
//! 1. [`PASSES`] cut the instruction into words and correct them.
//! 2. `chart` finds every phrase of the lexicon, and `rules` combine phrases: amounts, colors,
//!    places, parts of the image, lists of edits. What has two readings ("1.000") is there twice.
//! 3. `clause` reads one edit: phrases that fill the slots of a frame, in any order. Every word fills
//!    a slot or is a filler.
//! 4. `build` makes steps of a filled frame, or says what is missing. What the engine would refuse is
//!    no reading, unless there is no other.
//! 5. `sentence` reads the whole: edits, what joins them, and words around them that change nothing.
//!    `social` recognizes those by their grammar: reasons, purposes, goals, comparisons, remarks. They
//!    are in [`retouch_engine::Plan::understood`] without a step.
//! 6. `refuse` looks for contradictions and unclear pronouns, and explains what stopped the reading.
//!
//! Videos are read the same way, by [`read_video`]: `lexicon/camera.tsv` and `frames/camera.tsv` say
//! what a camera does, edits of the image stay edits, and `video` settles the times.
//!
//! Of all readings, the one that leaves out the fewest words wins, then the one with the fewest
//! edits, then the one with the fewest and longest phrases. If two equally good readings mean
//! different steps, the instruction is ambiguous, and the refusal names both.
//!
//! The number of phrases at a position, of states of a clause and of readings up to a position are
//! bounded, so reading takes time linear in the length of the instruction.
//!
//! To add a phrase, add its row with an example, and run `cargo test --test lexicon`.

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
mod video;

pub use frame::{FrameRow, frame_rows};
pub use lexicon::{Row, rows};
pub use passes::{PASSES, Pass};
pub use read::read;
pub use video::read_video;
