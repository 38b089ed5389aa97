//! Performance of Retouch, measured from outside: the full path of an edit, the ledger, the start,
//! and edits compared with other libraries.
//!
//! Reading order: [`arguments`] (the command line), then the parts ([`path`], [`compare`],
//! [`ledger`], [`start`], [`edits`], [`soak`]), then what they use: [`client`], [`process`] and
//! [`cost`] on one side, [`service`], which [`running`] drives, and [`upstream`] on the other.
//! `bench/README.md` has the method and the results.

mod arguments;
mod client;
mod compare;
mod cost;
mod edits;
mod figure;
mod folder;
mod gateway;
mod large;
mod ledger;
mod machine;
mod path;
mod picture;
mod places;
mod process;
mod report;
mod running;
mod scale;
mod service;
mod soak;
mod start;
mod upstream;
mod waits;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Part, Plan};
use figure::Figure;
use folder::Folder;
use report::Report;

/// The result of a part, or an error message for the user.
type Fallible<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> ExitCode {
    match perform(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error may be closed. The exit status still reports the failure.
            let _ = writeln!(std::io::stderr(), "retouch-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn perform(arguments: Arguments) -> Fallible<()> {
    match arguments.part {
        Part::Service(asked) => service::run(&asked),
        Part::Upstream(asked) => upstream::run(&asked),
        Part::EditWorker => edits::serve(),
        Part::Scale => scale::run(),
        part => measure(&part, &arguments.plan),
    }
}

fn measure(part: &Part, plan: &Plan) -> Fallible<()> {
    let folder = Folder::make(&plan.folder)?;
    let machine = machine::Machine::look(folder.path())?;
    let report = match part {
        Part::Soak(asked) => {
            let (figures, series) = soak::measure(asked, (plan, &folder))?;
            Report { series, ..Report::new(machine, plan.seconds, figures) }
        }
        _ => Report::new(machine, plan.seconds, figures(part, plan, &folder)?),
    };
    write!(std::io::stdout(), "{}", report.table())?;
    if let Some(file) = &plan.json {
        std::fs::write(file, report.json()?)?;
    }
    // The other parts measure; this one is a test.
    if matches!(part, Part::Soak(_)) && report.has_missed() {
        return Err("some targets were missed: see the table".into());
    }
    Ok(())
}

fn figures(part: &Part, plan: &Plan, folder: &Folder) -> Fallible<Vec<Figure>> {
    match part {
        Part::Path => path::measure(plan, folder),
        Part::Compare => compare::measure(plan, folder),
        Part::Gateway => gateway::measure(plan, folder),
        Part::Ledger => ledger::measure(plan, folder),
        Part::Nodes => ledger::nodes::measure(plan, folder),
        Part::Edits => edits::measure(plan, folder),
        Part::Start => start::measure(plan, folder),
        Part::Large(asked) => large::measure(asked, (plan, folder)),
        _ => {
            let parts = [path::measure, compare::measure, ledger::measure, start::measure];
            let measured: Fallible<Vec<_>> = parts.iter().map(|part| part(plan, folder)).collect();
            Ok(measured?.concat())
        }
    }
}
