//! The real binary on a folder of its own: started, called, stopped, killed, started again.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::http::{self, Connection};

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_retouch");
/// The account that pays for everything.
pub(crate) const EMAIL: &str = "payer@example.com";
/// The command that creates it. It reads the password from standard input.
pub(crate) const CREATE_ACCOUNT: [&str; 5] =
    ["account", "create", "--email", EMAIL, "--password-stdin"];
pub(crate) const PASSWORD: &str = "correct horse battery";

/// The limits on calls that are on by default, and that the tests' own calls exceed.
const LIMITS_ON_CALLS: [&str; 5] = [
    "RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ACCOUNT",
    "RETOUCH_EDITS__CALLS_PER_MINUTE_PER_ADDRESS",
    "RETOUCH_EDITS__FAILURES_PER_MINUTE_PER_ACCOUNT",
    "RETOUCH_SERVER__READS_PER_MINUTE_PER_ACCOUNT",
    "RETOUCH_SERVER__READS_PER_MINUTE_PER_ADDRESS",
];

/// A data folder, its settings, and the account and key that the tests use.
pub(crate) struct Installation {
    folder: TempDir,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) key: String,
}

/// A running service.
pub(crate) struct Service {
    child: Child,
    /// Kept open: a closed reader is another test's subject.
    _output: BufReader<ChildStdout>,
    pub(crate) address: SocketAddr,
    /// From the start of the process to its ready line.
    pub(crate) ready: Duration,
}

impl Installation {
    /// A place for a data folder.
    pub(crate) fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder, environment: Vec::new(), key: String::new() }
    }

    /// An empty data folder with one account and one API key, created on the command line.
    pub(crate) fn new(environment: &[(&str, &str)]) -> Self {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let environment = environment.iter().map(own).collect();
        let mut installation = Self { environment, ..Self::empty() };
        installation.create_database();
        installation.run(&CREATE_ACCOUNT, PASSWORD);
        installation.create_key();
        installation
    }

    /// Creates the tables of the database. Only `serve` creates a database; an empty file is one too,
    /// and `migrate` is faster.
    pub(crate) fn create_database(&self) {
        fs::create_dir_all(self.data()).unwrap();
        let mut file = OpenOptions::new();
        file.append(true).create(true).open(self.data().join("retouch.db")).unwrap();
        self.run(&["migrate"], "");
    }

    /// Creates the key that tests call with.
    pub(crate) fn create_key(&mut self) {
        let scopes = ["--name", "test", "--scopes", "edit,read,delete"];
        let key = self.run(&[&["key", "create", "--account", EMAIL], &scopes[..]].concat(), "");
        self.key = key.trim().to_owned();
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// What all services of this folder have written to standard error so far.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.log_file()).unwrap_or_default()
    }

    /// Grants the account credits, also while a service runs.
    pub(crate) fn grant(&self, credits: i64) {
        let credits = credits.to_string();
        let reason = ["--reason", "a test"];
        let grant = ["credits", "grant", "--account", EMAIL, "--credits", &credits];
        self.run(&[&grant[..], &reason[..]].concat(), "");
    }

    /// Verifies the ledger, and fails if it is not correct.
    pub(crate) fn verify(&self) {
        self.run(&["credits", "verify"], "");
    }

    /// Runs a command, which must succeed, and returns its standard output.
    pub(crate) fn run(&self, arguments: &[&str], input: &str) -> String {
        let output = feed(self.command(BINARY).args(arguments), input);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {}: {said}", output.status);
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn start(&self) -> Service {
        self.start_after("")
    }

    /// Starts the service in a shell that has run `preparation`.
    pub(crate) fn start_after(&self, preparation: &str) -> Service {
        let started = self.try_start_after(preparation);
        started.unwrap_or_else(|line| panic!("no ready line but {line:?}:\n{}", self.log()))
    }

    /// Starts the service. If it ends before it is ready, returns what it has printed.
    pub(crate) fn try_start_after(&self, preparation: &str) -> Result<Service, String> {
        let log = OpenOptions::new().create(true).append(true).open(self.log_file()).unwrap();
        let started = Instant::now();
        let mut child = self.spawn(preparation, log);
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let ready = started.elapsed();
        let address = line.trim().split_once("http://").and_then(|(_, text)| text.parse().ok());
        let Some(address) = address else {
            let _ = child.kill();
            return Err(format!("{line}, {:?}", child.wait()));
        };
        Ok(Service { child, _output: output, address, ready })
    }

    fn spawn(&self, preparation: &str, log: File) -> Child {
        let mut command = self.command("sh");
        command.args(["-c", &format!("{preparation} exec \"$0\" serve"), BINARY]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log).spawn().unwrap()
    }

    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        // The settings of this machine must not have any effect.
        command.env_clear().current_dir(self.folder.path());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("RETOUCH_STORE__DATA_DIR", self.data());
        command.env("RETOUCH_SERVER__LISTEN", "127.0.0.1:0");
        command.envs(LIMITS_ON_CALLS.map(|name| (name, "0")));
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    fn log_file(&self) -> PathBuf {
        self.folder.path().join("log")
    }
}

/// Runs a command with this input. Returns how it ended and what it printed.
pub(crate) fn feed(command: &mut Command, input: &str) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that ends without reading is judged by its exit status.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

impl Service {
    /// Kills the process. What it has written stays; see `power.rs` for what else may be lost.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks the process to end, and waits until it has.
    pub(crate) fn stop(mut self) -> ExitStatus {
        self.signal("TERM");
        self.child.wait().unwrap()
    }

    /// Sends the process a signal.
    pub(crate) fn signal(&self, name: &str) {
        let line = format!("kill -{name} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &line]).status().unwrap().success());
    }

    /// The kernel's file about the process in `/proc`.
    pub(crate) fn proc(&self, name: &str) -> PathBuf {
        Path::new("/proc").join(self.child.id().to_string()).join(name)
    }

    /// The JSON at `path`, for the account of `key`.
    pub(crate) fn get(&self, path: &str, key: &str) -> Value {
        let mut connection = Connection::open(self.address).unwrap();
        let request = http::request(&format!("GET {path}"), &[http::bearer(key)], None);
        let answer = connection.call(&request).unwrap();
        assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.body));
        answer.json()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // A failed test leaves no process behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
