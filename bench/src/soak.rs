//! A long load: calls of all kinds at seven tenths of the service's capacity, at times that do not
//! depend on its answers. Checks that memory stays flat, nothing fails, and the ledger is correct
//! at the end.

mod callers;
mod kept;
mod load;
mod mix;
mod watch;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::Fallible;
use crate::arguments::{Plan, SoakArguments};
use crate::cost::numbers;
use crate::figure::{Figure, Mark};
use crate::folder::Folder;
use crate::places::Places;
use crate::running::{Service, Shape};
use crate::service::PRICE;
use crate::waits::Waits;
use callers::Callers;
use mix::Kind;
pub(crate) use watch::Sample;
use watch::Watched;

/// Accounts that call in turn.
const ACCOUNTS: usize = 8;
/// Concurrent callers while the capacity is measured.
const CONNECTIONS: usize = 16;
/// The size of small results, in bytes.
const SMALL_BYTES: u32 = 8_000;
/// How much the last third of the time may exceed the middle third, as medians. After a third,
/// caches and pools have their size, so further growth is a leak.
const TIMES_MAX: f64 = 1.05;
/// How much a line fitted to the second half of the time may rise in an hour, relative to the
/// value.
const GROWTH_PER_HOUR_MAX: f64 = 0.1;
/// Smaller increases in an hour, or from one third to the next, cannot be distinguished from
/// chance. In MB.
const GROWTH_MB_SEEN: f64 = 2.0;
/// Increases of open files and threads up to this number mean nothing.
const MORE_SEEN: f64 = 8.0;
/// Shorter runs say nothing about growth, in minutes.
const GROWTH_MINUTES_MIN: f64 = 30.0;

/// The service's own metrics at the end of the load: their names in the metrics and in the results.
const LEFT: [(&str, &str); 3] = [
    ("edits open", "retouch_edits_open"),
    ("edits running", "retouch_edits_running"),
    ("commands waiting", "retouch_database_waiting"),
];

/// Runs the load and verifies the ledger. Also returns samples of the service.
///
/// # Errors
/// If the service does not start, or falls behind more and more.
pub(crate) fn measure(
    asked: &SoakArguments,
    (plan, folder): (&Plan, &Folder),
) -> Fallible<(Vec<Figure>, Vec<Sample>)> {
    let places = Places::of(plan)?;
    let shape = Shape { bytes: SMALL_BYTES, nodes: 1, accounts: ACCOUNTS };
    let service = Service::start_on(&places, folder, shape)?;
    let callers = Callers::new(service.ready()?)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let number = Arc::new(AtomicU64::new(0));
    let capacity = runtime.block_on(capacity(asked, (plan, &callers), &number));
    let seconds = asked.minutes * 60.0;
    let rate = capacity * asked.share;
    let (mut watched, process) = (Watched::default(), service.process()?);
    runtime.block_on(async {
        tokio::select! {
            done = load::open(&callers, rate, (seconds, &number)) => done,
            () = watched.go_on(process, &callers, seconds) => Ok(()),
        }
    })?;
    watched.waits.append(&mut callers.tally().waits);
    let mut figures = vec![figure("load", "capacity", capacity, "1/s")];
    figures.push(figure("load", "offered", rate, "1/s"));
    figures.extend(answers(&watched, &callers));
    figures.extend(sizes(&watched, asked.minutes));
    let numbers = service.numbers()?;
    figures.extend(left(&numbers)?);
    figures.extend(books(service, &callers)?);
    Ok((figures, watched.samples))
}

/// The calls per second that the service can answer, as given or as measured.
async fn capacity(
    asked: &SoakArguments,
    (plan, callers): (&Plan, &Callers),
    number: &Arc<AtomicU64>,
) -> f64 {
    if let Some(rate) = asked.rate {
        return rate;
    }
    let measured = load::closed(callers, CONNECTIONS, (plan.seconds, number)).await;
    let mut tally = callers.tally();
    (tally.waits, tally.late) = (Vec::new(), 0);
    measured
}

/// What is left at the end of the load, according to the service's own metrics.
fn left(numbers: &str) -> Fallible<Vec<Figure>> {
    let figures = LEFT.map(|(name, number)| {
        let told = numbers::find(numbers, number);
        let value = told.ok_or_else(|| format!("the service has no metric {number}"))?;
        Ok(none("at the end", name, value))
    });
    figures.into_iter().collect()
}

fn answers(watched: &Watched, callers: &Callers) -> Vec<Figure> {
    let tally = callers.tally();
    let unexpected: u64 = tally.unexpected.values().sum();
    let all = watched.waits.len();
    let mut figures = vec![
        figure("answers", "all", all as f64, ""),
        figure("answers", "begun late", tally.late as f64, ""),
        none("answers", "unexpected", unexpected as f64),
    ];
    figures.extend(times("all", &watched.waits, |_| true));
    figures
        .extend(Kind::all().flat_map(|kind| times(kind.name(), &watched.waits, |it| it == kind)));
    figures
}

fn times(case: &str, waits: &[(Kind, u64)], is_wanted: impl Fn(Kind) -> bool) -> Vec<Figure> {
    let wanted = waits.iter().filter(|wait| is_wanted(wait.0)).map(|wait| wait.1);
    let waits = Waits::new(wanted.collect());
    let shares = [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999), ("worst", 1.0)];
    let times = shares.map(|(name, share)| figure(case, name, waits.at_ms(share), "ms"));
    let count = figure(case, "answers", waits.count() as f64, "");
    std::iter::once(count).chain(times).collect()
}

fn sizes(watched: &Watched, minutes: f64) -> Vec<Figure> {
    let own = |sample: &Sample| sample.own_mb;
    let [first, middle, last] = watched.thirds(own);
    let growth = watched.growth_per_hour(own);
    let mark = |most| (minutes >= GROWTH_MINUTES_MIN).then_some(Mark::AtMost(most));
    let growth_max = (middle * GROWTH_PER_HOUR_MAX).max(GROWTH_MB_SEEN);
    let times_max = TIMES_MAX.max(1.0 + GROWTH_MB_SEEN / middle.max(1.0));
    let all = watched.thirds(|sample| sample.memory_mb);
    let counted = [
        ("open files", watched.thirds(|sample| sample.files)),
        ("threads", watched.thirds(|sample| sample.threads)),
    ];
    let counts = counted.into_iter().flat_map(|(case, [_, middle, last])| {
        let most = (middle * TIMES_MAX).max(middle + MORE_SEEN);
        [
            figure(case, "middle third", middle, ""),
            figure(case, "last third", last, "").against(mark(most)),
        ]
    });
    let peak = watched.samples.iter().map(|sample| sample.memory_mb).fold(0.0, f64::max);
    let memory = [
        figure("memory of its own", "first third", first, "MB"),
        figure("memory of its own", "middle third", middle, "MB"),
        figure("memory of its own", "last third", last, "MB"),
        figure("memory of its own", "last to middle", last / middle.max(1.0), "times")
            .against(mark(times_max)),
        figure("memory of its own", "growth", growth, "MB/hour").against(mark(growth_max)),
        figure("memory of its own", "growth of it", growth / middle.max(1.0) * 100.0, "%/hour"),
        figure("memory", "middle third", all[1], "MB"),
        figure("memory", "last third", all[2], "MB"),
        figure("memory", "peak of the looks", peak, "MB"),
    ];
    memory.into_iter().chain(counts).collect()
}

/// Stops the service, and compares each account's charges with its answers.
fn books(service: Service, callers: &Callers) -> Fallible<Vec<Figure>> {
    let books = service.books()?;
    let tally = callers.tally();
    for (what, count) in &tally.unexpected {
        // Printed in addition to the figure, which only counts them.
        let _ = std::io::Write::write_fmt(
            &mut std::io::stderr(),
            format_args!("retouch-bench: {count} times {what}\n"),
        );
    }
    let accounts = tally.edited.iter().zip(&books.charged);
    let wrong = accounts.map(|(edited, charged)| (edited * PRICE - charged).abs()).sum::<i64>();
    let edited: i64 = tally.edited.iter().sum();
    Ok(vec![
        figure("books", "edits charged", edited as f64, ""),
        none("books", "charged wrongly", wrong as f64),
        none("books", "held", books.held as f64),
        none("books", "disagreements", books.wrong as f64),
    ])
}

/// A number whose target is zero.
fn none(case: &str, name: &'static str, value: f64) -> Figure {
    figure(case, name, value, "").against(Some(Mark::AtMost(0.0)))
}

fn figure(case: &str, name: &'static str, value: f64, unit: &'static str) -> Figure {
    Figure::new(("soak", case), name, value, unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of that many minutes in which memory, files and threads rise by that much in an hour.
    fn missed(minutes: f64, (own_mb, files): (f64, f64)) -> Vec<String> {
        let sample = |look: u32| {
            let hours = f64::from(look) / 360.0 * minutes / 60.0;
            Sample {
                at_s: hours * 3_600.0,
                memory_mb: 90.0,
                own_mb: 40.0 + own_mb * hours,
                files: 60.0 + files * hours,
                threads: 42.0 + files * hours,
                calls: 100,
                p50_ms: 1.0,
                p99_ms: 2.0,
                worst_ms: 3.0,
            }
        };
        let watched = Watched { samples: (0..360).map(sample).collect(), waits: Vec::new() };
        let figures = sizes(&watched, minutes).into_iter().filter(|it| it.met == Some(false));
        figures.map(|figure| format!("{}: {}", figure.case, figure.name)).collect()
    }

    #[test]
    fn what_goes_on_growing_is_found_in_half_an_hour_and_not_in_less() {
        let growth = "memory of its own: growth";
        assert_eq!(missed(30.0, (0.0, 0.0)), [""; 0]);
        assert_eq!(missed(30.0, (3.0, 12.0)), [""; 0], "too little to be told from chance");
        assert_eq!(missed(30.0, (8.0, 0.0)), [growth]);
        assert_eq!(missed(30.0, (0.0, 90.0)), ["open files: last third", "threads: last third"]);
        let both = ["memory of its own: last to middle", growth];
        assert_eq!(missed(30.0, (24.0, 0.0)), both);
        assert_eq!(missed(29.0, (24.0, 90.0)), [""; 0]);
    }

    #[test]
    fn what_the_service_does_not_tell_is_not_nought() {
        let told = "retouch_edits_open 0\nretouch_edits_running 0\nretouch_database_waiting 0\n";
        assert!(left(told).unwrap().iter().all(|figure| figure.met == Some(true)));
        assert!(left("retouch_edits_open 0\n").is_err());
    }
}
