//! The measured costs of an edit. This is the only place with these figures.

use std::collections::HashMap;

use serde::Deserialize;

use crate::Fallible;

/// `retouch-bench path`, everything embedded. Use a run on a quiet machine here.
const EMBEDDED: &str = include_str!("../../results/2026-11-22-path-embedded.json");
/// `retouch-bench path --postgres URL --s3 URL`. Use a run on a quiet machine here too.
const SERVERS: &str = include_str!("../../results/2026-11-22-path-postgres-s3.json");

/// Where rows and images are kept, and for how many accounts; always with sixteen concurrent edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// An SQLite file and a folder; one account.
    Embedded,
    /// PostgreSQL and an S3 server; one account on one node, whose commands share transactions.
    Together,
    /// PostgreSQL and an S3 server; sixteen accounts on four nodes, whose commands share almost no
    /// transactions.
    Spread,
}

impl Kept {
    /// The end of the title of such a case.
    const fn title(self) -> &'static str {
        match self {
            Self::Embedded => ", 16 at once",
            Self::Together => ", 16 at once, PostgreSQL, S3",
            Self::Spread => ", 16 at once, PostgreSQL, S3, 4 nodes",
        }
    }
}

/// The cost of one edit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EditCost {
    /// Processor time of the service, in milliseconds.
    pub(crate) node_ms: f64,
    /// Processor time of PostgreSQL, in milliseconds; zero if the database is embedded.
    pub(crate) database_ms: f64,
    /// Processor time of the image server, in milliseconds.
    pub(crate) images_ms: f64,
    /// Transactions that write.
    pub(crate) transactions: f64,
    /// Other queries.
    pub(crate) reads: f64,
    /// Bytes of PostgreSQL's WAL.
    pub(crate) log_bytes: f64,
    /// Syncs of the WAL.
    pub(crate) syncs: f64,
    /// Growth of tables and indexes in bytes. If embedded, in whole pages, and only if the run
    /// counted them.
    pub(crate) rows_bytes: f64,
    /// Calls that store or read an image.
    pub(crate) image_calls: f64,
    /// Bytes of the stored image.
    pub(crate) image_bytes: f64,
}

#[derive(Deserialize)]
struct Measured {
    date: String,
    machine: Machine,
    figures: Vec<Figure>,
}

#[derive(Deserialize)]
struct Machine {
    processor: String,
    cores: usize,
    fdatasync_ms: f64,
    load_before: String,
}

#[derive(Deserialize)]
struct Figure {
    case: String,
    name: String,
    value: f64,
}

/// The cost of an edit with a result of this size, by its name ("8 KB").
///
/// # Errors
/// If it was not measured.
pub(crate) fn of(kept: Kept, result: &str) -> Fallible<EditCost> {
    let measured = measured(kept)?;
    let case = format!("{result}{}", kept.title());
    let ours = measured.figures.iter().filter(|figure| figure.case == case);
    let values: HashMap<&str, f64> =
        ours.map(|figure| (figure.name.as_str(), figure.value)).collect();
    let value = |name: &str| values.get(name).copied().unwrap_or(0.0);
    if values.is_empty() {
        return Err(format!("{case} was not measured").into());
    }
    let grown = ["database's pages", "tables' growth", "indexes' growth"];
    Ok(EditCost {
        node_ms: value("server's processor"),
        database_ms: value("PostgreSQL's processor"),
        images_ms: value("S3 server's processor"),
        transactions: value("transactions"),
        reads: value("reads"),
        log_bytes: value("PostgreSQL's log"),
        syncs: value("log's syncs"),
        rows_bytes: grown.into_iter().map(value).sum(),
        image_calls: value("image calls"),
        image_bytes: bytes_of(result)?,
    })
}

/// The growth of rows and indexes per edit, in bytes, from the case with the most edits: they grow
/// by whole pages, so a few edits show only chance. It does not depend on the size of the result.
///
/// # Errors
/// If it was not measured.
pub(crate) fn rows_bytes() -> Fallible<f64> {
    let measured = measured(Kept::Spread)?;
    let made = measured.figures.iter().filter(|figure| figure.name == "edits");
    let most = made.max_by(|one, other| one.value.total_cmp(&other.value));
    let case = &most.ok_or("nothing was measured")?.case;
    let is_growth =
        |figure: &&Figure| ["tables' growth", "indexes' growth"].contains(&&*figure.name);
    let grown = measured.figures.iter().filter(|figure| figure.case == *case).filter(is_growth);
    Ok(grown.map(|figure| figure.value).sum())
}

/// Callers in the cases that are taken from the results.
pub(crate) const CALLERS: usize = 16;

/// Edits per second of one account with small results, on one node and on four, and how long a sync
/// took on that machine, in milliseconds.
///
/// # Errors
/// If it was not measured.
pub(crate) fn one_account() -> Fallible<([f64; 2], f64)> {
    let measured = measured(Kept::Together)?;
    let per_s = |nodes: &str| {
        let case = format!("8 KB{}{nodes}", Kept::Together.title());
        let of_case = |figure: &&Figure| figure.case == case && figure.name == "edits";
        let found = measured.figures.iter().find(of_case);
        found.map(|figure| figure.value).ok_or_else(|| format!("{case} was not measured"))
    };
    Ok(([per_s("")?, per_s(", 4 nodes, 1 account")?], measured.machine.fdatasync_ms))
}

/// When and where it was measured, as a sentence.
///
/// # Errors
/// If the file has another form.
pub(crate) fn source(kept: Kept) -> Fallible<String> {
    let Measured { date, machine, .. } = measured(kept)?;
    let Machine { processor, cores, fdatasync_ms, load_before } = machine;
    let day = date.get(..10).unwrap_or_default();
    Ok(format!(
        "{day}, {cores} cores of an {processor}, `fdatasync` {fdatasync_ms:.2} ms, load before {load_before}"
    ))
}

fn measured(kept: Kept) -> Fallible<Measured> {
    let text = if kept == Kept::Embedded { EMBEDDED } else { SERVERS };
    Ok(serde_json::from_str(text)?)
}

/// The bytes of a result, by its name.
fn bytes_of(result: &str) -> Fallible<f64> {
    let (number, unit) = result.split_once(' ').ok_or("a size has no unit")?;
    let scale = if unit == "MB" { 1e6 } else { 1e3 };
    Ok(number.parse::<f64>()? * scale)
}
