//! The whole path to a provider and back, compared with a common gateway: both in front of the same
//! simulator of OpenAI, in turns, and the simulator alone.
//!
//! Retouch also charges durably and stores the image. LiteLLM's proxy runs without its database,
//! which is its best case.

mod litellm;

use std::ffi::OsStr;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use bytes::Bytes;

use crate::arguments::Plan;
use crate::client::{Answered, Load, drive};
use crate::compare::median;
use crate::figure::{Figure, Mark};
use crate::folder::Folder;

use crate::process::Process;
use crate::running::Service;
use crate::{Fallible, picture};
use litellm::LiteLlm;

/// The key that the simulator accepts.
const KEY: &str = "sim-key";
/// How many turns each server takes. They alternate, so that changes of the machine affect all of
/// them.
const TURNS: u32 = 3;
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
    for size in SIZES {
        figures.extend(case((plan, folder), size)?);
    }
    Ok(figures)
}

fn case((plan, folder): (&Plan, &Folder), size: (&str, u32, f64)) -> Fallible<Vec<Figure>> {
    let (name, bytes, times) = size;
    let input = picture::result(bytes)?;
    let upstream = Simulator::start(plan, &folder.case()?, bytes)?;
    let service = Service::in_front_of(folder, &upstream.url)?;
    let rival = plan.litellm.as_deref().map(|program| LiteLlm::start(program, folder, &upstream));
    let rival = rival.transpose()?;
    let seconds = plan.seconds / f64::from(TURNS);
    let ours = service.load_with(&input, CONNECTIONS, seconds)?;
    let direct =
        Load { connections: 1, seconds, ..multipart(&input, upstream.address, "/openai/v1") };
    let mut found = Turns::default();
    for _ in 0..TURNS {
        found.direct.push(drive(&direct)?.waits.at_ms(0.5));
        let alone = drive(&Load { connections: 1, ..ours.clone() })?;
        found.alone.push(alone.waits.at_ms(0.5));
        let many = drive(&ours)?;
        found.charged += alone.waits.count() + many.waits.count();
        found.ours.push(rate(&many));
        if let Some(rival) = &rival {
            let load = multipart(&input, rival.address, "/v1");
            found.rival.push(rate(&drive(&Load { seconds, ..load })?));
        }
    }
    let memory = service.memory_per_call(bytes, CONNECTIONS)?;
    service.finish(found.charged)?;
    Ok(found.figures(name, (times, memory, rival.is_some())))
}

/// The results of the turns.
#[derive(Default)]
struct Turns {
    /// Medians of a call to the simulator itself, in milliseconds.
    direct: Vec<f64>,
    /// Medians of a call to Retouch, one at a time, in milliseconds.
    alone: Vec<f64>,
    /// Calls per second to Retouch.
    ours: Vec<f64>,
    /// Calls per second to LiteLLM's proxy.
    rival: Vec<f64>,
    /// Calls that were answered and therefore charged.
    charged: usize,
}

impl Turns {
    fn figures(self, name: &str, (times, memory, is_compared): (f64, f64, bool)) -> Vec<Figure> {
        let figure =
            |case: String, what, value, unit| Figure::new(("gateway", &case), what, value, unit);
        let (direct, alone) = (median(self.direct), median(self.alone));
        let (ours, rival) = (median(self.ours), median(self.rival));
        let added = (name == "8 KB").then_some(Mark::AtMost(ADDED_MS_MAX));
        let memory_mark = Some(Mark::AtMost(MEMORY_TIMES_MAX));
        let mut figures = vec![
            figure(format!("{name}, simulator alone, 1 at once"), "p50", direct, "ms"),
            figure(format!("{name}, ours, 1 at once"), "p50", alone, "ms"),
            figure(format!("{name}, added"), "p50", alone - direct, "ms").against(added),
            figure(format!("{name}, ours, {CONNECTIONS} at once"), "calls", ours, "1/s"),
            figure(format!("{name}, ours"), "memory of a call", memory, "x its bytes")
                .against(memory_mark),
        ];
        if is_compared {
            let case = format!("{name}, LiteLLM, {CONNECTIONS} at once");
            figures.push(figure(case, "calls", rival, "1/s"));
            let ratio = figure(format!("{name}, ours to LiteLLM"), "calls", ours / rival, "times");
            figures.push(ratio.against(Some(Mark::AtLeast(times))));
        }
        figures
    }
}

fn rate(answered: &Answered) -> f64 {
    answered.waits.count() as f64 / answered.took_s
}

/// The simulator of OpenAI, whose every result is one image.
pub(crate) struct Simulator {
    _process: Process,
    /// The address that it listens on.
    pub(crate) address: SocketAddr,
    /// The base URL for clients.
    pub(crate) url: String,
}

impl Simulator {
    fn start(plan: &Plan, folder: &Path, bytes: u32) -> Fallible<Self> {
        let result = folder.join("result.png");
        std::fs::write(&result, picture::result(bytes)?)?;
        let mut command = Command::new(beside(plan, "retouch-sim")?);
        let flag = OsStr::new;
        command.args([flag("--key"), flag(KEY), flag("--records-max"), flag("0")]);
        command.args([flag("--picture"), result.as_ref()]);
        let mut process = Process::start(command)?;
        let said = process.line()?;
        let origin = said.trim().strip_prefix("listening on http://").ok_or("no address")?;
        let url = format!("http://{origin}/openai/v1");
        Ok(Self { _process: process, address: origin.parse()?, url })
    }
}

/// A program next to this one, or next to the one given as `--binary`.
fn beside(plan: &Plan, name: &str) -> Fallible<PathBuf> {
    let here = std::env::current_exe()?;
    let program = plan.binary.as_ref().unwrap_or(&here).with_file_name(name);
    if program.exists() {
        return Ok(program);
    }
    let shown = program.display();
    Err(format!("{shown} is missing; build it: cargo build --release --workspace").into())
}

/// An edit as OpenAI's clients send it, to the server at `address` whose paths begin with `base`.
fn multipart(input: &[u8], address: SocketAddr, base: &str) -> Load {
    const BOUNDARY: &str = "retouch-bench-7d1f";
    let mut body = Vec::with_capacity(input.len() + 1024);
    for (name, value) in [("prompt", "make it warmer"), ("model", "gpt-image-2")] {
        let part = format!(
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        );
        body.extend_from_slice(part.as_bytes());
    }
    let file = format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"image\"; filename=\"a.png\"\r\n\
         content-type: image/png\r\n\r\n"
    );
    body.extend_from_slice(file.as_bytes());
    body.extend_from_slice(input);
    body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
    let head = format!(
        "POST {base}/images/edits HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {KEY}\r\n\
         content-type: multipart/form-data; boundary={BOUNDARY}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let request = Bytes::from([head.into_bytes(), body].concat());
    Load { address, request, connections: CONNECTIONS, seconds: 0.0 }
}
