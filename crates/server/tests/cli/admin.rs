//! The link that makes someone the first administrator.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use rusqlite::Connection;

use super::Folder;
use super::serve::Server;

#[test]
fn a_link_leads_to_the_running_service_whatever_the_settings_of_the_command() {
    let folder = Folder::new();
    let server = Server::start(folder.command(&["serve"]));
    let base = server.line.trim_end().rsplit_once(' ').unwrap().1.to_owned();
    let begins = format!("{base}/first-administrator?token=");
    let done = folder.run(&["admin", "link"]);
    assert_eq!(done.status, 0, "{done:?}");
    let token = done.stdout.strip_prefix(&begins).unwrap().trim_end();
    assert_eq!(token.len(), 43, "{done:?}");
    let another = folder.json(&["admin", "link", "--json"]);
    assert!(another["link"].as_str().unwrap().starts_with(&begins));
    assert!(!another["link"].as_str().unwrap().ends_with(token), "each link is new");

    drop(server);
    let refused = folder.run(&["admin", "link"]);
    assert_eq!((refused.status, refused.stdout.as_str()), (1, ""));
    assert!(refused.stderr.contains("no server is running on"), "{refused:?}");
}

#[test]
fn only_serve_creates_a_database() {
    let folder = Folder::new();
    let account = ["--account", "ada@example.com"];
    for asked in [
        vec!["admin", "link"],
        vec!["admin", "list"],
        vec!["account", "list"],
        vec!["account", "invite"],
        [&["credits", "show"], &account[..]].concat(),
        vec!["credits", "verify"],
        [&["key", "create", "--name", "x"], &account[..]].concat(),
        [&["plan", "show"], &account[..]].concat(),
        vec!["backup", "create", "backup"],
        vec!["migrate"],
        vec!["migrate", "--dry-run"],
        vec!["move", "--to", "sqlite:moved.db"],
    ] {
        let refused = folder.run(&asked);
        assert_eq!((refused.status, refused.stdout.as_str()), (1, ""), "{asked:?}: {refused:?}");
        let place = folder.0.path().canonicalize().unwrap().join("retouch-data/retouch.db");
        for said in [place.to_str().unwrap(), "store.data_dir", "RETOUCH_STORE__DATA_DIR"] {
            assert!(refused.stderr.contains(said), "{asked:?}: {refused:?}");
        }
    }
    let left: Vec<_> = std::fs::read_dir(folder.0.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");

    let mut command = folder.command(&["account", "list"]);
    command.env("RETOUCH_STORE__DATABASE_URL", "sqlite:other.db");
    let refused = super::outcome(command, "");
    assert!(refused.stderr.contains("other.db (store.database_url, RETOUCH_STORE__DATABASE_URL)"));
}

#[test]
fn the_link_of_the_first_administrator_is_not_in_what_collectors_keep() {
    let folder = Folder::new();
    let mut command = folder.command(&["serve"]);
    command.env("RETOUCH_SERVER__LISTEN", "127.0.0.1:0");
    let mut server = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(server.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut said: Vec<String> = Vec::new();
    // The last line of a start.
    while !said.last().is_some_and(|line| line.ends_with(" admin link")) {
        said.push(lines.next().unwrap());
    }
    server.kill().unwrap();
    server.wait().unwrap();
    let told = said.iter().any(|line| line.contains("token="));
    assert!(!told, "standard error is not a terminal here: {said:?}");
}

#[test]
fn administrators_are_made_listed_and_let_go() {
    let folder = Folder::new();
    for email in ["ada@example.com", "bob@example.com"] {
        folder.account(email);
    }
    let role = |verb: &str, email: &str| {
        folder.run(&["admin", verb, "--account", email, "--reason", "helps out"])
    };
    let made = role("add", "ada@example.com");
    assert_eq!(
        (made.status, made.stdout.as_str()),
        (0, "ada@example.com is now an administrator.\n")
    );
    let last = role("remove", "ada@example.com");
    assert_eq!(last.status, 1);
    assert!(last.stderr.contains("last administrator"), "{last:?}");
    assert_eq!(folder.run(&["admin", "link"]).status, 1, "there is an administrator already");
    assert_eq!(role("add", "bob@example.com").status, 0);
    assert_eq!(role("remove", "ada@example.com").status, 0);
    let listed = folder.json(&["admin", "list", "--json"]);
    assert_eq!(listed["data"].as_array().unwrap().len(), 1);
    assert_eq!(listed["data"][0]["email"], "bob@example.com");
    assert_eq!(role("add", "nobody@example.com").status, 1);
    let why = folder.run(&["admin", "add", "--account", "ada@example.com"]);
    assert_eq!(why.status, 2, "a reason is required: {why:?}");
}

#[test]
fn what_is_done_on_the_command_line_is_in_the_log() {
    let folder = Folder::new();
    folder.account("ada@example.com");
    let set = ["account", "set-password", "--email", "ada@example.com", "--password-stdin"];
    assert_eq!(folder.run_with(&set, "battery staple\n").status, 0);
    let key = ["key", "create", "--account", "ada@example.com", "--name", "robot", "--json"];
    let key = folder.json(&key);
    assert_eq!(folder.run(&["key", "revoke", key["id"].as_str().unwrap()]).status, 0);
    let grant = ["credits", "grant", "--account", "ada@example.com", "--credits", "5"];
    assert_eq!(folder.run(&[&grant[..], &["--reason", "sorry"]].concat()).status, 0);
    let rows = Connection::open(folder.path("retouch-data/retouch.db")).unwrap();
    let mut lines = rows.prepare("SELECT act, actor, subject FROM audit ORDER BY number").unwrap();
    let lines = lines.query_map([], |row| {
        Ok((row.get(0)?, row.get::<_, Option<String>>(1)?, row.get::<_, String>(2)?))
    });
    let lines: Vec<(String, _, String)> = lines.unwrap().map(Result::unwrap).collect();
    let acts: Vec<&str> = lines.iter().map(|(act, ..)| act.as_str()).collect();
    assert_eq!(acts, ["create_account", "set_password", "create_key", "revoke_key", "grant"]);
    for (act, actor, subject) in &lines {
        assert_eq!(*actor, None, "{act}: the command line has no account");
        assert!(subject.starts_with("acct_"), "{act}");
    }
}
