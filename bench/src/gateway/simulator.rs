//! The simulator of OpenAI, whose every result is one image.

use std::ffi::OsStr;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Command;

use crate::Fallible;
use crate::arguments::Plan;
use crate::folder::Folder;
use crate::process::Process;

/// The key that the simulator accepts.
pub(super) const KEY: &str = "sim-key";

/// The running simulator.
pub(super) struct Simulator {
    _process: Process,
    /// The address that it listens on.
    pub(super) address: SocketAddr,
    /// The base URL for clients.
    pub(super) url: String,
}

impl Simulator {
    /// Starts a simulator that returns `result` for every call.
    pub(super) fn start(plan: &Plan, folder: &Folder, result: &[u8]) -> Fallible<Self> {
        let file = folder.case()?.join("result.png");
        std::fs::write(&file, result)?;
        let mut command = Command::new(beside(plan, "retouch-sim")?);
        let flag = OsStr::new;
        command.args([flag("--key"), flag(KEY), flag("--records-max"), flag("0")]);
        command.args([flag("--picture"), file.as_ref()]);
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
