//! What `doctor` reports about an image bucket and about how long results are kept.

use retouch_core::catalogue::EMBEDDED;

use super::{Folder, Outcome, REFUSING, outcome};

fn doctor(endpoint: &str, secret: &str) -> Outcome {
    let folder = Folder::new();
    let mut command = folder.command(&["doctor"]);
    command.env("RETOUCH_SERVER__LISTEN", "127.0.0.1:0");
    command.env("RETOUCH_STORE__BLOBS_URL", "s3://retouch/doctor");
    command.env("RETOUCH_STORE__S3_ENDPOINT", endpoint);
    command.env("RETOUCH_STORE__S3_ACCESS_KEY_ID", "retouch-test");
    command.env("RETOUCH_STORE__S3_SECRET_ACCESS_KEY", secret);
    outcome(command, "")
}

fn images(outcome: &Outcome) -> &str {
    line(outcome, "images")
}

fn line<'a>(outcome: &'a Outcome, of: &str) -> &'a str {
    outcome.stdout.lines().find(|line| line.contains(&format!("  {of} "))).unwrap()
}

#[test]
fn the_doctor_says_that_nobody_answers_for_a_bucket() {
    let told = doctor(&format!("http://{REFUSING}"), "hunter22");
    assert_eq!(told.status, 1, "{told:?}");
    let line = images(&told);
    assert!(line.starts_with("FAIL") && line.contains("onnection refused"), "{line}");
    assert!(line.contains("s3://retouch/doctor") && line.contains("BLOBS_URL"), "{line}");
    assert!(!format!("{told:?}").contains("hunter22"), "{told:?}");
}

#[test]
fn the_doctor_tries_a_bucket_and_its_key() {
    // `tests/s3/run` starts a server.
    let Ok(endpoint) = std::env::var("RETOUCH_TEST_S3") else { return };
    let right = doctor(&endpoint, "retouch-test-secret");
    assert_eq!(right.status, 0, "{right:?}");
    assert!(images(&right).ends_with("can store, read and delete files"), "{right:?}");
    let wrong = doctor(&endpoint, "hunter22");
    let line = images(&wrong);
    assert!(line.starts_with("FAIL") && line.contains("SignatureDoesNotMatch"), "{line}");
}

#[test]
fn the_doctor_says_how_long_results_are_kept() {
    let folder = Folder::new();
    let kept = folder.run(&["doctor"]);
    assert!(line(&kept, "results").ends_with("kept until deleted"), "{kept:?}");
    let catalogue = EMBEDDED
        .replacen("sign_up_credits", "results_kept_days = 30\nsign_up_credits", 1)
        .replacen("id = \"pro\"\n", "id = \"pro\"\nresults_kept_days = 90\n", 1);
    let doctor = |catalogue: &str| {
        let file = folder.path("models.toml");
        std::fs::write(&file, catalogue).unwrap();
        let mut command = folder.command(&["doctor"]);
        command.env("RETOUCH_CATALOGUE__FILE", file);
        outcome(command, "")
    };
    let limited = doctor(&catalogue);
    let said = "kept 30 days (basic: until deleted, pro: 90 days, max: until deleted)";
    assert!(line(&limited, "results").ends_with(said), "{limited:?}");
    let none = doctor(&catalogue.replace("= 90", "= 0"));
    assert!(line(&none, "results").contains("pro: results_kept_days is 0"), "{none:?}");
}
