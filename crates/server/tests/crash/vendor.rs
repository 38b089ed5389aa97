//! Work that a provider has accepted when the process is killed: the next process waits for it and
//! orders nothing twice.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use retouch_sim::{Options, Sim};
use serde_json::{Value, json};

use crate::http::{self, Answer, Connection};
use crate::service::{Installation, Service};
use crate::{SIGN_UP, SILENCE_MAX, books, spin};

/// The price of one edit.
pub(crate) const PRICE: i64 = 6;
/// How often the provider is polled before the work is done. The polls are a second or more apart,
/// so the process can be killed between them.
const POLL_ROUNDS: u32 = 4;
/// The catalogue's model that the provider serves.
const MODEL: &str = "gamma-2";

/// A provider with named tasks, and a service in front of it.
pub(crate) struct Run {
    sim: Sim,
    pub(crate) installation: Installation,
    /// The file is removed together with the run.
    _catalogue: tempfile::NamedTempFile,
}

impl Run {
    /// A run with these settings in addition to its own.
    pub(crate) fn new(environment: &[(&str, &str)]) -> Self {
        Self::of(POLL_ROUNDS, environment)
    }

    /// A run whose provider is polled this often before the work is done.
    pub(crate) fn of(poll_rounds: u32, environment: &[(&str, &str)]) -> Self {
        let sim = Sim::start(Options { poll_rounds, ..Options::default() }).unwrap();
        let catalogue = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(catalogue.path(), routed(MODEL, ("sdcpp", "any"))).unwrap();
        let vendor = sim.url("sdcpp");
        let own = [
            ("RETOUCH_CATALOGUE__FILE", catalogue.path().to_str().unwrap()),
            ("RETOUCH_PROVIDERS__SDCPP__BASE_URL", vendor.as_str()),
        ];
        let installation = Installation::new(&[&own[..], environment].concat());
        Self { sim, installation, _catalogue: catalogue }
    }

    pub(crate) fn edit(&self, address: SocketAddr) -> std::io::Result<Answer> {
        self.call(address, &[])
    }

    /// The response to an edit whose caller does not wait.
    pub(crate) fn begin(&self, address: SocketAddr) -> Answer {
        self.call(address, &["Prefer: respond-async".to_owned()]).unwrap()
    }

    fn call(&self, address: SocketAddr, more: &[String]) -> std::io::Result<Answer> {
        let body = json!({
            "model": MODEL,
            "instruction": "add a hat",
            "imageBase64": base64_simd::STANDARD.encode_to_string(picture()),
        });
        let own = [http::bearer(&self.installation.key), "Idempotency-Key: one".to_owned()];
        let headers = [&own[..], more].concat();
        let body = body.to_string();
        let request = http::request("POST /api/image-edit", &headers, Some(body.as_bytes()));
        Connection::open(address)?.call(&request)
    }

    /// What the simulator returns at `path`.
    pub(crate) fn told(&self, path: &str) -> Value {
        let address = self.sim.origin().trim_start_matches("http://").parse().unwrap();
        let request = http::request(&format!("GET {path}"), &[], None);
        Connection::open(address).unwrap().call(&request).unwrap().json()
    }

    /// Waits until the provider has been polled for the task: by then the service has recorded it.
    pub(crate) fn wait_for_a_poll(&self) {
        wait_until(|| self.told("/_sim/requests").to_string().contains("/jobs/"));
    }

    /// The only generation, once it has ended.
    pub(crate) fn ended(&self, service: &Service) -> Value {
        let list = || service.get("/api/generations", &self.installation.key)["data"][0].clone();
        wait_until(|| list()["status"] != "processing");
        list()
    }
}

#[test]
#[ignore = "slow: waits for the provider's task"]
fn a_task_that_a_vendor_has_taken_on_outlives_a_kill_and_is_charged_once() {
    let run = Run::new(&[]);
    let service = run.installation.start();
    let address = service.address;
    thread::scope(|scope| {
        let caller = scope.spawn(|| run.edit(address));
        run.wait_for_a_poll();
        service.kill();
        assert!(caller.join().unwrap().is_err(), "the caller's connection broke");
    });
    let service = run.installation.start();
    let generation = run.ended(&service);
    assert_eq!(generation["status"], "succeeded", "{generation}");
    assert_eq!((&generation["provider"], &generation["cost"]), (&json!("sdcpp"), &json!(PRICE)));
    let again = run.edit(service.address).unwrap();
    assert_eq!(again.status, 200);
    assert_eq!(again.json()["generation"]["uuid"], generation["uuid"], "the same edit, replayed");
    let counts = run.told("/_sim/counts");
    assert_eq!((&counts[0]["received"], counts.as_array().unwrap().len()), (&json!(1), 1));
    let credits = service.get("/api/credits", &run.installation.key);
    assert_eq!((&credits["available"], &credits["held"]), (&json!(SIGN_UP - PRICE), &json!(0)));
    assert!(service.stop().success());
    run.installation.verify();
}

#[test]
#[ignore = "slow: waits for the provider's task"]
fn an_image_that_no_caller_waits_for_outlives_two_processes() {
    let run = Run::new(&[("RETOUCH_SERVER__STOP_WAIT_MAX", "100 ms")]);
    let first = run.installation.start();
    let accepted = run.begin(first.address);
    assert_eq!((accepted.status, &accepted.json()["cost"]), (202, &json!(PRICE)), "{accepted:?}");
    run.wait_for_a_poll();
    first.kill();
    let second = run.installation.start();
    let again = run.begin(second.address).json();
    assert_eq!(again["generation"]["uuid"], accepted.json()["generation"]["uuid"]);
    assert!(second.stop().success());
    let third = run.installation.start();
    let generation = run.ended(&third);
    assert_eq!(generation["status"], "succeeded", "{generation}");
    // A call that waits gets the image, and one that does not the same generation.
    assert_eq!(run.edit(third.address).unwrap().json()["generation"]["uuid"], generation["uuid"]);
    assert_eq!(run.begin(third.address).json()["generation"], generation);
    let counts = run.told("/_sim/counts");
    assert_eq!((&counts[0]["received"], counts.as_array().unwrap().len()), (&json!(1), 1));
    let credits = third.get("/api/credits", &run.installation.key);
    assert_eq!((&credits["available"], &credits["held"]), (&json!(SIGN_UP - PRICE), &json!(0)));
    assert!(third.stop().success());
    let files = books::stored_names(&run.installation);
    assert_eq!(files.len(), 1, "the request is removed when the work is done");
    run.installation.verify();
}

#[test]
#[ignore = "slow: waits for the provider's task"]
fn a_stop_that_outlives_its_time_answers_those_who_wait_and_the_next_start_finishes() {
    let run = Run::new(&[("RETOUCH_SERVER__STOP_WAIT_MAX", "100 ms")]);
    let service = run.installation.start();
    let address = service.address;
    let answer = thread::scope(|scope| {
        let caller = scope.spawn(|| run.edit(address));
        run.wait_for_a_poll();
        assert!(service.stop().success());
        caller.join().unwrap().expect("the caller is answered, not cut off")
    });
    let error = answer.json()["error"].clone();
    assert_eq!((answer.status, &error["code"]), (500, &json!("outcome_pending")), "{error}");
    let service = run.installation.start();
    let generation = run.ended(&service);
    assert_eq!(generation["status"], "succeeded", "{generation}");
    let address = format!("/api/generations/{}", generation["uuid"].as_str().unwrap());
    assert!(error["message"].as_str().unwrap().contains(&address), "{error}");
    let again = run.edit(service.address).unwrap();
    assert_eq!(again.json()["generation"]["uuid"], generation["uuid"], "the same edit, replayed");
    assert_eq!(run.told("/_sim/counts")[0]["received"], 1, "the work was ordered only once");
    assert!(service.stop().success());
    run.installation.verify();
}

/// Polls until `is_so` returns true. Fails after far longer than this can take.
pub(crate) fn wait_until(is_so: impl Fn() -> bool) {
    let until = Instant::now() + SILENCE_MAX;
    while !is_so() {
        assert!(Instant::now() < until, "the condition was not met in time");
        spin(Duration::from_millis(5));
    }
}

/// The catalogue with `id` served by one provider only, under the provider's own model name.
pub(crate) fn routed(id: &str, (provider, model): (&str, &str)) -> String {
    let mut catalogue: toml::Table = retouch_core::catalogue::EMBEDDED.parse().unwrap();
    let models = catalogue["models"].as_array_mut().unwrap();
    let ours = models.iter_mut().find(|model| model["id"].as_str() == Some(id)).unwrap();
    let route = std::collections::BTreeMap::from([("provider", provider), ("model", model)]);
    ours.as_table_mut().unwrap().insert("routes".into(), vec![toml::Value::from(route)].into());
    toml::to_string(&catalogue).unwrap()
}

fn picture() -> Vec<u8> {
    let pixels = vec![200; 64 * 64 * 4];
    let picture = retouch_engine::Picture::from_rgba(64, 64, pixels).unwrap();
    retouch_engine::codec::encode_png(&picture).unwrap()
}
