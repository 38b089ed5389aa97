//! What adds credits every month: plans that the operator gives, and plans that are paid for.
//!
//! Pure, like the credits themselves. [`month`] is the calendar. A [`Subscription`] that the
//! operator gave goes on by itself ([`assigned`]): the clock alone grants its months. One that a
//! vendor of payments keeps ([`paid`]) is what the vendor says it is, whenever it is asked; what its
//! invoices bring is worked out from all of a customer's together ([`tally`]).

pub mod assigned;
pub mod month;
pub mod paid;
mod standing;
mod subscription;
pub mod tally;

pub use assigned::{NotAssigned, Turn, advance, assign, cancel};
pub use month::{Period, period};
pub use paid::{Alarm, Facts, Invoice, Line, Payment};
pub use standing::{Settling, Standing};
pub use subscription::{Source, Status, Subscription};
pub use tally::{Claim, dues};
