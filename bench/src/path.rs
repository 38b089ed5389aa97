//! Edits over HTTP, from the request to the stored and charged result.

use crate::Fallible;
use crate::arguments::Plan;
use crate::client::Load;
use crate::cost::{Meter, per_edit};
use crate::figure::{Figure, Mark};
use crate::folder::Folder;
use crate::places::Places;
use crate::running::{Service, Shape};

/// The measured results: name, size in bytes, and the target in edits per second for 16 connections
/// on the embedded database.
pub(crate) const RESULTS: [(&str, u32, f64); 2] =
    [("8 KB", 8_000, 3_000.0), ("1.5 MB", 1_500_000, 150.0)];
/// Connections, processes and accounts of each case. With as many accounts as connections, each
/// account stays with one process. With one account, all processes change the same balance.
const CASES: [(usize, usize, usize); 4] = [(1, 1, 1), (16, 1, 1), (16, 4, 16), (16, 4, 1)];
/// The part of a case's time before measuring begins, so that caches, pools and the database's log
/// reach their usual size.
const WARM_UP: f64 = 0.2;

/// Measures each size of result at each number of connections, on the given servers, and with
/// several processes if both servers are given.
///
/// # Errors
/// If a call fails, or the ledger does not have every call charged exactly once.
pub(crate) fn measure(plan: &Plan, folder: &Folder) -> Fallible<Vec<Figure>> {
    let mut figures = Vec::new();
    for (name, bytes, least) in RESULTS {
        for (connections, nodes, accounts) in CASES {
            let case = Case { name, connections, shape: Shape { bytes, nodes, accounts }, least };
            if case.is_wanted(plan) {
                figures.extend(case.measure(plan, folder)?);
            }
        }
    }
    Ok(figures)
}

struct Case {
    name: &'static str,
    connections: usize,
    shape: Shape,
    least: f64,
}

impl Case {
    fn is_wanted(&self, plan: &Plan) -> bool {
        let are_shared = plan.postgres.is_some() && plan.s3.is_some();
        (self.shape.nodes == 1 || are_shared) && self.title("").contains(&plan.case)
    }

    fn title(&self, places: &str) -> String {
        let Self { name, connections, shape: Shape { nodes, accounts, .. }, .. } = self;
        let several = match (nodes, accounts) {
            (1, _) => String::new(),
            (_, 1) => format!(", {nodes} nodes, 1 account"),
            _ => format!(", {nodes} nodes"),
        };
        format!("{name}, {connections} at once{places}{several}")
    }

    fn measure(&self, plan: &Plan, folder: &Folder) -> Fallible<Vec<Figure>> {
        let places = Places::of(plan)?;
        let service = Service::start_on(&places, folder, self.shape)?;
        let loads = service.loads(self.connections, plan.seconds)?;
        let warm_up: Vec<_> = loads.iter().cloned().map(|load| shortened(load, WARM_UP)).collect();
        let warm_up = service.drive(&warm_up)?;
        let meter = Meter::new(&service, &places);
        meter.settle();
        let (late_before, before) = (meter.late()?, meter.now()?);
        let answered = service.drive(&loads)?;
        let after = meter.now()?;
        meter.settle();
        let late_after = meter.late()?;
        let memory = service.memory_peak_mb()?;
        service.finish(warm_up.waits.count() + answered.waits.count())?;
        let count = answered.waits.count() as f64;
        let title = self.title(places.title());
        let figure = |name, value, unit| Figure::new(("path", &title), name, value, unit);
        let is_embedded = places.title().is_empty();
        let mark = (self.connections > 1 && is_embedded).then_some(Mark::AtLeast(self.least));
        let mut figures = vec![
            figure("edits", count / answered.took_s, "1/s").against(mark),
            figure("p50", answered.waits.at_ms(0.5), "ms"),
            figure("p99", answered.waits.at_ms(0.99), "ms"),
            figure("server's peak memory", memory, "MB"),
        ];
        figures.extend(per_edit(("path", &title), (&before, &after), count));
        figures.extend(per_edit(("path", &title), (&late_before, &late_after), count));
        Ok(figures)
    }
}

fn shortened(load: Load, part: f64) -> Load {
    let seconds = load.seconds * part;
    Load { seconds, ..load }
}
