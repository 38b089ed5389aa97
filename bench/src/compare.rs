//! What the full path adds to a plain server that sends the same bytes, for one caller.

use std::ffi::OsStr;

use crate::Fallible;
use crate::arguments::Plan;
use crate::client::{Load, drive};
use crate::figure::{Figure, Mark};
use crate::folder::Folder;
use crate::path::RESULTS;
use crate::process::Process;
use crate::running::Service;

/// Target: the median time that the full path adds to a small edit, in milliseconds.
const ADDED_MS_MAX: f64 = 1.0;
/// How many turns each server takes. They alternate, so that changes of the machine affect both.
const TURNS: u32 = 4;

/// Measures each size of result.
///
/// # Errors
/// If a call fails, or the ledger is wrong.
pub(crate) fn measure(plan: &Plan, folder: &Folder) -> Fallible<Vec<Figure>> {
    let mut figures = Vec::new();
    for (name, bytes, _) in RESULTS {
        figures.extend(case((plan, folder), name, bytes)?);
    }
    Ok(figures)
}

fn case((plan, folder): (&Plan, &Folder), name: &str, bytes: u32) -> Fallible<Vec<Figure>> {
    let service = Service::start(folder, bytes)?;
    let body = folder.case()?.join("answer.json");
    std::fs::write(&body, service.answer()?)?;
    let mut upstream =
        Process::role(&[OsStr::new("upstream"), OsStr::new("--body"), body.as_ref()])?;
    let ours = service.load(1, plan.seconds / f64::from(TURNS))?;
    let plain = Load { address: upstream.said()?, ..ours.clone() };
    let (mut direct, mut full, mut charged) = (Vec::new(), Vec::new(), 1);
    for _ in 0..TURNS {
        direct.push(drive(&plain)?.waits.at_ms(0.5));
        let answered = drive(&ours)?.waits;
        charged += answered.count();
        full.push(answered.at_ms(0.5));
    }
    service.finish(charged)?;
    let (direct, full) = (median(direct), median(full));
    let mark = (name == "8 KB").then_some(Mark::AtMost(ADDED_MS_MAX));
    let figure = |name, value| Figure::new(("compare", name), "p50", value, "ms");
    Ok(vec![
        figure(&format!("{name}, plain server"), direct),
        figure(&format!("{name}, full path"), full),
        figure(&format!("{name}, added"), full - direct).against(mark),
    ])
}

/// The median of the numbers.
pub(crate) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
}
