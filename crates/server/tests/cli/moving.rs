//! `retouch move`: to another file, and to a server on which nodes continue.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use super::nodes::{PICTURE, call};
use super::serve::Server;
use super::{Folder, Outcome, outcome};

/// Runs a command with another database and another image folder.
fn run_on(folder: &Folder, database: &str, arguments: &[&str]) -> Outcome {
    outcome(on(folder, database, arguments), "")
}

fn on(folder: &Folder, database: &str, arguments: &[&str]) -> Command {
    let mut command = folder.command(arguments);
    command.env("RETOUCH_STORE__DATABASE_URL", database);
    command.env("RETOUCH_STORE__BLOBS_URL", images(folder));
    command
}

fn images(folder: &Folder) -> String {
    format!("file://{}", folder.path("moved-images").display())
}

/// An account with a key and an edit, made by a server that has ended.
fn served(folder: &Folder) -> (String, String) {
    folder.account("ada@example.com");
    let scopes = ["--name", "laptop", "--scopes", "edit,read", "--json"];
    let create = [&["key", "create", "--account", "ada@example.com"], &scopes[..]].concat();
    let key = folder.json(&create)["key"].as_str().unwrap().to_owned();
    let server = Server::start(folder.command(&["serve"]));
    let (status, edited) = call(&server, &key, "POST /api/image-edit", &asked());
    assert_eq!(status, 200, "{edited}");
    let refused = folder.run(&["move", "--to", "sqlite:moved.db"]);
    assert_eq!(refused.status, 1, "{refused:?}");
    assert!(refused.stderr.contains("another server is using"), "{refused:?}");
    (key, edited["generation"]["uuid"].as_str().unwrap().to_owned())
}

fn asked() -> Value {
    // A result that is stored as a file, because it is too large to be a row of the database.
    let instruction = "make it grey, resize it to 500x500 pixels, then add grain of 80%";
    json!({ "instruction": instruction, "imageBase64": PICTURE })
}

#[test]
fn all_is_moved_to_another_file_and_the_first_one_stays() {
    let folder = Folder::new();
    let (key, edit) = served(&folder);
    let images = images(&folder);
    let done = folder.run(&["move", "--to", "sqlite:elsewhere/moved.db", "--to-blobs", &images]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(done.stdout.contains("All rows are identical.\n"), "{done:?}");
    assert!(done.stdout.contains("1 account, 3 entries"), "{done:?}");
    assert!(done.stdout.contains("All 1 result files are there.\n"), "{done:?}");
    assert!(done.stderr.contains("RETOUCH_STORE__DATABASE_URL and RETOUCH_STORE__BLOBS_URL"));
    let again = folder.run(&["move", "--to", "sqlite:elsewhere/moved.db"]);
    assert_eq!(again.status, 1, "{again:?}");
    assert!(again.stderr.contains("is not empty"), "{again:?}");
    goes_on(&folder, "sqlite:elsewhere/moved.db", &key, &edit);
    assert_eq!(folder.run(&["credits", "verify"]).status, 0);
}

/// A server on the moved data has the edit, and can make another.
fn goes_on(folder: &Folder, database: &str, key: &str, edit: &str) {
    let doctor = run_on(folder, database, &["doctor"]);
    assert!(doctor.stdout.contains("ok    database"), "{doctor:?}");
    let server = Server::start(on(folder, database, &["serve"]));
    let found = call(&server, key, &format!("GET /api/generations/{edit}"), &Value::Null);
    assert_eq!((found.0, &found.1["status"]), (200, &json!("succeeded")), "{found:?}");
    let stored = found.1["stored_images"][0].as_str().unwrap();
    let name = stored.rsplit_once('/').unwrap().1;
    assert!(folder.path("moved-images/files").join(name).exists(), "{name}");
    assert_eq!(call(&server, key, "POST /api/image-edit", &asked()).0, 200);
    let (_, account) = call(&server, key, "GET /api/account", &Value::Null);
    assert_eq!(account["credits"]["available"], 3, "15 - 2 × 6: {account}");
    drop(server);
    let proof = run_on(folder, database, &["credits", "verify"]);
    assert_eq!(proof.status, 0, "{proof:?}");
}

#[test]
fn nodes_go_on_with_what_was_moved_to_their_server() {
    // `tests/postgres/run` starts a server.
    let Ok(address) = std::env::var("RETOUCH_TEST_POSTGRES") else { return };
    let folder = Folder::new();
    let (key, edit) = served(&folder);
    let schema = Command::new("psql").args(["--command", "CREATE SCHEMA moved", &address]).output();
    assert!(schema.unwrap().status.success());
    // The servers of other tests use another application name for their connections.
    let database = format!("{address}?options=-csearch_path%3Dmoved&application_name=moved");
    fs::write(folder.path("address"), format!("{database}\n")).unwrap();
    let images = images(&folder);
    let asked = ["move", "--to-file", "address", "--to-blobs", &images, "--json"];
    let done = folder.run(&asked);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(!format!("{done:?}").contains("retouch@"), "the user name appears nowhere: {done:?}");
    let told: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((&told["sound"], &told["books"]["to"]["entries"]), (&json!(true), &json!(3)));
    assert_eq!((&told["files"]["count"], &told["results"]["missing"]), (&json!(1), &json!(0)));
    goes_on(&folder, &database, &key, &edit);
    let again = folder.run(&asked);
    assert!(again.status == 1 && again.stderr.contains("is not empty"), "{again:?}");
}

#[test]
fn images_are_moved_to_a_bucket_and_not_twice() {
    // `tests/s3/run` starts a server.
    let Ok(endpoint) = std::env::var("RETOUCH_TEST_S3") else { return };
    let folder = Folder::new();
    served(&folder);
    for known in [0, 1] {
        let mut command = folder.command(&["move", "--to-blobs", "s3://retouch/moved", "--json"]);
        command.env("RETOUCH_STORE__S3_ENDPOINT", &endpoint);
        command.env("RETOUCH_STORE__S3_ACCESS_KEY_ID", "retouch-test");
        command.env("RETOUCH_STORE__S3_SECRET_ACCESS_KEY", "retouch-test-secret");
        let done = outcome(command, "");
        assert_eq!(done.status, 0, "{done:?}");
        let told: Value = serde_json::from_str(&done.stdout).unwrap();
        assert_eq!((&told["sound"], &told["tables"]), (&json!(true), &json!([])));
        assert_eq!((&told["files"]["count"], &told["files"]["known"]), (&json!(1), &json!(known)));
        assert_eq!(told["results"], json!({ "count": 1, "missing": 0, "lost_before": 0 }));
    }
}

#[test]
fn what_cannot_be_moved_is_refused_and_shows_no_password() {
    let folder = Folder::new();
    folder.account("ada@example.com");
    let password = "hunter22";
    let bad = format!("postgres://ada:{password}@");
    fs::write(folder.path("address"), &bad).unwrap();
    for (asked, status, reason) in [
        (vec!["move"], 2, "--to"),
        (vec!["move", "--to", &bad], 2, "--to: expected postgres://"),
        (vec!["move", "--to-file", "address"], 2, "--to: expected postgres://"),
        (vec!["move", "--to-file", "nothing"], 1, "--to-file: cannot read"),
        (vec!["move", "--to", &bad, "--to-file", "address"], 2, "cannot be used with"),
        (vec!["move", "--to", "sqlite:x.db", "--from", &bad], 2, "--from: expected postgres://"),
        (
            vec!["move", "--to", "sqlite:x.db", "--from", "sqlite:none.db"],
            1,
            "no database at none.db",
        ),
        (
            vec!["move", "--from", "sqlite:retouch-data/retouch.db", "--to-blobs", "file:///x"],
            2,
            "--from-blobs: say where",
        ),
        (vec!["move", "--to-blobs", "ftp://x"], 2, "--to-blobs: expected file:///"),
        (vec!["move", "--to", "sqlite:retouch-data/retouch.db"], 2, "same database"),
        (vec!["move", "--to", "postgres://ada:hunter22@127.0.0.1:1/x"], 1, "cannot be reached"),
    ] {
        let refused = folder.run(&asked);
        assert_eq!(
            (refused.status, refused.stdout.as_str()),
            (status, ""),
            "{asked:?}: {refused:?}"
        );
        assert!(refused.stderr.contains(reason), "{asked:?}: {refused:?}");
        assert!(!refused.stderr.contains(password), "{asked:?}: {refused:?}");
    }
    assert!(!folder.path("x.db").exists());
}
