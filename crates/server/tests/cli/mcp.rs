//! `retouch mcp`: the tools for an assistant on this machine.

use serde_json::{Value, json};

use super::{Folder, Outcome, sample};

/// Sends a handshake and `requests`, and returns what is answered to each of them.
fn talk(folder: &Folder, requests: &[(&str, Value)]) -> Vec<Value> {
    let client = json!({ "name": "test", "version": "1" });
    let hello =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    let message = |id: usize, method: &str, params: &Value| {
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
    };
    let mut lines = vec![message(0, "initialize", &hello)];
    lines.push(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
    let asked = requests.iter().enumerate();
    lines.extend(asked.map(|(at, (method, params))| message(at + 1, method, params)));
    let Outcome { status, stdout, stderr } = folder.run_with(&["mcp"], &(lines.join("\n") + "\n"));
    assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
    let mut answers: Vec<Value> =
        stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    answers.sort_by_key(|answer| answer["id"].as_u64());
    assert_eq!(answers.len(), requests.len() + 1, "{stdout}");
    answers.remove(0);
    answers.into_iter().map(|answer| answer["result"].clone()).collect()
}

fn call(name: &str, arguments: &Value) -> (&'static str, Value) {
    ("tools/call", json!({ "name": name, "arguments": arguments }))
}

#[test]
fn an_assistant_edits_files_without_a_server() {
    let folder = Folder::new();
    let picture = sample().display().to_string();
    std::fs::write(folder.path("there.png"), "mine").unwrap();
    let edit = |image: &str, to: &str| {
        let words = "rotate left, then sepia";
        call("edit_image", &json!({ "instruction": words, "images": [image], "save_to": to }))
    };
    let answers = talk(
        &folder,
        &[
            ("tools/list", json!({})),
            edit(&picture, "out.png"),
            edit(&picture, "there.png"),
            edit(&picture, "no/such/folder.png"),
            edit("none.jpg", "other.png"),
            edit("https://example.com/a.png", "other.png"),
            call("plan_edit", &json!({ "instruction": "remove the dog" })),
            ("resources/read", json!({ "uri": "retouch://manual" })),
        ],
    );
    let [tools, done, there, no_folder, none, address, plan, manual] = answers.as_slice() else {
        panic!("{answers:?}")
    };
    let names = tools["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone());
    assert_eq!(names.collect::<Vec<_>>(), ["edit_image", "generate_image", "plan_edit"]);
    assert_eq!(done["isError"], false, "{done}");
    assert_eq!(done["structuredContent"]["plan"]["steps"].as_array().unwrap().len(), 2);
    assert_eq!(done["content"][1]["type"], "image");
    assert!(done["content"][2]["uri"].as_str().unwrap().starts_with("file:///"), "{done}");
    assert!(std::fs::read(folder.path("out.png")).unwrap().starts_with(b"\x89PNG"));
    for (failed, reason) in [
        (there, "already exists"),
        (no_folder, "does not exist"),
        (none, "none.jpg"),
        (address, "pass their paths"),
    ] {
        assert_eq!(failed["isError"], true, "{failed}");
        assert!(failed["content"][0]["text"].as_str().unwrap().contains(reason), "{failed}");
    }
    assert_eq!(std::fs::read(folder.path("there.png")).unwrap(), b"mine");
    assert!(!folder.path("other.png").exists());
    assert_eq!(plan["structuredContent"]["refusal"]["kind"], "needs_generative_model");
    assert!(manual["contents"][0]["text"].as_str().unwrap().contains("crop"));
}

#[test]
fn a_server_needs_a_key_and_an_answer() {
    let folder = Folder::new();
    let server = ["mcp", "--server", "http://127.0.0.1:9"];
    let without = folder.run(&server);
    assert_eq!(without.status, 2, "{without:?}");
    assert!(without.stderr.contains("RETOUCH_API_KEY"), "{without:?}");
    std::fs::write(folder.path("key.txt"), "rtk_wrong\n").unwrap();
    let away = folder.run(&[&server[..], &["--key-file", "key.txt"]].concat());
    assert_eq!(away.status, 1, "{away:?}");
    assert!(
        away.stderr.contains("http://127.0.0.1:9") && !away.stderr.contains("rtk_wrong"),
        "{away:?}"
    );
}
