//! Plans and payments. [`retouch_core::billing`] and the credit ledger decide what is booked; this
//! module loads and saves the rows.

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
pub(crate) use pause::begin_for_refusals;
pub use pause::{Pause, PauseReason};
pub use plan::{AssignPlan, DueGranted, DuePlace};
pub(crate) use plan::{end_given, is_paying};
pub(crate) use row::plan_of_account;

use retouch_core::AccountId;
use retouch_core::credits::{Balance, Command, Credits, Refused};

use crate::Error;
use crate::transaction::Transaction;

/// The effect of a command, whether it was booked now or earlier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Effect {
    /// Credits that were taken back or are owed.
    back: Credits,
    /// How many of them are owed.
    owed: Credits,
    /// Whether it was booked now, rather than earlier or too late.
    is_booked: bool,
}

fn book(tx: &mut Transaction<'_>, account: &AccountId, command: &Command) -> Result<Effect, Error> {
    // Book due expiries first, so that the balance before the command is current.
    let before = tx.command(account, &Command::Expire)?;
    match tx.command(account, command) {
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

/// All credits that were taken back or are owed.
fn back(balance: &Balance) -> Credits {
    balance.taken_back.checked_add(balance.debt).unwrap_or(Credits::MAX)
}
