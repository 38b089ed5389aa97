//! What an edit costs apart from time: the work of each server, what is written, what remains.
//!
//! Every source has running totals. The cost of an edit is their growth divided by the number of
//! edits.

pub(crate) mod numbers;
pub(crate) mod postgres;
mod sqlite;
mod work;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::Fallible;
use crate::figure::Figure;
use crate::places::Places;
use crate::running::Service;
use work::Work;

/// How long an idle PostgreSQL connection takes to report its statistics, with some margin
/// (`PGSTAT_IDLE_INTERVAL`, PostgreSQL 15, `src/backend/utils/activity/pgstat.c`: 10 s).
const COUNTS_TOLD_AFTER: Duration = Duration::from_millis(10_500);

/// A total that only grows.
#[derive(Clone, Debug)]
pub(crate) struct Total {
    /// What is counted.
    pub(crate) name: &'static str,
    /// The unit of its growth per edit.
    pub(crate) unit: &'static str,
    /// The total so far.
    pub(crate) value: f64,
}

impl Total {
    pub(crate) fn new(name: &'static str, unit: &'static str, value: f64) -> Self {
        Self { name, unit, value }
    }
}

/// Reads everything that can be read about a running service and its servers.
pub(crate) struct Meter<'a> {
    service: &'a Service,
    places: &'a Places,
    postgres: Option<Work>,
    s3: Option<Work>,
    disk: Option<PathBuf>,
}

impl<'a> Meter<'a> {
    /// Finds the processes and the disk.
    pub(crate) fn new(service: &'a Service, places: &'a Places) -> Self {
        let schema = places.schema.as_ref();
        Self {
            service,
            places,
            postgres: schema.and_then(|schema| Work::of_listener(&schema.server)),
            s3: places.s3.as_ref().and_then(|address| Work::of_listener(address)),
            disk: work::disk(service.folder()),
        }
    }

    /// Waits until everything that was done is in the totals of [`Meter::late`].
    pub(crate) fn settle(&self) {
        if self.places.schema.is_some() {
            std::thread::sleep(COUNTS_TOLD_AFTER);
        }
    }

    /// The totals that are current immediately.
    pub(crate) fn now(&self) -> Fallible<Vec<Total>> {
        let mut totals = self.service.totals()?;
        if let Some(disk) = &self.disk {
            let (bytes, flushes) = work::done(disk)?;
            totals.push(Total::new("disk's writes", "B/edit", bytes));
            totals.push(Total::new("disk's flushes", "1/edit", flushes));
        }
        match &self.places.schema {
            Some(schema) => totals.extend(schema.postgres.totals_now()?),
            None => {
                let bytes = sqlite::bytes(&self.service.folder().join("retouch.db"))?;
                totals.push(Total::new("database's pages", "B/edit", bytes));
            }
        }
        if let Some(work) = &self.postgres {
            totals.push(Total::new("PostgreSQL's processor", "ms/edit", work.processor_ms()?));
            totals.extend(work.written().map(|it| Total::new("PostgreSQL's writes", "B/edit", it)));
        }
        if let Some(work) = &self.s3 {
            totals.push(Total::new("S3 server's processor", "ms/edit", work.processor_ms()?));
        }
        if self.places.s3.is_none() {
            let images = bytes_in(&self.service.folder().join("blobs"))?;
            totals.push(Total::new("images' growth", "B/edit", images));
        }
        Ok(totals)
    }

    /// The totals that are current after [`Meter::settle`].
    pub(crate) fn late(&self) -> Fallible<Vec<Total>> {
        self.places.schema.as_ref().map_or(Ok(Vec::new()), |schema| schema.postgres.totals_late())
    }
}

/// The growth of each total per edit. Totals that could be read only once are left out.
pub(crate) fn per_edit(
    of: (&'static str, &str),
    (before, after): (&[Total], &[Total]),
    edits: f64,
) -> Vec<Figure> {
    let grown = after.iter().filter_map(|after| {
        let before = before.iter().find(|before| before.name == after.name)?;
        Some(Figure::new(of, after.name, (after.value - before.value) / edits, after.unit))
    });
    grown.collect()
}

/// The bytes of the files in `folder`; 0 if there is no such folder.
fn bytes_in(folder: &Path) -> Fallible<f64> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(0.0) };
    let mut bytes = 0.0;
    for entry in entries {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            bytes += bytes_in(&entry.path())?;
        } else {
            // The file may have been removed in the meantime.
            bytes += entry.metadata().map_or(0.0, |data| data.len() as f64);
        }
    }
    Ok(bytes)
}
