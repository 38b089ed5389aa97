//! The controls: scheduled faults, recorded requests, and which callers are accepted.

use retouch_sim::{FaultName, Options, Sim};
use serde_json::{Value, json};

use super::client::{call, generate, get, plan, sim};

fn statuses(sim: &Sim, prompt: &str, count: usize) -> Vec<u16> {
    (0..count).map(|_| generate(sim, prompt).status).collect()
}

#[test]
fn a_fault_happens_as_often_as_it_was_planned() {
    let sim = sim();
    plan(&sim, &json!({ "fault": "internal_error", "times": 2 }));
    assert_eq!(statuses(&sim, "a", 3), [500, 500, 200]);
    plan(&sim, &json!({ "fault": "internal_error", "times": 0 }));
    plan(&sim, &json!({ "fault": "bad_key", "times": 0 }));
    assert_eq!(statuses(&sim, "a", 3), [500, 500, 500]);
    assert_eq!(get(&sim, "/_sim/faults").json().as_array().map(Vec::len), Some(2));
    assert_eq!(call(&sim, "DELETE", "/_sim/faults", &Value::Null).status, 200);
    assert_eq!(statuses(&sim, "a", 1), [200]);
}

#[test]
fn words_in_a_prompt_are_a_plan() {
    let sim = sim();
    assert_eq!(statuses(&sim, "a [sim:throttle times=2] b", 3), [429, 429, 200]);
    assert_eq!(statuses(&sim, "[sim:refuse]", 2), [400, 400]);
    assert_eq!(statuses(&sim, "[sim:internal_error poll]", 1), [200]);
    assert_eq!(statuses(&sim, "[sim:no_such_fault] [sim:", 1), [200]);
}

#[test]
fn a_fault_is_for_its_provider_and_its_call() {
    let sim = sim();
    plan(&sim, &json!({ "fault": "internal_error", "provider": "sdcpp" }));
    plan(&sim, &json!({ "fault": "internal_error", "call": "probe", "provider": "openai" }));
    assert_eq!(statuses(&sim, "a", 1), [200]);
    assert_eq!(get(&sim, "/openai/v1/models").status, 500);
    assert_eq!(get(&sim, "/openai/v1/models").status, 200);
}

#[test]
fn a_plan_that_makes_no_sense_is_refused() {
    let sim = sim();
    for plan in [
        json!({ "fault": "no_such" }),
        json!({ "fault": "reset", "provider": "nobody" }),
        json!({ "fault": "slow" }),
        json!({ "fault": "reset", "time": 1 }),
        json!({}),
    ] {
        assert_eq!(call(&sim, "POST", "/_sim/faults", &plan).status, 422, "{plan}");
    }
}

#[test]
fn every_fault_has_a_name_that_can_be_planned() {
    let sim = sim();
    for fault in FaultName::ALL {
        plan(&sim, &json!({ "fault": fault, "ms": 1 }));
    }
    let planned = get(&sim, "/_sim/faults").json();
    assert_eq!(planned.as_array().map(Vec::len), Some(FaultName::ALL.len()));
}

#[test]
fn requests_are_remembered_up_to_a_limit() {
    let sim = Sim::start(Options { records_max: 2, ..Options::default() }).expect("a port");
    for prompt in ["a", "b", "c"] {
        generate(&sim, prompt);
    }
    let records = get(&sim, "/_sim/requests?provider=openai").json();
    let prompts: Vec<_> = records
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| &one["body"]["json"]["prompt"])
        .collect();
    assert_eq!(prompts, ["b", "c"]);
    assert_eq!(records[1]["path"], "/v1/images/generations");
    assert_eq!(get(&sim, "/_sim/requests?provider=azure").json(), json!([]));
    assert_eq!(call(&sim, "DELETE", "/_sim/requests", &Value::Null).status, 200);
    assert_eq!(get(&sim, "/_sim/requests").json(), json!([]));
}

#[test]
fn a_picture_within_json_is_described() {
    let sim = sim();
    let picture = generate(&sim, "the input").json()["data"][0]["b64_json"].clone();
    let picture = picture.as_str().expect("base64");
    for text in [picture.to_owned(), format!("data:image/png;base64,{picture}")] {
        let body = json!({ "prompt": "edit it", "ref_images": [text] });
        assert_eq!(call(&sim, "POST", "/sdcpp/v1/img_gen", &body).status, 202);
        let records = get(&sim, "/_sim/requests?provider=sdcpp").json();
        let record = records.as_array().and_then(|all| all.last()).expect("a record").clone();
        let seen = &record["body"]["json"]["ref_images"][0]["base64"];
        assert_eq!((&seen["media_type"], &seen["width"]), (&json!("image/png"), &json!(64)));
        let head = text.starts_with("data:").then_some("image/png");
        assert_eq!(seen["data_uri"].as_str(), head);
    }
}

#[test]
fn a_key_that_is_named_is_the_only_one() {
    let options = Options { key: Some("sk-right".into()), ..Options::default() };
    let sim = Sim::start(options).expect("a port");
    let seen = generate(&sim, "a");
    assert_eq!((seen.status, &seen.json()["error"]["code"]), (401, &json!("invalid_api_key")));
    assert_eq!(get(&sim, "/_sim/counts").json(), json!([]));
}

#[test]
fn each_protocol_has_an_address() {
    let sim = sim();
    for name in retouch_sim::names() {
        let url = sim.url(name);
        assert!(url.starts_with(&format!("{}/{name}", sim.origin())), "{url}");
    }
    assert_eq!(sim.url("nobody"), sim.origin());
}
