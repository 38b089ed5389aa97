//! Two servers on one PostgreSQL database. Does nothing unless `RETOUCH_TEST_POSTGRES` is set, as
//! `tests/postgres/run` does.

use serde_json::{Value, json};

use super::Folder;
use super::serve::{Server, bearer};

/// A PNG of one pixel.
pub(super) const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/// Calls a server with a key. Returns the status and JSON of its answer.
pub(super) fn call(server: &Server, key: &str, head: &str, body: &Value) -> (u16, Value) {
    let answer = server.answer(head, &[bearer(key)], body);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap_or_default())
}

#[test]
fn two_servers_serve_one_database_and_one_goes_on_alone() {
    let Ok(address) = std::env::var("RETOUCH_TEST_POSTGRES") else { return };
    let folder = Folder::new();
    let settings = format!("[store]\ndatabase_url = \"{address}\"\n");
    std::fs::write(folder.path("retouch.toml"), settings).unwrap();
    folder.account("ada@example.com");
    let scopes = ["--name", "laptop", "--scopes", "edit,read", "--json"];
    let create = [&["key", "create", "--account", "ada@example.com"], &scopes[..]].concat();
    let key = folder.json(&create)["key"].as_str().unwrap().to_owned();

    let mut one = Server::start(folder.command(&["serve"]));
    let two = Server::start(folder.command(&["serve"]));
    let asked = json!({ "instruction": "make it grey", "imageBase64": PICTURE });
    let (status, edited) = call(&one, &key, "POST /api/image-edit", &asked);
    assert_eq!(status, 200, "{edited}");
    let name = edited["generation"]["uuid"].as_str().unwrap();
    let (status, found) = call(&two, &key, &format!("GET /api/generations/{name}"), &Value::Null);
    assert_eq!((status, &found["status"]), (200, &json!("succeeded")), "{found}");

    one.process.kill().unwrap();
    one.process.wait().unwrap();
    let (status, _) = call(&two, &key, "POST /api/image-edit", &asked);
    assert_eq!(status, 200);
    let (_, account) = call(&two, &key, "GET /api/account", &Value::Null);
    assert_eq!(account["credits"]["available"], 3, "15 - 2 × 6: {account}");
    let proof = folder.run(&["credits", "verify"]);
    assert_eq!(proof.status, 0, "{proof:?}");
    let doctor = folder.run(&["doctor", "--json"]);
    assert!(doctor.stdout.contains("postgres://127.0.0.1"), "{doctor:?}");
    let shown = folder.run(&["config", "show"]);
    assert!(!shown.stdout.contains(&address), "a URL may contain a password: {shown:?}");
}
