//! The two ways to call: as fast as the answers come, and at times that don't depend on them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use retouch_core::{Entropy, SeededEntropy};
use tokio::sync::mpsc::{Sender, channel};
use tokio::task::{JoinError, JoinSet};

use super::callers::Callers;
use crate::Fallible;

/// The most running calls. With more, the service is so far behind that nothing can be learned.
const UNDER_WAY_MAX: usize = 10_000;
/// How many calls may be due before they are made.
const DUE_MAX: usize = 1_024;
/// The seed of the times between calls.
const SEED: u64 = 11;

/// Keeps that many callers calling, one call after another, for some time. Returns answers per
/// second. The numbers of the calls continue from `number`.
pub(super) async fn closed(
    callers: &Callers,
    connections: usize,
    (seconds, number): (f64, &Arc<AtomicU64>),
) -> f64 {
    let begin = Instant::now();
    let first = number.load(Ordering::Relaxed);
    let mut all = JoinSet::new();
    for _ in 0..connections {
        let (callers, number) = (callers.clone(), Arc::clone(number));
        all.spawn(async move {
            while begin.elapsed().as_secs_f64() < seconds {
                callers.call(number.fetch_add(1, Ordering::Relaxed), Instant::now()).await;
            }
        });
    }
    while let Some(ended) = all.join_next().await {
        note(callers, &ended);
    }
    (number.load(Ordering::Relaxed) - first) as f64 / begin.elapsed().as_secs_f64()
}

/// Makes calls at a rate for some time, each when it is due, whatever happened to earlier calls.
///
/// # Errors
/// If the service falls behind more and more.
pub(super) async fn open(
    callers: &Callers,
    per_second: f64,
    (seconds, number): (f64, &Arc<AtomicU64>),
) -> Fallible<()> {
    let (sender, mut due) = channel(DUE_MAX);
    // Tokio's timers have a resolution of a millisecond.
    std::thread::spawn(move || pace(per_second, seconds, &sender));
    let mut under_way = JoinSet::new();
    while let Some(at) = due.recv().await {
        let (caller, number) = (callers.clone(), number.fetch_add(1, Ordering::Relaxed));
        under_way.spawn(async move { caller.call(number, at).await });
        while let Some(ended) = under_way.try_join_next() {
            note(callers, &ended);
        }
        if under_way.len() > UNDER_WAY_MAX {
            return Err("the service has fallen behind the load; offer less: --share".into());
        }
    }
    while let Some(ended) = under_way.join_next().await {
        note(callers, &ended);
    }
    Ok(())
}

/// Counts a call that did not finish and therefore has no answer.
fn note(callers: &Callers, ended: &Result<(), JoinError>) {
    if ended.is_err() {
        callers.broke_off();
    }
}

/// Sends when each call is due: at independent times (a Poisson process).
fn pace(per_second: f64, seconds: f64, due: &Sender<Instant>) {
    let (begin, chance) = (Instant::now(), SeededEntropy::new(SEED));
    let mut at_s = 0.0;
    loop {
        at_s += -between_nought_and_one(&chance).ln() / per_second;
        if at_s >= seconds {
            return;
        }
        let at = begin + Duration::from_secs_f64(at_s);
        std::thread::sleep(at.saturating_duration_since(Instant::now()));
        if due.blocking_send(at).is_err() {
            return;
        }
    }
}

/// A number above zero and up to one.
fn between_nought_and_one(chance: &SeededEntropy) -> f64 {
    let mut bytes = [0; 4];
    chance.fill(&mut bytes);
    (f64::from(u32::from_le_bytes(bytes)) + 1.0) / (f64::from(u32::MAX) + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::Ready;

    #[test]
    fn the_times_between_calls_have_the_mean_that_was_asked_for() {
        let chance = SeededEntropy::new(SEED);
        let sum: f64 = (0..20_000).map(|_| -between_nought_and_one(&chance).ln()).sum();
        assert!((sum / 20_000.0 - 1.0).abs() < 0.03, "{sum}");
    }

    #[tokio::test]
    async fn a_call_that_breaks_off_is_counted() {
        let address = ([127, 0, 0, 1], 9).into();
        let ready = Ready { address, rest_mb: 0.0, keys: vec![String::new()] };
        let callers = Callers::new(&ready).unwrap();
        let counted = || callers.tally().unexpected.values().sum::<u64>();
        let mut calls = JoinSet::new();
        calls.spawn(async {});
        note(&callers, &calls.join_next().await.unwrap());
        assert_eq!(counted(), 0);
        calls.spawn(std::future::pending());
        calls.abort_all();
        note(&callers, &calls.join_next().await.unwrap());
        assert_eq!(counted(), 1);
    }
}
