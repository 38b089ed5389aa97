//! The servers in turns, so that changes of the machine affect all of them.

use super::{CONNECTIONS, with};
use crate::Fallible;
use crate::client::{Answered, Load, drive};
use crate::compare::median;
use crate::figure::{Figure, Mark};

/// The name of Retouch in the figures.
pub(super) const OURS: &str = "ours";
/// The name of the simulator in the figures.
pub(super) const SIMULATOR: &str = "simulator alone";
/// How many turns each server takes, after one that does not count and warms it up.
const TURNS: u32 = 5;

/// The results of all turns.
pub(super) struct Turns {
    servers: Vec<Server>,
}

/// What one server reached.
struct Server {
    title: String,
    load: Load,
    /// Medians of a call, one at a time, in milliseconds.
    alone_ms: Vec<f64>,
    /// Calls per second.
    calls: Vec<f64>,
    /// Answered calls, including those of the turn that does not count.
    answered: usize,
}

impl Turns {
    /// Puts the loads on their servers. Each case takes `seconds` over all turns.
    pub(super) fn take(loads: Vec<(String, Load)>, seconds: f64) -> Fallible<Self> {
        let server = |(title, load)| {
            let (alone_ms, calls) = (Vec::new(), Vec::new());
            Server { title, load, alone_ms, calls, answered: 0 }
        };
        let mut servers: Vec<Server> = loads.into_iter().map(server).collect();
        for turn in 0..=TURNS {
            for server in &mut servers {
                let taken = server.turn(seconds / f64::from(TURNS), turn > 0);
                taken.map_err(|error| format!("{}: {error}", server.title))?;
            }
        }
        Ok(Self { servers })
    }

    /// Each server's figures for images of the size `name`, with the target for what Retouch adds.
    pub(super) fn figures(&self, name: &str, added_mark: Option<Mark>) -> Vec<Figure> {
        let figure =
            |case: String, what, value, unit| Figure::new(("gateway", &case), what, value, unit);
        let direct_ms = self.find(SIMULATOR).map_or(0.0, Server::p50_ms);
        let mut figures = Vec::new();
        for server in &self.servers {
            let Server { title, calls, .. } = server;
            let alone_ms = server.p50_ms();
            figures.push(figure(format!("{name}, {title}, 1 at once"), "p50", alone_ms, "ms"));
            if title != SIMULATOR {
                let added =
                    figure(format!("{name}, {title}, added"), "p50", alone_ms - direct_ms, "ms");
                figures.push(added.against(added_mark.filter(|_| title == OURS)));
            }
            let case = format!("{name}, {title}, {CONNECTIONS} at once");
            figures.push(figure(case, "calls", median(calls.clone()), "1/s"));
        }
        figures
    }

    /// The server's calls per second.
    pub(super) fn calls(&self, title: &str) -> f64 {
        self.find(title).map_or(0.0, |server| median(server.calls.clone()))
    }

    /// The server's answered calls.
    pub(super) fn answered(&self, title: &str) -> usize {
        self.find(title).map_or(0, |server| server.answered)
    }

    fn find(&self, title: &str) -> Option<&Server> {
        self.servers.iter().find(|server| server.title == title)
    }
}

impl Server {
    fn turn(&mut self, seconds: f64, is_counted: bool) -> Fallible<()> {
        let alone = drive(&with(&self.load, 1, seconds))?;
        let many = drive(&with(&self.load, CONNECTIONS, seconds))?;
        self.answered += alone.waits.count() + many.waits.count();
        if is_counted {
            self.alone_ms.push(alone.waits.at_ms(0.5));
            self.calls.push(rate(&many));
        }
        Ok(())
    }

    fn p50_ms(&self) -> f64 {
        median(self.alone_ms.clone())
    }
}

fn rate(answered: &Answered) -> f64 {
    answered.waits.count() as f64 / answered.took_s
}
