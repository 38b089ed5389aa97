//! The command line: the real binary in a folder of its own.

#![expect(clippy::unwrap_used, reason = "a failed setup fails the test")]

#[path = "cli/admin.rs"]
mod admin;
#[path = "cli/batch.rs"]
mod batch;
#[path = "cli/books.rs"]
mod books;
#[path = "cli/edit.rs"]
mod edit;
#[path = "cli/healthcheck.rs"]
mod healthcheck;
#[path = "cli/images.rs"]
mod images;
#[path = "cli/key_file.rs"]
mod key_file;
#[path = "cli/mcp.rs"]
mod mcp;
#[path = "cli/metrics.rs"]
mod metrics;
#[path = "cli/migrate.rs"]
mod migrate;
#[path = "cli/moving.rs"]
mod moving;
#[path = "cli/nodes.rs"]
mod nodes;
#[path = "cli/plans.rs"]
mod plans;
#[path = "cli/providers.rs"]
mod providers;
#[path = "cli/serve.rs"]
mod serve;
#[path = "cli/settings.rs"]
mod settings;
#[path = "cli/traces.rs"]
mod traces;
#[path = "cli/usage.rs"]
mod usage;
#[path = "cli/welcome.rs"]
mod welcome;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// An address that refuses connections: a port below 1024 is never given to a test that asks for any port.
const REFUSING: &str = "127.0.0.1:1";

/// A folder in which commands run, with an empty environment.
struct Folder(TempDir);

/// The result of a command.
#[derive(Debug)]
struct Outcome {
    status: i32,
    stdout: String,
    stderr: String,
}

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_retouch"));
        command.args(arguments).current_dir(self.0.path()).env_clear();
        command
    }

    fn run(&self, arguments: &[&str]) -> Outcome {
        outcome(self.command(arguments), "")
    }

    fn run_with(&self, arguments: &[&str], input: &str) -> Outcome {
        outcome(self.command(arguments), input)
    }

    /// The JSON that a successful command prints.
    fn json(&self, arguments: &[&str]) -> Value {
        let done = self.run(arguments);
        assert_eq!(done.status, 0, "{done:?}");
        serde_json::from_str(&done.stdout).unwrap()
    }

    /// Creates the tables of the configured database. Only `serve` creates a database; an empty file is
    /// one too, and `migrate` is faster.
    fn database(&self) {
        std::fs::create_dir_all(self.path("retouch-data")).unwrap();
        let file = self.path("retouch-data/retouch.db");
        std::fs::OpenOptions::new().append(true).create(true).open(file).unwrap();
        let made = self.run(&["migrate"]);
        assert_eq!(made.status, 0, "{made:?}");
    }

    /// Creates an account with that email address and the sign-up credits.
    fn account(&self, email: &str) {
        self.database();
        let asked = ["account", "create", "--email", email, "--password-stdin"];
        let made = self.run_with(&asked, "correct horse\n");
        assert_eq!(made.status, 0, "{made:?}");
    }

    /// A server, and the API key of an account with the sign-up credits.
    fn serving(&self) -> (serve::Server, String) {
        self.account("ada@example.com");
        let asked = ["key", "create", "--account", "ada@example.com", "--name", "cli", "--json"];
        let key = self.json(&asked)["key"].as_str().unwrap().to_owned();
        (serve::Server::start(self.command(&["serve"])), key)
    }

    fn run_with_key(&self, key: &str, arguments: &[&str]) -> Outcome {
        let mut command = self.command(arguments);
        command.env("RETOUCH_API_KEY", key);
        outcome(command, "")
    }
}

fn outcome(mut command: Command, input: &str) -> Outcome {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that reads no input may end before the input is written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    Outcome {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The sample photo of the repository.
fn sample() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let mut files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.find(|path| path.extension().is_some_and(|end| end == "jpg")).unwrap()
}
