//! Edits in progress when the power fails. The record of most of them may be lost, because nothing
//! depends on it; docs/reliability.md says which are kept. These tests lose everything that may be
//! lost while a provider is at work.

use std::io::Read;
use std::net::TcpListener;
use std::thread;

use serde_json::{Value, json};

use super::{Loss, Power};
use crate::calls::{Random, noise};
use crate::http::{self, Connection};
use crate::service::{Installation, Service};
use crate::vendor::{routed, wait_until};

/// The catalogue's model that the silent provider serves.
const MODEL: &str = "alpha-image-2-free";

/// A service whose provider takes requests and never answers.
struct Silence {
    vendor: TcpListener,
    installation: Installation,
    power: Power,
    /// The file is removed together with the rest.
    _catalogue: tempfile::NamedTempFile,
}

impl Silence {
    fn new() -> Self {
        let (mut installation, power) = Installation::powered_with_account();
        let vendor = TcpListener::bind("127.0.0.1:0").unwrap();
        let catalogue = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(catalogue.path(), routed(MODEL, ("openai", "any"))).unwrap();
        let base_url = format!("http://{}/v1", vendor.local_addr().unwrap());
        let settings = [
            ("RETOUCH_CATALOGUE__FILE", catalogue.path().to_str().unwrap()),
            ("RETOUCH_PROVIDERS__OPENAI__BASE_URL", &base_url),
            ("RETOUCH_PROVIDERS__OPENAI__API_KEY", "sk-test"),
        ];
        let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned()));
        installation.environment.extend(settings);
        power.fail(Loss::Everything, &mut Random::new(1));
        Self { vendor, installation, power, _catalogue: catalogue }
    }

    /// The service after the power has failed while the provider had the request of a call with
    /// these headers.
    fn after_a_failure(&self, headers: &[&str]) -> Service {
        let service = self.installation.start();
        let address = service.address;
        let own = [http::bearer(&self.installation.key)];
        let headers: Vec<String> =
            own.into_iter().chain(headers.iter().map(|&it| it.to_owned())).collect();
        let body = json!({
            "model": MODEL,
            "instruction": "add a hat",
            "imageBase64": base64_simd::STANDARD.encode_to_string(noise(64, 1)),
        });
        let body = body.to_string();
        let request = http::request("POST /api/image-edit", &headers, Some(body.as_bytes()));
        thread::scope(|scope| {
            let caller = scope.spawn(|| Connection::open(address)?.call(&request));
            let (mut asked, _) = self.vendor.accept().unwrap();
            asked.read_exact(&mut [0; 4]).unwrap();
            service.kill();
            let answer = caller.join().unwrap();
            assert!(answer.is_err() || answer.is_ok_and(|answer| answer.status == 202));
        });
        self.power.fail(Loss::Everything, &mut Random::new(1));
        self.installation.start()
    }

    /// The generations, once nothing is held, and the balance.
    fn left(&self, service: &Service) -> (Vec<Value>, Value) {
        let key = &self.installation.key;
        wait_until(|| service.get("/api/credits", key)["held"] == 0);
        let list = service.get("/api/generations", key)["data"].clone();
        (list.as_array().unwrap().clone(), service.get("/api/credits", key)["available"].clone())
    }
}

#[test]
fn a_hold_that_the_power_took_is_a_hold_released() {
    let silence = Silence::new();
    let service = silence.after_a_failure(&[]);
    let (list, available) = silence.left(&service);
    assert_eq!(available, crate::SIGN_UP);
    // Something else may have synced the record.
    assert!(list.iter().all(|generation| generation["status"] == "failed"), "{list:?}");
    assert!(service.stop().success());
    silence.installation.verify();
}

#[test]
fn a_key_whose_provider_was_asked_is_kept() {
    let silence = Silence::new();
    for header in ["Idempotency-Key: one", "Prefer: respond-async"] {
        let service = silence.after_a_failure(&[header]);
        let (list, available) = silence.left(&service);
        assert_eq!(available, crate::SIGN_UP);
        let newest = &list[0];
        assert_eq!(newest["status"], "failed", "{header}: {newest}");
        assert_eq!(newest["error"]["outcome_unknown"], true, "{header}: {newest}");
        assert!(service.stop().success());
    }
    silence.installation.verify();
}
