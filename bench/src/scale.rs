//! How far it goes: what an edit costs, a model of capacity made of it, and a simulation that checks the
//! model and is itself held against measurements and theory. `bench/results/scale.md` has the results.
//!
//! Reading order: [`costs`] (what was measured), [`model`] (closed form), [`network`] (the simulation) with
//! what it is made of ([`calendar`], [`chance`], [`place`], [`lane`], [`transaction`], [`seen`]), the two
//! worlds that are simulated ([`ledger`], [`edit`]), [`tables`].

mod calendar;
mod chance;
#[cfg(test)]
mod checks;
mod costs;
mod edit;
mod lane;
mod ledger;
mod model;
mod network;
mod place;
mod seen;
mod tables;
mod transaction;

use std::io::Write;

use crate::Fallible;

/// Prints the tables.
///
/// # Errors
/// When a result cannot be read.
pub(crate) fn run() -> Fallible<()> {
    for (name, table) in tables::all()? {
        writeln!(std::io::stdout(), "{name}\n\n{table}")?;
    }
    Ok(())
}
