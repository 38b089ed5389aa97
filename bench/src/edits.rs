//! The same edits with Retouch and with common libraries: from the bytes of an image to the bytes
//! of a PNG, all in long-lived processes that take turns.

mod case;
mod inputs;
mod ours;
mod peers;

use std::time::Instant;

use crate::Fallible;
use crate::arguments::Plan;
use crate::compare::median;
use crate::figure::{Figure, Mark};
use crate::folder::Folder;
use case::{CASES, Case};
use inputs::Input;
pub(crate) use ours::serve;
use peers::{Done, Worker};

/// Target: speed as a multiple of libvips's, as a geometric mean.
const FASTER_MIN: f64 = 2.0;
/// Target: file size compared with libvips at level 1.
const LARGER_MAX: f64 = 1.1;
/// Target: time of an edit compared with decoding and encoding alone.
const OVER_CODECS_MAX: f64 = 1.5;
/// The fewest turns of each library, so that there is a median.
const TURNS_MIN: usize = 3;
/// The library that the targets refer to.
const RIVAL: &str = "libvips";

/// Measures each edit of each input, and compares with other libraries if their folder is given.
///
/// # Errors
/// If a worker fails, or returns an image of another size than the others.
pub(crate) fn measure(plan: &Plan, folder: &Folder) -> Fallible<Vec<Figure>> {
    let mut workers = peers::start(plan.peers.as_deref())?;
    let inputs = inputs::write(&folder.case()?, plan.megapixels)?;
    let mut rows = Vec::new();
    for input in &inputs {
        for case in CASES {
            rows.push(Row::measure((input, case), plan.seconds, &mut workers)?);
        }
    }
    let mut figures: Vec<Figure> = rows.iter().flat_map(Row::figures).collect();
    figures.extend(summary(&rows));
    Ok(figures)
}

/// One edit of one input, and the times of each library, Retouch first.
struct Row {
    name: String,
    libraries: Vec<(&'static str, Took)>,
}

/// The medians of one library.
struct Took {
    ms: f64,
    /// Decoding and encoding alone, if the library reports it.
    codecs_ms: Option<f64>,
    bytes: f64,
}

impl Row {
    fn measure(
        (input, case): (&Input, &Case),
        seconds: f64,
        workers: &mut [Worker],
    ) -> Fallible<Self> {
        let name = format!("{}, {}", input.name, case.name);
        let mut turns: Vec<Vec<Done>> = workers.iter().map(|_| Vec::new()).collect();
        // The first turn warms up and does not count.
        let warm = take_turns((input, case), workers)?;
        agree(&name, &warm)?;
        let began = Instant::now();
        while turns[0].len() < TURNS_MIN || began.elapsed().as_secs_f64() < seconds {
            let done = take_turns((input, case), workers)?;
            turns.iter_mut().zip(done).for_each(|(turns, done)| turns.push(done));
        }
        let libraries =
            workers.iter().map(|worker| worker.library).zip(turns.iter().map(|turns| took(turns)));
        Ok(Self { name, libraries: libraries.collect() })
    }

    fn of(&self, library: &str) -> Option<&Took> {
        self.libraries.iter().find(|(name, _)| *name == library).map(|(_, took)| took)
    }

    fn figures(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        for (library, took) in &self.libraries {
            let figure = |name, value, unit| Figure::new(("edits", &self.name), name, value, unit);
            figures.push(figure(library, took.ms, "ms"));
            figures.push(figure(library, took.bytes / 1e6, "MB"));
            figures.extend(took.codecs_ms.map(|ms| figure("decode and encode", ms, "ms")));
        }
        figures
    }
}

fn take_turns(work: (&Input, &Case), workers: &mut [Worker]) -> Fallible<Vec<Done>> {
    workers.iter_mut().map(|worker| worker.edit(work)).collect()
}

/// Sides may differ by a few pixels, because libraries round differently.
fn agree(name: &str, done: &[Done]) -> Fallible<()> {
    let first = done.first().ok_or("no worker answered")?;
    let near = |ours: u32, theirs: u32| ours.abs_diff(theirs) <= 4;
    match done.iter().find(|it| !near(first.width, it.width) || !near(first.height, it.height)) {
        Some(other) => Err(format!("{name}: {first:?} and {other:?} are not the same edit").into()),
        None => Ok(()),
    }
}

fn took(turns: &[Done]) -> Took {
    let of = |what: fn(&Done) -> f64| median(turns.iter().map(what).collect());
    let tells = turns.iter().all(|done| done.codecs_ms.is_some());
    let codecs_ms = tells.then(|| of(|done| done.codecs_ms.unwrap_or_default()));
    Took { ms: of(|done| done.ms), codecs_ms, bytes: of(|done| f64::from(done.bytes)) }
}

/// Geometric means over all rows, with their targets.
fn summary(rows: &[Row]) -> Vec<Figure> {
    let ours = |row: &Row| row.libraries.first().map(|(_, took)| (took.ms, took.bytes));
    let libraries = rows.first().map(|row| &row.libraries[..]).unwrap_or_default();
    let mut figures = Vec::new();
    for (library, _) in libraries.iter().skip(1) {
        let ratios = |pick: fn((f64, f64), &Took) -> f64| {
            geometric_mean(rows.iter().filter_map(|row| Some(pick(ours(row)?, row.of(library)?))))
        };
        let is_rival = *library == RIVAL;
        let faster = ratios(|(ms, _), theirs| theirs.ms / ms);
        let larger = ratios(|(_, bytes), theirs| bytes / theirs.bytes);
        let figure = |name, value| Figure::new(("edits", library), name, value, "times");
        let mark = is_rival.then_some(Mark::AtLeast(FASTER_MIN));
        figures.push(figure("our speed", faster).against(mark));
        let mark = is_rival.then_some(Mark::AtMost(LARGER_MAX));
        figures.push(figure("our files", larger).against(mark));
    }
    let over = rows.iter().filter_map(|row| {
        let (_, took) = row.libraries.first()?;
        Some(took.ms / took.codecs_ms?)
    });
    let over = Figure::new(("edits", "all"), "over decode, encode", geometric_mean(over), "times");
    figures.push(over.against(Some(Mark::AtMost(OVER_CODECS_MAX))));
    figures
}

fn geometric_mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) =
        ratios.fold((0.0, 0.0), |(count, sum), ratio| (count + 1.0, sum + ratio.ln()));
    (sum / f64::max(count, 1.0)).exp()
}
