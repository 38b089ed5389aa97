//! The other processes: started, watched and ended, so that their memory and time can be measured.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde::de::DeserializeOwned;

use crate::Fallible;

/// The clock ticks in which Linux reports processor time: always 100 a second (`man 5 proc`,
/// `USER_HZ`).
pub(crate) const TICKS_PER_SECOND: f64 = 100.0;

/// The name of an environment variable, and its value.
pub(crate) type Setting = (String, String);

/// A process, which is ended when this value is dropped.
pub(crate) struct Process {
    child: Child,
    lines: Option<BufReader<ChildStdout>>,
}

impl Process {
    /// Starts this same program in another role.
    pub(crate) fn role(arguments: &[&OsStr]) -> Fallible<Self> {
        Self::role_with(arguments, &[])
    }

    /// Starts this same program in another role, with these Retouch settings and no others in its
    /// environment.
    pub(crate) fn role_with(arguments: &[&OsStr], settings: &[Setting]) -> Fallible<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(arguments);
        for (name, _) in std::env::vars_os() {
            if name.as_encoded_bytes().starts_with(b"RETOUCH_") {
                command.env_remove(name);
            }
        }
        command.envs(settings.iter().map(|(name, value)| (name, value)));
        Self::start(command)
    }

    /// Starts a program whose standard output is read here.
    pub(crate) fn start(mut command: Command) -> Fallible<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let lines = child.stdout.take().ok_or("no standard output")?;
        Ok(Self { child, lines: Some(BufReader::new(lines)) })
    }

    /// Discards the process's further output, so that the process never blocks because nothing
    /// reads it.
    pub(crate) fn unread(mut self) -> Self {
        if let Some(mut lines) = self.lines.take() {
            std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
        }
        self
    }

    /// The next line that the process prints.
    pub(crate) fn line(&mut self) -> Fallible<String> {
        let mut line = String::new();
        let lines = self.lines.as_mut().ok_or("its output is not read")?;
        match lines.read_line(&mut line)? {
            0 => Err("the process ended without any output".into()),
            _ => Ok(line),
        }
    }

    /// The next line that the process prints, as JSON.
    pub(crate) fn said<T: DeserializeOwned>(&mut self) -> Fallible<T> {
        Ok(serde_json::from_str(&self.line()?)?)
    }

    /// Sends the process a line.
    pub(crate) fn tell(&mut self, line: &str) -> Fallible<()> {
        let input = self.child.stdin.as_mut().ok_or("it has been asked to stop")?;
        Ok(writeln!(input, "{line}")?)
    }

    /// Asks the process to stop by closing its standard input.
    pub(crate) fn ask_to_stop(&mut self) {
        drop(self.child.stdin.take());
    }

    /// Asks the process to stop, and waits until it has.
    pub(crate) fn stop(mut self) -> Fallible<()> {
        self.ask_to_stop();
        let status = self.child.wait()?;
        if status.success() { Ok(()) } else { Err(format!("a node ended with {status}").into()) }
    }

    /// The processor time that the process has used so far, in seconds.
    pub(crate) fn cpu_s(&self) -> Fallible<f64> {
        let stat = std::fs::read_to_string(self.file("stat"))?;
        let fields = stat.rsplit_once(") ").ok_or("no fields")?.1;
        // The 14th and 15th fields of the file; `fields` starts with the third.
        let ticks = fields.split(' ').skip(11).take(2).map(str::parse::<u64>);
        let ticks: u64 = ticks.sum::<Result<_, _>>()?;
        Ok(ticks as f64 / TICKS_PER_SECOND)
    }

    /// A line of `/proc/PID/status` such as `VmHWM`, in MB of 10^6 bytes.
    pub(crate) fn memory_mb(&self, name: &str) -> Fallible<f64> {
        memory_of(&self.child.id().to_string(), name)
    }

    /// The sum of such lines of the process and all that descend from it, in MB of 10^6 bytes.
    pub(crate) fn tree_memory_mb(&self, name: &str) -> f64 {
        let mut processes = vec![self.child.id().to_string()];
        let mut sum = 0.0;
        while let Some(process) = processes.pop() {
            // A process that has ended in the meantime has no memory.
            sum += memory_of(&process, name).unwrap_or(0.0);
            processes.extend(children(&process).unwrap_or_default());
        }
        sum
    }

    /// The number of the process's open files, including sockets.
    pub(crate) fn files(&self) -> Fallible<f64> {
        Ok(std::fs::read_dir(self.file("fd"))?.count() as f64)
    }

    /// The number of the process's threads.
    pub(crate) fn threads(&self) -> Fallible<f64> {
        Ok(std::fs::read_dir(self.file("task"))?.count() as f64)
    }

    fn file(&self, name: &str) -> std::path::PathBuf {
        Path::new("/proc").join(self.child.id().to_string()).join(name)
    }
}

/// The memory of this process, in MB of 10^6 bytes.
pub(crate) fn own_memory_mb() -> Fallible<f64> {
    memory_of("self", "VmRSS")
}

fn memory_of(process: &str, name: &str) -> Fallible<f64> {
    let status = std::fs::read_to_string(Path::new("/proc").join(process).join("status"))?;
    let value = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    let kibibytes = value.and_then(|value| value.trim().strip_suffix(" kB"));
    Ok(kibibytes.ok_or("no such line")?.parse::<f64>()? * 1024.0 / 1e6)
}

/// The processes that the threads of `process` started.
fn children(process: &str) -> std::io::Result<Vec<String>> {
    let mut found = Vec::new();
    for thread in std::fs::read_dir(Path::new("/proc").join(process).join("task"))? {
        let children = std::fs::read_to_string(thread?.path().join("children"))?;
        found.extend(children.split_whitespace().map(str::to_owned));
    }
    Ok(found)
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
