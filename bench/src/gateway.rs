//! The whole path to a provider and back, compared with other gateways: all in front of the same
//! simulator of OpenAI, in turns, and the simulator alone.
//!
//! Retouch also charges durably and stores the image. The other gateways run without a database and
//! without logs, which is their best case.

mod call;
mod litellm;
mod peer;
mod portkey;
mod simulator;
mod turns;

use crate::arguments::Plan;
use crate::client::Load;
use crate::figure::{Figure, Mark};
use crate::folder::Folder;
use crate::running::Service;
use crate::{Fallible, picture};
use peer::Peer;
use simulator::Simulator;
use turns::{OURS, SIMULATOR, Turns};

/// Target: the median time that the whole path adds to a small call, in milliseconds.
const ADDED_MS_MAX: f64 = 0.6;
/// Target: memory of a running call, as a multiple of the bytes that it carries.
const MEMORY_TIMES_MAX: f64 = 3.0;

/// The sizes of the images in and out: name, bytes, and the target for Retouch's calls per second
/// as a multiple of LiteLLM's.
const SIZES: [(&str, u32, f64); 2] = [("8 KB", 8_000, 25.0), ("1.5 MB", 1_500_000, 4.0)];
/// Connections for the comparison of calls per second.
const CONNECTIONS: usize = 16;

/// Measures each size.
///
/// # Errors
/// If a call fails, a program is missing, or the ledger is wrong.
pub(crate) fn measure(plan: &Plan, folder: &Folder) -> Fallible<Vec<Figure>> {
    let mut figures = Vec::new();
    for size in SIZES.into_iter().filter(|(name, ..)| name.contains(&plan.case)) {
        figures.extend(case((plan, folder), size)?);
    }
    Ok(figures)
}

fn case((plan, folder): (&Plan, &Folder), size: (&str, u32, f64)) -> Fallible<Vec<Figure>> {
    let (name, bytes, times) = size;
    let (input, result) = (picture::result(bytes)?, picture::result(bytes)?);
    let upstream = Simulator::start(plan, folder, &result)?;
    let service = Service::in_front_of(folder, &upstream.url)?;
    let installed = plan.gateways.as_deref();
    let peers =
        installed.map_or_else(|| Ok(Vec::new()), |at| peer::start(at, folder, &upstream))?;

    let mut loads = vec![(SIMULATOR.to_owned(), call::direct(&input, &upstream))];
    loads.push((OURS.to_owned(), service.load_with(&input, 1, 0.0)?));
    loads.extend(peers.iter().map(|peer| (peer.title.clone(), peer.load(&input, &upstream))));
    for (title, load) in &loads {
        call::check(load, &result).map_err(|error| format!("{title}, {name}: {error}"))?;
    }
    let turns = Turns::take(loads, plan.seconds)?;

    let mut figures = turns.figures(name, (name == "8 KB").then_some(Mark::AtMost(ADDED_MS_MAX)));
    figures.extend(ratios(name, times, (&turns, &peers)));
    figures.extend(memory((name, bytes), &service, &peers)?);
    // The check above was charged, too.
    service.finish(turns.answered(OURS) + 1)?;
    Ok(figures)
}

/// Retouch's calls per second as a multiple of each gateway's.
fn ratios(name: &str, times: f64, (turns, peers): (&Turns, &[Peer])) -> Vec<Figure> {
    let ratio = |peer: &Peer| {
        let case = format!("{name}, {OURS} to {}", peer.title);
        let value = turns.calls(OURS) / turns.calls(&peer.title);
        let mark = peer.is_target().then_some(Mark::AtLeast(times));
        Figure::new(("gateway", &case), "calls", value, "times").against(mark)
    };
    peers.iter().map(ratio).collect()
}

/// The memory of each server, and of a running call to Retouch.
fn memory((name, bytes): (&str, u32), service: &Service, peers: &[Peer]) -> Fallible<Vec<Figure>> {
    let peak = |title: &str, megabytes| {
        Figure::new(("gateway", &format!("{name}, {title}")), "memory peak", megabytes, "MB")
    };
    let mut figures = vec![peak(OURS, service.memory_peak_mb()?)];
    figures.extend(peers.iter().map(|peer| peak(&peer.title, peer.memory_peak_mb())));
    let call = service.memory_per_call(bytes, CONNECTIONS)?;
    let figure = Figure::new(
        ("gateway", &format!("{name}, {OURS}")),
        "memory of a call",
        call,
        "x its bytes",
    );
    figures.push(figure.against(Some(Mark::AtMost(MEMORY_TIMES_MAX))));
    Ok(figures)
}

/// The same load from another number of connections, for another time.
fn with(load: &Load, connections: usize, seconds: f64) -> Load {
    Load { connections, seconds, ..load.clone() }
}
