//! What adds credits every month: plans that the operator gives, and plans that are paid for.
//!
//! Pure, like the credits themselves. [`month`] is the calendar. A [`Subscription`] that the
//! operator gave goes on by itself ([`assigned`]): the clock alone grants its months. One that a
//! vendor of payments keeps ([`paid`]) is what the vendor says it is, whenever it is asked; its
//! credits follow the money of its invoices.

pub mod assigned;
pub mod month;
pub mod paid;
mod subscription;

pub use assigned::{NotAssigned, Turn, advance, assign, cancel};
pub use month::{Period, period};
pub use paid::{Facts, Invoice, Line, Payment, Settling, Standing};
pub use subscription::{Source, Status, Subscription};
