//! Tasks, with the simulator of stable-diffusion.cpp's own API.

use retouch_sim::{Options, Sim};
use serde_json::{Value, json};

use super::client::{call, counted, decoded, get, plan, sim};

fn begin(sim: &Sim, prompt: &str) -> String {
    let body = json!({ "prompt": prompt, "width": 64, "height": 64 });
    let seen = call(sim, "POST", "/sdcpp/v1/img_gen", &body);
    assert_eq!(seen.status, 202);
    seen.json()["poll_url"].as_str().expect("a URL").to_owned()
}

fn status(sim: &Sim, address: &str) -> String {
    get(sim, address).json()["status"].as_str().expect("a status").to_owned()
}

#[test]
fn a_task_is_ready_after_its_rounds() {
    let sim = Sim::start(Options { poll_rounds: 3, ..Options::default() }).expect("a port");
    let address = begin(&sim, "a square");
    let seen: Vec<_> = (0..5).map(|_| status(&sim, &address)).collect();
    assert_eq!(seen, ["queued", "generating", "generating", "completed", "completed"]);
    let job = get(&sim, &address).json();
    let base64 = job["result"]["images"][0]["b64_json"].as_str().expect("base64");
    assert!(decoded(base64).expect("whole").starts_with(b"\x89PNG"));
    assert_eq!(counted(&sim, "sdcpp", "a square"), (1, 1));
}

#[test]
fn a_task_fails_or_is_lost() {
    let sim = sim();
    let failed = begin(&sim, "[sim:task_failed]");
    assert_eq!(status(&sim, &failed), "failed");
    assert_eq!(get(&sim, &begin(&sim, "[sim:task_lost]")).status, 404);
    assert_eq!(get(&sim, &begin(&sim, "[sim:task_expired]")).status, 410);
    assert_eq!(get(&sim, "/sdcpp/v1/jobs/job_unknown").status, 404);
    let endless = begin(&sim, "[sim:task_never_ends]");
    for _ in 0..20 {
        assert!(["queued", "generating"].contains(&&*status(&sim, &endless)));
    }
}

#[test]
fn a_poll_fails_and_the_next_one_goes_on() {
    let sim = sim();
    let address = begin(&sim, "a square");
    plan(&sim, &json!({ "provider": "sdcpp", "call": "poll", "fault": "internal_error" }));
    assert_eq!(get(&sim, &address).status, 500);
    assert_eq!(get(&sim, &address).status, 200);
}

#[test]
fn a_task_is_called_off() {
    let sim = sim();
    let address = begin(&sim, "a square");
    let cancel = format!("{address}/cancel");
    assert_eq!(call(&sim, "POST", &cancel, &Value::Null).json()["status"], "cancelled");
    assert_eq!(status(&sim, &address), "cancelled");
}

#[test]
fn a_provider_forgets_everything() {
    let sim = sim();
    let address = begin(&sim, "a square");
    assert_eq!(call(&sim, "DELETE", "/_sim/tasks", &Value::Null).status, 200);
    assert_eq!(get(&sim, &address).status, 404);
}
