//! `healthcheck`: what a container asks.

use std::net::TcpListener;

use super::serve::Server;
use super::{Folder, Outcome, outcome};

fn healthcheck(folder: &Folder, address: &str, extra: &[&str]) -> Outcome {
    let mut command = folder.command(&[&["healthcheck"], extra].concat());
    command.env("RETOUCH_SERVER__LISTEN", address);
    outcome(command, "")
}

#[test]
fn a_running_server_is_healthy_and_ready() {
    let folder = Folder::new();
    let server = Server::start(folder.command(&["serve"]));
    let (_, address) = server.line.trim_end().rsplit_once('/').unwrap();
    for (extra, state) in [(&[][..], "alive"), (&["--ready"], "ready")] {
        let asked = healthcheck(&folder, address, extra);
        let said = format!("The server at {address} is {state}.\n");
        assert_eq!((asked.status, asked.stdout), (0, said));
    }
}

#[test]
fn what_is_not_a_healthy_server_fails_with_a_reason() {
    let folder = Folder::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let stranger = std::thread::spawn(move || drop(taken.accept()));
    let other = healthcheck(&folder, &address, &[]);
    assert_eq!((other.status, other.stdout.as_str()), (1, ""), "{other:?}");
    stranger.join().unwrap();
    let nobody = healthcheck(&folder, &address, &[]);
    assert_eq!(nobody.status, 1);
    assert!(nobody.stderr.contains(&format!("no server answers at {address}")), "{nobody:?}");
    assert!(!folder.path("retouch-data").exists());
}
