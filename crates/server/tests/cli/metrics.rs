//! The numbers of the real binary, and that what watches them asks for numbers that there are.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use super::Folder;
use super::serve::{Server, bearer};

/// A picture of one pixel, as PNG.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
/// Numbers that are only there once what they count has happened, which it does not here: mail, a
/// process that is gone in the middle of an edit, a vendor whose price the catalogue knows.
const UNSEEN: [&str; 3] =
    ["retouch_edit_recoveries", "retouch_letters", "retouch_provider_cost_micro_usd"];
/// What the names of series have behind the names of numbers.
const ENDS: [&str; 4] = ["_total", "_bucket", "_sum", "_count"];

/// A service that has answered an edit, and a call that it could not.
fn page(folder: &Folder) -> String {
    folder.account("ada@example.com");
    let create = ["key", "create", "--account", "ada@example.com", "--name", "laptop", "--json"];
    let key = folder.json(&create)["key"].as_str().unwrap().to_owned();
    let server = Server::start(folder.command(&["serve"]));
    let edit = json!({ "instruction": "make it grey", "imageBase64": PICTURE });
    let edited = server.answer("POST /api/image-edit", &[bearer(&key)], &edit);
    assert!(edited.starts_with("HTTP/1.1 200 "), "{edited}");
    let refused = server.answer("POST /api/image-edit", &[bearer("nobody's")], &edit);
    assert!(refused.starts_with("HTTP/1.1 401 "), "{refused}");
    server.answer("GET /metrics", &[bearer("none")], &Value::Null)
}

/// The numbers that a file under `deploy/` asks for, without what series have behind their names.
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
    // An information is told as a series with `_info` behind its name.
    let told = told.map(|line| line.replace(" info", "_info"));
    let told: BTreeSet<String> =
        told.filter_map(|line| line.split(' ').next().map(str::to_owned)).collect();
    for file in ["grafana/retouch.json", "prometheus/alerts.yml"] {
        let asked = asked_for(file);
        assert!(asked.len() > 8, "{file}: {asked:?}");
        for name in asked.iter().filter(|name| !UNSEEN.contains(&name.as_str())) {
            assert!(told.contains(name), "{file} asks for {name}, which is not among {told:?}");
        }
    }
    for name in UNSEEN {
        assert!(!told.contains(name), "{name} is there: it need not be excepted");
    }
}

#[test]
fn the_dashboard_is_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/grafana/retouch.json");
    let dashboard: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let ids: BTreeSet<_> = panels.iter().map(|panel| panel["id"].as_i64().unwrap()).collect();
    assert_eq!(ids.len(), panels.len(), "an id for each panel");
    let rows = panels.iter().filter(|panel| panel["type"] == "row").count();
    assert_eq!(rows, 8);
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
        assert!(page.contains(line), "{line} is not in {page}");
    }
    let number = |name: &str| {
        let line = page.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.trim().parse::<f64>().ok()).unwrap()
    };
    assert!(number("retouch_process_resident_memory_bytes ") > 1e6);
    assert!(number("retouch_process_start_time_seconds ") > 1.7e9);
    assert!(number("retouch_database_transaction_commands_sum ") >= 2.0, "opened and closed");
}
