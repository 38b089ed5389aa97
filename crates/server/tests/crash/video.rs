//! A video whose process is killed while a provider makes it, and whose next process is killed too.
//! The third process has the result, the provider got one order, and the video is charged once.

use std::net::SocketAddr;

use retouch_sim::{Options, Sim};
use serde_json::{Value, json};

use crate::http::{self, Connection};
use crate::service::Installation;
use crate::vendor::{routed, wait_until};
use crate::{SIGN_UP, books};

/// Polls before the simulator's work is ready: enough for two processes to be killed before that.
const POLL_ROUNDS: u32 = 4;
/// fal's name for the model.
const MODEL: &str = "fal-ai/bytedance/seedance/v1/pro/text-to-video";
const PRICE: i64 = 21;
const GRANTED: i64 = 100;

#[test]
#[ignore = "slow: waits for a provider's work over three processes"]
fn a_video_outlives_two_kills_and_is_charged_once() {
    let sim = Sim::start(Options { poll_rounds: POLL_ROUNDS, ..Options::default() }).unwrap();
    let catalogue = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(catalogue.path(), routed("alpha-video-1", ("fal", MODEL))).unwrap();
    let installation = Installation::new(&[
        ("RETOUCH_CATALOGUE__FILE", catalogue.path().to_str().unwrap()),
        ("RETOUCH_PROVIDERS__FAL__BASE_URL", &sim.url("fal")),
        ("RETOUCH_PROVIDERS__FAL__API_KEY", "id:secret"),
        ("RETOUCH_FETCH__ALLOWED_NETWORKS", "127.0.0.1/32"),
    ]);
    installation.grant(GRANTED);
    let key = installation.key.as_str();
    let body = json!({ "prompt": "a slow walk through a wood" }).to_string();
    let headers = [http::bearer(key), "Idempotency-Key: video".to_owned()];
    let request = http::request("POST /api/video-generation", &headers, Some(body.as_bytes()));
    let first = installation.start();
    let accepted = Connection::open(first.address).unwrap().call(&request).unwrap();
    assert_eq!((accepted.status, &accepted.json()["cost"]), (202, &json!(PRICE)), "{accepted:?}");
    let uuid = accepted.json()["generation"]["uuid"].as_str().unwrap().to_owned();
    wait_until(|| look_ups(&sim) >= 1);
    first.kill();
    let second = installation.start();
    wait_until(|| look_ups(&sim) >= 2);
    second.kill();
    let third = installation.start();
    let look = || third.get(&format!("/api/generations/{uuid}"), key);
    wait_until(|| look()["status"] != "processing");
    let done = look();
    assert_eq!(
        (&done["status"], &done["provider"]),
        (&json!("succeeded"), &json!("fal")),
        "{done}"
    );
    let file = done["stored_videos"][0].as_str().unwrap();
    let path = file.split_once("/files/").map(|(_, name)| format!("GET /files/{name}")).unwrap();
    let video = Connection::open(third.address).unwrap().call(&http::request(&path, &[], None));
    assert_eq!(&video.unwrap().body[4..8], b"ftyp");
    let credits = third.get("/api/credits", key);
    let left = SIGN_UP + GRANTED - PRICE;
    assert_eq!((&credits["available"], &credits["held"]), (&json!(left), &json!(0)));
    let again = Connection::open(third.address).unwrap().call(&request).unwrap();
    assert_eq!((again.status, &again.json()["generation"]["uuid"]), (202, &json!(uuid)));
    let counts = told(&sim, "counts");
    assert_eq!((counts.as_array().unwrap().len(), &counts[0]["received"]), (1, &json!(1)));
    assert!(third.stop().success());
    let files = books::stored_names(&installation);
    assert_eq!(files.len(), 1, "the request is removed when the work is done");
    installation.verify();
}

#[test]
fn a_video_of_the_built_in_editor_leaves_nothing_in_the_log() {
    let installation = Installation::new(&[("RETOUCH_LOG__LEVEL", "error")]);
    installation.grant(GRANTED);
    let key = installation.key.as_str();
    let service = installation.start();
    // This line is logged last when the service starts.
    wait_until(|| installation.log().contains("retouch admin link"));
    let before = installation.log();
    let words = "zoom in by 80% on red and white stripes, 128x128 pixels, then fade out";
    let body = json!({ "prompt": words }).to_string();
    let headers = [http::bearer(key)];
    let request = http::request("POST /api/video-generation", &headers, Some(body.as_bytes()));
    let accepted = Connection::open(service.address).unwrap().call(&request).unwrap();
    assert_eq!(accepted.status, 202, "{accepted:?}");
    let uuid = accepted.json()["generation"]["uuid"].as_str().unwrap().to_owned();
    let look = || service.get(&format!("/api/generations/{uuid}"), key);
    wait_until(|| look()["status"] != "processing");
    let done = look();
    let made = (&done["status"], &done["provider"]);
    assert_eq!(made, (&json!("succeeded"), &json!("built-in")), "{done}");
    assert!(service.stop().success());
    assert_eq!(installation.log(), before);
}

/// How often the simulator was polled.
fn look_ups(sim: &Sim) -> usize {
    let requests = told(sim, "requests");
    let paths = requests.as_array().unwrap().iter().map(|one| one["path"].as_str().unwrap());
    paths.filter(|path| path.contains("/status")).count()
}

/// The simulator's list of `what`.
fn told(sim: &Sim, what: &str) -> Value {
    let address: SocketAddr = sim.origin().strip_prefix("http://").unwrap().parse().unwrap();
    let request = http::request(&format!("GET /_sim/{what}"), &[], None);
    Connection::open(address).unwrap().call(&request).unwrap().json()
}
