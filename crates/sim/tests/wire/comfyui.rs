//! The simulator of ComfyUI.

use retouch_sim::Sim;
use serde_json::{Value, json};

use super::client::{call, counted, get, plan, sim};

/// A graph that makes an image from the prompt `text`.
fn graph(text: &str) -> Value {
    json!({
        "1": { "class_type": "EmptyLatentImage", "inputs": { "width": 80, "height": 64 } },
        "2": { "class_type": "CLIPTextEncode", "inputs": { "text": text } },
        "3": { "class_type": "SaveImage", "inputs": { "images": ["1", 0] } },
    })
}

fn queue(sim: &Sim, graph: &Value, id: &str) -> (u16, Value) {
    let seen = call(sim, "POST", "/comfyui/prompt", &json!({ "prompt": graph, "prompt_id": id }));
    (seen.status, seen.json())
}

fn is_queued(sim: &Sim, id: &str) -> bool {
    get(sim, "/comfyui/queue").json().to_string().contains(id)
}

#[test]
fn a_task_goes_from_the_queue_into_the_history() {
    let sim = sim();
    assert_eq!(queue(&sim, &graph("a square"), "task-1").0, 200);
    assert_eq!(get(&sim, "/comfyui/history/task-1").json(), json!({}));
    assert!(is_queued(&sim, "task-1"));
    assert!(!is_queued(&sim, "task-1"));
    let history = get(&sim, "/comfyui/history/task-1").json();
    let name = history["task-1"]["outputs"]["3"]["images"][0]["filename"].clone();
    let name = name.as_str().expect("a file");
    let address = format!("/comfyui/view?filename={name}&subfolder=&type=output");
    assert!(get(&sim, &address).body.starts_with(b"\x89PNG"));
    assert_eq!(counted(&sim, "comfyui", "a square"), (1, 1));
}

#[test]
fn a_graph_that_cannot_run_is_refused() {
    let sim = sim();
    let mut unfilled = graph("a");
    unfilled["1"]["inputs"]["width"] = json!("{{width}}");
    let mut unlinked = graph("a");
    unlinked["3"]["inputs"]["images"] = json!(["9", 0]);
    let mut blind = graph("a");
    blind["4"] = json!({ "class_type": "LoadImage", "inputs": { "image": "nowhere.png" } });
    let mut silent = graph("a");
    silent["3"]["class_type"] = json!("VAEDecode");
    for (graph, kind) in [
        (&unfilled, "prompt_outputs_failed_validation"),
        (&unlinked, "prompt_outputs_failed_validation"),
        (&blind, "prompt_outputs_failed_validation"),
        (&silent, "prompt_no_outputs"),
        (&json!({ "1": {} }), "invalid_prompt"),
    ] {
        let (status, body) = queue(&sim, graph, "task-1");
        assert_eq!((status, body["error"]["type"].as_str()), (400, Some(kind)), "{graph}");
    }
    assert_eq!(get(&sim, "/_sim/counts").json(), json!([]));
}

#[test]
fn a_task_is_lost_for_good() {
    let sim = sim();
    assert_eq!(queue(&sim, &graph("a square"), "task-1").0, 200);
    plan(&sim, &json!({ "provider": "comfyui", "fault": "task_lost" }));
    assert!(!is_queued(&sim, "task-1"));
    assert_eq!(get(&sim, "/comfyui/history/task-1").json(), json!({}));
}

#[test]
fn a_task_fails_at_a_node() {
    let sim = sim();
    assert_eq!(queue(&sim, &graph("[sim:task_failed]"), "task-1").0, 200);
    assert!(!is_queued(&sim, "task-1"));
    let history = get(&sim, "/comfyui/history/task-1").json();
    assert_eq!(history["task-1"]["status"]["status_str"], "error");
}
