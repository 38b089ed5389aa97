//! Time from the program's start to its ready line, and its memory at rest.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Fallible;
use crate::arguments::Plan;
use crate::compare::median;
use crate::figure::{Figure, Mark};
use crate::folder::Folder;
use crate::process::Process;
use crate::service::LIMITS_ON_CALLS;

/// How many times each kind of start is measured.
const STARTS: u32 = 20;
/// Target: time until calls are answered, in seconds.
const READY_S_MAX: f64 = 0.3;
/// Target: memory of the idle service, in MB.
const IDLE_MB_MAX: f64 = 40.0;
/// How long it rests before its memory is measured.
const REST: Duration = Duration::from_secs(1);

/// Measures the first start on an empty folder, and starts after a crash.
///
/// # Errors
/// If the program is missing or does not start.
pub(crate) fn measure(plan: &Plan, folder: &Folder) -> Fallible<Vec<Figure>> {
    let binary = binary(plan)?;
    let (mut first, mut again) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let folder = folder.case()?;
        first.push(start(&binary, &folder.join("data"))?.took_s);
        again.push(start(&binary, &folder.join("data"))?.took_s);
    }
    let Started { process, .. } = start(&binary, &folder.case()?.join("data"))?;
    std::thread::sleep(REST);
    let figure = |case, name, value, unit| Figure::new(("start", case), name, value, unit);
    let ready = Some(Mark::AtMost(READY_S_MAX));
    let memory = process.memory_mb("VmRSS")?;
    Ok(vec![
        figure("empty folder", "ready", median(first), "s").against(ready),
        figure("after a crash", "ready", median(again), "s").against(ready),
        figure("at rest", "memory", memory, "MB").against(Some(Mark::AtMost(IDLE_MB_MAX))),
        figure("at rest", "memory of its own", process.memory_mb("RssAnon")?, "MB"),
    ])
}

/// A started service.
pub(crate) struct Started {
    pub(crate) process: Process,
    /// The address that it listens on.
    pub(crate) address: SocketAddr,
    /// The time to its ready line, in seconds.
    pub(crate) took_s: f64,
}

/// Starts the service with its data in `data`.
pub(crate) fn start(binary: &Path, data: &Path) -> Fallible<Started> {
    let mut command = Command::new(binary);
    command
        .arg("serve")
        .current_dir(data.parent().ok_or("no folder")?)
        .env("RETOUCH_SERVER__LISTEN", "127.0.0.1:0")
        .env("RETOUCH_STORE__DATA_DIR", data)
        .envs(LIMITS_ON_CALLS.map(|name| (name, "0")))
        .stderr(Stdio::null());
    let began = Instant::now();
    let mut process = Process::start(command)?;
    let line = process.line()?;
    let took_s = began.elapsed().as_secs_f64();
    let address = line.trim().rsplit_once("http://").ok_or("no address")?.1.parse()?;
    Ok(Started { process, address, took_s })
}

/// The program `retouch`.
pub(crate) fn binary(plan: &Plan) -> Fallible<PathBuf> {
    let beside = std::env::current_exe()?.with_file_name("retouch");
    let binary = std::path::absolute(plan.binary.as_ref().unwrap_or(&beside))?;
    if binary.exists() {
        return Ok(binary);
    }
    let shown = binary.display();
    Err(format!("{shown} is missing; build it (cargo build --release) or name it: --binary").into())
}
