//! The neighbor during a siege: it makes small edits one after another and polls the health check.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use super::{Siege, call, edit};
use crate::http;

/// The time between two edits: below the rate limit of an account.
const EDIT_EVERY: Duration = Duration::from_millis(1_100);
/// The time between two calls of `/healthz`.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What the neighbor experienced.
#[derive(Default)]
pub(crate) struct Neighbor {
    edits: Vec<Duration>,
    looks: Vec<Duration>,
    /// Answers that should not have happened.
    pub(crate) failed: Vec<String>,
}

/// Runs next to the siege until it ends.
pub(crate) fn live(siege: &Siege, key: &str) -> Neighbor {
    let image = base64_simd::STANDARD.encode_to_string(super::attacks::noise(64, 7));
    let edit = edit(key, &image);
    let look = http::request("GET /healthz", &[], None);
    let neighbor = Mutex::new(Neighbor::default());
    thread::scope(|scope| {
        let edits = Repeated { request: &edit, every: EDIT_EVERY };
        let looks = Repeated { request: &look, every: LOOK_EVERY };
        let neighbor = &neighbor;
        scope.spawn(move || edits.run(siege, neighbor, |it| &mut it.edits));
        scope.spawn(move || looks.run(siege, neighbor, |it| &mut it.looks));
    });
    neighbor.into_inner().unwrap()
}

/// A request that is sent again and again.
struct Repeated<'a> {
    request: &'a [u8],
    every: Duration,
}

impl Repeated<'_> {
    fn run(
        &self,
        siege: &Siege,
        neighbor: &Mutex<Neighbor>,
        taken: impl Fn(&mut Neighbor) -> &mut Vec<Duration>,
    ) {
        while !siege.wait(self.every) {
            let since = Instant::now();
            let answer = call(siege.address, 0, self.request);
            let took = since.elapsed();
            let mut neighbor = neighbor.lock().unwrap();
            match answer {
                Ok(answer) if answer.status == 200 => taken(&mut neighbor).push(took),
                Ok(answer) => {
                    neighbor.failed.push(String::from_utf8_lossy(&answer.body).into_owned());
                }
                Err(error) => neighbor.failed.push(error.to_string()),
            }
        }
    }
}

impl Neighbor {
    pub(crate) fn report(&self) {
        for (name, taken) in [("edits", &self.edits), ("/healthz", &self.looks)] {
            let mut taken = taken.clone();
            taken.sort_unstable();
            let at = |share: usize| taken.get(taken.len().saturating_sub(1) * share / 100);
            println!(
                "neighbor, {} {name}: p50 {:?}, p90 {:?}, p99 {:?}, worst {:?}",
                taken.len(),
                at(50).unwrap_or(&Duration::ZERO),
                at(90).unwrap_or(&Duration::ZERO),
                at(99).unwrap_or(&Duration::ZERO),
                at(100).unwrap_or(&Duration::ZERO),
            );
        }
    }
}
