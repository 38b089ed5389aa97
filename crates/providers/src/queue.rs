//! Platforms where work is submitted, named, and asked for until it is done: fal, Replicate and
//! Black Forest Labs. One engine turns an order into the fields of a model, by a table that says
//! what each family of models takes; three skins know the platforms' calls and answers.
//!
//! Reading order: `family` (what can be said about a model), `input` (from an order to its
//! fields and warnings), `frame` (shapes and sizes), then [`Fal`], [`Replicate`] and [`Bfl`]
//! with their tables.

mod bfl;
mod fal;
mod family;
mod fields;
mod frame;
mod input;
mod replicate;
mod ticket;

pub use bfl::Bfl;
pub use fal::Fal;
pub use replicate::Replicate;
