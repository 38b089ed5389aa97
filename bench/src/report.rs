//! The output: a table for people, JSON for comparing runs.

use std::fmt::Write;
use std::process::Command;

use retouch_core::{Clock, SystemClock};
use serde::Serialize;

use crate::figure::Figure;
use crate::machine::Machine;
use crate::soak::Sample;

/// Everything that was measured in one run.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// The date.
    pub(crate) date: String,
    /// The commit, with `-dirty` if the tree had changes.
    pub(crate) commit: String,
    /// The machine.
    pub(crate) machine: Machine,
    /// The duration of each case, in seconds.
    pub(crate) seconds: f64,
    /// The results.
    pub(crate) figures: Vec<Figure>,
    /// Samples of the service during a long load.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) series: Vec<Sample>,
}

impl Report {
    /// Combines the figures with their context.
    pub(crate) fn new(machine: Machine, seconds: f64, figures: Vec<Figure>) -> Self {
        let date = SystemClock.now().to_string();
        Self { date, commit: commit(), machine, seconds, figures, series: Vec::new() }
    }

    /// Whether a target was missed.
    pub(crate) fn has_missed(&self) -> bool {
        self.figures.iter().any(|figure| figure.met == Some(false))
    }

    /// The report as a table.
    pub(crate) fn table(&self) -> String {
        let Machine { processor, cores, kernel, file_system, fdatasync_ms, load_before } =
            &self.machine;
        let mut text = format!(
            "{} {}\n{processor}, {cores} cores, Linux {kernel}, load {load_before}\n\
             {file_system}, fdatasync {fdatasync_ms:.3} ms, {} s a case\n\n",
            self.date, self.commit, self.seconds
        );
        let longest = self.figures.iter().map(|figure| figure.case.len()).max().unwrap_or(0);
        for figure in &self.figures {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}", row(figure, longest).trim_end());
        }
        text
    }

    /// The report as JSON.
    pub(crate) fn json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

fn row(figure: &Figure, longest: usize) -> String {
    let Figure { part, case, name, value, unit, mark, met } = figure;
    let digits = if *value >= 1000.0 { 0 } else { 3 };
    let mark = mark.map(|mark| mark.to_string()).unwrap_or_default();
    let met = met.map_or("", |met| if met { "met" } else { "missed" });
    format!("{part:<8} {case:<longest$} {name:<22} {value:>10.digits$} {unit:<8} {mark:<10} {met}")
}

fn commit() -> String {
    let described = Command::new("git").args(["describe", "--always", "--dirty"]).output();
    let text = described.ok().filter(|output| output.status.success()).map(|output| output.stdout);
    let text = text.map(|text| String::from_utf8_lossy(&text).trim().to_owned());
    text.unwrap_or_else(|| "unknown".to_owned())
}
