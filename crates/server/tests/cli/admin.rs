//! The link that makes somebody the first administrator.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::Folder;

#[test]
fn a_link_is_printed_where_the_address_is_known() {
    let folder = Folder::new();
    let done = folder.run(&["admin", "link"]);
    assert_eq!(done.status, 0, "{done:?}");
    let begins = "http://127.0.0.1:8080/first-administrator?token=";
    let token = done.stdout.strip_prefix(begins).unwrap().trim_end();
    assert_eq!(token.len(), 43, "{done:?}");
    let another = folder.json(&["admin", "link", "--json"]);
    assert!(another["link"].as_str().unwrap().starts_with(begins));
    assert!(!another["link"].as_str().unwrap().ends_with(token), "a new one each time");

    let mut anywhere = folder.command(&["admin", "link"]);
    anywhere.env("RETOUCH_SERVER__LISTEN", "127.0.0.1:0");
    let refused = super::outcome(anywhere, "");
    assert_eq!((refused.status, refused.stdout.as_str()), (1, ""));
    assert!(refused.stderr.contains("server.public_url"), "{refused:?}");
}

#[test]
fn a_server_that_nobody_administers_prints_a_link() {
    let folder = Folder::new();
    let mut command = folder.command(&["serve"]);
    command.env("RETOUCH_SERVER__LISTEN", "127.0.0.1:0");
    let mut server = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(server.stderr.take().unwrap()).lines().map(Result::unwrap);
    let link = lines.find(|line| line.contains("/first-administrator?token="));
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(link.unwrap().trim().starts_with("http://127.0.0.1:"));
}
