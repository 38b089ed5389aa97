//! A full disk: what cannot be stored is not charged, and the service continues as soon as there is
//! space again.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use base64_simd::STANDARD;
use serde_json::json;

use crate::books;
use crate::calls::{PRICE, noise};
use crate::http::{self, Answer, Connection};
use crate::service::{Installation, Service};

/// The largest file that the shell allows, in its blocks of 512 or 1024 bytes.
const FILE_BLOCKS_MAX: u32 = 8192;
/// Sides of images in pixels: one whose PNG is larger than that, one with a PNG of half a megabyte,
/// and a small one.
const HUGE_SIDE: u32 = 1800;
const LARGE_SIDE: u32 = 400;
const SMALL_SIDE: u32 = 8;
/// The longest time for the sweep to release what a full disk kept held.
const SWEEP_MAX: Duration = Duration::from_secs(30);

/// A service, and how much its account has paid.
struct Payer<'a> {
    installation: &'a Installation,
    service: Service,
    paid: i64,
}

impl Payer<'_> {
    /// Edits an image with this side, under an `Idempotency-Key`.
    fn edit(&self, side: u32, name: &str) -> Answer {
        let picture = STANDARD.encode_to_string(noise(side, 1));
        let body = json!({ "instruction": "invert the colours", "imageBase64": picture });
        let body = body.to_string();
        let headers = [http::bearer(&self.installation.key), format!("Idempotency-Key: {name}")];
        let request = http::request("POST /api/image-edit", &headers, Some(body.as_bytes()));
        Connection::open(self.service.address).unwrap().call(&request).unwrap()
    }

    fn succeeds(&mut self, side: u32, name: &str) {
        let answer = self.edit(side, name);
        assert_eq!(answer.status, 200, "{}", text(&answer));
        self.paid += PRICE;
        self.balances();
    }

    fn is_not_stored(&self, side: u32, name: &str) {
        let answer = self.edit(side, name);
        assert_eq!(answer.status, 500, "{}", text(&answer));
        assert_eq!(answer.json()["error"]["code"], "storage_failed", "{}", text(&answer));
        self.balances();
    }

    fn balances(&self) {
        let credits = self.credits();
        assert_eq!(credits["held"], 0);
        assert_eq!(credits["available"], 15 + 1000 - self.paid);
    }

    fn credits(&self) -> serde_json::Value {
        self.service.get("/api/credits", &self.installation.key)
    }

    fn ready(&self) -> u16 {
        let mut connection = Connection::open(self.service.address).unwrap();
        connection.call(&http::request("GET /readyz", &[], None)).unwrap().status
    }
}

fn installation(environment: &[(&str, &str)]) -> Installation {
    let installation = Installation::new(environment);
    installation.grant(1000);
    installation
}

#[test]
fn results_are_not_charged_while_their_folder_is_away() {
    let installation = installation(&[]);
    let service = installation.start();
    let mut payer = Payer { installation: &installation, service, paid: 0 };
    let (folder, away) = (installation.data().join("blobs"), installation.data().join("away"));
    payer.succeeds(LARGE_SIDE, "before");
    assert_eq!(payer.ready(), 200);
    fs::rename(&folder, &away).unwrap();
    payer.is_not_stored(LARGE_SIDE, "meanwhile");
    payer.succeeds(SMALL_SIDE, "in-the-database");
    assert_eq!(payer.ready(), 503);
    fs::rename(&away, &folder).unwrap();
    assert_eq!(payer.ready(), 200);
    payer.succeeds(LARGE_SIDE, "meanwhile");
    installation.verify();
}

#[test]
fn a_result_that_the_disk_refuses_is_not_charged() {
    let installation = installation(&[]);
    let limit = format!("trap '' XFSZ; ulimit -f {FILE_BLOCKS_MAX};");
    let service = installation.start_after(&limit);
    let mut payer = Payer { installation: &installation, service, paid: 0 };
    payer.succeeds(SMALL_SIDE, "small");
    payer.is_not_stored(HUGE_SIDE, "huge");
    payer.succeeds(SMALL_SIDE, "small-again");
    let files = books::stored_names(&installation);
    assert_eq!(files.len(), 2, "the result that could not be stored left a file");
    payer.service.kill();
    // With more space, the same call succeeds.
    payer.service = installation.start();
    payer.succeeds(HUGE_SIDE, "huge");
    installation.verify();
}

#[test]
fn a_full_disk_charges_nothing_and_is_survived() {
    let installation = installation(&[("RETOUCH_EDITS__SWEEP_EVERY", "200 ms")]);
    let Some(unshare) = may_mount(&installation) else {
        println!(
            "SKIPPED: this machine does not allow mounting a file system, so none can be filled up"
        );
        return;
    };
    let data = installation.data();
    let copied = data.with_extension("copy");
    let (data, copied) = (data.display(), copied.display());
    let service = installation.start_after(&format!(
        "exec {unshare} sh -c 'mv {data} {copied} && mkdir {data} && \
         mount -t tmpfs -o size=8m none {data} && cp -a {copied}/. {data}/ && \
         exec \"$0\" serve' \"$0\";"
    ));
    let mut payer = Payer { installation: &installation, service, paid: 0 };
    payer.succeeds(LARGE_SIDE, "before");
    let ballast = Ballast::new(&payer.service, &installation);
    // Space for rows, but not for results.
    ballast.fill(200_000);
    payer.is_not_stored(LARGE_SIDE, "meanwhile");
    // No space at all: either the hold cannot be made, or it cannot be released for now.
    ballast.fill(0);
    for number in 0..10 {
        let side = if number % 2 == 0 { LARGE_SIDE } else { SMALL_SIDE };
        let answer = payer.edit(side, &format!("full-{number}"));
        assert!(matches!(answer.status, 500 | 503), "{}", text(&answer));
    }
    fs::remove_file(&ballast.file).unwrap();
    let started = Instant::now();
    while payer.credits()["held"] != 0 {
        assert!(started.elapsed() < SWEEP_MAX, "credits stay held");
    }
    payer.balances();
    payer.succeeds(LARGE_SIDE, "meanwhile");
    payer.succeeds(LARGE_SIDE, "full-0");
    payer.succeeds(SMALL_SIDE, "full-1");
}

/// A file that fills up the service's own small file system.
struct Ballast {
    file: PathBuf,
}

impl Ballast {
    fn new(service: &Service, installation: &Installation) -> Self {
        let data = installation.data();
        let data = data.strip_prefix("/").unwrap();
        Self { file: service.proc("root").join(data).join("ballast") }
    }

    /// Leaves `free_bytes` of space, give or take a page or two.
    fn fill(&self, free_bytes: u64) {
        let mut file = File::create(&self.file).unwrap();
        let mut bytes = 0;
        while let Ok(more) = file.write(&[0; 4096]) {
            bytes += more as u64;
        }
        file.set_len(bytes.saturating_sub(free_bytes)).unwrap();
    }
}

/// The command with which a file system can be mounted that disappears with its last process.
fn may_mount(installation: &Installation) -> Option<&'static str> {
    let folder = installation.data();
    ["unshare --mount", "unshare --user --map-root-user --mount"].into_iter().find(|unshare| {
        let line = format!("{unshare} mount -t tmpfs none {} 2>/dev/null", folder.display());
        Command::new("sh").args(["-c", &line]).status().is_ok_and(|status| status.success())
    })
}

fn text(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.body[..answer.body.len().min(400)]).into_owned()
}
