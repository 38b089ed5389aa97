//! Samples of the service's resource use, every few seconds.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::callers::Callers;
use super::mix::Kind;
use crate::Fallible;
use crate::compare::median;
use crate::process::Process;
use crate::waits::Waits;

/// The most samples of a run, and the shortest time between two.
const LOOKS_MAX: f64 = 360.0;
const PAUSE_S_MIN: f64 = 0.25;

/// One sample, and the answers since the previous one.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Sample {
    /// The time since the beginning of the load, in seconds.
    pub(crate) at_s: f64,
    /// All memory, in MB of 10^6 bytes.
    pub(crate) memory_mb: f64,
    /// Memory that is not backed by files, in MB of 10^6 bytes.
    pub(crate) own_mb: f64,
    /// Open files, including sockets.
    pub(crate) files: f64,
    /// Threads.
    pub(crate) threads: f64,
    /// Answers.
    pub(crate) calls: usize,
    /// The median time, in milliseconds.
    pub(crate) p50_ms: f64,
    /// The 99th percentile, in milliseconds.
    pub(crate) p99_ms: f64,
    /// The longest time, in milliseconds.
    pub(crate) worst_ms: f64,
}

/// All samples, and the time of every answer.
#[derive(Debug, Default)]
pub(super) struct Watched {
    /// The samples.
    pub(super) samples: Vec<Sample>,
    /// The time of each answer, in nanoseconds.
    pub(super) waits: Vec<(Kind, u64)>,
}

impl Watched {
    /// Takes samples until the task is aborted.
    pub(super) async fn go_on(&mut self, process: &Process, callers: &Callers, seconds: f64) {
        let begin = Instant::now();
        let pause = Duration::from_secs_f64((seconds / LOOKS_MAX).max(PAUSE_S_MIN));
        let mut turns = tokio::time::interval_at((begin + pause).into(), pause);
        loop {
            turns.tick().await;
            // If the process is gone, the callers report it.
            let _ = self.look(process, callers, begin.elapsed().as_secs_f64());
        }
    }

    fn look(&mut self, process: &Process, callers: &Callers, at_s: f64) -> Fallible<()> {
        let waits = std::mem::take(&mut callers.tally().waits);
        let times = Waits::new(waits.iter().map(|wait| wait.1).collect());
        self.waits.extend(waits);
        self.samples.push(Sample {
            at_s,
            memory_mb: process.memory_mb("VmRSS")?,
            own_mb: process.memory_mb("RssAnon")?,
            files: process.files()?,
            threads: process.threads()?,
            calls: times.count(),
            p50_ms: times.at_ms(0.5),
            p99_ms: times.at_ms(0.99),
            worst_ms: times.at_ms(1.0),
        });
        Ok(())
    }

    /// The medians of a number in the three thirds of the time.
    pub(super) fn thirds(&self, number: fn(&Sample) -> f64) -> [f64; 3] {
        let length = self.samples.len();
        [0, 1, 2].map(|third| {
            let (from, to) = (third * length / 3, (third + 1) * length / 3);
            median(self.samples.get(from..to).unwrap_or_default().iter().map(number).collect())
        })
    }

    /// The growth of a number per hour: the slope of a line fitted to the samples of the second
    /// half of the time (least squares); zero with fewer than two samples.
    pub(super) fn growth_per_hour(&self, number: fn(&Sample) -> f64) -> f64 {
        let half = self.samples.get(self.samples.len() / 2..).unwrap_or_default();
        let points: Vec<(f64, f64)> = half.iter().map(|it| (it.at_s, number(it))).collect();
        slope(&points) * 3_600.0
    }
}

fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
    let both: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let squares: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    if squares > 0.0 { both / squares } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_among_points_beside_it() {
        let points = [(0.0, 1.0), (1.0, 2.5), (2.0, 4.5), (3.0, 6.0)];
        assert!((slope(&points) - 1.7).abs() < 1e-9);
        assert_eq!((slope(&points[..1]), slope(&[])), (0.0, 0.0));
    }
}
