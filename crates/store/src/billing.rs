//! Plans: what accounts have, and what was paid for them. What is booked is decided by
//! [`retouch_core::billing`] and by the one function over credits; here it is loaded and saved.

mod customer;
mod event;
mod overdue;
mod paid;
mod plan;
mod row;
mod turn;

pub use customer::CustomerTask;
pub use event::{EventRecord, NewEvent, OpenEvents, Received};
pub use paid::{Notice, Settled};
pub use plan::{AssignPlan, DueGranted, DuePlace};
pub(crate) use plan::{end_given, is_paying};
pub(crate) use row::plan_of_account;

use retouch_core::AccountId;
use retouch_core::credits::{Command, Credits, Refused};

use crate::Error;
use crate::unit::Unit;

/// What became of a command that may have been booked before, or come too late.
enum Booked {
    /// It was booked; so many credits were taken back.
    Done(Credits),
    /// Its source has had its effect before.
    Before,
    /// Its credits would have expired by now.
    TooLate,
}

fn book(unit: &mut Unit<'_>, account: &AccountId, command: &Command) -> Result<Booked, Error> {
    // What has expired is booked first, so that the balance before is that of this moment.
    let before = unit.command(account, &Command::Expire)?.taken_back;
    match unit.command(account, command) {
        Ok(after) => Ok(Booked::Done(after.taken_back.checked_sub(before).unwrap_or_default())),
        Err(Error::Refused(Refused::AlreadyGranted { .. })) => Ok(Booked::Before),
        Err(Error::Refused(Refused::ExpiresInThePast)) => Ok(Booked::TooLate),
        Err(error) => Err(error),
    }
}
