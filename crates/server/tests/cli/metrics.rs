//! The metrics of the real binary, and that alerts and dashboards use only metrics that exist.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use super::Folder;
use super::serve::{Server, bearer};

/// A PNG of one pixel.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
/// Makes a result that is stored as a file, because it is too large to be a row of the database.
const INSTRUCTION: &str = "make it grey, resize it to 500x500 pixels, then add grain of 80%";
/// Metrics that appear only after an event that does not happen here: an email, a message to a webhook,
/// a process that vanished during an edit.
const UNSEEN: [&str; 3] = ["retouch_edit_recoveries", "retouch_emails", "retouch_webhook_attempts"];
/// The endings that a series adds to the name of its metric.
const ENDS: [&str; 4] = ["_total", "_bucket", "_sum", "_count"];

/// The metrics of a service that has answered one edit and refused one call.
fn page(folder: &Folder) -> String {
    folder.account("ada@example.com");
    let create = ["key", "create", "--account", "ada@example.com", "--name", "laptop", "--json"];
    let key = folder.json(&create)["key"].as_str().unwrap().to_owned();
    let server = Server::start(folder.command(&["serve"]));
    let edit = json!({ "instruction": INSTRUCTION, "imageBase64": PICTURE });
    let edited = server.answer("POST /api/image-edit", &[bearer(&key)], &edit);
    assert!(edited.starts_with("HTTP/1.1 200 "), "{edited}");
    let refused = server.answer("POST /api/image-edit", &[bearer("nobody's")], &edit);
    assert!(refused.starts_with("HTTP/1.1 401 "), "{refused}");
    server.answer("GET /metrics", &[bearer("none")], &Value::Null)
}

/// The metrics that a file under `deploy/` uses, without the endings of series.
fn asked_for(file: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let names = words.filter(|word| word.starts_with("retouch_"));
    let bare = |name: &str| ENDS.iter().find_map(|end| name.strip_suffix(end)).map(str::to_owned);
    names.map(|name| bare(name).unwrap_or_else(|| name.to_owned())).collect()
}

#[test]
fn the_dashboard_and_the_alerts_ask_for_numbers_that_there_are() {
    let page = page(&Folder::new());
    let told = page.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    // An info metric has series that end in `_info`.
    let told = told.map(|line| line.replace(" info", "_info"));
    let told: BTreeSet<String> =
        told.filter_map(|line| line.split(' ').next().map(str::to_owned)).collect();
    for file in ["grafana/retouch.json", "prometheus/alerts.yml"] {
        let asked = asked_for(file);
        assert!(asked.len() > 8, "{file}: {asked:?}");
        for name in asked.iter().filter(|name| !UNSEEN.contains(&name.as_str())) {
            assert!(told.contains(name), "{file} uses {name}, which is not among {told:?}");
        }
    }
    for name in UNSEEN {
        assert!(!told.contains(name), "{name} exists: remove it from UNSEEN");
    }
}

#[test]
fn the_dashboard_is_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/grafana/retouch.json");
    let dashboard: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let ids: BTreeSet<_> = panels.iter().map(|panel| panel["id"].as_i64().unwrap()).collect();
    assert_eq!(ids.len(), panels.len(), "panel IDs are unique");
    let rows = panels.iter().filter(|panel| panel["type"] == "row").count();
    assert_eq!(rows, 9);
    for panel in panels.iter().filter(|panel| panel["type"] != "row") {
        assert!(panel["targets"][0]["expr"].is_string(), "{}", panel["title"]);
    }
}

#[test]
fn the_database_the_files_the_process_and_the_errors_are_counted() {
    let page = page(&Folder::new());
    for line in [
        "retouch_database_transactions_total{outcome=\"done\"} ",
        "retouch_database_reads_total{outcome=\"done\"} ",
        "retouch_blob_calls_total{operation=\"put\",outcome=\"done\"} 1",
        "retouch_errors_total{code=\"unauthenticated\"} 1",
        "retouch_database_answers 1",
        "retouch_edits_open 0",
        "retouch_build_info{version=",
    ] {
        assert!(page.contains(line), "{line} is missing in {page}");
    }
    let number = |name: &str| {
        let line = page.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.trim().parse::<f64>().ok()).unwrap()
    };
    assert!(number("retouch_process_resident_memory_bytes ") > 1e6);
    assert!(number("retouch_process_start_time_seconds ") > 1.7e9);
    assert!(
        number("retouch_database_transaction_commands_sum ") >= 2.0,
        "at least two transactions"
    );
}
