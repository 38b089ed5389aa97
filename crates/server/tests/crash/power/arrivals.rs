//! A provider's result is written while it is checked. The power fails at every record that this
//! makes: the result of a charged edit is there, and that of no other edit.

use bytes::Bytes;
use retouch_sim::{Options, Sim};
use serde_json::json;

use super::{Loss, Power};
use crate::books;
use crate::calls::{Random, noise};
use crate::http::{self, Connection};
use crate::service::{Installation, Service};
use crate::vendor::{PRICE, routed, wait_until};

/// The catalogue's model that the provider serves.
const MODEL: &str = "alpha-image-2-free";
/// The width and height of a result that is stored as a file.
const SIDE: u32 = 200;
/// More credits than the edits cost.
const GRANTED: i64 = 1_000;

/// A service whose provider returns large results.
struct Arrivals {
    _vendor: Sim,
    installation: Installation,
    power: Power,
    random: Random,
    /// The file is removed together with the rest.
    _catalogue: tempfile::NamedTempFile,
}

impl Arrivals {
    fn new() -> Self {
        let picture = Some(Bytes::from(noise(SIDE, 1)));
        let vendor = Sim::start(Options { picture, ..Options::default() }).unwrap();
        let (mut installation, power) = Installation::powered_with_account();
        let catalogue = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(catalogue.path(), routed(MODEL, ("openai", "gpt-image-2"))).unwrap();
        let settings = [
            ("RETOUCH_CATALOGUE__FILE", catalogue.path().to_str().unwrap().to_owned()),
            ("RETOUCH_PROVIDERS__OPENAI__BASE_URL", vendor.url("openai")),
            ("RETOUCH_PROVIDERS__OPENAI__API_KEY", "sk-test".to_owned()),
        ];
        let settings = settings.map(|(name, value)| (name.to_owned(), value));
        installation.environment.extend(settings);
        installation.grant(GRANTED);
        let mut random = Random::new(1);
        power.fail(Loss::Everything, &mut random);
        Self { _vendor: vendor, installation, power, random, _catalogue: catalogue }
    }

    /// Makes an edit. Returns whether it was answered: the service may end before that.
    fn edit(&self, service: &Service) -> bool {
        let body = json!({
            "model": MODEL,
            "instruction": "add a hat",
            "imageBase64": base64_simd::STANDARD.encode_to_string(noise(32, 2)),
        });
        let (bearer, body) = (http::bearer(&self.installation.key), body.to_string());
        let request = http::request("POST /api/image-edit", &[bearer], Some(body.as_bytes()));
        let answer = Connection::open(service.address).and_then(|mut to| to.call(&request));
        answer.is_ok_and(|answer| {
            assert_eq!(answer.status, 200, "{answer:?}");
            true
        })
    }

    /// The number of records when a service is ready, and after its first edit.
    fn count(&mut self) -> (usize, usize) {
        let service = self.installation.start();
        let before = self.power.records();
        assert!(self.edit(&service));
        service.kill();
        let after = self.power.records();
        self.power.fail(Loss::Everything, &mut self.random);
        (before, after)
    }

    /// Checks the folder after a failure, when this many edits had been charged before it and one
    /// more was perhaps `answered`. Returns how many have been charged now.
    fn check(&self, before: i64, answered: bool) -> i64 {
        let service = self.installation.start();
        let key = &self.installation.key;
        wait_until(|| service.get("/api/credits", key)["held"] == 0);
        let available = service.get("/api/credits", key)["available"].as_i64().unwrap();
        let charged = (crate::SIGN_UP + GRANTED - available) / PRICE;
        assert!(charged == before + 1 || charged == before && !answered);
        let list = service.get("/api/generations?limit=100", key)["data"].clone();
        for generation in list.as_array().unwrap() {
            let Some(url) = generation["stored_images"][0].as_str() else { continue };
            let line = format!("GET {}", &url[url.find("/files/").unwrap()..]);
            let request = http::request(&line, &[], None);
            let file = Connection::open(service.address).unwrap().call(&request).unwrap();
            assert_eq!((file.status, file.body), (200, noise(SIDE, 1)), "{generation}");
        }
        assert!(service.stop().success());
        self.installation.verify();
        let stored = books::stored_files(&self.installation).len();
        assert_eq!(i64::try_from(stored).unwrap(), charged, "no other file is left");
        charged
    }
}

#[test]
#[ignore = "slow: simulates a power failure at each record of an edit"]
fn a_result_is_charged_only_if_it_is_durable() {
    let mut run = Arrivals::new();
    let (ready, done) = run.count();
    assert!(done > ready + 5, "an edit makes {} records", done - ready);
    let mut charged = 1;
    // A start after a failure makes a few records more than the first one.
    for record in ready..done + 10 {
        let fail_at = ("POWER_FAIL_AT".to_owned(), record.to_string());
        run.installation.environment.push(fail_at);
        let service = run.installation.try_start_after("");
        let answered = service.is_ok_and(|service| run.edit(&service));
        run.installation.environment.pop();
        run.power.fail(Loss::any(&mut run.random), &mut run.random);
        charged = run.check(charged, answered);
    }
    assert!(charged > 1);
}
