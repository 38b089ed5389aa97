//! Plans, which add credits every month: assigned by the operator or paid for.
//!
//! All of it is pure, like the credits themselves. [`month`] is the calendar. A [`Subscription`]
//! that the operator assigned renews automatically ([`assigned`]): only the clock grants its
//! months. The state of a paid one ([`paid`]) is what the payment provider reports. The credits
//! for its invoices are computed from all invoices of the customer together ([`tally`]).

pub mod assigned;
pub mod month;
pub mod paid;
mod standing;
mod subscription;
pub mod tally;

pub use assigned::{NotAssigned, Turn, advance, assign, cancel};
pub use month::{Period, period};
pub use paid::{Alarm, Facts, Invoice, Line, Pack, Payment};
pub use standing::{Settling, Standing, Terms};
pub use subscription::{Source, Status, Subscription};
pub use tally::{Claim, dues};
