//! Disks that are slow or fail while the power lasts: nobody is told what is not on disk.

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::{Loss, Power};
use crate::books;
use crate::calls::{PRICE, Random, noise};
use crate::http::{self, Answer, Connection};
use crate::service::{Installation, Service};
use crate::vendor::wait_until;

/// How long a reader waits for what it must not be told.
const TOLD_WITHIN: Duration = Duration::from_secs(1);
/// What tells of the edits that were made.
const READS: [&str; 3] = ["/api/credits", "/api/generations", "/api/credits/entries"];

struct Place {
    installation: Installation,
    power: Power,
}

impl Place {
    fn new() -> Self {
        let (installation, power) = Installation::powered_with_account();
        power.fail(Loss::Everything, &mut Random::new(1));
        Self { installation, power }
    }

    /// A service that has made an edit, so that the log has begun, which waits for the disk, too.
    fn start(&self) -> Service {
        let service = self.installation.start();
        assert_eq!(self.edit(service.address, "first").unwrap().status, 200);
        service
    }

    /// Whether a second edit is in the database, on disk or not.
    fn has_committed(&self) -> bool {
        books::stored_names(&self.installation).len() == 2
    }

    fn edit_request(&self, name: &str) -> Vec<u8> {
        let picture = base64_simd::STANDARD.encode_to_string(noise(8, 1));
        let body = json!({ "instruction": "invert the colours", "imageBase64": picture });
        let headers = [http::bearer(&self.installation.key), format!("Idempotency-Key: {name}")];
        http::request("POST /api/image-edit", &headers, Some(body.to_string().as_bytes()))
    }

    /// Makes a small edit, or repeats it.
    fn edit(&self, address: SocketAddr, name: &str) -> io::Result<Answer> {
        Connection::open(address)?.call(&self.edit_request(name))
    }

    /// What somebody is told who sends this request, if anything.
    fn told(address: SocketAddr, request: &[u8]) -> io::Result<Answer> {
        let stream = TcpStream::connect(address)?;
        let mut connection = Connection::on(stream.try_clone()?)?;
        stream.set_read_timeout(Some(TOLD_WITHIN))?;
        connection.call(request)
    }

    fn read_request(&self, path: &str) -> Vec<u8> {
        http::request(&format!("GET {path}"), &[http::bearer(&self.installation.key)], None)
    }
}

#[test]
fn nobody_is_told_of_an_edit_before_it_is_on_disk() {
    let place = &Place::new();
    let service = place.start();
    let address = service.address;
    let before = READS.map(|path| service.get(path, &place.installation.key));
    place.power.make_disk("slow");
    thread::scope(|scope| {
        let caller = scope.spawn(|| place.edit(address, "second"));
        wait_until(|| place.power.has_waited() && place.has_committed());
        let told =
            READS.map(|path| scope.spawn(move || Place::told(address, &place.read_request(path))));
        let repeated = scope.spawn(|| Place::told(address, &place.edit_request("second")));
        for (told, before) in told.into_iter().zip(&before) {
            let told = told.join().unwrap();
            assert!(told.ok().is_none_or(|told| told.json() == *before));
        }
        assert!(repeated.join().unwrap().is_err());
        service.kill();
        assert!(caller.join().unwrap().is_err());
    });
    place.power.fail(Loss::Everything, &mut Random::new(1));
    let service = place.installation.start();
    wait_until(|| service.get(READS[0], &place.installation.key)["held"] == 0);
    assert_eq!(service.get(READS[0], &place.installation.key)["available"], crate::SIGN_UP - PRICE);
    assert!(service.stop().success());
    place.installation.verify();
}

#[test]
fn an_edit_is_answered_as_soon_as_a_slow_disk_has_it() {
    let place = &Place::new();
    let service = place.start();
    let address = service.address;
    place.power.make_disk("slow");
    thread::scope(|scope| {
        let caller = scope.spawn(|| place.edit(address, "second"));
        wait_until(|| place.power.has_waited() && place.has_committed());
        let reader = scope.spawn(|| service.get(READS[0], &place.installation.key));
        place.power.repair_disk("slow");
        assert_eq!(caller.join().unwrap().unwrap().status, 200);
        let left = crate::SIGN_UP - 2 * PRICE;
        assert!(reader.join().unwrap()["available"].as_i64().unwrap() >= left);
        assert_eq!(service.get(READS[0], &place.installation.key)["available"], left);
    });
    service.kill();
    place.power.fail(Loss::Everything, &mut Random::new(1));
    let service = place.installation.start();
    let left = crate::SIGN_UP - 2 * PRICE;
    assert_eq!(service.get(READS[0], &place.installation.key)["available"], left);
    assert!(service.stop().success());
    place.installation.verify();
}

#[test]
fn after_a_failed_sync_nothing_is_told_until_a_restart() {
    let place = &Place::new();
    let service = place.start();
    let status = |path: &str| {
        let request = place.read_request(path);
        Connection::open(service.address).unwrap().call(&request).unwrap().status
    };
    assert_eq!(status("/readyz"), 200);
    place.power.make_disk("broken");
    assert_eq!(place.edit(service.address, "second").unwrap().status, 500);
    place.power.repair_disk("broken");
    // A later sync would succeed without what the failed one should have covered.
    assert_eq!(place.edit(service.address, "second").unwrap().status, 500, "nor is it repeated");
    assert_eq!(READS.map(status), [500; 3]);
    assert_eq!(status("/readyz"), 503);
    // Whatever is left of the log, a clean stop moves nothing of it into the database file.
    service.stop();
    place.power.fail(Loss::Everything, &mut Random::new(1));
    let service = place.installation.start();
    assert_eq!(service.get(READS[0], &place.installation.key)["available"], crate::SIGN_UP - PRICE);
    assert_eq!(place.edit(service.address, "second").unwrap().status, 200);
    assert!(service.stop().success());
    place.installation.verify();
}
