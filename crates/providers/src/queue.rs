//! Providers where work is submitted, named and polled until it is done: fal, Replicate and Black
//! Forest Labs. Shared code converts an order to the fields of a model, using a table of model
//! families. A module for each provider knows its calls and responses.
//!
//! Reading order: `family` (what a table says about models), `input` (from an order to fields and
//! warnings), `frame` (shapes and sizes), then [`Fal`], [`Replicate`] and [`Bfl`] with their
//! tables.

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
