//! Capacity: what an edit costs, a model of capacity based on it, and a simulation that checks the
//! model and is itself checked against measurements and theory. `bench/results/scale.md` has the
//! results.
//!
//! Reading order: [`costs`] (the measurements), [`model`] (closed form), [`network`] (the
//! simulation) with its parts ([`calendar`], [`chance`], [`place`], [`lane`], [`transaction`],
//! [`seen`]), the two simulated systems ([`ledger`], [`edit`]), [`tables`].

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
/// If a result cannot be read.
pub(crate) fn run() -> Fallible<()> {
    for (name, table) in tables::all()? {
        writeln!(std::io::stdout(), "{name}\n\n{table}")?;
    }
    Ok(())
}
