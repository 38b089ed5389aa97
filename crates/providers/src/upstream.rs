//! Vendors behind HTTP: what is the same for all of them, and what a vendor's protocol has to say.
//!
//! Reading order: [`Dialect`] (a protocol, as pure functions), [`Order`] (what it is asked),
//! [`Call`] and [`Answer`] (what goes over the wire), [`Step`] and [`Fault`] (what an answer
//! means), then [`shape`] and [`words`] (what several protocols compute alike).

mod answer;
mod call;
mod dialect;
mod fault;
pub mod shape;
pub mod words;

pub use answer::Answer;
pub use call::{Base64, Body, Call, Part, PartContent, Place};
pub use dialect::{Auth, Dialect, Order, Picture, PictureRules, Submission};
pub use fault::{Artefact, Fault, Harvest, Meaning, Step, Ticket};
