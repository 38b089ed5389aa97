//! Credits: amounts, the book of an account, and the one function that decides every command.
//!
//! The design is event-sourced: [`decide()`] looks at a [`Book`] and returns the [`Entry`]s that a
//! [`Command`] causes, or why it is [`Refused`]. [`Book::apply`] is the only way to change a book.
//! A store loads the book, decides, applies and saves. Replaying the entries of an account from an
//! empty book reproduces its balance, its buckets and its holds.

mod amount;
mod apply;
mod book;
mod bucket;
mod check;
mod command;
mod decide;
mod entry;
mod hold;
mod key_use;
mod refused;

pub use amount::{Credits, NotCredits};
pub use book::{Balance, Book};
pub use bucket::{Bucket, BucketKind};
pub use check::Broken;
pub use command::{Command, Grant, KeyAllowance, NewHold, TakeBack};
pub use decide::{GRACE_MS, decide};
pub use entry::{Delta, Entry, EntryKind, Leg, Opening};
pub use hold::{Allotment, Hold, HoldState};
pub use key_use::{KeyLimits, KeyPeriod, KeyUse, PeriodUse};
pub use refused::Refused;
