//! Plans: what accounts have, and what was paid for them. What is booked is decided by
//! [`retouch_core::billing`] and by the one function over credits; here it is loaded and saved.

mod customer;
mod event;
mod invoice;
mod paid;
mod pause;
mod plan;
mod row;
mod turn;

pub use customer::CustomerTask;
pub use event::{EventRecord, NewEvent, OpenEvents, Received};
pub use paid::{Notice, Settled};
pub use pause::{Pause, PauseReason};
pub(crate) use pause::{begin_for_refusals, paused_for};
pub use plan::{AssignPlan, DueGranted, DuePlace};
pub(crate) use plan::{end_given, is_paying};
pub(crate) use row::plan_of_account;

use retouch_core::AccountId;
use retouch_core::credits::{Balance, Command, Credits, Refused};

use crate::Error;
use crate::unit::Unit;

/// What a command did that was booked now or before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Effect {
    /// Credits that were taken back, or that are owed.
    back: Credits,
    /// Those of them that are owed.
    owed: Credits,
    /// Whether it was booked now: not before, and not too late.
    is_booked: bool,
}

fn book(unit: &mut Unit<'_>, account: &AccountId, command: &Command) -> Result<Effect, Error> {
    // What has expired is booked first, so that the balance before is that of this moment.
    let before = unit.command(account, &Command::Expire)?;
    match unit.command(account, command) {
        Ok(after) => Ok(Effect {
            back: back(&after).checked_sub(back(&before)).unwrap_or_default(),
            owed: after.debt.checked_sub(before.debt).unwrap_or_default(),
            is_booked: true,
        }),
        Err(Error::Refused(Refused::AlreadyGranted { .. } | Refused::ExpiresInThePast)) => {
            Ok(Effect::default())
        }
        Err(error) => Err(error),
    }
}

/// All that was taken back or is owed.
fn back(balance: &Balance) -> Credits {
    balance.taken_back.checked_add(balance.debt).unwrap_or(Credits::MAX)
}
