//! `serve`: one server per database, and connections that send nothing.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::Folder;

/// A server, killed when dropped, and its first line of output: empty if it ended before it was
/// ready.
pub(super) struct Server {
    pub(super) process: Child,
    pub(super) line: String,
}

impl Server {
    pub(super) fn start(mut command: Command) -> Self {
        command.env("RETOUCH_SERVER__LISTEN", "127.0.0.1:0");
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { process, line }
    }

    /// Where it listens.
    pub(super) fn url(&self) -> String {
        format!("http{}", self.line.trim_end().rsplit_once("http").unwrap().1)
    }

    /// The complete answer to a call such as `GET /metrics`, sent with these header lines.
    pub(super) fn answer(&self, call: &str, head: &[String], body: &Value) -> String {
        let (_, address) = self.line.trim_end().rsplit_once('/').unwrap();
        let mut connection = TcpStream::connect(address).unwrap();
        connection.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let head: String = head.iter().map(|line| format!("{line}\r\n")).collect();
        write!(
            connection,
            "{call} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{head}\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        answer
    }
}

/// The header line with an API key.
pub(super) fn bearer(key: &str) -> String {
    format!("authorization: Bearer {key}")
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_database_has_one_server_whatever_the_data_folder() {
    let folder = Folder::new();
    let first = Server::start(folder.command(&["serve"]));
    assert!(first.line.contains("is ready at http://127.0.0.1:"), "{}", first.line);

    let same = Server::start(folder.command(&["serve"]));
    let mut elsewhere = folder.command(&["serve"]);
    elsewhere.env("RETOUCH_STORE__DATA_DIR", "elsewhere");
    elsewhere.env("RETOUCH_STORE__DATABASE_URL", "sqlite:retouch-data/retouch.db");
    for mut second in [same, Server::start(elsewhere)] {
        assert_eq!(second.line, "", "the second server must not start");
        assert_eq!(second.process.wait().unwrap().code(), Some(1));
        let said = std::io::read_to_string(second.process.stderr.take().unwrap()).unwrap();
        assert!(said.contains("another server is using"), "{said}");
    }
    assert!(!folder.path("elsewhere").exists(), "the second server created nothing");
}

#[test]
fn connections_that_do_not_say_what_they_want_give_their_places_back() {
    let folder = Folder::new();
    let mut command = folder.command(&["serve"]);
    command.env("RETOUCH_SERVER__CONNECTIONS_MAX", "2");
    command.env("RETOUCH_SERVER__HEADER_READ_TIME_MAX", "200 ms");
    let server = Server::start(command);
    let (_, address) = server.line.trim_end().rsplit_once('/').unwrap();
    let silent = TcpStream::connect(address).unwrap();
    let mut halfway = TcpStream::connect(address).unwrap();
    halfway.write_all(b"PRI * HTTP").unwrap();

    let mut third = TcpStream::connect(address).unwrap();
    third.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    third.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    third.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    drop((silent, halfway));
}

#[cfg(unix)]
#[test]
fn a_stop_that_is_announced_first_tells_balancers_and_goes_on_taking_calls() {
    let folder = Folder::new();
    let mut command = folder.command(&["serve"]);
    command.env("RETOUCH_SERVER__STOP_ANNOUNCE", "10 min");
    let server = Server::start(command);
    let (_, address) = server.line.trim_end().rsplit_once('/').unwrap();
    let ask = |path: &str| {
        let mut connection = TcpStream::connect(address).unwrap();
        connection.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        write!(connection, "GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(ask("/readyz").starts_with("HTTP/1.1 200 "));
    terminate(&server);
    // Wait until the signal is handled.
    while ask("/readyz").starts_with("HTTP/1.1 200 ") {}
    assert!(ask("/readyz").contains("The service is stopping."));
    assert!(ask("/api/models").starts_with("HTTP/1.1 200 "));
}

#[cfg(unix)]
fn terminate(server: &Server) {
    let id = i32::try_from(server.process.id()).unwrap();
    let id = rustix::process::Pid::from_raw(id).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
}

#[cfg(unix)]
#[test]
fn a_service_that_is_stopped_the_moment_it_is_ready_ends_well() {
    let folder = Folder::new();
    for round in 0..20 {
        let mut server = Server::start(folder.command(&["serve"]));
        terminate(&server);
        let ended = server.process.wait().unwrap();
        assert!(ended.success(), "round {round}: {ended}");
    }
}
